/// One attribute of one row in a slab: what it is, and where its bytes are.
@usableFromInline package struct SlabCell: Sendable {
    /// What a value is.
    @usableFromInline package enum Kind: UInt8, Sendable {
        case absent, null, integer, real, text, blob, json, attribute
    }

    /// What the value is; `absent` and `null` have no bytes.
    @usableFromInline package let kind: Kind
    /// Where its bytes begin in the slab: of a number its eight bytes, else those of the text.
    @usableFromInline package let start: UInt32
    /// How many they are.
    @usableFromInline package let count: UInt32

    /// A cell.
    @inlinable
    init(kind: Kind, start: UInt32, count: UInt32) {
        (self.kind, self.start, self.count) = (kind, start, count)
    }

    /// The cell's bytes among those of its slab.
    @inlinable package var range: Range<Int> { Int(start)..<Int(start) + Int(count) }

    /// Whether it says nothing.
    @inlinable package var isMissing: Bool {
        switch kind {
        case .absent, .null: true
        default: false
        }
    }

    /// Whether it is a text, valid UTF-8 or not.
    @inlinable package var isText: Bool {
        switch kind {
        case .text, .blob: true
        default: false
        }
    }

    /// Whether it is a whole number.
    @inlinable package var isInteger: Bool {
        if case .integer = kind { true } else { false }
    }
}

/// Rows of one batch in one buffer, so that a row costs no allocation. It holds less than 4 GiB.
@usableFromInline package struct RowSlab: Sendable {
    /// How many cells a row has.
    package private(set) var width: Int
    /// How many rows there are.
    @usableFromInline package private(set) var count = 0
    @usableFromInline var bytes: [UInt8] = []
    @usableFromInline var cells: [SlabCell] = []

    /// A slab of rows with so many cells.
    package init(width: Int) {
        self.width = width
    }

    /// Rows whose bytes and cells were handed over by `withCells` and are put back by `fill`, of
    /// these lengths in bytes; nil where it cannot.
    package init?(
        width: Int, rows: Int, bytes: Int, cells: Int,
        fill: (
            _ bytes: UnsafeMutableRawBufferPointer, _ cells: UnsafeMutableRawBufferPointer
        ) -> Bool
    ) {
        self.width = width
        count = rows
        var isFilled = false
        self.bytes = Array(unsafeUninitializedCapacity: bytes) { room, count in
            let room = room
            self.cells = Array(
                unsafeUninitializedCapacity: cells / MemoryLayout<SlabCell>.stride
            ) { others, otherCount in
                isFilled = fill(
                    UnsafeMutableRawBufferPointer(start: room.baseAddress, count: bytes),
                    UnsafeMutableRawBufferPointer(start: others.baseAddress, count: cells))
                otherCount = isFilled ? cells / MemoryLayout<SlabCell>.stride : 0
            }
            count = isFilled ? bytes : 0
        }
        guard isFilled else { return nil }
    }

    /// Makes room for so many rows and bytes, so that filling it moves nothing.
    package mutating func reserve(rows: Int, bytes count: Int) {
        cells.reserveCapacity(rows * width)
        bytes.reserveCapacity(count)
    }

    /// Appends a cell to the row that is being filled; `width` of them make one.
    package mutating func append(_ kind: SlabCell.Kind, _ content: UnsafeBufferPointer<UInt8>) {
        cells.append(
            SlabCell(kind: kind, start: UInt32(bytes.count), count: UInt32(content.count)))
        bytes.append(contentsOf: content)
    }

    /// Appends cells that lie within one text, which is copied as a whole: so many, each with what
    /// it is and where it begins and ends there.
    @inlinable
    package mutating func append(
        _ text: UnsafeBufferPointer<UInt8>, cells count: Int,
        _ cell: (_ number: Int) -> (kind: SlabCell.Kind, range: Range<Int>)
    ) {
        let start = bytes.count
        cells.append(addingCapacity: count) { (room: inout OutputSpan<SlabCell>) in
            for number in 0..<count {
                let (kind, range) = cell(number)
                room.append(
                    SlabCell(
                        kind: kind, start: UInt32(start + range.lowerBound),
                        count: UInt32(range.count)))
            }
        }
        bytes.append(contentsOf: text)
    }

    /// Appends a value as a cell, a number as its eight bytes with the lowest first.
    package mutating func append(_ value: FieldValue) {
        switch value {
        case .absent: append(.absent, UnsafeBufferPointer(start: nil, count: 0))
        case .null: append(.null, UnsafeBufferPointer(start: nil, count: 0))
        case .integer(let number): append(.integer, UInt64(bitPattern: number))
        case .real(let number): append(.real, number.bitPattern)
        case .text(let content): content.withUnsafeBufferPointer { append(.text, $0) }
        case .blob(let content): content.withUnsafeBufferPointer { append(.blob, $0) }
        case .json(let content): content.withUnsafeBufferPointer { append(.json, $0) }
        case .attribute(let content): content.withUnsafeBufferPointer { append(.attribute, $0) }
        }
    }

    private mutating func append(_ kind: SlabCell.Kind, _ bits: UInt64) {
        withUnsafeBytes(of: bits.littleEndian) { append(kind, $0.bindMemory(to: UInt8.self)) }
    }

    /// How many cells all rows have, that one among them which is being filled.
    package var cellCount: Int { cells.count }

    /// Gives rows of different lengths one width: the cells of each end at one of these places, and
    /// what a row lacks of the width is absent. None may be longer.
    package mutating func widen(to width: Int, ends: [Int]) {
        self.width = width
        guard cells.count < ends.count * width else { return }
        let absent = SlabCell(kind: .absent, start: 0, count: 0)
        var wide: [SlabCell] = []
        wide.reserveCapacity(ends.count * width)
        var start = 0
        for (number, end) in ends.enumerated() {
            wide.append(contentsOf: cells[start..<end])
            wide.append(contentsOf: repeatElement(absent, count: (number + 1) * width - wide.count))
            start = end
        }
        cells = wide
    }

    /// Ends the row whose cells were appended.
    package mutating func endRow() { count += 1 }

    /// Hands the rows over, and leaves a slab without rows that has the width; one that `goesOn`
    /// gets room for as much at once, so that filling it moves nothing.
    package mutating func take(width: Int, goesOn: Bool) -> RowSlab {
        var own = RowSlab(width: width)
        if goesOn {
            own.cells.reserveCapacity(cells.count)
            own.bytes.reserveCapacity(bytes.count)
        }
        swap(&own, &self)
        return own
    }

    /// Takes all rows out and keeps their room.
    package mutating func removeAll() {
        count = 0
        bytes.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
    }

    /// Hands over the bytes and the cells of all rows, one row's behind the other's.
    package func withCells<Result>(
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<SlabCell>) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeBufferPointer { bytes in
            try cells.withUnsafeBufferPointer { cells in try body(bytes, cells) }
        }
    }

    /// A row as values of their own.
    package func row(_ number: Int) -> [FieldValue] {
        cells[number * width..<(number + 1) * width].map(value)
    }

    private func value(_ cell: SlabCell) -> FieldValue {
        switch cell.kind {
        case .absent: .absent
        case .null: .null
        case .integer: .integer(Int64(bitPattern: bits(cell)))
        case .real: .real(Double(bitPattern: bits(cell)))
        case .text: .text(Array(bytes[cell.range]))
        case .blob: .blob(Array(bytes[cell.range]))
        case .json: .json(Array(bytes[cell.range]))
        case .attribute: .attribute(Array(bytes[cell.range]))
        }
    }

    private func bits(_ cell: SlabCell) -> UInt64 {
        bytes.withUnsafeBytes {
            UInt64(
                littleEndian: $0.loadUnaligned(fromByteOffset: Int(cell.start), as: UInt64.self))
        }
    }
}
