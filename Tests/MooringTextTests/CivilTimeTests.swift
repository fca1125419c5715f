import MooringText
import Testing

struct CivilTimeTests {
    @Test("Days are counted without a gap over the turns of eras, and there is no other day")
    func days() throws {
        // 0000-02-28 to 0001-03-01, and 1899 to 2101.
        for days in [-719_470 ... -719_100, -25_600...48_000] as [ClosedRange<Int64>] {
            var before = CivilDay(daysSince1970: days.lowerBound - 1)
            for number in days {
                let day = CivilDay(daysSince1970: number)
                #expect(day.daysSince1970 == number)
                #expect(CivilDay(year: day.year, month: day.month, day: day.day) == day)
                let next = CivilDay(year: before.year, month: before.month, day: before.day + 1)
                #expect(next == day || (next == nil && day.day == 1))
                before = day
            }
        }
        for (year, month, day) in [(2023, 2, 29), (1900, 2, 29), (2026, 0, 1), (2026, 13, 1)] {
            #expect(CivilDay(year: Int64(year), month: Int64(month), day: Int64(day)) == nil)
        }
        #expect(CivilDay(year: 2000, month: 2, day: 29)?.daysSince1970 == 11_016)
    }

    @Test(
        "Texts are written far outside the years that a moment holds",
        arguments: [
            (Int64(0), Int64(0), "1970-01-01T00:00:00Z"),
            (-1, 5_000, "1969-12-31T23:59:59.000005Z"),
            (253_402_300_800, 0, "10000-01-01T00:00:00Z"),
            (-62_167_219_200, 120_000_000, "0001-01-01T00:00:00.120Z BC"),
        ])
    func texts(seconds: Int64, nanosecond: Int64, text: String) {
        let time = CivilTime(seconds: seconds, nanosecond: nanosecond)
        #expect(String(decoding: time.iso8601, as: UTF8.self) == text)
        let local = CivilTime(seconds: seconds, nanosecond: nanosecond, isZoned: false)
        #expect(String(decoding: local.iso8601, as: UTF8.self) == text.filter { $0 != "Z" })
    }

    @Test("What a text leaves out is midnight, UTC, and told")
    func precision() {
        let read = { (text: String) in
            Array(text.utf8).withUnsafeBufferPointer { CivilTime(iso8601: $0) }
        }
        #expect(read("1970-01-02")?.precision == .seconds(86_400))
        #expect(read("1970-01-02")?.seconds == 86_400)
        #expect(read("1970-01-01T00:01")?.precision == .seconds(60))
        #expect(read("1970-01-01T00:01")?.isZoned == false)
        let half = CivilTime(seconds: 0, nanosecond: 500_000_000)
        #expect(read("1970-01-01T01:00:00.5+01:00") == half)
        #expect(read("") == nil)
    }

    @Test("Times that are read eight bytes at once are what their parts say, and nothing else is")
    func plainTimes() {
        // With a blank in the place of the `T` every byte is looked at by itself.
        let read = { (bytes: [UInt8]) in
            bytes.withUnsafeBufferPointer { CivilTime(iso8601: $0) }
        }
        func expectSame(_ bytes: [UInt8]) {
            var slow = bytes
            if bytes[10] == UInt8(ascii: "T") { slow[10] = UInt8(ascii: " ") }
            #expect(read(bytes) == read(slow), "\(String(decoding: bytes, as: UTF8.self))")
        }
        let texts = [
            "2026-11-21T02:00:00Z", "1969-12-31T23:59:59Z", "2000-02-29T12:34:56.789Z",
            "9999-12-31T23:59:60.001Z", "0000-01-01T00:00:00Z",
        ]
        for text in texts {
            #expect(read(Array(text.utf8)) != nil)
            for place in 0..<text.utf8.count {
                for byte in UInt8.min...UInt8.max {
                    var bytes = Array(text.utf8)
                    bytes[place] = byte
                    expectSame(bytes)
                }
            }
        }
        for day in stride(from: Int64(-719_000), to: 2_932_896, by: 379) {
            expectSame(CivilTime(seconds: day * 86_400 + abs(day) % 86_400).iso8601)
        }
    }
}
