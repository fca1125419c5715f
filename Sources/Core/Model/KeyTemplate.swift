/// How an app derives keys from a record, such as `{id}-{uuid}`; it names an orphan's owner.
package struct KeyTemplate: Hashable, Sendable {
    /// One piece of a template.
    package enum Part: Hashable, Sendable {
        case literal([UInt8])
        /// The record's identifier.
        case id
        /// 8-4-4-4-12 hexadecimal digits, or 32 of them.
        case uuid
        /// The value of another field of the record.
        case field(String)
        /// Anything, nothing included.
        case any
    }

    /// The template as it was written.
    package let text: String
    /// Its pieces, from left to right.
    package let parts: [Part]

    /// A template; nil when a brace is open or holds an unknown word.
    package init?(_ text: String) {
        self.text = text
        var parts: [Part] = []
        var literal: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            guard byte == UInt8(ascii: "{") else {
                if byte == UInt8(ascii: "}") { return nil }
                literal.append(byte)
                rest = rest.dropFirst()
                continue
            }
            guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = []
            let word = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
            switch word {
            case "id": parts.append(.id)
            case "uuid": parts.append(.uuid)
            case "*": parts.append(.any)
            case _ where word.hasPrefix("field:") && word.utf8.count > 6:
                parts.append(.field(String(word.dropFirst(6))))
            default: return nil
            }
            rest = rest[(end + 1)...]
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        self.parts = parts
    }

    /// Whether a fitting key names its owner.
    package var namesOwner: Bool { parts.contains(.id) }
    /// Whether keys are never used again, since each holds a fresh UUID.
    package var neverReusesKeys: Bool { parts.contains(.uuid) }
}

extension KeyTemplate {
    /// What stands in names of files and not in identifiers: endings, folders and blanks.
    package static let signsOfFiles = "./ ()"

    private static let signs = Array(signsOfFiles.utf8)

    /// Whether a text may be an identifier: nothing of that stands in it.
    package static func isIdentifier(_ text: [UInt8]) -> Bool {
        !text.contains(where: signs.contains)
    }
}
