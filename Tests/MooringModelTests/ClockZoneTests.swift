import MooringModel
import SeededNumbers
import Testing

@Suite("Zones of clocks")
struct ClockZoneTests {
    private static let hour: Int64 = 3_600
    // Summer time as in Berlin in 2026: from 29 March 01:00 UTC to 25 October 01:00 UTC.
    private static let spring: Int64 = 1_774_746_000
    private static let autumn: Int64 = 1_792_890_000
    private let berlin = ClockZone(
        name: "Europe/Berlin", offset: hour,
        changes: [
            ClockZone.Change(from: autumn, offset: hour),
            ClockZone.Change(from: spring, offset: 2 * hour),
        ])

    private func moment(_ local: String) -> String? {
        Instant(iso8601: local).map { berlin.moment(ofLocal: $0).iso8601 }
    }

    @Test("a time is read by the clocks of its season")
    func seasons() {
        #expect(moment("2026-01-10T12:00:00") == "2026-01-10T11:00:00Z")
        #expect(moment("2026-07-10T12:00:00.250") == "2026-07-10T10:00:00.250Z")
        #expect(moment("2026-11-22T10:00:00") == "2026-11-22T09:00:00Z")
    }

    @Test("of an hour that clocks show twice the later one is meant")
    func repeated() {
        #expect(moment("2026-10-25T02:30:00") == "2026-10-25T01:30:00Z")
        #expect(moment("2026-10-25T01:59:59") == "2026-10-24T23:59:59Z")
        #expect(moment("2026-10-25T03:00:00") == "2026-10-25T02:00:00Z")
    }

    @Test("of an hour that clocks leave out the later reading counts")
    func skipped() {
        #expect(moment("2026-03-29T02:30:00") == "2026-03-29T01:30:00Z")
        #expect(moment("2026-03-29T03:00:00") == "2026-03-29T01:00:00Z")
    }

    @Test("every moment is shown, and is never read as an earlier one")
    func property() {
        var random = SeededGenerator("ClockZoneTests/property")
        for _ in 0..<2_000 {
            var at: Int64 = 1_700_000_000
            let changes = (0..<random.number(0...6)).map { _ in
                at += Int64(random.number(90_000...30_000_000))
                return ClockZone.Change(
                    from: at, offset: Int64(random.number(-24...28)) * 1_800)
            }
            let zone = ClockZone(
                name: "x", offset: Int64(random.number(-24...28)) * 1_800, changes: changes)
            let near = changes.isEmpty ? at : random.one(of: changes).from
            let moment = Instant(seconds: near + Int64(random.number(-100_000...100_000)))
            let read = zone.moment(ofLocal: zone.local(of: moment))
            #expect(read >= moment)
            #expect(zone.local(of: read) == zone.local(of: moment))
        }
    }

    @Test("a text tells whether it names a zone")
    func zoned() {
        for text in [
            "2026-11-22T10:00:00Z", "2026-11-22 10:00+02:00", "2026-11-22T10:00:00.5-0330",
        ] {
            #expect(Instant.read(iso8601: text)?.isZoned == true)
        }
        for text in ["2026-11-22T10:00:00", "2026-11-22 10:00", "2026-11-22"] {
            #expect(Instant.read(iso8601: text)?.isZoned == false)
        }
        #expect(Instant.read(iso8601: "yesterday") == nil)
    }
}
