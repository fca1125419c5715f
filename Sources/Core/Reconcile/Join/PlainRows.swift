import MooringDecisions
import MooringModel
import MooringText

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

/// What a plain row says; reading the next row into it costs no allocation. No row is ever copied,
/// for that would copy its arrays.
struct PlainRow: ~Copyable {
    /// The references, those of one field side by side.
    fileprivate(set) var references = Refilled<PlainReference>()
    /// The places that they may mean.
    fileprivate(set) var slots = Refilled<Fingerprint>()
    /// What is known of these places; empty until somebody looked at all of them.
    var marks = Refilled<SlotMarks>()
    /// When its record changed last; nil where it does not tell.
    fileprivate(set) var changedAt: ChangeTime?
    /// The identity's bytes among those of the slab; nil where the row names none.
    fileprivate(set) var identityRange: Range<Int>?
    /// Whether one of its references may lie under any identity.
    fileprivate(set) var meansAnyIdentity = false
    fileprivate var key = Refilled<UInt8>()

    /// Lends so many rows, which say nothing yet.
    static func lend(_ count: Int, _ body: (UnsafeMutableBufferPointer<PlainRow>) -> Void) {
        let rows = UnsafeMutableBufferPointer<PlainRow>.allocate(capacity: count)
        for number in 0..<count { rows.initializeElement(at: number, to: PlainRow()) }
        defer {
            rows.deinitialize()
            rows.deallocate()
        }
        body(rows)
    }
}

/// Reads rows of a slab that hold nothing but what is read without a doubt: no tombstones, no
/// nested values, keys without a fault. It tells of all others that they are to be read by
/// `RecordReader`, whose answers it gives otherwise. A row costs no allocation.
///
/// A class, since as a value it would be copied with all its arrays for every row.
final class PlainRows: Sendable {
    // Nothing in these counts references.
    private struct Field {
        let number: Int
        let column: Int
        let isList: Bool
        let bucket: Int
        let levels: Range<Int>
        let layout: Range<Int>
        let shortest: Int
    }

    // One of a layout: a literal among the bytes of all levels, then bytes of the value.
    private struct Piece {
        let literal: Range<Int>
        let slice: Range<Int>
    }

    // Among the bytes of all levels. One with an identity behind its head has a tail.
    private struct Level {
        let head: Range<Int>
        let tail: Range<Int>?
        let isRoot: Bool
    }

    /// The columns of the identifier.
    let id: [Int]
    private let version, changed, deleted, identity: Int?
    private let zone: ClockZone?
    private let fields: [Field]
    private let levels: [Level]
    // Those of all layouts; a value that is its key has none.
    private let pieces: [Piece]
    private let texts: [UInt8]
    private let maker: FingerprintMaker
    /// The heads of the levels under which places of any identity may lie.
    let heads: [[UInt8]]

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
        var (fields, levels, texts): ([Field], [Level], [UInt8]) = ([], [], [])
        var pieces: [Piece] = []
        var heads: [[UInt8]] = []
        func add(_ text: [UInt8]) -> Range<Int> {
            texts += text
            return texts.count - text.count..<texts.count
        }
        for (number, file) in mapping.files.enumerated() {
            guard let column = place(file.column) else { continue }
            guard file.path.steps.isEmpty, !file.isComplex, let bucket = names.number(of: file)
            else {
                isUsable = false
                break
            }
            let first = levels.count
            for level in Self.levels(file.level, resolver) {
                levels.append(
                    Level(
                        head: add(level?.head ?? []), tail: level?.tail.map(add),
                        isRoot: level == nil))
                if let level, level.tail != nil { heads.append(level.head) }
            }
            let piece = pieces.count
            for part in file.stored.isPlain ? [] : file.stored.parts {
                switch part {
                case .literal(let bytes): pieces.append(Piece(literal: add(bytes), slice: 0..<0))
                case .slice(let start, let count):
                    let end = count.map { start + $0 } ?? Int.max
                    pieces.append(Piece(literal: 0..<0, slice: start..<end))
                }
            }
            fields.append(
                Field(
                    number: number, column: column, isList: file.isList, bucket: bucket,
                    levels: first..<levels.count, layout: piece..<pieces.count,
                    shortest: file.stored.shortest))
        }
        self.isUsable = isUsable
        (self.id, self.fields, self.maker) = (id, fields, maker)
        (self.levels, self.pieces, self.texts, self.heads) = (levels, pieces, texts, heads)
        (version, changed) = (place(mapping.version), place(mapping.changed))
        (deleted, identity) = (place(mapping.deleted), place(mapping.identity))
        zone = mapping.zone
    }

    // As `KeyResolver.patterns` has them; nil is the root.
    private static func levels(_ choice: LevelChoice, _ resolver: KeyResolver) -> [AccessLevel?] {
        switch choice {
        case .root: [nil]
        case .named(let name): [resolver.levels.first { $0.name == name }]
        case .any: [nil] + resolver.levels
        }
    }

    /// Reads a row, whose cells these are, without its time where nobody wants that; false where
    /// it is not plain.
    func read(
        _ cells: UnsafeBufferPointer<SlabCell>, _ bytes: UnsafeBufferPointer<UInt8>,
        into row: inout PlainRow, readsChange: Bool = true
    ) -> Bool {
        guard isUsable else { return false }
        row.references.removeAll()
        row.slots.removeAll()
        row.marks.removeAll()
        row.meansAnyIdentity = false
        for column in id where !cells[column].isText { return false }
        if let deleted, !Self.isNoMark(cells[deleted], bytes) { return false }
        if let version, !Self.isNumber(cells[version], bytes) { return false }
        row.changedAt = nil
        if let changed, readsChange, !readChange(cells[changed], bytes, &row) { return false }
        row.identityRange = nil
        if let identity {
            let cell = cells[identity]
            guard cell.isMissing || cell.isText else { return false }
            if !cell.isMissing, cell.count > 0 { row.identityRange = cell.range }
        }
        for field in fields {
            let cell = cells[field.column]
            if cell.isMissing { continue }
            guard cell.isText else { return false }
            if cell.count == 0 { continue }
            guard
                field.isList
                    ? addList(field, cell.range, bytes, &row)
                    : add(field, cell.range, -1, bytes, &row)
            else { return false }
        }
        return true
    }

    // Whether a mark of deletion says that the record is not deleted.
    private static func isNoMark(
        _ cell: SlabCell, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if cell.isMissing { return true }
        guard cell.isText || cell.isInteger else { return false }
        let zero = cell.isInteger ? UInt8(0) : UInt8(ascii: "0")
        return (cell.isInteger || cell.count < 2)
            && bytes[cell.range].allSatisfy { $0 == zero }
    }

    private static func isNumber(
        _ cell: SlabCell, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if cell.isMissing || cell.isInteger { return true }
        return cell.isText && number(bytes[cell.range]) != nil
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

    private func readChange(
        _ cell: SlabCell, _ bytes: UnsafeBufferPointer<UInt8>, _ row: inout PlainRow
    ) -> Bool {
        if cell.isMissing { return true }
        let text = bytes[cell.range]
        if cell.isInteger {
            let bits = UnsafeRawBufferPointer(bytes).loadUnaligned(
                fromByteOffset: Int(cell.start), as: UInt64.self)
            let number = Int64(bitPattern: UInt64(littleEndian: bits))
            row.changedAt = ChangeTimeForm.read(.integer(number))?.time
            return true
        }
        guard cell.isText else { return false }
        if let number = Self.number(text) {
            row.changedAt = ChangeTimeForm.read(.integer(number))?.time
            return true
        }
        row.changedAt = ChangeTimeForm.time(
            ofText: UnsafeBufferPointer(rebasing: text), zone: zone)
        return row.changedAt != nil
    }
}

// MARK: - References

extension PlainRows {
    // False where the key may be at fault, or more than a key.
    private func add(
        _ field: Field, _ value: Range<Int>, _ index: Int32,
        _ bytes: UnsafeBufferPointer<UInt8>, _ row: inout PlainRow
    ) -> Bool {
        guard value.count >= field.shortest, value.count <= KeyRule.lengthLimit else {
            return false
        }
        switch bytes[value.lowerBound] {
        case UInt8(ascii: "/"), UInt8(ascii: "["), UInt8(ascii: "{"): return false
        default: break
        }
        let content = UnsafeBufferPointer(rebasing: bytes[value])
        guard !ByteBlocks.holdControls(in: content) else { return false }
        let first = row.slots.count
        for number in field.levels {
            let place = place(levels[number], content, field, bytes, &row)
            row.slots.append(place)
        }
        row.references.append(
            PlainReference(
                field: field.number, index: index, value: value,
                slots: first..<row.slots.count, bucket: field.bucket))
        return true
    }

    private func place(
        _ level: Level, _ value: UnsafeBufferPointer<UInt8>, _ field: Field,
        _ bytes: UnsafeBufferPointer<UInt8>, _ row: inout PlainRow
    ) -> Fingerprint {
        let bucket = field.bucket
        if level.isRoot, field.layout.isEmpty {
            return maker.make(value, tag: SlotTag.exact(bucket))
        }
        let isKnown = level.tail == nil || row.identityRange != nil
        if !isKnown { row.meansAnyIdentity = true }
        let identity = row.identityRange.map { UnsafeBufferPointer(rebasing: bytes[$0]) }
        row.key.removeAll()
        eachPart(of: value, level, field, identity) { row.key.append($0) }
        let tag =
            isKnown
            ? SlotTag.exact(bucket) : SlotTag.anyIdentity(bucket, head: level.head.count)
        return maker.make(row.key.elements, tag: tag)
    }

    // Hands over what a key is made of, in its order.
    private func eachPart(
        of value: UnsafeBufferPointer<UInt8>, _ level: Level, _ field: Field,
        _ identity: UnsafeBufferPointer<UInt8>?, _ take: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        texts.withUnsafeBufferPointer { texts in
            take(UnsafeBufferPointer(rebasing: texts[level.head]))
            if let tail = level.tail {
                if let identity { take(identity) }
                take(UnsafeBufferPointer(rebasing: texts[tail]))
            }
            guard !field.layout.isEmpty else { return take(value) }
            for number in field.layout {
                let piece = pieces[number]
                take(UnsafeBufferPointer(rebasing: texts[piece.literal]))
                // A value is long enough for every slice.
                let slice = piece.slice.clamped(to: 0..<value.count)
                take(UnsafeBufferPointer(rebasing: value[slice]))
            }
        }
    }

    // A flat list of strings without escapes.
    private func addList(
        _ field: Field, _ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>,
        _ row: inout PlainRow
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
            if place > start, !add(field, start..<place, index, bytes, &row) { return false }
            place += 1
            index += 1
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) && place == end
    }
}

extension PlainRows {
    private static let unknown = Array("{identity}".utf8)

    /// Hands over the key of one of a reference's places, which is written into `room` unless it
    /// stands in the row; an identity that is not known is written as `{identity}`. Nil of a
    /// reference of another model.
    func withKey<Result>(
        _ place: (reference: PlainReference, slot: Int), of row: borrowing PlainRow,
        _ bytes: UnsafeBufferPointer<UInt8>, room: inout [UInt8],
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        let reference = place.reference
        guard let field = fields.first(where: { $0.number == reference.field }) else { return nil }
        let level = levels[field.levels.lowerBound + place.slot - reference.slots.lowerBound]
        let value = UnsafeBufferPointer(rebasing: bytes[reference.value])
        if level.isRoot, field.layout.isEmpty { return body(value) }
        room.removeAll(keepingCapacity: true)
        let range = row.identityRange
        Self.unknown.withUnsafeBufferPointer { unknown in
            let identity = range.map { UnsafeBufferPointer(rebasing: bytes[$0]) } ?? unknown
            eachPart(of: value, level, field, identity) { room.append(contentsOf: $0) }
        }
        return room.withUnsafeBufferPointer(body)
    }
}
