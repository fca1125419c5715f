import MooringDecisions
import MooringModel

/// A reference of a plain row: a key that is one as it stands.
struct PlainReference: Sendable {
    /// Which of the model's `files` holds it.
    let field: Int
    /// The index in a list; -1 elsewhere.
    let index: Int32
    /// Its bytes among those of the slab.
    let value: Range<Int>
    /// The places that it may mean, among the row's.
    let slots: Range<Int>
    /// The number of the bucket that it means.
    let bucket: Int
}

/// Reads rows of a slab that hold nothing but what is read without a doubt: no tombstones, no
/// nested values, keys without a fault. It tells of all others that they are to be read by
/// `RecordReader`, whose answers it gives otherwise. A row costs no allocation.
struct PlainRows: Sendable {
    private struct Field: Sendable {
        let number: Int
        let column: Int
        let isList: Bool
        let bucket: Int
        let levels: [Level]
    }

    // A level with an identity behind its head has a tail.
    private struct Level: Sendable {
        let head: [UInt8]
        let tail: [UInt8]?
        let isRoot: Bool
    }

    /// The columns of the identifier.
    let id: [Int]
    private let version, changed, deleted, identity: Int?
    private let zone: ClockZone?
    private let fields: [Field]
    private let maker: FingerprintMaker
    private var key: [UInt8] = []

    /// The references of the row that was read last.
    private(set) var references: [PlainReference] = []
    /// The places that they may mean.
    private(set) var slots: [Fingerprint] = []
    /// When its record changed last; nil where it does not tell.
    private(set) var changedAt: ChangeTime?
    /// The heads of the levels under which places of any identity may lie.
    let heads: [[UInt8]]
    /// The identity's bytes among those of the slab; nil where the row names none.
    private(set) var identityRange: Range<Int>?

    // Whether the mapping has no rule that needs more.
    private let isUsable: Bool

    /// A reader for rows with these columns; where some rule of the mapping needs more, no row is
    /// plain.
    init(
        _ mapping: ModelMapping, columns: [String], names: BucketNames, resolver: KeyResolver,
        maker: FingerprintMaker
    ) {
        func place(_ column: String?) -> Int? { column.flatMap { columns.firstIndex(of: $0) } }
        let id = mapping.id.compactMap { place($0) }
        var isUsable = id.count == mapping.id.count && mapping.identities == nil
        var fields: [Field] = []
        for (number, file) in mapping.files.enumerated() {
            guard let column = place(file.column) else { continue }
            guard file.path.steps.isEmpty, !file.isComplex, let bucket = names.number(of: file)
            else {
                isUsable = false
                break
            }
            fields.append(
                Field(
                    number: number, column: column, isList: file.isList, bucket: bucket,
                    levels: Self.levels(file.level, resolver)))
        }
        self.isUsable = isUsable
        (self.id, self.fields, self.maker) = (id, fields, maker)
        (version, changed) = (place(mapping.version), place(mapping.changed))
        (deleted, identity) = (place(mapping.deleted), place(mapping.identity))
        zone = mapping.zone
        heads = fields.flatMap(\.levels).filter { $0.tail != nil }.map(\.head)
    }

    // As `KeyResolver.patterns` has them.
    private static func levels(_ choice: LevelChoice, _ resolver: KeyResolver) -> [Level] {
        let root = Level(head: [], tail: nil, isRoot: true)
        func level(_ level: AccessLevel) -> Level {
            Level(head: level.head, tail: level.tail, isRoot: false)
        }
        switch choice {
        case .root: return [root]
        case .named(let name):
            return [resolver.levels.first { $0.name == name }.map(level) ?? root]
        case .any: return [root] + resolver.levels.map(level)
        }
    }

    /// Reads a row, whose cells these are, without its time where nobody wants that; false where
    /// it is not plain.
    mutating func read(
        _ cells: Slice<UnsafeBufferPointer<SlabCell>>, _ bytes: UnsafeBufferPointer<UInt8>,
        readsChange: Bool = true
    ) -> Bool {
        guard isUsable else { return false }
        references.removeAll(keepingCapacity: true)
        slots.removeAll(keepingCapacity: true)
        let start = cells.startIndex
        for column in id where !Self.isText(cells[start + column]) { return false }
        if let deleted, !Self.isNoMark(cells[start + deleted], bytes) { return false }
        if let version, !Self.isNumber(cells[start + version], bytes) { return false }
        changedAt = nil
        if let changed, readsChange, !readChange(cells[start + changed], bytes) { return false }
        identityRange = nil
        if let identity {
            let cell = cells[start + identity]
            guard cell.isMissing || Self.isText(cell) else { return false }
            if !cell.isMissing, cell.count > 0 { identityRange = cell.range }
        }
        for field in fields.indices {
            let cell = cells[start + fields[field].column]
            if cell.isMissing { continue }
            guard Self.isText(cell) else { return false }
            if cell.count == 0 { continue }
            guard
                fields[field].isList
                    ? addList(field, cell.range, bytes) : add(field, cell.range, -1, bytes)
            else { return false }
        }
        return true
    }

    private static func isText(_ cell: SlabCell) -> Bool {
        cell.kind == .text || cell.kind == .blob
    }

    // Whether a mark of deletion says that the record is not deleted.
    private static func isNoMark(
        _ cell: SlabCell, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if cell.isMissing { return true }
        guard cell.kind != .json, cell.kind != .attribute, cell.kind != .real else { return false }
        let zero = cell.kind == .integer ? UInt8(0) : UInt8(ascii: "0")
        return (cell.kind == .integer || cell.count < 2)
            && bytes[cell.range].allSatisfy { $0 == zero }
    }

    private static func isNumber(
        _ cell: SlabCell, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if cell.isMissing || cell.kind == .integer { return true }
        return isText(cell) && number(bytes[cell.range]) != nil
    }

    // A number of a few digits alone.
    private static func number(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        guard !text.isEmpty, text.count < 19 else { return nil }
        var number: Int64 = 0
        for byte in text {
            guard byte &- UInt8(ascii: "0") < 10 else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return number
    }

    private mutating func readChange(
        _ cell: SlabCell, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if cell.isMissing { return true }
        let text = bytes[cell.range]
        if cell.kind == .integer {
            let bits = UnsafeRawBufferPointer(bytes).loadUnaligned(
                fromByteOffset: Int(cell.start), as: UInt64.self)
            let number = Int64(bitPattern: UInt64(littleEndian: bits))
            changedAt = ChangeTimeForm.read(.integer(number))?.time
            return true
        }
        guard Self.isText(cell) else { return false }
        if let number = Self.number(text) {
            changedAt = ChangeTimeForm.read(.integer(number))?.time
            return true
        }
        changedAt = ChangeTimeForm.time(
            ofText: UnsafeBufferPointer(rebasing: text), zone: zone)
        return changedAt != nil
    }
}

// MARK: - References

extension PlainRows {
    // False where the key may be at fault, or more than a key.
    private mutating func add(
        _ field: Int, _ value: Range<Int>, _ index: Int32, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard value.count <= KeyRule.lengthLimit else { return false }
        switch bytes[value.lowerBound] {
        case UInt8(ascii: "/"), UInt8(ascii: "["), UInt8(ascii: "{"): return false
        default: break
        }
        var isOrdinary = true
        for byte in bytes[value] where byte < 0x20 || byte == 0x7F { isOrdinary = false }
        guard isOrdinary else { return false }
        let first = slots.count
        let bucket = fields[field].bucket
        for level in fields[field].levels {
            let (place, tag) = place(level, value, bucket, bytes)
            slots.append(place ?? key.withUnsafeBufferPointer { maker.make($0, tag: tag) })
        }
        references.append(
            PlainReference(
                field: fields[field].number, index: index, value: value,
                slots: first..<slots.count, bucket: bucket))
        return true
    }

    // The fingerprint where the value itself is the key; else `key` holds it.
    private mutating func place(
        _ level: Level, _ value: Range<Int>, _ bucket: Int, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (Fingerprint?, tag: UInt64) {
        let content = UnsafeBufferPointer(rebasing: bytes[value])
        let tag = SlotTag.exact(bucket)
        if level.isRoot { return (maker.make(content, tag: tag), tag) }
        key.removeAll(keepingCapacity: true)
        key.append(contentsOf: level.head)
        guard let tail = level.tail else {
            key.append(contentsOf: content)
            return (nil, tag)
        }
        if let identityRange { key.append(contentsOf: bytes[identityRange]) }
        key.append(contentsOf: tail)
        key.append(contentsOf: content)
        return (
            nil, identityRange == nil ? SlotTag.anyIdentity(bucket, head: level.head.count) : tag
        )
    }

    // A flat list of strings without escapes.
    private mutating func addList(
        _ field: Int, _ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        var place = range.lowerBound
        let end = range.upperBound
        func skipBlanks() { while place < end, bytes[place] == 0x20 { place += 1 } }
        func take(_ byte: UInt8) -> Bool {
            skipBlanks()
            guard place < end, bytes[place] == byte else { return false }
            place += 1
            return true
        }
        guard take(UInt8(ascii: "[")) else { return false }
        if take(UInt8(ascii: "]")) { return place == end }
        var index: Int32 = 0
        repeat {
            guard take(UInt8(ascii: "\"")) else { return false }
            let start = place
            while place < end, bytes[place] != UInt8(ascii: "\"") {
                // Escapes, and what may be no UTF-8, take a parser.
                guard bytes[place] != UInt8(ascii: "\\"), bytes[place] < 0x80 else { return false }
                place += 1
            }
            guard place < end else { return false }
            // An empty text is no key.
            if place > start, !add(field, start..<place, index, bytes) { return false }
            place += 1
            index += 1
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) && place == end
    }
}

extension PlainRows {
    /// Writes the key of one of a reference's places; an identity that is not known is written as
    /// `{identity}`.
    func write(
        _ reference: PlainReference, _ slot: Int, _ bytes: UnsafeBufferPointer<UInt8>,
        to key: inout [UInt8]
    ) {
        key.removeAll(keepingCapacity: true)
        guard let field = fields.first(where: { $0.number == reference.field }) else { return }
        let level = field.levels[slot - reference.slots.lowerBound]
        key.append(contentsOf: level.head)
        if let tail = level.tail {
            if let identityRange {
                key.append(contentsOf: bytes[identityRange])
            } else {
                key.append(contentsOf: "{identity}".utf8)
            }
            key.append(contentsOf: tail)
        }
        key.append(contentsOf: bytes[reference.value])
    }
}

/// What tells fingerprints of different kinds of places apart.
enum SlotTag {
    /// One key of a bucket.
    static func exact(_ bucket: Int) -> UInt64 { UInt64(bucket) << 32 }

    /// Of a bucket: a head of so many bytes, any identity, and what follows it.
    static func anyIdentity(_ bucket: Int, head: Int) -> UInt64 {
        UInt64(bucket) << 32 | 1 << 31 | UInt64(head & 0x7FFF_FFFF)
    }
}
