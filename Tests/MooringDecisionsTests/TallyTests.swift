import MooringDecisions
import MooringModel
import Testing

@Suite("Counting findings and comparing gates")
struct TallyTests {
    private func gate(
        _ kind: FindingKind, _ comparison: Gate.Comparison = .equal, _ value: Int64 = 0,
        verdict: Verdict? = nil, bytes: Bool = false
    ) -> Gate {
        Gate(
            text: "", newOnly: false, kind: kind, verdict: verdict, countsBytes: bytes,
            comparison: comparison, value: value)
    }

    private func finding(
        _ kind: FindingKind, _ verdict: Verdict, size: Int64 = 10, runs: Int = 1,
        action: Strategy? = nil
    ) -> Finding {
        var finding = Sample.finding(kind, cause: nil, verdict: verdict)
        finding.object = Sample.version(size: size)
        finding.runs = runs
        finding.action = action
        return finding
    }

    private func orphans(_ tally: Tally) -> Int {
        tally.acts.reduce(0) { $0 + ($1.key.kind == .orphanShare ? $1.value : 0) }
    }

    @Test("findings are counted by kind, verdict, bytes and novelty")
    func counts() {
        var tally = Tally()
        tally.add(finding(.orphan, .settled, size: 1, action: .quarantine))
        tally.add(finding(.orphan, .settled, size: 2, runs: 2, action: .keep))
        tally.add(finding(.orphan, .explained, size: 4, action: .quarantine))
        tally.add(finding(.orphan, .undecided, size: 8))
        tally.add(finding(.dangling, .settled, action: .nullify))
        let count = tally.counts[.orphan]
        #expect(count?.settled == 2 && count?.explained == 1 && count?.undecided == 1)
        #expect(count?.bytes == 15 && count?.settledBytes == 3 && count?.new == 3)
        #expect(tally.steps == 2)
        #expect(orphans(tally) == 1 && tally.bytesToRemove == 1)
        #expect(tally.value(of: gate(.orphan)) == 4)
        #expect(tally.value(of: gate(.orphan, verdict: .settled)) == 2)
        #expect(tally.value(of: gate(.orphan, verdict: .settled, bytes: true)) == 3)
        let new = Gate(
            text: "", newOnly: true, kind: .orphan, verdict: nil, countsBytes: false,
            comparison: .equal, value: 0)
        #expect(tally.value(of: new) == 3)
        #expect(tally.value(of: gate(.shared)) == 0)
    }

    @Test("a deleted orphan is counted as removed, a nulled reference is not")
    func removed() {
        var tally = Tally()
        tally.add(finding(.orphan, .settled, size: 5, action: .delete))
        tally.add(finding(.dangling, .settled, size: 5, action: .nullify))
        #expect(orphans(tally) == 1 && tally.bytesToRemove == 5 && tally.steps == 2)
    }

    @Test("sizes that a listing made up stop at the end of the range")
    func overflow() {
        var tally = Tally()
        for _ in 0..<3 {
            tally.add(finding(.orphan, .settled, size: .max, action: .quarantine))
        }
        tally.add(finding(.orphan, .explained, size: .max))
        tally.add(finding(.orphan, .settled, size: -5, action: .quarantine))
        #expect(tally.bytesToRemove == .max)
        #expect(tally.counts[.orphan]?.bytes == .max)
        #expect(tally.value(of: gate(.orphan, bytes: true)) == .max)
    }

    @Test(
        "each comparison holds below, at and above its number",
        arguments: [
            (Gate.Comparison.equal, [false, true, false]), (.unequal, [true, false, true]),
            (.less, [true, false, false]), (.atMost, [true, true, false]),
            (.greater, [false, false, true]), (.atLeast, [false, true, true]),
        ])
    func comparisons(comparison: Gate.Comparison, expected: [Bool]) {
        let gate = gate(.orphan, comparison, 5)
        #expect([4, 5, 6].map { GateAnswer(gate: gate, measured: $0).answer.passed } == expected)
    }
}
