package import MooringModel

/// Judges referenced objects under a level that more can read than a record allows.
package enum ExposedJudge {
    /// What is said of one of them, which the first of its places keeps closer.
    package static func finding(
        _ facts: ReferencedFacts, readers: Visibility, allowed visibility: Visibility
    ) -> Finding {
        var finding = facts.finding(.exposed)
        finding.record = facts.places.first
        let model = facts.places.first?.identity.model ?? ""
        finding.evidence = [
            "its level lets \(readers.text) read it",
            "\(model) has visibility: \(visibility.rawValue)",
        ]
        return finding
    }
}

extension Visibility {
    fileprivate var text: String {
        switch self {
        case .owner: "its owner"
        case .signedIn: "every signed-in user"
        case .anyone: "anyone"
        }
    }
}
