package import MooringDecisions
package import MooringModel

/// A stop on purpose: what was found, what is refused because of it, and what to run next.
package struct Refusal: Error, Sendable, CustomStringConvertible {
    /// Which exit status it ends with.
    package enum Kind: Sendable {
        /// A guard or a limit.
        case refused
        /// A side could not be read to its end.
        case incomplete
    }

    /// Which exit status it ends with.
    package let kind: Kind
    /// What was found.
    package let found: String
    /// What is refused.
    package let refused: String
    /// What to run next.
    package let next: String

    /// A refusal.
    package init(_ kind: Kind, found: String, refused: String, next: String) {
        self.kind = kind
        self.found = found
        self.refused = refused
        self.next = next
    }

    /// The refusal of the guards that refuse; nil when none does. The likely causes come first, and
    /// how all of it can be accepted last.
    package init?(
        guards: [RunSummary.Guard], refused: String, words: AcceptingWords = AcceptingWords()
    ) {
        let refusing = guards.filter(\.refused)
        guard !refusing.isEmpty else { return nil }
        let isIncomplete = refusing.contains { $0.name == "complete" }
        self.init(
            isIncomplete ? .incomplete : .refused,
            found: (Self.causes(refusing)
                + refusing.map { answer in
                    let place = answer.place.map { " at \($0)" } ?? ""
                    return "\(answer.name)\(place) is \(answer.value), the limit is \(answer.limit)"
                }).joined(separator: "; "),
            refused: refused, next: words.next(refusing))
    }

    private static func causes(_ refusing: [RunSummary.Guard]) -> [String] {
        var causes: [String] = []
        for cause in refusing.compactMap(\.cause) where !causes.contains(cause) {
            causes.append(cause)
        }
        return causes
    }

    /// `found; refused: …; next: …`.
    package var description: String { "\(found); refused: \(refused); next: \(next)" }
}
