import MooringDecisions
import MooringModel
import MooringText

/// Which strategies and causes a policy may name of each kind of finding.
enum StrategyTable {
    /// The kinds that a policy may name, in the order of the documentation.
    static var kinds: [FindingKind] { StrategyMatrix.kinds }

    /// The causes of a kind; none where it has none.
    static func causes(of kind: FindingKind) -> [FindingCause] {
        StrategyMatrix.causes(of: kind).compactMap { $0 }
    }

    /// Why a strategy is refused for a kind.
    struct Refusal: Error {
        /// The sentence for the report.
        let message: String
    }

    /// The strategy of this word, if the kind takes it.
    static func strategy(_ text: ScalarText, for kind: FindingKind) -> Result<Strategy, Refusal> {
        let known = StrategyMatrix.strategies(of: kind)
        guard let strategy = Strategy(rawValue: text.value), known.contains(strategy) else {
            return .failure(
                Refusal(
                    message: Nearest.unknown(
                        "strategy for '\(kind.rawValue)':", text.shown,
                        among: known.map(\.rawValue))))
        }
        return .success(strategy)
    }

    /// Why an exception for a cause can never do what it says; nil when it can.
    static func refusal(
        _ strategy: Strategy, for kind: FindingKind, _ cause: FindingCause
    ) -> String? {
        guard !StrategyMatrix.takes(strategy, kind, cause) else { return nil }
        let taken = StrategyMatrix.rows.first { $0.kind == kind && $0.cause == cause }
        return "'\(kind.rawValue): \(strategy.rawValue)' never fits the cause '\(cause.rawValue)', "
            + "which takes " + (taken?.strategies ?? []).map(\.rawValue).inWords("or")
    }
}
