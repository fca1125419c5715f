import MooringModel
import SeededNumbers
import Testing

@Suite struct InstantTests {
    @Test(
        "Known moments are read and written",
        arguments: [
            ("1970-01-01T00:00:00Z", Int64(0)), ("2000-02-29T12:00:00Z", 951_825_600),
            ("2026-11-21T02:00:00Z", 1_795_226_400), ("1969-12-31T23:59:59Z", -1),
            ("2100-03-01T00:00:00Z", 4_107_542_400), ("1900-02-28T23:59:59Z", -2_203_891_201),
            ("2261-12-31T23:59:59Z", 9_214_646_399), ("1678-01-01T00:00:00Z", -9_214_560_000),
        ])
    func known(text: String, seconds: Int64) throws {
        let instant = try #require(Instant(iso8601: text))
        #expect(instant == Instant(seconds: seconds))
        #expect(instant.iso8601 == text)
    }

    @Test(
        "Other spellings of ISO 8601 are read",
        arguments: [
            ("2026-11-21", "2026-11-21T00:00:00Z"), ("2026-11-21 02:00", "2026-11-21T02:00:00Z"),
            ("2026-11-21T02:00:00", "2026-11-21T02:00:00Z"),
            ("2026-11-21T02:00:00+02:00", "2026-11-21T00:00:00Z"),
            ("2026-11-21T02:00:00-0530", "2026-11-21T07:30:00Z"),
            ("2026-11-21t02:00:00z", nil), ("2026-11-21T02:00:00z", "2026-11-21T02:00:00Z"),
            ("2026-11-21T02:00:00.5Z", "2026-11-21T02:00:00.500Z"),
            ("2026-11-21T02:00:00,000001Z", "2026-11-21T02:00:00.000001Z"),
            ("2026-11-21T02:00:00.1234567899Z", "2026-11-21T02:00:00.123456789Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
            ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"),
        ] as [(String, String?)])
    func spellings(text: String, expected: String?) {
        #expect(Instant(iso8601: text)?.iso8601 == expected)
    }

    @Test(
        "What is no moment is refused",
        arguments: [
            "", "2026", "2026-11", "2026-13-01", "2026-00-10", "2026-11-00", "2026-11-31",
            "2023-02-29", "1900-02-29", "2100-02-29", "2026-11-21T24:00:00Z",
            "2026-11-21T02:60:00Z",
            "2026-11-21T02:00:61Z", "2026-11-21T02:00:00.Z", "2026-11-21T02:00:00Zx",
            "2026-11-21T02:00:00+24:00", "2026-11-21T02:00:00+01:60", "2026-11-21T02:00:00+",
            "2026-11-21T", "+2026-11-21", "-026-11-21", "2026-1-1", "20261121", " 2026-11-21",
            "\u{662}\u{660}26-11-21", "9999-01-01", "0001-01-01", "2262-04-12",
            "1677-09-21T00:12:43Z",
        ])
    func malformed(text: String) {
        #expect(Instant(iso8601: text) == nil)
    }

    @Test("Every moment is read back as it was written, the ends of the range too")
    func roundTrip() {
        var generator = SeededGenerator("Instant.roundTrip")
        let edges = [Int64.min, Int64.min + 1, -1_000_000_001, -1, 0, 1, 999, Int64.max]
        let drawn = (0..<5_000).map { _ in
            // Rounded to a random unit, so that all lengths of the fraction occur.
            let unit = generator.one(of: [1, 1_000, 1_000_000, 1_000_000_000] as [Int64])
            return Int64.random(in: .min ... .max, using: &generator) / unit * unit
        }
        for nanoseconds in edges + drawn {
            let instant = Instant(nanoseconds: nanoseconds)
            #expect(Instant(iso8601: instant.iso8601) == instant, "\(instant.iso8601)")
        }
    }

    @Test("Arithmetic stops at the ends of the range")
    func saturation() {
        #expect(Instant.distantFuture + .days(1) == .distantFuture)
        #expect(Instant.distantPast - .days(1) == .distantPast)
        #expect(Instant(seconds: .max) == .distantFuture)
        #expect(Instant(seconds: .min) == .distantPast)
        #expect((Instant.distantFuture - .distantPast).nanoseconds == .max)
        #expect((Instant.distantPast - .distantFuture).nanoseconds == .min)
        #expect(Duration.seconds(Int64.max).nanoseconds == .max)
        #expect(Duration.seconds(Int64.min).nanoseconds == .min)
        #expect(Instant(seconds: 5) - Instant(seconds: 7) == .seconds(-2))
    }

    @Test(
        "A duration is written as the configuration writes it",
        arguments: [
            (Duration.zero, "0s"), (.milliseconds(250), "250ms"), (.seconds(1), "1s"),
            (.seconds(60), "1m"), (.seconds(3_661), "1h1m1s"), (.days(3) + .hours(1), "3d1h"),
            (.minutes(50), "50m"), (.seconds(-90), "-1m30s"), (.milliseconds(1_900), "1s"),
        ])
    func label(duration: Duration, expected: String) {
        #expect(duration.label == expected)
    }

    @Test("A run's name gives its start back, to the nanosecond")
    func runIDRoundTrip() throws {
        var generator = SeededGenerator("RunID.roundTrip")
        for _ in 0..<2_000 {
            let instant = Instant(
                nanoseconds: Int64.random(in: 0...9_000_000_000_000_000_000, using: &generator))
            let run = RunID(startingAt: instant)
            #expect(run.startedAt == instant)
            #expect(try #require(RunID(run.text)) == run)
        }
        #expect(RunID(startingAt: .distantPast).text.hasPrefix("16770921T001243Z-"))
    }

    @Test("Names of runs sort by time, within a second too")
    func runIDOrder() {
        var generator = SeededGenerator("RunID.order")
        for _ in 0..<2_000 {
            let early = Int64.random(in: 0...9_000_000_000_000_000_000, using: &generator)
            let gap = generator.one(of: [1, 31, 32, 999_999_999, 86_400_000_000_000] as [Int64])
            let left = RunID(startingAt: Instant(nanoseconds: early))
            let right = RunID(startingAt: Instant(nanoseconds: early + gap))
            #expect(left < right)
            #expect(left.text < right.text)
        }
    }

    @Test(
        "What is no run's name is refused",
        arguments: [
            "", "latest", "20261121T020000Z", "20261121T020000Z-", "20261121T020000Z-abc",
            "20261121T020000Z-abcdefg", "20261121T020000Z-abcdeF", "20261121T020000Z-abcdei",
            "20261121T020000Z-abcde/", "2026112aT020000Z-000000", "20261121 020000Z-000000",
            "20261121T020000Z_000000", "../../../../etc/passwd.", "20261121T020000Z-00000\u{E9}",
        ])
    func runIDMalformed(text: String) {
        #expect(RunID(text) == nil)
    }

    @Test("A run's name that holds no date has no start")
    func runIDWithoutDate() throws {
        #expect(try #require(RunID("20261399T020000Z-000000")).startedAt == nil)
    }
}
