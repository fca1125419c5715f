import MooringModel

/// Takes keys out of a stored list without touching a byte of the others.
package enum ListEditing {
    /// The list's text without the elements at these indexes; nil when it is no list or an index
    /// lies outside it. What stays keeps its bytes and its order.
    package static func removing(_ indexes: Set<Int>, from bytes: [UInt8]) -> [UInt8]? {
        // A text that is no list has no elements to remove: that is the whole answer.
        guard let elements = (try? JSONNode(parsing: bytes))?.elements,
            indexes.allSatisfy(elements.indices.contains)
        else { return nil }
        let kept = elements.indices.filter { !indexes.contains($0) }
        guard let first = elements.first, let last = elements.last else { return bytes }
        guard let lastKept = kept.last else {
            return Array(bytes[..<first.range.lowerBound] + bytes[last.range.upperBound...])
        }
        var output = Array(bytes[..<first.range.lowerBound])
        for index in kept {
            output += bytes[elements[index].range]
            // The comma and the blanks that followed a kept element stay behind it.
            if index != lastKept {
                output +=
                    bytes[elements[index].range.upperBound..<elements[index + 1].range.lowerBound]
            }
        }
        return output + bytes[last.range.upperBound...]
    }

    /// The bytes of each element; nil when it is no list.
    package static func elements(of bytes: [UInt8]) -> [[UInt8]]? {
        // A text that is no list has no elements: that is the whole answer.
        (try? JSONNode(parsing: bytes))?.elements?.map { Array(bytes[$0.range]) }
    }

    /// The list's text with these elements behind the others, which keep their bytes; nil when it
    /// is no list.
    package static func appending(_ added: [[UInt8]], to bytes: [UInt8]) -> [UInt8]? {
        // As above.
        guard let elements = (try? JSONNode(parsing: bytes))?.elements,
            let bracket = bytes.lastIndex(of: UInt8(ascii: "]"))
        else { return nil }
        let end = elements.last?.range.upperBound ?? bracket
        let comma: [UInt8] = elements.isEmpty ? [] : [UInt8(ascii: ",")]
        return bytes[..<end] + comma + added.joined(separator: [UInt8(ascii: ",")]) + bytes[end...]
    }

    /// A text as an element of a list; nil where it is no UTF-8, which JSON cannot hold.
    package static func element(_ text: [UInt8]) -> [UInt8]? {
        String(validating: text, as: UTF8.self).map { JSONValue.string($0).rendered }
    }

    /// The text of an element; nil when it is no string.
    package static func string(_ element: [UInt8]) -> [UInt8]? {
        // An element of a list was parsed before.
        (try? JSONNode(parsing: element))?.stringBytes
    }
}
