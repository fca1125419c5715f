import MooringModel
import MooringReporting
import Testing

@Suite("The timeline of one object")
struct TimelineTests {
    private func run(_ hour: Int64) -> RunID {
        RunID(startingAt: SampleRun.start + .hours(hour))
    }

    private func sight(
        _ hour: Int64, _ verdict: Verdict, kind: FindingKind = .orphan, id: String = "1"
    ) -> Timeline.Sight {
        Timeline.Sight(
            run: run(hour), Finding(id: id, kind: kind, cause: nil, verdict: verdict))
    }

    private func hours(_ instant: Instant) -> Int64 {
        (instant.nanoseconds - SampleRun.start.nanoseconds) / 3_600_000_000_000
    }

    private func texts(
        _ sights: [Timeline.Sight], audits: [Int64], born: Int64?
    ) -> [String] {
        var timeline = Timeline()
        timeline.add(
            sights, audits: audits.map(run), born: born.map { SampleRun.start + .hours($0) })
        return timeline.events.map { "\(hours($0.at)) \($0.text)" }
    }

    @Test("Only what changed is told, and that a later complete audit found it no more")
    func changes() {
        let sights = [sight(1, .explained), sight(2, .explained), sight(3, .settled)]
        #expect(
            texts(sights.reversed(), audits: [0, 1, 2, 3, 4], born: 2) == [
                "1 found: orphan, explained", "3 now: orphan, settled", "4 no longer found: orphan",
            ])
    }

    @Test("The audit before the first sight of an orphan bounds its loss, if the object was there")
    func interval() {
        let kept = "0 no orphan yet: something referenced it, or kept it"
        let sights = [sight(1, .settled)]
        #expect(texts(sights, audits: [0, 1], born: -1).first == kept)
        #expect(texts(sights, audits: [0, 1], born: 0).first != kept)
        #expect(texts(sights, audits: [0, 1], born: nil).first != kept)
        #expect(texts(sights, audits: [1], born: -1).first != kept)
        let dangling = [sight(1, .settled, kind: .dangling)]
        #expect(texts(dangling, audits: [0, 1], born: -1).first != kept)
    }

    @Test("What may still come is told of the newest sight alone")
    func ahead() {
        var (explained, settled) = (sight(1, .explained).finding, sight(1, .settled).finding)
        explained.explanation = Explanation(
            workflow: "create", step: "associate", until: SampleRun.start + .hours(9))
        settled.needs = ProofNeed(proof: "second sighting", after: SampleRun.start + .hours(8))
        let first = Timeline.Sight(run: run(1), explained)
        #expect(
            texts([first], audits: [1], born: nil).last
                == "9 until then a device may explain it: create, step associate")
        #expect(
            texts([Timeline.Sight(run: run(1), settled)], audits: [1], born: nil).last
                == "8 from then on it can have its second sighting")
        #expect(texts([first, sight(2, .settled)], audits: [1, 2], born: nil).count == 2)
    }

    @Test("A journal entry names field and former value, its outcome and its step")
    func journal() {
        let place = RecordPlace(
            identity: RecordIdentity(source: "app", model: "Song", id: RecordID("7")),
            field: "cover")
        let step = PlanStep(
            id: "nullify-1", hash: "", strategy: .nullify, finding: "1", bucket: "media",
            key: ObjectKey("a"), record: place, precondition: Precondition(value: Array("x\n".utf8))
        )
        var entry = JournalEntry(
            run: run(1), plan: nil, step: step, intendedAt: SampleRun.start)
        var timeline = Timeline()
        timeline.add([entry])
        #expect(timeline.events[0].text == "nullify Song/7.cover (it held x\\x0a), not ended")
        entry.outcome = .stale
        entry.reason = "it changed"
        entry.endedAt = SampleRun.start + .hours(1)
        timeline = Timeline()
        timeline.add([entry])
        #expect(
            timeline.lines == [
                "\((SampleRun.start + .hours(1)).iso8601.prefix(19))Z  nullify Song/7.cover "
                    + "(it held x\\x0a), stale: it changed [run \(run(1).text), step nullify-1]"
            ])
    }
}
