import Crypto

/// One link of the journal's hash chain: SHA-256 over the link before it, what sort of event it
/// is of, the journal entry's number, and the hash of what the event says.
package struct JournalLink: Hashable, Sendable {
    /// What sort of event a link is of.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The intent of a step, before it acts.
        case intent
        /// How a step ended, also that it was taken back later.
        case outcome
        /// That what an entry says of a person was taken out of it.
        case erasure
    }

    /// What stands before the first link: 32 zero bytes.
    package static let origin = [UInt8](repeating: 0, count: 32)

    /// What sort of event it is of.
    package let kind: Kind
    /// The journal entry's number.
    package let entry: Int64
    /// SHA-256 of what the event says, 32 bytes.
    package let content: [UInt8]
    /// The link itself, 32 bytes.
    package let hash: [UInt8]

    /// The link of an event behind the link before it.
    package init(after previous: [UInt8], kind: Kind, entry: Int64, content: [UInt8]) {
        self.kind = kind
        self.entry = entry
        self.content = content
        let number = withUnsafeBytes(of: entry.bigEndian) { Array($0) }
        hash = Self.digest([previous, Array(kind.rawValue.utf8), number, content])
    }

    /// SHA-256 of parts, 32 bytes. Each part is preceded by its length, so that no two lists of
    /// parts hash alike by moving bytes from one part to the next.
    package static func digest(_ parts: [[UInt8]]) -> [UInt8] {
        var hasher = SHA256()
        for part in parts {
            withUnsafeBytes(of: UInt64(part.count).littleEndian) {
                hasher.update(bufferPointer: $0)
            }
            part.withUnsafeBytes { hasher.update(bufferPointer: $0) }
        }
        return Array(hasher.finalize())
    }
}
