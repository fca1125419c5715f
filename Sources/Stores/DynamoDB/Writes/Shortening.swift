import MooringModel

/// What a change takes out of a list or a set, where it does nothing else.
enum Shortening: Hashable {
    /// One element of a list, by its place, with its typed value.
    case element(Int, [UInt8])
    /// Some elements of a set, as a set of their own.
    case subset([UInt8])

    /// The shortening from one value to another; nil where it is none. Both are canonical.
    init?(from old: FieldValue, to new: FieldValue) {
        switch (old, new) {
        case (.json(let before), .json(let after)):
            guard let before = Self.elements(before), let after = Self.elements(after),
                before.count == after.count + 1
            else { return nil }
            let place = zip(before, after).enumerated().first { $1.0 != $1.1 }?.offset
            let index = place ?? after.count
            guard before[(index + 1)...].elementsEqual(after[index...]),
                let value = Self.typed(before[index])
            else { return nil }
            self = .element(index, value)
        case (.attribute(let before), .attribute(let after)):
            guard let (type, held) = Self.set(before), let (other, left) = Self.set(after),
                type == other, !left.isEmpty, Set(left).isStrictSubset(of: held)
            else { return nil }
            let gone = held.filter { !left.contains($0) }
            self = .subset(
                Array("{\"\(type)\":[".utf8) + gone.joined(separator: [UInt8(ascii: ",")])
                    + Array("]}".utf8))
        default: return nil
        }
    }

    private static func elements(_ text: [UInt8]) -> [[UInt8]]? {
        // What is no list has no elements.
        (try? JSONNode(parsing: text))?.elements?.map { Array(text[$0.range]) }
    }

    // An element by itself, which may be a text, too: as the only one of a list.
    private static func typed(_ element: [UInt8]) -> [UInt8]? {
        let list = [UInt8(ascii: "[")] + element + [UInt8(ascii: "]")]
        // An element of a canonical list can always be written.
        guard let typed = try? AttributeWriter.typed(.json(list)) else { return nil }
        // What was just written can be parsed.
        guard let node = (try? JSONNode(parsing: typed))?["L"]?.elements?.first else {
            return nil
        }
        return Array(typed[node.range])
    }

    private static func set(_ text: [UInt8]) -> (type: String, elements: [[UInt8]])? {
        // What is no typed value is no set.
        guard let node = try? JSONNode(parsing: text) else { return nil }
        for type in ["SS", "NS", "BS"] {
            guard let elements = node[type]?.elements else { continue }
            return (type, elements.map { Array(text[$0.range]) })
        }
        return nil
    }
}
