/// Where a value lies inside a column: the column, and the way through its nested values.
///
/// Written as `cover.key`, or `pages[].image` for a value of each element of a list; there is at
/// most one list on the way. A part that holds a dot, a bracket or a quote itself stands in double
/// quotes, in which `\"` and `\\` stand for a quote and a backslash.
package struct FieldPath: Hashable, Sendable {
    /// One step into a nested value.
    package enum Step: Hashable, Sendable {
        /// Into the member of this name of an object.
        case member(String)
        /// Into each element of a list.
        case elements
    }

    /// The column's or attribute's name.
    package let column: String
    /// The way from there; empty where the value is the column's own.
    package let steps: [Step]

    /// Whether the way leads into each element of a list.
    package var hasElements: Bool { steps.contains(.elements) }

    /// The path that is the column itself, whatever its name holds.
    package init(column: String) {
        self.column = column
        steps = []
    }

    /// The path that a text writes; nil when it is none.
    package init?(parsing text: String) {
        var rest = Substring(text)
        guard let column = Self.name(&rest) else { return nil }
        var steps: [Step] = []
        while !rest.isEmpty {
            if rest.hasPrefix("[]") {
                rest.removeFirst(2)
                steps.append(.elements)
            } else if rest.hasPrefix(".") {
                rest.removeFirst()
                guard let name = Self.name(&rest) else { return nil }
                steps.append(.member(name))
            } else {
                return nil
            }
        }
        guard steps.count(where: { $0 == .elements }) <= 1 else { return nil }
        self.column = column
        self.steps = steps
    }

    private static func name(_ rest: inout Substring) -> String? {
        if rest.first == "\"" { return quoted(&rest) }
        let end = rest.firstIndex { ".[]\"".contains($0) } ?? rest.endIndex
        guard end > rest.startIndex else { return nil }
        defer { rest = rest[end...] }
        return String(rest[..<end])
    }

    private static func quoted(_ rest: inout Substring) -> String? {
        rest.removeFirst()
        var name = ""
        while let character = rest.popFirst() {
            if character == "\"" { return name.isEmpty ? nil : name }
            guard character == "\\" else {
                name.append(character)
                continue
            }
            guard let escaped = rest.popFirst(), escaped == "\"" || escaped == "\\" else {
                return nil
            }
            name.append(escaped)
        }
        return nil
    }
}
