import MooringModel

/// Which strategies each kind of finding takes, and which causes it has.
enum StrategyTable {
    /// The kinds that a policy may name, in the order of the documentation.
    static let kinds: [FindingKind] = [
        .orphan, .dangling, .abandonedUpload, .danglingRelation, .staleCopy,
    ]

    /// The strategies of the contract by kind, and those of them that this version carries out.
    private static let strategies: [FindingKind: (known: [Strategy], done: [Strategy])] = [
        .orphan: (
            [.keep, .requery, .tag, .quarantine, .delete, .relink],
            [.keep, .requery, .quarantine, .delete]
        ),
        .dangling: (
            [.keep, .requery, .nullify, .restore, .repoint, .deleteRecord],
            [.keep, .requery, .nullify, .restore]
        ),
        .abandonedUpload: ([.keep, .abort], [.keep]),
        .danglingRelation: ([.keep, .nullify, .deleteRecord], [.keep]),
        .staleCopy: ([.keep, .requery], [.keep, .requery]),
    ]

    /// The causes by kind; a kind that is absent has none.
    static let causes: [FindingKind: [FindingCause]] = [
        .orphan: [
            .unassociated, .cleared, .superseded, .detached, .lostUpdate, .ownerless,
            .unknownIdentity, .unattributed,
        ],
        .dangling: [.missing, .deleted, .quarantined, .misplaced, .twin, .foreign],
        .danglingRelation: [.missingParent, .tombstonedParent, .joinEnd],
        .staleCopy: [.behind, .deletedUpstream, .pending],
    ]

    /// Why a strategy is refused for a kind.
    struct Refusal: Error {
        /// The sentence for the report.
        let message: String
    }

    /// The strategy of this word, if the kind takes it and this version carries it out.
    static func strategy(_ text: Text, for kind: FindingKind) -> Result<Strategy, Refusal> {
        let table = strategies[kind] ?? ([], [])
        let known = table.known.map(\.rawValue)
        guard let strategy = Strategy(rawValue: text.value), table.known.contains(strategy) else {
            return .failure(
                Refusal(
                    message: Nearest.unknown(
                        "strategy for '\(kind.rawValue)':", text.shown, among: known)))
        }
        guard table.done.contains(strategy) else {
            let done = table.done.map(\.rawValue)
            return .failure(
                Refusal(
                    message: "'\(kind.rawValue): \(strategy.rawValue)' is not in this version, "
                        + "which carries out \(Shown.list(done))"))
        }
        return .success(strategy)
    }
}
