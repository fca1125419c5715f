import MooringModel

/// A value of an authority in the form in which a copy of it holds values: one side may keep a list
/// as a nested value and the other as a text of JSON.
enum CopiedValue {
    /// The value as a copy writes it that holds `held` now. What means the same stays as it is.
    static func of(_ value: FieldValue, like held: FieldValue) -> FieldValue {
        switch (value, held) {
        case (.json, .json), (.attribute, .attribute): return value
        case (.json, _), (.attribute, _):
            let bytes = value.bytes ?? []
            if let truth = truth(bytes) { return .integer(truth ? 1 : 0) }
            if case .text(let text) = held, isSame(text, bytes) { return held }
            return .text(bytes)
        case (.text(let text), .json(let bytes)) where isSame(text, bytes): return held
        default: return value
        }
    }

    private static func truth(_ bytes: [UInt8]) -> Bool? {
        // What is no JSON is no truth value either.
        (try? JSONNode(parsing: bytes))?.bool
    }

    private static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        // What is no JSON means the same as nothing else.
        guard let one = try? JSONNode(parsing: one), let other = try? JSONNode(parsing: other)
        else { return false }
        return isSame(one, other)
    }

    private static func isSame(_ one: JSONNode, _ other: JSONNode) -> Bool {
        if let elements = one.elements, let others = other.elements {
            return elements.count == others.count && zip(elements, others).allSatisfy(isSame)
        }
        guard let members = one.members, let others = other.members else {
            return one.kind == other.kind
        }
        let sorted = [members, others].map { members in
            members.sorted { $0.name.lexicographicallyPrecedes($1.name) }
        }
        return members.count == others.count
            && zip(sorted[0], sorted[1]).allSatisfy {
                $0.name == $1.name && isSame($0.value, $1.value)
            }
    }
}
