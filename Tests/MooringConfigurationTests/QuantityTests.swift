import MooringConfiguration
import Testing

struct QuantityTests {
    @Test(
        "durations are whole numbers with units, the largest first",
        arguments: [
            ("0s", Duration.zero), ("50m", .seconds(3_000)), ("3d", .seconds(259_200)),
            ("1h30m", .seconds(5_400)), ("500ms", .milliseconds(500)),
            ("1d2h3m4s5ms", .milliseconds(93_784_005)), ("36500d", .seconds(3_153_600_000)),
        ])
    func durations(text: String, wanted: Duration) throws {
        #expect(try Quantity.duration(text) == wanted)
    }

    @Test(
        "what is no duration is refused",
        arguments: [
            "", "5", "m", "1.5h", "-1h", "+1h", "1 h", "1h ", "1w", "30m1h", "1h1h", "1H", "1hh",
            "0x1s", "٣d", "99999999999999999999s", "36501d", "9223372036854775807d", "1ms1s",
        ])
    func notDurations(text: String) {
        #expect(throws: QuantityError.self) { try Quantity.duration(text) }
    }

    @Test(
        "sizes are numbers with a unit",
        arguments: [
            ("0B", Int64(0)), ("17B", 17), ("1GB", 1_000_000_000), ("256MiB", 256 << 20),
            ("100GiB", 100 << 30), ("1.5 MiB", 1_572_864), ("1kB", 1_000), ("1KB", 1_000),
            ("0.5KiB", 512), ("8000000TB", 8_000_000_000_000_000_000), ("1.000001B", 1),
        ])
    func sizes(text: String, wanted: Int64) throws {
        #expect(try Quantity.size(text) == wanted)
    }

    @Test(
        "what is no size is refused",
        arguments: [
            "", "17", "MiB", "-1B", "1.B", ".5B", "1gb", "1 MiB ", "1  MiB", "1e3B",
            "9223373TB", "99999999999999999999B", "1.0000001B", "1%",
        ])
    func notSizes(text: String) {
        #expect(throws: QuantityError.self) { try Quantity.size(text) }
    }

    @Test(
        "shares are percentages",
        arguments: [("0%", 0.0), ("1%", 0.01), ("0.5%", 0.005), ("100%", 1), ("12.34%", 0.1234)])
    func shares(text: String, wanted: Double) throws {
        #expect(try Quantity.share(text) == wanted)
    }

    @Test(
        "what is no share is refused, a bare number first of all",
        arguments: ["", "1", "0.01", "%", "101%", "100.001%", "-1%", "nan%", "1 %", "1%%", "1e1%"])
    func notShares(text: String) {
        #expect(throws: QuantityError.self) { try Quantity.share(text) }
    }

    @Test("an error says the form and what was found")
    func messages() {
        let error = #expect(throws: QuantityError.self) { try Quantity.share("1") }
        #expect(
            error?.description == "needs a share from 0% to 100%, such as 1% or 0.5%; found '1'")
    }

    @Test(
        "shares are printed without needless digits",
        arguments: [
            (0.0, "0%"), (0.012, "1.2%"), (0.01, "1%"), (1.0, "100%"), (0.123456, "12.35%"),
            (0.00001, "0.001%"), (0.9999, "99.99%"), (-1.0, "0%"), (.nan, "0%"),
        ])
    func printedShares(share: Double, wanted: String) {
        #expect(Quantity.format(share: share) == wanted)
    }

    @Test("a share that shall cover a number does so when it is read back")
    func coveringShares() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("covering shares, seed \(seed)")
        var state = seed
        for _ in 0..<2_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let objects = Double(state >> 40 % 1_000_000 + 1)
            let orphans = Double(state >> 20 % 1_000_000).truncatingRemainder(dividingBy: objects)
            let share = orphans / objects
            let text = Quantity.format(coveringShare: share)
            let covered = try Quantity.share(text)
            #expect(covered >= share && covered - share <= 0.0001001, "\(share) as \(text)")
        }
        #expect(Quantity.format(coveringShare: 0.12) == "12%")
        #expect(Quantity.format(coveringShare: 0.120001) == "12.01%")
    }

    @Test(
        "bytes are printed with one decimal",
        arguments: [
            (Int64(0), "0 B"), (17, "17 B"), (1_023, "1023 B"), (1_024, "1 KiB"),
            (1_572_864, "1.5 MiB"), (1_048_575, "1 MiB"), (100 << 30, "100 GiB"),
            (.max, "8 EiB"), (.min, "-8 EiB"), (-1_536, "-1.5 KiB"),
        ])
    func printedBytes(bytes: Int64, wanted: String) {
        #expect(Quantity.format(bytes: bytes) == wanted)
    }
}
