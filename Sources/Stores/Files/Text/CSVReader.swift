import MooringText

/// Reads rows of RFC 4180 as bytes: fields may be quoted, and then hold commas, line breaks and
/// doubled quotes; a row ends with LF or CRLF. What stands between fields may be another byte than
/// a comma.
///
/// A row that breaks the rules is a problem, and the reading goes on at the next line.
final class CSVReader {
    /// One step of the reading.
    enum Step {
        /// A row, which began on this line.
        case row(line: Int)
        case problem(line: Int, reason: String)
        case end
    }

    /// Where a field's bytes are in the buffer.
    struct Field {
        /// The first byte, behind an opening quote.
        let start: Int
        /// The place behind the last byte.
        let end: Int
        /// Whether it stood in quotes.
        let isQuoted: Bool
        /// Whether it holds doubled quotes, each of which stands for one.
        let hasDoubledQuotes: Bool
    }

    /// A row in place.
    struct Row {
        /// What the fields' places count in.
        let bytes: UnsafeBufferPointer<UInt8>
        /// The fields.
        let fields: UnsafeBufferPointer<Field>
        /// The line that it began on.
        let line: Int
        /// Whether a line break ended it; the last row of a file may lack one, or be cut off.
        let isEnded: Bool

        /// A field's bytes; a doubled quote is still doubled in them.
        func raw(_ field: Field) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(rebasing: bytes[field.start..<field.end])
        }

        /// A field's bytes.
        func bytes(_ field: Field) -> [UInt8] {
            let raw = raw(field)
            guard field.hasDoubledQuotes else { return Array(raw) }
            var output: [UInt8] = []
            output.reserveCapacity(raw.count)
            var start = 0
            while start < raw.count {
                let quote = ByteScan.quote(raw, from: start)
                output.append(contentsOf: raw[start..<min(quote + 1, raw.count)])
                start = quote + 2
            }
            return output
        }

        /// Whether it is an empty line.
        var isBlank: Bool {
            fields.count == 1 && !fields[0].isQuoted && fields[0].start == fields[0].end
        }
    }

    /// What became of reading a row.
    fileprivate enum Outcome {
        case row(next: Int)
        case malformed(reason: String, next: Int)
        case unclosed
        case needsMore
    }

    private let buffer: TextBuffer
    private let separator: UInt8
    private var fields = Refilled<Field>()
    private var line = 1
    private var isOver = false

    /// A reader before the first row.
    init(_ buffer: TextBuffer, separator: UInt8 = UInt8(ascii: ",")) {
        self.buffer = buffer
        self.separator = separator
    }

    /// Hands over rows in place, one after the other, and what breaks the rules, while more are
    /// wanted; false at the end.
    func read(
        _ take: (Row) -> Void, problem: (_ line: Int, _ reason: String) -> Void,
        while isWanted: () -> Bool
    ) -> Bool {
        while isWanted() {
            rows { row in
                take(row)
                return isWanted()
            }
            if !isWanted() { break }
            switch next(take) {
            case .end: return false
            case .problem(let line, let reason): problem(line, reason)
            case .row: break
            }
        }
        return true
    }

    /// Hands over rows in place, one after the other, until one is refused; it stops before what
    /// is not whole in the buffer or breaks the rules, which `next` has to be asked for.
    func rows(_ goesOn: (Row) -> Bool) {
        guard !isOver else { return }
        var (start, line) = (buffer.start, line)
        buffer.bytes.withUnsafeBufferPointer { bytes in
            read(bytes, from: &start, line: &line, into: &fields, goesOn)
        }
        buffer.start = start
        self.line = line
    }

    private func read(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: inout Int, line: inout Int,
        into fields: inout Refilled<Field>, _ goesOn: (Row) -> Bool
    ) {
        var isWanted = true
        var scan = RowScan(bytes: bytes, separator: separator)
        while isWanted, start < bytes.count {
            scan.breaks = 0
            guard case .row(let next) = scan.run(from: start, atEnd: false, into: &fields) else {
                return
            }
            isWanted = goesOn(Row(bytes: bytes, fields: fields.elements, line: line, isEnded: true))
            start = next
            line += 1 + scan.breaks
        }
    }

    /// The next row, which is handed over in place, problem or end.
    func next(_ take: (Row) -> Void) -> Step {
        while !isOver {
            if buffer.start == buffer.bytes.count, buffer.isAtEnd { break }
            let begin = buffer.start
            let atEnd = buffer.isAtEnd
            let outcome = buffer.bytes.withUnsafeBufferPointer { bytes -> Outcome in
                var scan = RowScan(bytes: bytes, separator: separator)
                let outcome = scan.run(from: begin, atEnd: atEnd, into: &fields)
                if case .row(let next) = outcome {
                    let isEnded = bytes[next - 1] == UInt8(ascii: "\n")
                    take(
                        Row(bytes: bytes, fields: fields.elements, line: line, isEnded: isEnded))
                }
                return outcome
            }
            switch outcome {
            case .row(let next):
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

    private func advance(to next: Int) {
        // What breaks the rules is skipped to the end of a line, wherever that is.
        line += buffer.bytes.withUnsafeBufferPointer { bytes in
            bytes[buffer.start..<next].reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
        }
        buffer.start = next
    }
}

/// Finds the fields of one row.
private struct RowScan {
    let bytes: UnsafeBufferPointer<UInt8>
    let separator: UInt8
    /// The line breaks inside fields.
    var breaks = 0

    mutating func run(
        from start: Int, atEnd: Bool, into fields: inout Refilled<CSVReader.Field>
    ) -> CSVReader.Outcome {
        fields.removeAll()
        var index = start
        while true {
            let isQuoted = index < bytes.count && bytes[index] == UInt8(ascii: "\"")
            if isQuoted {
                guard let end = quotedField(at: index, &fields) else {
                    return atEnd ? .unclosed : .needsMore
                }
                index = end
            } else {
                let end = ByteScan.csvBreak(bytes, from: index, separator: separator)
                fields.append(
                    CSVReader.Field(
                        start: index, end: end, isQuoted: false, hasDoubledQuotes: false))
                index = end
            }
            guard index < bytes.count else {
                return atEnd ? .row(next: index) : .needsMore
            }
            switch bytes[index] {
            case separator:
                index += 1
            case UInt8(ascii: "\n"):
                return .row(next: index + 1)
            case UInt8(ascii: "\r"):
                if index + 1 == bytes.count { return atEnd ? .row(next: index + 1) : .needsMore }
                if bytes[index + 1] == UInt8(ascii: "\n") { return .row(next: index + 2) }
                return skipLine(
                    from: index, atEnd: atEnd, "a carriage return stands outside quotes")
            default:
                return skipLine(
                    from: index, atEnd: atEnd,
                    isQuoted
                        ? "text follows a closing quote" : "a quote stands in an unquoted field")
            }
        }
    }

    // The index after the closing quote; nil when there is none yet.
    private mutating func quotedField(
        at start: Int, _ fields: inout Refilled<CSVReader.Field>
    ) -> Int? {
        let quote = UInt8(ascii: "\"")
        var hasDoubledQuotes = false
        var index = start + 1
        while true {
            index = ByteScan.quoteOrFeed(bytes, from: index)
            guard index < bytes.count else { return nil }
            if bytes[index] != quote {
                breaks += 1
                index += 1
            } else if index + 1 < bytes.count, bytes[index + 1] == quote {
                hasDoubledQuotes = true
                index += 2
            } else {
                // At the end of what was read it may be half of a doubled quote; then more is
                // asked for and the row is begun anew.
                fields.append(
                    CSVReader.Field(
                        start: start + 1, end: index, isQuoted: true,
                        hasDoubledQuotes: hasDoubledQuotes))
                return index + 1
            }
        }
    }

    private func skipLine(from start: Int, atEnd: Bool, _ reason: String) -> CSVReader.Outcome {
        guard let newline = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
            return atEnd ? .malformed(reason: reason, next: bytes.count) : .needsMore
        }
        return .malformed(reason: reason, next: newline + 1)
    }
}
