import Glibc

/// Reads a text line by line, as bytes.
final class LineReader {
    /// One step of the reading.
    enum Step {
        /// The line can be read until the next call; `isEnded` when a line break follows it.
        case line(Int, isEnded: Bool)
        case problem(line: Int, reason: String)
        case end
    }

    private let buffer: TextBuffer
    private var current = 0..<0
    private var line = 0
    private var isOver = false

    /// A reader before the first line.
    init(_ buffer: TextBuffer) {
        self.buffer = buffer
    }

    /// The next line, problem or end.
    func next() -> Step {
        while !isOver {
            let start = buffer.start
            if let end = newline(from: start) {
                current = start..<end
                buffer.start = end + 1
                line += 1
                return .line(line, isEnded: true)
            }
            if buffer.refill() { continue }
            isOver = true
            if let failure = buffer.failure {
                return .problem(line: line + 1, reason: failure.reason)
            }
            if buffer.start < buffer.bytes.count {
                current = buffer.start..<buffer.bytes.count
                line += 1
                return .line(line, isEnded: false)
            }
        }
        return .end
    }

    /// Hands over the line's bytes in place, without its line break.
    func withBytes<Result, Failure>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: bytes[current]))
        }
    }

    private func newline(from start: Int) -> Int? {
        buffer.bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, start < bytes.count,
                let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
