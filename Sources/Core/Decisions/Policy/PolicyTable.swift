package import MooringModel

/// The whole matrix of a policy: what is done about each kind and cause by verdict, what else it
/// takes, and what proof each strategy wants; as `doctor --policy` prints it.
package struct PolicyTable: Sendable {
    /// One kind and cause.
    package struct Entry: Hashable, Sendable {
        /// The kind.
        package let kind: FindingKind
        /// The cause; nil of kinds without causes.
        package let cause: FindingCause?
        /// What the policy does, by the verdicts that such a finding can have; exceptions that
        /// name a model, a prefix or a source left out.
        package let actions: [Verdict: Strategy]
        /// Every strategy that it takes, `keep` first.
        package let strategies: [Strategy]
    }

    private let policy: RepairPolicy
    private let race: RaceModel

    /// The table of a policy under a race model.
    package init(policy: RepairPolicy, race: RaceModel) {
        self.policy = policy
        self.race = race
    }

    /// Every kind and cause, in the order of the catalogue.
    package var entries: [Entry] {
        StrategyMatrix.rows.map { row in
            var actions: [Verdict: Strategy] = [:]
            for verdict in Self.verdicts(row.kind, row.cause) {
                actions[verdict] = action(row, verdict)
            }
            return Entry(
                kind: row.kind, cause: row.cause, actions: actions, strategies: row.strategies)
        }
    }

    /// The verdicts that findings of a kind and cause can have.
    package static func verdicts(_ kind: FindingKind, _ cause: FindingCause?) -> [Verdict] {
        switch (kind, cause) {
        case (.dangling, .twin), (.dangling, .misplaced), (.dangling, .foreign),
            (.dangling, .vanished):
            [.undecided]
        case (.orphan, _), (.dangling, _): [.settled, .explained, .undecided]
        case (.danglingRelation, _), (.staleCopy, _), (.emptyObject, _): [.settled, .explained]
        case (.unmappedReference, _): [.settled, .undecided]
        case (.abandonedUpload, _): [.settled, .explained, .undecided]
        default: [.settled]
        }
    }

    // An exception for a model, a prefix or a source needs one to fit; here none is given.
    private func action(_ row: StrategyMatrix.Row, _ verdict: Verdict) -> Strategy {
        if row.kind == .unmappedReference { return verdict == .settled ? .restore : .keep }
        var finding = Finding(id: "", kind: row.kind, cause: row.cause, verdict: verdict)
        PolicyChoice(policy: policy, race: race).decide(&finding, proofs: nil)
        return finding.action ?? .keep
    }

    /// The proof that a strategy wants beside a verdict that allows it, in words; nil where it
    /// wants none.
    package func proof(of strategy: Strategy) -> String? {
        let (apart, settled) = (race.grace.label, race.ownerSettling.label)
        let either = "an owner or record unchanged for \(settled), or two runs \(apart) apart"
        let both = "two runs \(apart) apart, and an owner or record unchanged for \(settled)"
        // Between "remove K" and "delete record" a write would make the latter fail.
        let reference =
            race.bounds.conflicts == .optimistic ? "two runs \(apart) apart" : either
        switch strategy {
        case .keep, .requery, .untag: return nil
        case .restore:
            return "an object in quarantine that a record references; of a deletion, \(either)"
        case .quarantine: return either
        case .tag:
            return both + "; race.relink: never; where the bucket keeps versions only \(either)"
        case .nullify: return reference
        case .relink: return either + "; one owner that is there"
        case .repoint: return reference + "; one object that the field can name"
        case .delete: return both + "; race.relink: never"
        case .deleteRecord: return both + "; no other object of the record is there"
        case .abort:
            return "two runs \(apart) apart; its newest part older than "
                + race.multipartWindow.label
        }
    }
}
