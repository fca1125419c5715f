/// Reads the XML that S3 answers with, piece by piece: elements and text, no attributes' values,
/// no document types, and nothing that a strict parser would refuse.
///
/// A piece refers to the bytes that were given; text is decoded on request.
package struct XMLScanner: Sendable {
    /// What comes next.
    package enum Piece: Sendable, Equatable {
        /// `<name …>`, also of an empty element, which is closed at once.
        case open(Range<Int>)
        /// `</name>`.
        case close(Range<Int>)
        /// Text between two tags, entities as they stand.
        case text(Range<Int>)
        /// The end of the document, with every element closed.
        case end
    }

    /// Why a document cannot be read, and at which byte.
    package struct Fault: Error, Hashable, Sendable {
        /// What was wrong.
        package let reason: String
        /// The byte's place, from 0.
        package let offset: Int
    }

    /// The document.
    package let bytes: [UInt8]
    private var position = 0
    private var open: [Range<Int>] = []
    private var pendingClose: Range<Int>?
    private var sawRoot = false

    /// A scanner at the beginning of a document.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether a piece's name or text is this one, byte for byte.
    package func matches(_ range: Range<Int>, _ name: StaticString) -> Bool {
        range.count == name.utf8CodeUnitCount
            && bytes.withUnsafeBufferPointer { all in
                for index in 0..<range.count
                where all[range.lowerBound + index] != name.utf8Start[index] {
                    return false
                }
                return true
            }
    }

    /// The next piece; throws `Fault`.
    package mutating func next() throws(Fault) -> Piece {
        if let name = pendingClose {
            pendingClose = nil
            open.removeLast()
            return .close(name)
        }
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<") else {
                let start = position
                while position < bytes.count, bytes[position] != UInt8(ascii: "<") {
                    try check(bytes[position])
                    position += 1
                }
                if !open.isEmpty { return .text(start..<position) }
                try onlyBlanks(start..<position)
                continue
            }
            position += 1
            guard position < bytes.count else { throw fault("ends within a tag") }
            switch bytes[position] {
            case UInt8(ascii: "?"): try skip(to: "?>")
            case UInt8(ascii: "!"):
                guard bytes[position...].starts(with: "!--".utf8) else {
                    throw fault("holds a document type or a CDATA section")
                }
                try skip(to: "-->")
            case UInt8(ascii: "/"):
                position += 1
                let name = try readName()
                try closeTag()
                guard let last = open.popLast(), bytes[last].elementsEqual(bytes[name]) else {
                    throw fault("closes an element that is not open")
                }
                return .close(name)
            default: return try openTag()
            }
        }
        guard open.isEmpty, sawRoot else { throw fault("ends within an element") }
        return .end
    }

    private mutating func openTag() throws(Fault) -> Piece {
        if open.isEmpty, sawRoot { throw fault("holds a second root") }
        sawRoot = true
        let name = try readName()
        var quote: UInt8?
        while position < bytes.count {
            let byte = bytes[position]
            try check(byte)
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                if bytes[position - 1] == UInt8(ascii: "/") { pendingClose = name }
                position += 1
                open.append(name)
                return .open(name)
            }
            position += 1
        }
        throw fault("ends within a tag")
    }

    private mutating func closeTag() throws(Fault) {
        while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: ">") else {
            throw fault("ends within a tag")
        }
        position += 1
    }

    private mutating func readName() throws(Fault) -> Range<Int> {
        let start = position
        while position < bytes.count, !Self.isBlank(bytes[position]),
            bytes[position] != UInt8(ascii: ">"), bytes[position] != UInt8(ascii: "/")
        {
            try check(bytes[position])
            position += 1
        }
        guard position < bytes.count else { throw fault("ends within a tag") }
        guard position > start else { throw fault("has an empty name") }
        return start..<position
    }

    private mutating func skip(to end: String) throws(Fault) {
        let end = Array(end.utf8)
        while position + end.count <= bytes.count {
            if bytes[position..<(position + end.count)].elementsEqual(end) {
                position += end.count
                return
            }
            try check(bytes[position])
            position += 1
        }
        throw fault("ends within a comment")
    }

    private func onlyBlanks(_ range: Range<Int>) throws(Fault) {
        guard bytes[range].allSatisfy(Self.isBlank) else {
            throw fault("holds text outside its root")
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    // XML 1.0 has no control characters but tab, line feed and carriage return.
    private func check(_ byte: UInt8) throws(Fault) {
        if byte < 0x20, byte != 0x0A, byte != 0x0D, byte != 0x09 {
            throw fault("holds a control character")
        }
    }

    private func fault(_ reason: String) -> Fault { Fault(reason: reason, offset: position) }
}
