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
}
