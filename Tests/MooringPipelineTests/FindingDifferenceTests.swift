import MooringLedger
import MooringModel
import SeededNumbers
import Testing

@testable import MooringPipeline

@Suite("The difference between two runs")
struct FindingDifferenceTests {
    private static let verdicts = Verdict.allCases

    private func finding(_ number: Int, _ random: inout SplitMix) -> Finding {
        let kinds: [FindingKind] = [.orphan, .dangling, .shared]
        var finding = Finding(
            id: "f\(number)", kind: kinds[number % 3], cause: nil,
            verdict: Self.verdicts.randomElement(using: &random) ?? .settled)
        finding.bucket = "b\(number % 2)"
        // One in eight lies under another key in another run, as a dangling reference may.
        let moves = Int.random(in: 0..<8, using: &random) == 0
        finding.key =
            number % 11 == 0 ? nil : ObjectKey("\(moves ? "z" : "k")\(number * 7 % 1_000)")
        finding.action = Bool.random(using: &random) ? .keep : .quarantine
        if Bool.random(using: &random) {
            finding.needs = ProofNeed(proof: "second sighting", after: Instant(seconds: 7))
        }
        return finding
    }

    private func record(
        _ ledger: Ledger, at seconds: Int64, _ random: inout SplitMix
    ) throws -> (run: RunID, findings: [String: Finding]) {
        let start = Instant(seconds: seconds)
        let run = RunSummary(
            id: RunID(startingAt: start), command: "audit", programVersion: "test",
            startedAt: start, configuration: "")
        try ledger.begin(run)
        var findings: [Finding] = []
        for number in 0..<1_300 where Int.random(in: 0..<4, using: &random) > 0 {
            findings.append(finding(number, &random))
        }
        try ledger.record(findings, in: run.id)
        return (
            run.id, Dictionary(findings.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
        )
    }

    private func kinds(
        only findings: [String: Finding], not others: [String: Finding]
    ) -> [FindingKind: Int] {
        findings.filter { others[$0.key] == nil }.values.reduce(into: [:]) {
            $0[$1.kind, default: 0] += 1
        }
    }

    @Test("What is new and gone by kind is counted as by comparing both runs in memory")
    func counted() throws {
        let seed = Seed.one()
        var random = SplitMix(state: seed)
        let ledger = try World().ledger()
        let old = try record(ledger, at: 1_000, &random)
        let new = try record(ledger, at: 2_000, &random)
        let change = try #require(try ledger.change(from: old.run, to: new.run))
        #expect(change.since == old.run)
        #expect(change.new == kinds(only: new.findings, not: old.findings))
        #expect(change.gone == kinds(only: old.findings, not: new.findings))
        let totals = try FindingDifference(ledger, from: old.run, to: new.run).compare { _ in }
        #expect(change.new.values.reduce(0, +) == totals.new && totals.new > 0)
        #expect(change.gone.values.reduce(0, +) == totals.gone && totals.gone > 0)
    }

    @Test("It is what comparing both runs in memory gives, in the order of reports, filtered too")
    func againstMemory() throws {
        let seed = Seed.one()
        var random = SplitMix(state: seed)
        let ledger = try World().ledger()
        let old = try record(ledger, at: 1_000, &random)
        let new = try record(ledger, at: 2_000, &random)
        for filter in [
            FindingFilter(), FindingFilter(kinds: [.orphan, .shared]),
            FindingFilter(verdicts: [.settled]), FindingFilter(keyPrefix: Array("z".utf8)),
            FindingFilter(kinds: [.dangling], verdicts: [.explained], keyPrefix: [0x6B]),
        ] {
            func fits(_ finding: Finding?) -> Bool {
                guard let finding else { return false }
                return (filter.kinds.isEmpty || filter.kinds.contains(finding.kind))
                    && (finding.key?.bytes ?? []).starts(with: filter.keyPrefix)
            }
            func hasVerdict(_ finding: Finding?) -> Bool {
                filter.verdicts.isEmpty
                    || finding.map { filter.verdicts.contains($0.verdict) } == true
            }
            var expected = FindingDifference.Totals()
            for id in Set(old.findings.keys).union(new.findings.keys) {
                let (before, after) = (old.findings[id], new.findings[id])
                guard fits(before) || fits(after), hasVerdict(before) || hasVerdict(after) else {
                    continue
                }
                switch (before, after) {
                case (nil, _?): expected.new += 1
                case (_?, nil): expected.gone += 1
                case (nil, nil): break
                case (let before?, let after?):
                    let isSame =
                        before.verdict == after.verdict && before.action == after.action
                        && before.needs?.proof == after.needs?.proof
                    if isSame { expected.unchanged += 1 } else { expected.changed += 1 }
                }
            }
            var told: [Finding] = []
            let totals = try FindingDifference(
                ledger, from: old.run, to: new.run, filter: filter
            ).compare { change in
                switch change {
                case .new(let finding):
                    #expect(old.findings[finding.id] == nil)
                    told.append(finding)
                case .gone(let finding):
                    #expect(new.findings[finding.id] == nil)
                    told.append(finding)
                case .changed(let before, let after, let members):
                    #expect(before == old.findings[before.id] && after == new.findings[after.id])
                    #expect(!members.isEmpty)
                    if fits(after) { told.append(after) }
                }
            }
            #expect(totals == expected)
            #expect(Set(told.map(\.id)).count == told.count)
            #expect(told == told.sorted(by: Finding.precedes))
        }
    }
}
