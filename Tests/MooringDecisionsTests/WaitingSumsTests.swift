import MooringDecisions
import MooringModel
import Testing

/// What it takes until something is done about a finding.
@Suite("What findings wait for") struct WaitingSumsTests {
    private static let now = Instant(seconds: 1_795_226_400)

    private func finding(
        _ verdict: Verdict, _ action: Strategy?, _ kind: FindingKind = .orphan,
        needs: ProofNeed? = nil
    ) -> Finding {
        var finding = Finding(id: "f", kind: kind, cause: nil, verdict: verdict)
        finding.cause = kind == .orphan ? .ownerless : nil
        finding.bucket = "media"
        finding.key = ObjectKey("public/x")
        finding.action = action
        finding.needs = needs
        return finding
    }

    @Test("Each finding has one reason")
    func reasons() {
        let proof = ProofNeed(proof: "second sighting", after: Self.now)
        var explained = finding(.explained, .quarantine)
        explained.explanation = Explanation(workflow: "w", step: "s", until: Self.now)
        let cases: [(Finding, RunSummary.Waiting.Reason, Instant?)] = [
            (finding(.settled, .quarantine), .ready, nil),
            (finding(.settled, .quarantine, needs: proof), .proof, Self.now),
            (finding(.settled, .keep), .policy, nil),
            (finding(.settled, .keep, needs: proof), .proof, Self.now),
            (finding(.settled, nil, .shared), .hand, nil),
            (finding(.settled, .keep, .shared), .hand, nil),
            (explained, .explained, Self.now),
            (finding(.undecided, .keep), .undecided, nil),
        ]
        for (finding, reason, moment) in cases {
            #expect(WaitingSums.reason(of: finding).reason == reason, "\(finding)")
            #expect(WaitingSums.reason(of: finding).moment == moment, "\(finding)")
        }
    }

    @Test("Sums hold the first and the last moment, and none where time alone does not bring one")
    func moments() {
        var sums = WaitingSums()
        for days in [3, 1, 2] as [Int64] {
            let need = ProofNeed(proof: "second sighting", after: Self.now + .days(days))
            sums.add(finding(.settled, .quarantine, needs: need), size: 10)
        }
        let sum = sums.ordered[0]
        #expect((sum.findings, sum.bytes, sum.proof) == (3, 30, "second sighting"))
        #expect(sum.first == Self.now + .days(1))
        #expect(sum.last == Self.now + .days(3))
        let timeless = ProofNeed(proof: "second sighting", after: nil)
        sums.add(finding(.settled, .quarantine, needs: timeless), size: .max)
        let need = ProofNeed(proof: "second sighting", after: Self.now + .days(9))
        sums.add(finding(.settled, .quarantine, needs: need), size: 1)
        #expect((sums.ordered[0].first, sums.ordered[0].last) == (nil, nil))
        #expect((sums.ordered[0].findings, sums.ordered[0].bytes) == (5, .max))
    }

    @Test("Proofs that name places stand in one sum beyond so many")
    func bounded() {
        var sums = WaitingSums()
        for number in 0..<1_000 {
            let need = ProofNeed(proof: "a column \(number)", after: nil)
            sums.add(finding(.settled, .nullify, .dangling, needs: need), size: 0)
        }
        #expect(sums.ordered.count == 21)
        #expect(sums.ordered.reduce(0) { $0 + $1.findings } == 1_000)
        #expect(sums.ordered.first { $0.proof == nil }?.findings == 980)
    }
}
