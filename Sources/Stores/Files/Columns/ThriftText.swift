/// Reads values in Thrift's compact protocol, which Parquet tells its columns in
/// (github.com/apache/thrift, doc/specs/thrift-compact-protocol.md).
struct ThriftText {
    /// A value.
    indirect enum Value {
        /// A whole number, or true or false as 1 or 0.
        case integer(Int64)
        /// A text, or bytes.
        case bytes([UInt8])
        /// A list.
        case list([Value])
        /// A structure, by the numbers of its fields.
        case fields([Int: Value])
        /// A number that is not whole, or a map.
        case other

        /// A whole number; nil of anything else.
        var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
        /// A text; nil of anything else.
        var text: String? {
            guard case .bytes(let bytes) = self else { return nil }
            return String(validating: bytes, as: UTF8.self)
        }
        /// A list's values; nil of anything else.
        var list: [Value]? { if case .list(let values) = self { values } else { nil } }

        /// A field of a structure; nil where it lacks it.
        subscript(_ number: Int) -> Value? {
            if case .fields(let fields) = self { fields[number] } else { nil }
        }
    }

    private let bytes: [UInt8]
    private var place = 0
    private static let deepest = 32

    /// Values from the beginning of bytes on.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A structure, whose fields are read as far as one of a number alone, where one is wanted.
    /// Throws `ReadFailure` where it is none.
    mutating func fields(
        upTo last: Int = .max, depth: Int = 0
    ) throws(ReadFailure) -> Value {
        guard depth < Self.deepest else { throw FileEnd.damaged }
        var (fields, number): ([Int: Value], Int) = ([:], 0)
        while true {
            let head = try byte()
            if head == 0 { break }
            let step = Int(head >> 4)
            number = step == 0 ? Int(truncatingIfNeeded: try signed()) : number + step
            fields[number] = try value(head & 15, isField: true, depth: depth + 1)
            if number >= last { break }
        }
        return .fields(fields)
    }

    private mutating func value(
        _ kind: UInt8, isField: Bool, depth: Int
    ) throws(ReadFailure) -> Value {
        switch kind {
        case 1, 2: return .integer(isField ? (kind == 1 ? 1 : 0) : (try byte() == 1 ? 1 : 0))
        case 3: return .integer(Int64(Int8(bitPattern: try byte())))
        case 4, 5, 6: return .integer(try signed())
        case 7:
            try skip(8)
            return .other
        case 8:
            let count = try count()
            let start = place
            try skip(count)
            return .bytes(Array(bytes[start..<place]))
        case 9, 10: return try list(depth: depth)
        case 11: return try map(depth: depth)
        case 12: return try fields(depth: depth)
        default: throw FileEnd.damaged
        }
    }

    private mutating func list(depth: Int) throws(ReadFailure) -> Value {
        let head = try byte()
        let count = head >> 4 == 15 ? try count() : Int(head >> 4)
        // Each takes a byte at least.
        guard count <= bytes.count - place else { throw FileEnd.damaged }
        var values: [Value] = []
        for _ in 0..<count {
            values.append(try value(head & 15, isField: false, depth: depth + 1))
        }
        return .list(values)
    }

    private mutating func map(depth: Int) throws(ReadFailure) -> Value {
        let count = try count()
        guard count > 0 else { return .other }
        guard count <= bytes.count - place else { throw FileEnd.damaged }
        let kinds = try byte()
        for _ in 0..<count {
            _ = try value(kinds >> 4, isField: false, depth: depth + 1)
            _ = try value(kinds & 15, isField: false, depth: depth + 1)
        }
        return .other
    }

    private mutating func byte() throws(ReadFailure) -> UInt8 {
        guard place < bytes.count else { throw FileEnd.damaged }
        place += 1
        return bytes[place - 1]
    }

    private mutating func skip(_ count: Int) throws(ReadFailure) {
        guard count <= bytes.count - place else { throw FileEnd.damaged }
        place += count
    }

    private mutating func count() throws(ReadFailure) -> Int {
        guard let count = Int(exactly: try unsigned()) else { throw FileEnd.damaged }
        return count
    }

    private mutating func signed() throws(ReadFailure) -> Int64 {
        let number = try unsigned()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    private mutating func unsigned() throws(ReadFailure) -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = try byte()
            guard shift < 64 else { throw FileEnd.damaged }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }
}
