/// The last part of a path, found once for all that look at it.
struct LastPart {
    private let path: UnsafeBufferPointer<UInt8>
    // Where the part begins.
    private let start: Int

    /// That of a path, which is all of one without a slash.
    init(of path: UnsafeBufferPointer<UInt8>) {
        self.path = path
        start = ByteBlocks.last(UInt8(ascii: "/"), in: path).map { $0 + 1 } ?? 0
    }

    /// Its bytes.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: path[start...]) }

    /// Whether a letter beyond ASCII stands before the slash, which may be one with it.
    var followsForeign: Bool { start > 1 && path[start - 2] >= 0x80 }
}
