import MooringModel

/// How the objects of a deletion request are found in words, such as evidence, scan problems and
/// rendered reports: by what their keys begin with, where that is no common word.
package struct ErasureWords: Hashable, Sendable {
    /// What keys begin with, where it has a slash and more than three bytes.
    package let heads: [[UInt8]]
    private let escapedHeads: [[UInt8]]

    /// The words of a request.
    package init(_ scope: ErasureScope) {
        heads = scope.places.map(\.head).filter { $0.count > 3 && $0.contains(UInt8(ascii: "/")) }
        // What is not UTF-8 stands in JSON repaired, which may be another person's as well.
        escapedHeads = heads.compactMap { head in
            String(validating: head, as: UTF8.self).map { text in
                Array(JSONValue.string(text).rendered.dropFirst().dropLast())
            }
        }
    }

    /// The words as JSON text holds them.
    package var inJSON: [[UInt8]] { escapedHeads }

    /// Whether a text names one of the objects, or the folder that they lie in.
    package func name(_ text: [UInt8]) -> Bool {
        heads.contains { head in
            let folder = head.last == UInt8(ascii: "/") ? Array(head.dropLast()) : head
            let lossy = Array(String(decoding: folder, as: UTF8.self).utf8)
            return Self.isFound(folder, in: text) { _ in true }
                || Self.isFound(lossy, in: text) { _ in true }
        }
    }

    /// Whether a value that a record holds, or held, names one of the objects. What only begins
    /// like it is another person's, whose repairs can still be taken back.
    package func isHeld(in value: [UInt8]) -> Bool {
        heads.contains { Self.isFound($0, in: value) { _ in true } }
    }

    /// Whether one of these words stands in a document: inside of a longer word it belongs to
    /// another key.
    package static func stand(_ words: [[UInt8]], in text: some RandomAccessCollection<UInt8>)
        -> Bool
    {
        words.contains { word in
            isFound(word, in: text) { before in
                before.map { "\"'(>, \n\t".utf8.contains($0) } ?? true
            }
        }
    }

    private static func isFound<Text: RandomAccessCollection<UInt8>>(
        _ word: [UInt8], in text: Text, where fits: (UInt8?) -> Bool
    ) -> Bool {
        guard let first = word.first else { return false }
        var place = text.startIndex
        while let found = text[place...].firstIndex(of: first) {
            if text[found...].starts(with: word),
                fits(found == text.startIndex ? nil : text[text.index(before: found)])
            {
                return true
            }
            place = text.index(after: found)
        }
        return false
    }
}
