/// Reads rows of RFC 4180 as bytes: fields may be quoted, and then hold commas, line breaks and
/// doubled quotes; a row ends with LF or CRLF.
///
/// A row that breaks the rules is a problem, and the reading goes on at the next line.
final class CSVReader {
    /// One step of the reading.
    enum Step {
        /// The fields of a row, which began on this line.
        case row(line: Int)
        case problem(line: Int, reason: String)
        case end
    }

    /// Where a field's bytes are in the buffer.
    private struct Field {
        let start: Int
        let end: Int
        let isQuoted: Bool
        let hasDoubledQuotes: Bool
    }

    private enum Outcome {
        case row(next: Int)
        case malformed(reason: String, next: Int)
        case unclosed
        case needsMore
    }

    private let buffer: TextBuffer
    private var fields: [Field] = []
    private var line = 1
    private var isOver = false

    /// A reader before the first row.
    init(_ buffer: TextBuffer) {
        self.buffer = buffer
    }

    /// Whether a line break ended the row; the last row of a file may lack one, or be cut off.
    private(set) var isEnded = true

    /// How many fields the row has.
    var count: Int { fields.count }

    /// The next row, problem or end; a row's fields can be read until the next call.
    func next() -> Step {
        while !isOver {
            if buffer.start == buffer.bytes.count, buffer.isAtEnd { break }
            let begin = buffer.start
            let atEnd = buffer.isAtEnd
            let outcome = buffer.bytes.withUnsafeBufferPointer { bytes in
                scan(bytes, from: begin, atEnd: atEnd)
            }
            switch outcome {
            case .row(let next):
                isEnded = buffer.bytes[next - 1] == UInt8(ascii: "\n")
                defer { advance(to: next) }
                return .row(line: line)
            case .malformed(let reason, let next):
                defer { advance(to: next) }
                return .problem(line: line, reason: reason)
            case .unclosed:
                isOver = true
                return .problem(
                    line: line,
                    reason:
                        "a quoted field is never closed: the file is cut off, or a quote is missing"
                )
            case .needsMore:
                if buffer.refill() { continue }
                isOver = true
                if let failure = buffer.failure {
                    return .problem(line: line, reason: failure.reason)
                }
            }
        }
        return .end
    }

    /// Whether the field stood in quotes.
    func isQuoted(_ index: Int) -> Bool { fields[index].isQuoted }

    /// Whether the row is an empty line.
    var isBlank: Bool {
        fields.count == 1 && !fields[0].isQuoted && fields[0].start == fields[0].end
    }

    /// A field's bytes, without its quotes.
    func bytes(_ index: Int) -> [UInt8] {
        let field = fields[index]
        guard field.hasDoubledQuotes else { return Array(buffer.bytes[field.start..<field.end]) }
        let quote = UInt8(ascii: "\"")
        var output: [UInt8] = []
        var index = field.start
        while index < field.end {
            output.append(buffer.bytes[index])
            index += buffer.bytes[index] == quote ? 2 : 1
        }
        return output
    }

    /// Hands over a field's bytes in place; a doubled quote is still doubled in them.
    func withBytes<Result>(
        _ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        let field = fields[index]
        return buffer.bytes.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[field.start..<field.end]))
        }
    }

    private func advance(to next: Int) {
        line += buffer.bytes.withUnsafeBufferPointer { bytes in
            bytes[buffer.start..<next].reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
        }
        // The fields stay readable: the bytes are dropped when the buffer is filled again.
        buffer.start = next
    }

    private func scan(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, atEnd: Bool
    ) -> Outcome {
        fields.removeAll(keepingCapacity: true)
        var index = start
        while true {
            let isQuoted = index < bytes.count && bytes[index] == UInt8(ascii: "\"")
            if isQuoted {
                guard let end = quotedField(bytes, at: index) else {
                    return atEnd ? .unclosed : .needsMore
                }
                index = end
            } else {
                index = plainField(bytes, at: index)
            }
            guard index < bytes.count else {
                return atEnd ? .row(next: index) : .needsMore
            }
            switch bytes[index] {
            case UInt8(ascii: ","):
                index += 1
            case UInt8(ascii: "\n"):
                return .row(next: index + 1)
            case UInt8(ascii: "\r"):
                if index + 1 == bytes.count { return atEnd ? .row(next: index + 1) : .needsMore }
                if bytes[index + 1] == UInt8(ascii: "\n") { return .row(next: index + 2) }
                return skipLine(
                    bytes, from: index, atEnd: atEnd, "a carriage return stands outside quotes")
            default:
                return skipLine(
                    bytes, from: index, atEnd: atEnd,
                    isQuoted
                        ? "text follows a closing quote" : "a quote stands in an unquoted field")
            }
        }
    }

    // The index after the closing quote; nil when there is none yet.
    private func quotedField(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> Int? {
        let quote = UInt8(ascii: "\"")
        var hasDoubledQuotes = false
        var index = start + 1
        while index < bytes.count {
            if bytes[index] != quote {
                index += 1
            } else if index + 1 < bytes.count, bytes[index + 1] == quote {
                hasDoubledQuotes = true
                index += 2
            } else {
                // At the end of what was read it may be half of a doubled quote; `scan` then
                // asks for more and reads the row again.
                fields.append(
                    Field(
                        start: start + 1, end: index, isQuoted: true,
                        hasDoubledQuotes: hasDoubledQuotes))
                return index + 1
            }
        }
        return nil
    }

    // The index of the byte that ends the field.
    private func plainField(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\""):
                fields.append(
                    Field(start: start, end: index, isQuoted: false, hasDoubledQuotes: false))
                return index
            default:
                index += 1
            }
        }
        fields.append(Field(start: start, end: index, isQuoted: false, hasDoubledQuotes: false))
        return index
    }

    private func skipLine(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, atEnd: Bool, _ reason: String
    ) -> Outcome {
        guard let newline = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
            return atEnd ? .malformed(reason: reason, next: bytes.count) : .needsMore
        }
        return .malformed(reason: reason, next: newline + 1)
    }
}
