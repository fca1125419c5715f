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
        finding(row.kind, row.cause, verdict)
    }

    private func finding(
        _ kind: FindingKind, _ cause: FindingCause?, _ verdict: Verdict
    ) -> Finding {
        var finding = Finding(id: "f", kind: kind, cause: cause, verdict: verdict)
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

    /// What may be done about each kind and cause: the one that stands where the policy says
    /// nothing, then the others beside `keep`; written down here by hand.
    private static let catalogue = """
        orphan unassociated: quarantine, requery tag delete relink
        orphan cleared: keep, requery tag quarantine delete relink
        orphan superseded: quarantine, requery tag delete
        orphan detached: quarantine, requery tag delete relink
        orphan lost-update: keep, requery tag quarantine delete relink
        orphan ownerless: quarantine, requery tag delete
        orphan unknown-identity: quarantine, requery tag delete
        orphan unattributed: quarantine, requery tag delete
        dangling missing: nullify, requery delete-record
        dangling deleted: nullify, requery restore delete-record
        dangling quarantined: restore, requery
        dangling misplaced: keep, requery repoint
        dangling twin: keep, requery repoint
        dangling foreign: keep, requery repoint
        dangling vanished: keep, requery
        abandoned-upload -: keep, abort
        dangling-relation missing-parent: keep, nullify delete-record
        dangling-relation tombstoned-parent: keep, nullify delete-record
        dangling-relation join-end: keep, delete-record
        stale-copy behind: requery,
        stale-copy deleted-upstream: requery,
        stale-copy pending: keep,
        shared -: keep,
        exposed -: keep,
        invalid-key -: keep,
        empty-object -: keep,
        unmapped-reference -: keep, restore
        mapping-error prefix: keep,
        mapping-error encoding: keep,
        mapping-error unicode: keep,
        mapping-error case: keep,
        mapping-error slash: keep,
        mapping-error url: keep,
        """

    private struct Line {
        let (name, preset, takes): (String, String, Set<String>)

        init(_ text: Substring) {
            let parts = text.split { ":,".contains($0) }
            (name, preset) = (String(parts[0]), parts[1].trimmed)
            let others = parts.count > 2 ? parts[2].split(separator: " ").map(String.init) : []
            takes = Set(others).union(["keep", preset])
        }
    }

    private static let lines = catalogue.split(separator: "\n").map(Line.init)

    private static func name(_ kind: FindingKind, _ cause: FindingCause?) -> String {
        "\(kind.rawValue) \(cause?.rawValue ?? "-")"
    }

    @Test("the matrix is the one that is written down, in its order, and holds nothing else")
    func matrix() {
        let rows = StrategyMatrix.rows
        #expect(rows.map { Self.name($0.kind, $0.cause) } == Self.lines.map(\.name))
        for (row, line) in zip(rows, Self.lines) {
            #expect(Set(row.strategies.map(\.rawValue)) == line.takes, "\(line.name)")
            #expect(row.strategies.first == .keep && row.strategies.count == line.takes.count)
            #expect(row.preset.rawValue == line.preset, "\(line.name)")
        }
    }

    /// What is done, by rules of its own: the last exception that fits, where its line takes it.
    private func action(_ policy: RepairPolicy, _ line: Line, _ verdict: Verdict) -> String {
        let parts = line.name.split(separator: " ").map(String.init)
        var chosen = policy.strategies.first { $0.key.rawValue == parts[0] }?.value.rawValue
        var isOwn = false
        for exception in policy.overrides where exception.model == nil {
            guard exception.cause?.rawValue == parts[1] else { continue }
            for (kind, strategy) in exception.strategies where kind.rawValue == parts[0] {
                (chosen, isOwn) = (strategy.rawValue, true)
            }
        }
        var done = chosen.flatMap { line.takes.contains($0) ? $0 : nil } ?? "keep"
        if parts[1] == "quarantined" {
            done = isOwn && line.takes.contains(chosen ?? "") ? done : "restore"
        }
        guard verdict == .undecided else { return done }
        return done == "repoint" || done == "requery" && parts[0] != "stale-copy" ? done : "keep"
    }

    @Test("every entry says what the policy does, whatever the policy")
    func entries() {
        var generator = SeededGenerator("PolicyTableTests.entries")
        for _ in 0..<300 {
            let policy = random(&generator)
            let race = generator.bool() ? Sample.standard : Sample.noRelink
            let entries = PolicyTable(policy: policy, race: race).entries
            #expect(entries.count == Self.lines.count)
            for (entry, line) in zip(entries, Self.lines) {
                #expect(Self.name(entry.kind, entry.cause) == line.name)
                #expect(Set(entry.strategies.map(\.rawValue)) == line.takes)
                for (verdict, action) in entry.actions {
                    // Its restores are the watch's, not the policy's.
                    if entry.kind == .unmappedReference { continue }
                    let expected = self.action(policy, line, verdict)
                    #expect(action.rawValue == expected, "\(line.name) \(verdict)")
                    var own = finding(entry.kind, entry.cause, verdict)
                    PolicyChoice(policy: policy, race: race).decide(&own, proofs: proven)
                    #expect(own.action?.rawValue == expected, "\(line.name) \(verdict)")
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

extension Substring {
    /// The text without blanks around it.
    fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}
