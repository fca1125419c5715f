/// The part of a text that a reader looks at: what is not yet used, and what was read after it.
final class TextBuffer {
    private let source: ByteSource
    private let lengthLimit: Int
    private var isFirst = true
    /// The bytes; those before `start` are used up.
    private(set) var bytes: [UInt8] = []
    /// The first byte that is not used yet.
    var start = 0
    /// Whether no byte follows.
    private(set) var isAtEnd = false
    /// Whether the text began with a byte order mark, which is left out.
    private(set) var hadMark = false
    /// Why nothing more could be read, though more may follow.
    private(set) var failure: ReadFailure?

    /// The longest row or line that is read for certain, in bytes, unless somebody wants less
    /// (whole MiB). One twice as long never is, and ends the reading.
    static let lengthLimit = 32 << 20

    /// A buffer before the first byte.
    init(_ source: ByteSource, lengthLimit: Int = TextBuffer.lengthLimit) {
        self.source = source
        self.lengthLimit = lengthLimit
    }

    /// The byte that comes next; nil when there is none, or none can be read.
    func firstByte() -> UInt8? {
        if start == bytes.count { _ = refill() }
        return start < bytes.count ? bytes[start] : nil
    }

    /// Reads on, so that at least as much follows as before; false when nothing was added.
    func refill() -> Bool {
        guard !isAtEnd, failure == nil else { return false }
        bytes.removeSubrange(..<start)
        start = 0
        guard bytes.count < lengthLimit else {
            failure = ReadFailure(
                reason: "the row is longer than \(lengthLimit >> 20) MiB, "
                    + "or a quote in it is never closed")
            return false
        }
        let before = bytes.count
        repeat {
            do {
                isAtEnd = try !source.read(into: &bytes)
            } catch {
                failure = error
            }
        } while !isAtEnd && failure == nil && bytes.count < 2 * before
        if isFirst, bytes.count >= 3 || isAtEnd {
            isFirst = false
            // A byte order mark says only that the text is UTF-8.
            hadMark = bytes.starts(with: [0xef, 0xbb, 0xbf])
            if hadMark { bytes.removeSubrange(..<3) }
        }
        return bytes.count > before || isAtEnd
    }
}
