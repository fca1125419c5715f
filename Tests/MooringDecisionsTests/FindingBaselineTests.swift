import MooringDecisions
import MooringModel
import Testing

@Suite("What a baseline lets pass")
struct FindingBaselineTests {
    private let now = Instant(seconds: 1_800_000_000)

    private func finding(
        _ id: String, _ kind: FindingKind = .dangling, _ cause: FindingCause? = .missing
    ) -> Finding {
        var finding = Finding(id: id, kind: kind, cause: cause, verdict: .settled)
        finding.object = Sample.version(size: 10)
        return finding
    }

    private func entry(
        _ id: String, _ kind: FindingKind = .dangling, _ cause: FindingCause? = .missing,
        _ change: (inout FindingBaseline.Entry) -> Void = { _ in }
    ) -> FindingBaseline.Entry {
        var entry = FindingBaseline.Entry(id: id, kind: kind, cause: cause, about: "a")
        change(&entry)
        return entry
    }

    private func answer(
        _ entry: FindingBaseline.Entry, _ finding: Finding, expires: Instant? = nil
    ) -> FindingBaseline.Answer {
        FindingBaseline([entry], expires: expires).answer(to: finding, at: now)
    }

    @Test("A run is no baseline that saw too little, judged as of another day, or lost something")
    func obstacles() {
        func obstacle(_ change: (inout RunSummary) -> Void) -> FindingBaseline.Obstacle? {
            var run = RunSummary(
                id: RunID(startingAt: now), command: "audit", programVersion: "", startedAt: now,
                configuration: "")
            run.status = .complete
            change(&run)
            return FindingBaseline.obstacle(of: run)
        }
        func refusing(_ name: String, refused: Bool = true) -> RunSummary.Guard {
            RunSummary.Guard(name: name, limit: "", value: "", refused: refused)
        }
        #expect(obstacle { _ in } == nil)
        #expect(obstacle { $0.status = .incomplete } == .incomplete)
        #expect(obstacle { $0.notes = [RunSummary.asOfNote + "then"] } == .judgedAsOf)
        for name in ["objectDrop", "referenceDrop", "identity"] {
            #expect(obstacle { $0.guards = [refusing(name)] } == .loss(refusing(name)))
            #expect(obstacle { $0.guards = [refusing(name, refused: false)] } == nil)
        }
        for name in ["orphanShare", "recordShare", "steps", "bytes", "clock"] {
            #expect(obstacle { $0.guards = [refusing(name)] } == nil)
        }
    }

    @Test("A debt passes by id and kind, and nothing else does")
    func debt() {
        #expect(answer(entry("1"), finding("1")) == .debt)
        #expect(answer(entry("1"), finding("2")) == .unknown)
        #expect(answer(entry("1"), finding("1", .orphan)) == .unknown)
    }

    @Test("A line without a cause lets no finding with one pass")
    func noCause() {
        #expect(answer(entry("1", .dangling, nil), finding("1")) == .worse)
        #expect(answer(entry("1", .shared, nil), finding("1", .shared, nil)) == .debt)
    }

    @Test("An accepted one needs a reason that says something")
    func accepted() {
        let accepted = { (reason: String?) in
            self.entry("1") {
                $0.isAccepted = true
                $0.reason = reason
            }
        }
        #expect(answer(accepted("kept for the court"), finding("1")) == .accepted)
        #expect(answer(accepted(nil), finding("1")) == .unreasoned)
        #expect(answer(accepted(" \t"), finding("1")) == .unreasoned)
    }

    @Test("The end of the list counts, and an entry's own before it; at the end it is over")
    func expiry() {
        let later = now + .seconds(1)
        #expect(answer(entry("1"), finding("1"), expires: later) == .debt)
        #expect(answer(entry("1"), finding("1"), expires: now) == .expired)
        let longer = entry("1") { $0.until = later }
        #expect(answer(longer, finding("1"), expires: now) == .debt)
        let shorter = entry("1") { $0.until = self.now }
        #expect(answer(shorter, finding("1"), expires: later) == .expired)
    }

    @Test(
        "A worse cause passes no longer, a better one does",
        arguments: [
            (FindingCause.quarantined, FindingCause.missing), (.twin, .missing),
            (.missing, .vanished), (.deleted, .vanished), (.superseded, .lostUpdate),
            (.behind, .deletedUpstream),
        ])
    func worse(before: FindingCause, now: FindingCause) {
        #expect(answer(entry("1", .dangling, before), finding("1", .dangling, now)) == .worse)
        #expect(answer(entry("1", .dangling, now), finding("1", .dangling, before)) == .debt)
    }

    @Test("What does not pass is counted, and what is gone is healed if the run was whole")
    func answers() {
        let list = FindingBaseline(
            [entry("1"), entry("2", .dangling, .twin), entry("3"), entry("0")], expires: nil)
        let found = [finding("1"), finding("2"), finding("9")]
        let answers = BaselineAnswers(list, found, at: now, isComplete: true)
        #expect(answers.counts == [.debt: 1, .worse: 1, .unknown: 1])
        #expect(answers.failing.map(\.entry.id) == ["2"])
        #expect(answers.healed.map(\.id) == ["0", "3"])
        #expect(answers.tally.counts[.dangling]?.settled == 2)
        let half = BaselineAnswers(list, found, at: now, isComplete: false)
        #expect(half.healed.isEmpty && half.counts == answers.counts)
    }

    @Test("What a list names of the failing is bounded")
    func bounded() {
        let entries = (0..<50).map { entry("\($0)") { $0.until = self.now } }
        let answers = BaselineAnswers(
            FindingBaseline(entries, expires: nil), (0..<50).map { finding("\($0)") }, at: now,
            isComplete: true)
        #expect(answers.counts == [.expired: 50])
        #expect(answers.failing.count == BaselineAnswers.mostNamed)
    }
}
