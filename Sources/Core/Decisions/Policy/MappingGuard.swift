package import MooringModel

/// The guard on mapping errors: where one rewrite of keys explains half of the candidates, the
/// configuration is wrong, and nothing that follows from it is repaired.
package enum MappingGuard {
    /// The guard's name. `--accept` does not know it: what is wrong is corrected, not accepted.
    package static let name = "mappingError"
    /// What every repair waits for while a mapping error stands.
    package static let need = ProofNeed(proof: "a mapping without errors", after: nil)

    private static let limit = "less than 50% by one rewrite"

    /// The answer where a rewrite explains this share, said as `value`, mostly in one model.
    package static func answer(
        place: GuardedPlace? = nil, value: String, isMappingError: Bool, hint: String?
    ) -> RunSummary.Guard {
        RunSummary.Guard(
            name: name, place: place?.text, limit: limit, value: value, refused: isMappingError,
            hint: isMappingError ? hint : nil)
    }

    /// The answer of a run's guards; nil where none was given.
    package static func answer(in guards: [RunSummary.Guard]) -> RunSummary.Guard? {
        guards.first { $0.name == name }
    }

    /// Leaves the finding's action as it is and says what it waits for, also where the doubts that
    /// a wrong mapping makes have it kept. What is given back from quarantine needs no right
    /// mapping: a record references it as it is.
    package static func withhold(_ finding: inout Finding) {
        guard let action = finding.action, action != .restore else { return }
        finding.needs = need
    }
}
