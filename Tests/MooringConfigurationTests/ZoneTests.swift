import MooringConfiguration
import MooringModel
import Testing

@Suite("The zone of change times")
struct ZoneTests {
    private func zone(_ name: String) throws -> ClockZone? {
        let text = Sample.model("changed: at\nzone: \"\(name)\"")
        return try Sample.read(text).records[0].mapping.models[0].zone
    }

    private func moment(_ zone: String, _ local: String) throws -> String? {
        guard let zone = try self.zone(zone), let time = Instant(iso8601: local) else {
            return nil
        }
        return zone.moment(ofLocal: time).iso8601
    }

    @Test("UTC, an offset or a name of the time zone database")
    func names() throws {
        let local = "2026-07-10T12:00:00"
        for (zone, expected) in [
            ("UTC", "2026-07-10T12:00:00Z"), ("Z", "2026-07-10T12:00:00Z"),
            ("+02:00", "2026-07-10T10:00:00Z"), ("-0330", "2026-07-10T15:30:00Z"),
            ("+2", "2026-07-10T10:00:00Z"), ("Europe/Berlin", "2026-07-10T10:00:00Z"),
            ("America/New_York", "2026-07-10T16:00:00Z"),
            ("Pacific/Kiritimati", "2026-07-09T22:00:00Z"),
        ] {
            #expect(try moment(zone, local) == expected, "\(zone)")
        }
    }

    @Test("a named zone changes with the seasons, and at a repeated hour the later is meant")
    func seasons() throws {
        let berlin = "Europe/Berlin"
        #expect(try moment(berlin, "2026-01-10T12:00:00") == "2026-01-10T11:00:00Z")
        #expect(try moment(berlin, "2026-10-25T02:30:00") == "2026-10-25T01:30:00Z")
        #expect(try moment(berlin, "2026-03-29T02:30:00") == "2026-03-29T01:30:00Z")
    }

    @Test("without the key nothing says which zone it is")
    func absent() throws {
        let text = Sample.model("changed: at")
        #expect(try Sample.read(text).records[0].mapping.models[0].zone == nil)
    }

    @Test("what is no zone is refused, with the nearest name")
    func refusals() {
        let found =
            "mooring.yaml:8: 'zone' is UTC, an offset such as +02:00, or a name such as "
            + "Europe/Berlin; found "
        #expect(
            Sample.refusal(Sample.model("changed: at\nzone: Europe/Berln"))
                == found + "'Europe/Berln'; did you mean 'Europe/Berlin'?")
        for wrong in ["+15:00", "CEST", "+1:2:3", "local"] {
            #expect(
                Sample.refusal(Sample.model("changed: at\nzone: \"\(wrong)\""))
                    .hasPrefix(found + "'\(wrong)'"))
        }
        #expect(
            Sample.refusal(Sample.model("zone: UTC"))
                == "mooring.yaml:7: 'zone' needs 'changed', the column of the time")
    }

    @Test("another zone is another configuration")
    func fingerprint() throws {
        let fingerprints = try ["UTC", "+02:00", "Europe/Berlin"].map {
            try Sample.read(Sample.model("changed: at\nzone: \"\($0)\"")).fingerprint
        }
        #expect(Set(fingerprints).count == 3)
    }
}
