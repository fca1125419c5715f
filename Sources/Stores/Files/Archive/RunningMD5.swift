import Crypto

/// MD5 over bytes that come in pieces: what manifests of S3 tell of their files.
package struct RunningMD5: Sendable {
    private var hash = Insecure.MD5()
    /// How many bytes were added.
    package private(set) var count: Int64 = 0

    /// The digest of nothing yet.
    package init() {}

    /// Adds a piece.
    package mutating func add(_ piece: [UInt8]) {
        piece.withUnsafeBytes { hash.update(bufferPointer: $0) }
        count += Int64(piece.count)
    }

    /// The digest of what was added so far.
    package var digest: [UInt8] { Array(hash.finalize()) }
}
