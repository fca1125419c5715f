import MooringModel
import MooringText

/// The end of an ORC file (orc.apache.org/specification/ORCv1, and proto/orc_proto.proto).
enum ORCFooter {
    private static let mark = Array("ORC".utf8)

    /// Reads it. Throws `ReadFailure` where it is not there, or its moments are of another zone
    /// than UTC.
    static func read(_ file: FileEnd) throws(ReadFailure) -> ColumnFooter {
        guard file.size >= 8, try file.bytes(3, at: 0) == mark else {
            throw ReadFailure(reason: "is no ORC file")
        }
        let length = Int(try file.bytes(1, at: file.size - 1)[0])
        let last = try ProtobufText(try file.bytes(length, at: file.size - 1 - length))
        guard last.bytes(8000).last?.elementsEqual(mark) == true, let count = last.count(1) else {
            throw FileEnd.damaged
        }
        let packing = last.count(2) ?? 0
        let footer = try ProtobufText(
            unpacked(
                try file.bytes(count, at: file.size - 1 - length - count), packing))
        let types = try footer.bytes(4).map(ProtobufText.init)
        guard let root = types.first, root.count(1) == Kind.structure.rawValue else {
            throw FileEnd.damaged
        }
        let (names, places) = (root.bytes(3), try root.packed(2))
        guard names.count == places.count, let rows = footer.count(6) else { throw FileEnd.damaged }
        var columns: [(String, ColumnKind)] = []
        for (name, place) in zip(names, places) {
            guard let name = String(validating: name, as: UTF8.self), place < types.count else {
                throw FileEnd.damaged
            }
            columns.append((name, try kind(types[place], types)))
        }
        if columns.contains(where: { $0.1 == .clock }) {
            for stripe in footer.bytes(3) { try checkZone(ProtobufText(stripe), packing, file) }
        }
        return try ColumnFooter(columns, rows: Int64(rows))
    }

    // Those that are told apart here.
    private enum Kind: Int {
        case boolean = 0
        case byte, short, int, long
        case string = 7
        case binary, timestamp, list
        case structure = 12
        case varchar = 16
    }

    private static func kind(
        _ type: ProtobufText, _ types: [ProtobufText]
    ) throws(ReadFailure) -> ColumnKind {
        switch Kind(rawValue: type.count(1) ?? 0) {
        case .boolean: return .truth
        case .byte, .short, .int, .long: return .integer
        case .string, .binary, .varchar: return .text
        case .timestamp: return .clock
        case .list:
            let places = try type.packed(2)
            guard places.count == 1, places[0] < types.count else { throw FileEnd.damaged }
            let inner = Kind(rawValue: types[places[0]].count(1) ?? 0)
            return inner == .string || inner == .varchar ? .texts : .other
        default: return .other
        }
    }

    // A moment is what a clock of the writer's zone showed.
    private static func checkZone(
        _ stripe: ProtobufText, _ packing: Int, _ file: FileEnd
    ) throws(ReadFailure) {
        guard let start = stripe.count(1), let count = stripe.count(4) else {
            throw FileEnd.damaged
        }
        let lengths = (stripe.count(2) ?? 0, stripe.count(3) ?? 0)
        let (ahead, isTooMuch) = lengths.0.addingReportingOverflow(lengths.1)
        let (place, isFar) = start.addingReportingOverflow(ahead)
        guard !isTooMuch, !isFar else { throw FileEnd.damaged }
        let text = try unpacked(try file.bytes(count, at: place), packing)
        let zone = try ProtobufText(text).bytes(3).last.map { String(decoding: $0, as: UTF8.self) }
        guard let zone, ["UTC", "GMT", "Etc/UTC", "Etc/GMT", "Z"].contains(zone) else {
            throw ReadFailure(
                reason: "holds moments of the time zone '\((zone ?? "").printable)', and not of "
                    + "UTC, so that nobody can tell when they are")
        }
    }

    // Chunks, each behind three bytes that tell its length, and whether it is packed.
    private static func unpacked(
        _ bytes: [UInt8], _ packing: Int
    ) throws(ReadFailure) -> [UInt8] {
        guard packing != 0 else { return bytes }
        guard packing == 1 else {
            throw ReadFailure(reason: "is packed in another way than ZLIB, in which S3 writes ORC")
        }
        var (rest, all): (ArraySlice<UInt8>, [UInt8]) = (bytes[...], [])
        while !rest.isEmpty {
            guard rest.count >= 3 else { throw FileEnd.damaged }
            let head = rest.prefix(3).reversed().reduce(0) { $0 << 8 | Int($1) }
            let chunk = rest.dropFirst(3).prefix(head >> 1)
            guard chunk.count == head >> 1 else { throw FileEnd.damaged }
            all += head & 1 == 1 ? Array(chunk) : try inflated(chunk)
            guard all.count <= 64 << 20 else { throw FileEnd.damaged }
            rest = rest.dropFirst(3 + chunk.count)
        }
        return all
    }

    // As a member of gzip whose end is missing.
    private static func inflated(_ chunk: ArraySlice<UInt8>) throws(ReadFailure) -> [UInt8] {
        var (input, room) = (
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + chunk, [UInt8](repeating: 0, count: 1 << 18)
        )
        var all: [UInt8] = []
        let inflater = try GzipInflater()
        var failure: ReadFailure?
        input.withUnsafeMutableBufferPointer { input in
            room.withUnsafeMutableBufferPointer { room in
                do throws(ReadFailure) {
                    try inflater.inflate(input, room: room, into: &all)
                } catch {
                    failure = error
                }
            }
        }
        if failure != nil { throw FileEnd.damaged }
        return all
    }
}

/// The fields of a message of Protocol Buffers, which ORC tells its columns in.
struct ProtobufText {
    private var numbers: [Int: [UInt64]] = [:]
    private var texts: [Int: [ArraySlice<UInt8>]] = [:]

    /// Reads a message. Throws `ReadFailure` where it is none.
    init(_ bytes: some Collection<UInt8>) throws(ReadFailure) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let head = try Self.number(&rest)
            guard let field = Int(exactly: head >> 3) else { throw FileEnd.damaged }
            switch head & 7 {
            case 0: numbers[field, default: []].append(try Self.number(&rest))
            case 1: try Self.skip(8, &rest)
            case 5: try Self.skip(4, &rest)
            case 2:
                guard let count = Int(exactly: try Self.number(&rest)), count <= rest.count else {
                    throw FileEnd.damaged
                }
                texts[field, default: []].append(rest.prefix(count))
                rest = rest.dropFirst(count)
            default: throw FileEnd.damaged
            }
        }
    }

    /// A count of at least 0; nil where the message lacks it.
    func count(_ field: Int) -> Int? { numbers[field]?.last.flatMap { Int(exactly: $0) } }

    /// All texts, bytes or messages of a field.
    func bytes(_ field: Int) -> [ArraySlice<UInt8>] { texts[field] ?? [] }

    /// All numbers of a field, packed or one by one. Throws `ReadFailure` where they are damaged.
    func packed(_ field: Int) throws(ReadFailure) -> [Int] {
        var all = numbers[field] ?? []
        for text in bytes(field) {
            var rest = text
            while !rest.isEmpty { all.append(try Self.number(&rest)) }
        }
        let counts = all.compactMap { Int(exactly: $0) }
        guard counts.count == all.count else { throw FileEnd.damaged }
        return counts
    }

    private static func skip(
        _ count: Int, _ rest: inout ArraySlice<UInt8>
    ) throws(ReadFailure) {
        guard count <= rest.count else { throw FileEnd.damaged }
        rest = rest.dropFirst(count)
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) throws(ReadFailure) -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while let byte = rest.popFirst() {
            guard shift < 64 else { throw FileEnd.damaged }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        throw FileEnd.damaged
    }
}
