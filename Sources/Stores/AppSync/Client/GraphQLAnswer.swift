import MooringModel

/// What an API answered: data, errors, or both.
struct GraphQLAnswer {
    /// The data; nil where there is none.
    let data: JSONNode?
    /// The kinds of the errors, each a word, in their order; no message, which may hold content.
    let errors: [String]
    private let own: [String]

    /// The answer in a body; nil where that is none.
    init?(_ body: [UInt8]) {
        // What is no JSON is no answer: nothing more is known of it.
        guard let document = try? JSONNode(parsing: body), document.members != nil else {
            return nil
        }
        data = document["data"]
        let told = document["errors"]
        guard told == nil || told?.elements != nil else { return nil }
        let list = told?.elements ?? []
        errors = list.map(Self.kind)
        // An error inside the result came behind what the operation itself did.
        own = list.filter { ($0["path"]?.elements?.count ?? 0) <= 1 }.map(Self.kind)
        guard data != nil || !errors.isEmpty else { return nil }
    }

    /// The operation's one result; nil where it has none.
    var result: JSONNode? { data?[GraphQLOperation.result] }

    /// The kinds of the errors, each once and how often, for people; nil without errors.
    var told: String? {
        guard !errors.isEmpty else { return nil }
        let counts = Dictionary(errors.map { ($0, 1) }, uniquingKeysWith: +)
        let kinds = counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return kinds.prefix(5).map { kind, count in
            count > 1 ? "\(kind) (\(count) times)" : kind
        }.joined(separator: ", ")
    }

    /// Whether the API asks for fewer requests, or its tables do.
    var asksToSlowDown: Bool { !errors.isEmpty && errors.allSatisfy(Self.slowDown.contains) }

    /// Whether a write was refused since the record is not as it was expected.
    var isConflict: Bool { own.contains(where: Self.conflicts.contains) }

    /// Whether the API did not understand the operation, so that it did nothing.
    var isInvalid: Bool { errors.contains(where: Self.invalid.contains) }

    /// Whether the operation is none that the API has.
    var isUndefined: Bool { errors.contains("FieldUndefined") }

    /// Whether nothing was done: the API did not let it begin.
    var isRefusal: Bool {
        result == nil && own.count == errors.count
            && (isInvalid || own.contains(where: Self.refusals.contains))
    }

    private static let slowDown: Set<String> = [
        "ProvisionedThroughputExceededException", "ThrottlingException", "Throttling",
        "RequestLimitExceeded", "TooManyRequestsException", "LimitExceededException",
        "ThrottledException",
    ]
    private static let conflicts: Set<String> = [
        "ConflictUnhandled", "ConditionalCheckFailedException", "ConflictError",
        "TransactionConflictException",
    ]
    private static let invalid: Set<String> = [
        "ValidationError", "FieldUndefined", "WrongType", "UnknownType", "UnknownArgument",
        "MissingFieldArgument", "SubSelectionRequired", "SubSelectionNotAllowed",
        "InvalidSyntax", "MalformedHttpRequestException", "VariableTypeMismatch", "BadRequest",
        "BadRequestException", "UndefinedVariable", "NonNullableVariable",
    ]
    private static let refusals: Set<String> = [
        "Unauthorized", "UnauthorizedException", "AccessDeniedException", "ValidationException",
    ]

    // AppSync names a validation error's kind in its message only, behind fixed words.
    private static func kind(_ error: JSONNode) -> String {
        if let message = error["message"]?.string, message.hasPrefix("Validation error of type ") {
            let word = message.dropFirst("Validation error of type ".count).prefix { $0 != ":" }
            if let word = self.word(String(word)) { return word }
        }
        let named = error["errorType"]?.string ?? error["extensions"]?["code"]?.string ?? ""
        // The data source's name stands before a colon.
        let last = named.split(separator: ":").last.map(String.init) ?? ""
        return word(last) ?? "an error of no known type"
    }

    private static func word(_ text: String) -> String? {
        let isWord = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_")
                || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "$")
        }
        return isWord && (1...64).contains(text.utf8.count) ? text : nil
    }
}
