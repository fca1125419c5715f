package import MooringModel

/// Whether a question that an incident asks could be answered, told before there is one. Pure.
package struct IncidentAnswer: Hashable, Sendable {
    /// What would come of the question.
    package enum Prospect: String, Hashable, Sendable, CaseIterable {
        /// It could be answered.
        case yes
        /// It could not.
        case no
        /// Nobody asked, or whoever was asked did not say.
        case unknown = "?"
    }

    /// What it is about, such as `versions of media`.
    package let name: String
    /// What would come of it.
    package let prospect: Prospect
    /// What was found, and what follows.
    package let detail: String

    /// An answer.
    package init(_ name: String, _ prospect: Prospect, _ detail: String) {
        self.name = name
        self.prospect = prospect
        self.detail = detail
    }

    /// The answer as one line.
    package var line: String {
        let padded =
            prospect.rawValue + String(repeating: " ", count: 8 - prospect.rawValue.count)
        return padded + name + ": " + detail
    }

    /// The answer as one JSON value; `answer` is `yes`, `no` or `unknown`.
    package var json: JSONValue {
        .members([
            "name": .string(name),
            "answer": .string(prospect == .unknown ? "unknown" : prospect.rawValue),
            "detail": .string(detail),
        ])
    }

    /// What was not told, and the permission that the question needs.
    static func untold(_ name: String, _ reason: String, needs permission: String) -> Self {
        IncidentAnswer(name, .unknown, "not known: it needs \(permission) (\(reason))")
    }
}
