import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

/// What `doctor --policy` prints, held against what the policy and the planner do.
@Suite("The matrix of a policy")
struct PolicyTableTests {
    private static let presets: [RepairPolicy.Override] = [
        .init(cause: .cleared, strategies: [.orphan: .keep]),
        .init(cause: .lostUpdate, strategies: [.orphan: .keep]),
    ]

    private func random(_ generator: inout SeededGenerator) -> RepairPolicy {
        var strategies: [FindingKind: Strategy] = [:]
        for kind in StrategyMatrix.kinds {
            strategies[kind] = generator.one(of: StrategyMatrix.strategies(of: kind))
        }
        var overrides = Self.presets
        for row in StrategyMatrix.rows where row.cause != nil && generator.number(0...3) == 0 {
            overrides.append(
                .init(
                    cause: row.cause,
                    strategies: [row.kind: generator.one(of: row.strategies)]))
        }
        // An exception that needs more than a cause is not in the table.
        overrides.append(.init(model: "Other", strategies: [.orphan: .keep, .dangling: .keep]))
        return RepairPolicy(strategies: strategies, overrides: overrides)
    }

    private func finding(_ row: StrategyMatrix.Row, _ verdict: Verdict) -> Finding {
        var finding = Finding(id: "f", kind: row.kind, cause: row.cause, verdict: verdict)
        finding.bucket = "media"
        finding.key = ObjectKey("k")
        finding.target = ObjectPlace(bucket: "media", key: ObjectKey("K"))
        finding.record = RecordPlace(identity: Sample.identity(), field: "cover")
        return finding
    }

    private var proven: Proofs {
        .orphan(
            owners: [Sample.present(.otherKeys(2), changed: now - .days(90))],
            sighting: Sample.seen(3, .days(9)), race: Sample.standard, now: now)
    }

    @Test("every entry says what the policy does, whatever the policy")
    func entries() {
        var generator = SeededGenerator("PolicyTableTests.entries")
        for _ in 0..<300 {
            let policy = random(&generator)
            let race = generator.bool() ? Sample.standard : Sample.noRelink
            let entries = PolicyTable(policy: policy, race: race).entries
            #expect(entries.count == StrategyMatrix.rows.count)
            for (entry, row) in zip(entries, StrategyMatrix.rows) {
                #expect(entry.kind == row.kind && entry.cause == row.cause)
                #expect(entry.strategies == row.strategies)
                for (verdict, action) in entry.actions {
                    // Its restores are the watch's, not the policy's.
                    if row.kind == .unmappedReference { continue }
                    var own = finding(row, verdict)
                    PolicyChoice(policy: policy, race: race).decide(&own, proofs: proven)
                    #expect(own.action == action, "\(row.kind) \(String(describing: row.cause))")
                    #expect(row.strategies.contains(action))
                }
            }
        }
    }

    @Test("a strategy that a row takes and this version carries out is planned once it is proven")
    func planned() {
        for row in StrategyMatrix.rows where StrategyMatrix.kinds.contains(row.kind) {
            for strategy in row.strategies where Planner.executable.contains(strategy) {
                let policy = RepairPolicy(
                    strategies: [row.kind: strategy],
                    overrides: [.init(cause: row.cause, strategies: [row.kind: strategy])])
                let choice = PolicyChoice(policy: policy, race: Sample.noRelink)
                let verdicts = PolicyTable.verdicts(row.kind, row.cause)
                let acts = verdicts.filter { verdict in
                    var own = finding(row, verdict)
                    choice.decide(&own, proofs: proven)
                    return Planner.step(for: own, quarantinedBy: nil)?.strategy == strategy
                }
                // Nothing settles these; looking again at them is the next audit.
                let isOnlyRead = verdicts == [.undecided] && strategy == .requery
                #expect(
                    acts == (isOnlyRead ? [] : [verdicts == [.undecided] ? .undecided : .settled]),
                    "\(row.kind) \(String(describing: row.cause)) \(strategy)")
            }
        }
    }

    @Test("a strategy that a row does not take is kept instead, or given back from quarantine")
    func fallsBack() {
        for row in StrategyMatrix.rows {
            for strategy in Strategy.allCases where !row.strategies.contains(strategy) {
                let policy = RepairPolicy(
                    strategies: [row.kind: strategy],
                    overrides: [.init(cause: row.cause, strategies: [row.kind: strategy])])
                for verdict in PolicyTable.verdicts(row.kind, row.cause) {
                    var own = finding(row, verdict)
                    PolicyChoice(policy: policy, race: Sample.noRelink)
                        .decide(&own, proofs: proven)
                    let isHeld = row.cause == .quarantined && verdict != .undecided
                    #expect(
                        own.action == (isHeld ? .restore : .keep),
                        "\(row.kind) \(String(describing: row.cause)) \(strategy)")
                }
            }
        }
    }

    @Test("a strategy with a proof waits without it, and one without waits for nothing")
    func proofs() {
        for race in [Sample.noRelink, Sample.optimistic] {
            let none = Proofs.orphan(owners: [], sighting: nil, race: race, now: now)
            let table = PolicyTable(policy: RepairPolicy(), race: race)
            for row in StrategyMatrix.rows where StrategyMatrix.kinds.contains(row.kind) {
                for strategy in row.strategies where Planner.executable.contains(strategy) {
                    let policy = RepairPolicy(
                        strategies: [:],
                        overrides: [.init(cause: row.cause, strategies: [row.kind: strategy])])
                    var own = finding(row, .settled)
                    PolicyChoice(policy: policy, race: race).decide(&own, proofs: none)
                    // The proof of a restore is the finding itself.
                    let waits =
                        table.proof(of: strategy) != nil
                        && (strategy != .restore || row.cause == .deleted)
                    #expect((own.needs != nil) == waits, "\(row.kind) \(strategy)")
                }
            }
        }
    }

    /// What is printed of a proof is what the proofs ask for: one of two things, or both.
    @Test("the words of a proof say what is asked for")
    func words() throws {
        let (old, apart) = (now - .days(90), Sample.seen(2, .days(9)))
        for race in [Sample.standard, Sample.optimistic] {
            let table = PolicyTable(policy: RepairPolicy(), race: race)
            func words(_ strategy: Strategy) -> String { table.proof(of: strategy) ?? "" }
            func orphan(_ changed: Instant, _ sighting: PriorSighting?) -> Proofs {
                .orphan(
                    owners: [Sample.present(.otherKeys(2), changed: changed)],
                    sighting: sighting, race: race, now: now)
            }
            func dangling(_ changed: Instant, _ sighting: PriorSighting?) -> Proofs {
                .dangling(changed: changed, sighting: sighting, race: race, now: now)
            }
            func relation(_ changed: Instant, _ sighting: PriorSighting?) -> Proofs {
                .relation(
                    changed: changed, goneSince: old, sighting: sighting, race: race, now: now)
            }
            let acts: [(Strategy, (Instant, PriorSighting?) -> Proofs)] = [
                (.quarantine, orphan), (.relink, orphan), (.nullify, dangling),
                (.nullify, relation), (.repoint, dangling),
            ]
            for (strategy, proofs) in acts {
                #expect(proofs(now, nil).reversible != nil)
                #expect(proofs(now, apart).reversible == nil)
                #expect(
                    (proofs(old, nil).reversible == nil)
                        == words(strategy).contains("unchanged for"), "\(strategy)")
                #expect(words(strategy).contains("two runs"))
            }
            for (strategy, proofs) in [
                (Strategy.delete, orphan), (.deleteRecord, dangling), (.deleteRecord, relation),
            ] as [(Strategy, (Instant, PriorSighting?) -> Proofs)] {
                #expect(proofs(old, nil).irreversible != nil)
                #expect(proofs(now, apart).irreversible != nil)
                #expect(proofs(old, apart).irreversible == nil)
                #expect(words(strategy).contains("two runs"))
                #expect(words(strategy).contains(", and an owner or record unchanged"))
            }
        }
    }
}
