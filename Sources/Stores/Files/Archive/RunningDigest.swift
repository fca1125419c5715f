import Crypto
import MooringText

/// SHA-256 over bytes that come in pieces.
package struct RunningDigest: Sendable {
    private var hash = SHA256()
    /// How many bytes were added.
    package private(set) var count: Int64 = 0

    /// The digest of nothing yet.
    package init() {}

    /// Adds a piece.
    package mutating func add(_ piece: [UInt8]) {
        piece.withUnsafeBytes { hash.update(bufferPointer: $0) }
        count += Int64(piece.count)
    }

    /// 64 hexadecimal digits of what was added so far.
    package var text: String { Hexadecimal.text(hash.finalize()) }
}
