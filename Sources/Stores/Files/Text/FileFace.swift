package import MooringModel

/// A file as it stands, before anybody reads it as a whole.
package struct FileFace: Hashable, Sendable {
    /// Its first line, without its end; empty of a file that has no lines.
    package let line: [UInt8]
    /// Whether a byte order mark stands before that.
    package let startsWithMark: Bool
    /// When it was written last.
    package let modified: Instant
    /// What it is known by: it changes where the file does.
    package let state: String
    /// Its bytes, as they lie there.
    package let size: Int64

    /// Looks at a file; a gzip stream is inflated. Throws why it cannot be read.
    package init(path: String) throws(ReadFailure) {
        let source = try ByteSource(path: path)
        (modified, size) = (source.modified, source.size)
        state = source.state
        let buffer = TextBuffer(source)
        let reader = LineReader(buffer)
        switch reader.next() {
        case .line: line = reader.withBytes { Array($0) }
        case .problem(_, let reason): throw ReadFailure(reason: reason)
        case .end: line = []
        }
        startsWithMark = buffer.hadMark
    }

    /// Looks at a file that has no lines, such as one of columns. Throws why it cannot be read.
    package init(ofNoLines path: String) throws(ReadFailure) {
        let source = try ByteSource(path: path)
        (modified, size, state) = (source.modified, source.size, source.state)
        (line, startsWithMark) = ([], false)
    }
}
