import Foundation
import MooringDecisions
import MooringModel
import Testing

@Suite("Judging a dangling relation")
struct RelationJudgeTests {
    private let race = Sample.standard
    private var judge: RelationJudge { RelationJudge(race: race, now: now) }
    private let old = now - .days(90)

    private func absent(_ change: (inout RelationFacts) -> Void = { _ in }) -> RelationFacts {
        var facts = RelationFacts(parent: .absent(since: now - .days(90)), changed: old)
        change(&facts)
        return facts
    }

    @Test("a child at rest whose parent is missing is settled")
    func settled() {
        let judgement = judge.judge(absent())
        #expect(judgement.verdict == .settled)
        #expect(judgement.cause == .missingParent)
        #expect(judgement.explanation == nil)
        #expect(judgement.proofs?.reversible == nil)
    }

    @Test("the cause tells a missing parent, a tombstone, and an end of a join")
    func causes() {
        #expect(
            judge.judge(absent { $0.parent = .tombstone(since: old) }).cause == .tombstonedParent)
        #expect(judge.judge(absent { $0.isJoin = true }).cause == .joinEnd)
        #expect(
            judge.judge(
                absent {
                    $0.isJoin = true
                    $0.parent = .tombstone(since: old)
                }
            ).cause == .joinEnd)
    }

    @Test("a child that changed less than G ago is explained, to the last instant")
    func childWindow() throws {
        #expect(judge.judge(absent { $0.changed = now - race.grace }).verdict == .settled)
        let judgement = judge.judge(
            absent { $0.changed = now - race.grace + .nanoseconds(1) })
        #expect(judgement.verdict == .explained)
        let explanation = try #require(judgement.explanation)
        #expect(explanation.workflow == "create child before parent")
        #expect(explanation.step == "create parent")
        #expect(explanation.until == now + .nanoseconds(1))
    }

    @Test("a tombstone's window counts where it is the later one, and never for a missing parent")
    func tombstoneWindow() throws {
        let young = now - .hours(1)
        let judgement = judge.judge(absent { $0.parent = .tombstone(since: young) })
        #expect(judgement.verdict == .explained)
        #expect(judgement.explanation?.until == young + race.grace)
        #expect(judgement.explanation?.workflow == "write back")
        let later = judge.judge(
            absent {
                $0.parent = .tombstone(since: young)
                $0.changed = now - .minutes(5)
            })
        #expect(later.explanation?.until == now - .minutes(5) + race.grace)
        #expect(judge.judge(absent { $0.parent = .absent(since: young) }).verdict == .settled)
    }

    @Test("where the child goes with its parent, or no store takes old copies, it is a cascade")
    func cascade() {
        let young = now - .minutes(5)
        let own = judge.judge(
            absent {
                $0.cascade = true
                $0.changed = young
            })
        #expect(own.explanation?.workflow == "cascade")
        #expect(own.explanation?.step == "delete child")
        let strict = RelationJudge(race: Sample.optimistic, now: now)
        let refused = strict.judge(absent { $0.parent = .tombstone(since: young) })
        #expect(refused.explanation?.workflow == "cascade")
        #expect(refused.explanation?.until == young + Sample.optimistic.grace)
    }

    @Test("a child that tells no change is settled, and a young tombstone still explains it")
    func unknownChange() {
        let judgement = judge.judge(absent { $0.changed = nil })
        #expect(judgement.verdict == .settled)
        #expect(judgement.proofs?.reversible?.proof == "second sighting")
        let young = judge.judge(
            absent {
                $0.changed = nil
                $0.parent = .tombstone(since: now)
            })
        #expect(young.verdict == .explained)
    }

    // MARK: Proofs

    private func proofs(
        changed: Instant?, gone: Instant, sighting: PriorSighting? = nil,
        race: RaceModel = Sample.standard
    ) -> Proofs {
        .relation(changed: changed, goneSince: gone, sighting: sighting, race: race, now: now)
    }

    @Test("what can be undone needs a settled child or a second sighting")
    func reversible() throws {
        #expect(proofs(changed: now - race.ownerSettling, gone: now).reversible == nil)
        let young = now - race.ownerSettling + .nanoseconds(1)
        let need = try #require(proofs(changed: young, gone: now).reversible)
        #expect(need == ProofNeed(proof: "settled record", after: now + .nanoseconds(1)))
        let seen = Sample.seen(1, race.grace)
        #expect(proofs(changed: young, gone: now, sighting: seen).reversible == nil)
        #expect(
            proofs(changed: old, gone: now, race: Sample.optimistic).reversible?.proof
                == "second sighting")
    }

    @Test("what cannot be undone needs two sightings, a settled child and a settled parent")
    func irreversible() throws {
        let seen = Sample.seen(1, race.grace)
        let gone = now - race.ownerSettling
        #expect(proofs(changed: gone, gone: gone, sighting: seen).irreversible == nil)
        #expect(proofs(changed: gone, gone: gone).irreversible?.proof == "second sighting")
        #expect(
            proofs(changed: gone + .nanoseconds(1), gone: gone, sighting: seen).irreversible
                == ProofNeed(proof: "settled record", after: now + .nanoseconds(1)))
        #expect(
            proofs(changed: gone, gone: gone + .nanoseconds(1), sighting: seen).irreversible
                == ProofNeed(proof: "settled parent", after: now + .nanoseconds(1)))
        #expect(
            proofs(changed: nil, gone: gone, sighting: seen).irreversible?.proof
                == "second sighting")
        let often = Sample.seen(2, race.grace)
        #expect(proofs(changed: nil, gone: gone, sighting: often).irreversible == nil)
        #expect(
            proofs(changed: nil, gone: now, sighting: often).irreversible?.proof
                == "settled parent")
    }

    @Test("the policy's action waits for the proof that it needs")
    func policy() throws {
        let proofs = proofs(changed: old, gone: now - .days(90))
        for (strategy, need) in [
            (Strategy.keep, nil), (.nullify, nil), (.deleteRecord, "second sighting"),
        ] {
            var finding = Finding(
                id: "f", kind: .danglingRelation, cause: .missingParent, verdict: .settled)
            let policy = RepairPolicy(strategies: [.danglingRelation: strategy])
            PolicyChoice(policy: policy, race: race).decide(&finding, proofs: proofs)
            #expect(finding.action == strategy)
            #expect(finding.needs?.proof == need)
            #expect(!Planner.acts(on: finding))
        }
    }

    @Test("null, nothing and an empty value name no parent; the rest is bytes")
    func reading() {
        let relations = ["a", "b", "c", "d", "e"].map { Relation(field: $0, model: "Post") }
        let reader = RelationReader(relations, columns: ["e", "a", "b", "c"])
        let row: [FieldValue] = [.integer(7), .null, .text([]), .blob([0xFF, 0])]
        #expect(reader.values(row) == [nil, nil, [0xFF, 0], nil, [UInt8(ascii: "7")]])
        #expect(reader.values([.real(7), .null, .null, .null]) == [nil, nil, nil, nil, nil])
    }

    @Test("the page of races lists the workflows between records as they are")
    func page() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: root.appending(path: "Docs/RACES.md"), encoding: .utf8)
        for workflow in RowWorkflow.allCases {
            #expect(
                text.contains("| \(workflow.name) | \(workflow.step) |"),
                "Docs/RACES.md lacks '\(workflow.name)'")
        }
    }
}
