/// A value of one of an app's own files, JSON or an object of JavaScript, with its place.
struct ProjectNode {
    /// What a value is.
    indirect enum Kind {
        case text(String)
        /// A number, as it was written.
        case number(String)
        case boolean(Bool)
        case null
        case list([ProjectNode])
        case object([Member])
        /// An expression of JavaScript, of which the value is not known.
        case expression
    }

    /// A name with its value.
    struct Member {
        /// The name.
        let name: String
        /// Where the name stands.
        let place: SchemaPlace
        /// The value.
        let value: ProjectNode
    }

    /// What it is.
    let kind: Kind
    /// Where it begins.
    let place: SchemaPlace

    /// The members of an object, in the order of the text; none of any other value.
    var members: [Member] {
        if case .object(let members) = kind { return members }
        return []
    }

    /// The elements of a list; none of any other value.
    var elements: [ProjectNode] {
        if case .list(let elements) = kind { return elements }
        return []
    }

    /// A text that is not empty; nil for any other value.
    var text: String? {
        if case .text(let text) = kind, !text.isEmpty { return text }
        return nil
    }

    /// Whether it is `true`.
    var isTrue: Bool {
        if case .boolean(true) = kind { return true }
        return false
    }

    /// The value of an object's member, of which the last counts, or of a member of that.
    subscript(names: String...) -> ProjectNode? {
        var node: ProjectNode? = self
        for name in names { node = node?.members.last { $0.name == name }?.value }
        return node
    }

    /// The names of members anywhere inside that hold a text and are called like a secret.
    var secrets: [String] {
        var found: [String] = []
        var open = [self]
        while let node = open.popLast() {
            for member in node.members {
                open.append(member.value)
                guard member.value.text != nil, Self.isSecret(member.name),
                    !found.contains(member.name)
                else { continue }
                found.append(member.name)
            }
            open += node.elements
        }
        return found.sorted()
    }

    private static func isSecret(_ name: String) -> Bool {
        let letters = name.lowercased().filter { $0 != "_" && $0 != "-" }
        return ["apikey", "secret", "password", "token"].contains(where: letters.contains)
    }
}
