import MooringDecisions
import MooringModel
import Testing

@Suite("Change times")
struct ChangeTimeTests {
    private let moment = Instant(seconds: 1_700_000_000)

    @Test(
        "seconds, milliseconds and ISO 8601 are told apart by their form",
        arguments: [
            (FieldValue.integer(1_700_000_000), ChangeTimeForm.seconds),
            (.integer(1_700_000_000_000), .milliseconds), (.real(1_700_000_000), .seconds),
            (.real(1_700_000_000_000), .milliseconds),
            (.text(Array("1700000000".utf8)), .seconds),
            (.blob(Array("1700000000000".utf8)), .milliseconds),
            (.text(Array("2023-11-14T22:13:20Z".utf8)), .iso8601),
        ])
    func forms(value: FieldValue, form: ChangeTimeForm) throws {
        let read = try #require(ChangeTimeForm.read(value))
        #expect(read.form == form)
        #expect(read.instant == moment)
    }

    @Test(
        "what is no time is not known",
        arguments: [
            FieldValue.null, .absent, .text([]), .text(Array("yesterday".utf8)), .json([0x30]),
            .real(.nan), .real(.infinity), .real(-1e300), .integer(.max), .integer(.min),
            .text(Array("99999999999999999999".utf8)), .text([0xFF]),
        ])
    func unknown(value: FieldValue) {
        #expect(ChangeTimeForm.read(value)?.instant == nil)
    }

    @Test("the border between seconds and milliseconds")
    func border() throws {
        #expect(try #require(ChangeTimeForm.read(.integer(99_999_999_999))).form == .seconds)
        #expect(try #require(ChangeTimeForm.read(.integer(100_000_000_000))).form == .milliseconds)
    }

    @Test("a text without a zone is read in the one given, and tells where none is")
    func zones() throws {
        let summer = ClockZone(name: "+02:00", offset: 7_200)
        let text = FieldValue.text(Array("2023-11-15 00:13:20".utf8))
        let zoned = FieldValue.text(Array("2023-11-14T22:13:20Z".utf8))
        #expect(ChangeTimeForm.read(text, zone: summer)?.time == ChangeTime(moment))
        #expect(
            ChangeTimeForm.read(text)?.time
                == ChangeTime(moment + .hours(2), isZoned: false))
        for value in [zoned, .integer(1_700_000_000)] {
            #expect(ChangeTimeForm.read(value, zone: summer)?.time == ChangeTime(moment))
        }
    }

    @Test("a date without a time of day may mean its evening, and one without seconds a minute")
    func precision() throws {
        let summer = ClockZone(name: "+02:00", offset: 7_200)
        func precision(_ text: String, _ zone: ClockZone? = nil) -> Duration? {
            ChangeTimeForm.read(.text(Array(text.utf8)), zone: zone)?.time.precision
        }
        #expect(precision("2024-05-01") == .hours(24))
        #expect(precision("2024-05-01", summer) == .hours(24))
        #expect(precision("2024-05-01T10:00Z") == .seconds(60))
        #expect(precision("2024-05-01 10:00", summer) == .seconds(60))
        #expect(precision("2024-05-01T10:00:00Z") == .zero)
    }

    @Test("where the old text names no zone the new one names none, as clocks there show it")
    func writtenZones() throws {
        let summer = ClockZone(name: "+02:00", offset: 7_200)
        let old = FieldValue.text(Array("2020-01-01 00:00:00".utf8))
        func written(_ zone: ClockZone?) -> FieldValue {
            ChangeTimeForm.iso8601.write(moment, like: old, zone: zone)
        }
        #expect(written(nil) == .text(Array("2023-11-14 22:13:20".utf8)))
        #expect(written(summer) == .text(Array("2023-11-15 00:13:20".utf8)))
        #expect(ChangeTimeForm.read(written(summer), zone: summer)?.time == ChangeTime(moment))
    }

    @Test("a number that tells of no year an app can mean is not moved on")
    func strangeNumber() {
        func assigned(_ changed: FieldValue) -> [String] {
            FieldChange.change(
                RecordID("r"), "cover", (.text(Array("k".utf8)), .null),
                in: (ModelMapping(model: "Song", changed: "at"), ["at": changed]), at: now
            ).assignments.map(\.column)
        }
        #expect(assigned(.integer(1_700_000_000)) == ["cover", "at"])
        #expect(assigned(.integer(721_692_800)) == ["cover"])
        #expect(assigned(.real(721_692_800.5)) == ["cover"])
    }

    @Test("a moment is written in the old form and storage class, and read back")
    func write() throws {
        let old: [FieldValue] = [
            .integer(5), .integer(1_700_000_000_001), .real(1_700_000_000),
            .real(1_700_000_000_000),
            .text(Array("1700000000".utf8)), .blob(Array("1700000000000".utf8)),
            .text(Array("2023-11-14T22:13:20Z".utf8)), .blob(Array("2023-11-14T22:13:20Z".utf8)),
        ]
        for value in old {
            let form = try #require(ChangeTimeForm.read(value)).form
            let written = form.write(now, like: value)
            #expect(written.storageClass == value.storageClass)
            let again = try #require(ChangeTimeForm.read(written))
            #expect(again.form == form && again.instant == now)
        }
    }
}
