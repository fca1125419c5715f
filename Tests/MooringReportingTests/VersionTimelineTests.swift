import MooringModel
import MooringReporting
import Testing

@Suite("Versions in the timeline of one object")
struct VersionTimelineTests {
    private let start = SampleRun.start

    private func version(
        _ id: String, hour: Int64, isMarker: Bool = false, etag: String = "e"
    ) -> KeptVersion {
        KeptVersion(
            id: id, isMarker: isMarker, writtenAt: start + .hours(hour),
            etag: isMarker ? "" : etag, size: isMarker ? 0 : 12)
    }

    private func texts(_ versions: [KeptVersion], held: [QuarantinedObject] = []) -> [String] {
        var timeline = Timeline()
        timeline.add(KeptVersions(versions), quarantined: held, in: "media")
        #expect(timeline.events.allSatisfy { $0.source == "versions of bucket media" })
        return timeline.events.map(\.text)
    }

    @Test("Of one second the older stands before the newer, and only the top is current")
    func order() {
        #expect(
            texts([version("b", hour: 1), version("a", hour: 1)]) == [
                "version a written, 12 B, ETag e",
                "version b written, 12 B, ETag e; the current one",
            ])
        let hidden = texts([version("m", hour: 2, isMarker: true), version("a", hour: 1)])
        #expect(
            hidden == [
                "version a written, 12 B, ETag e",
                "delete marker put (version m); it hides the object now",
            ])
        let back = texts([version("b", hour: 3), version("m", hour: 2, isMarker: true)])
        #expect(back.first == "delete marker put (version m)")
    }

    @Test("Parts, the null version and hostile ids are told for what they are")
    func words() {
        #expect(
            texts([version("a", hour: 1, etag: "0f-3")]).first
                == "version a written in parts, which began then, 12 B, ETag 0f-3; the current one")
        let null = texts([version("null", hour: 1), version("null", hour: 0, isMarker: true)])
        #expect(null[0] == "delete marker put (version null)")
        #expect(null[1].contains("from before versions were kept, or while they were not"))
        let hostile = texts([version("a\u{1B}[31m\n", hour: 1, etag: "e\r\u{7}")]).joined()
        #expect(hostile.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(hostile)")
    }

    @Test("A marker that a note in quarantine names is Mooring's own, and no other is")
    func own() {
        let run = RunID(startingAt: start)
        let object = QuarantinedObject(
            key: ObjectKey("a"), run: run,
            version: ObjectVersion(size: 12, etag: "e", lastModified: start, versionID: "a"),
            marker: "m")
        let told = texts(
            [
                version("n", hour: 3, isMarker: true), version("m", hour: 2, isMarker: true),
                version("a", hour: 1),
            ], held: [object])
        #expect(told[1] == "delete marker put (version m) by the quarantine of run \(run.text)")
        #expect(told[2] == "delete marker put (version n); it hides the object now")
    }

    @Test("A copy in quarantine is told with its run; what a marker hides is no copy")
    func copies() {
        let run = RunID(startingAt: start)
        let copy = ObjectVersion(size: 4, etag: "e", lastModified: start + .hours(1))
        let hidden = ObjectVersion(size: 4, etag: "e", lastModified: start, versionID: "v")
        var timeline = Timeline()
        timeline.add(
            [copy, hidden].map { QuarantinedObject(key: ObjectKey("a"), run: run, version: $0) },
            in: "media")
        #expect(timeline.events.map(\.text) == ["what lies in quarantine was written, 4 B"])
        #expect(timeline.events[0].source == "quarantine of media, run \(run.text)")
    }
}
