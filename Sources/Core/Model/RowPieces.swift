/// The values of one row while its text is read. Those that stand there as rows keep them are
/// copied once, when the row is whole, so that a text that turns out to be no row leaves nothing
/// behind. Reading the next row into it costs no allocation.
package struct RowPieces: Sendable {
    private struct Piece {
        var kind = SlabCell.Kind.absent
        // Whether it is among the bytes that were made, and not in the text.
        var isMade = false
        var range = 0..<0
    }

    private var pieces: [Piece] = []
    private var made: [UInt8] = []

    /// A row without values.
    package init() {}

    /// How many places there are.
    package var count: Int { pieces.count }

    /// Begins a row of so many places, where nothing is yet.
    package mutating func begin(_ count: Int) {
        made.removeAll(keepingCapacity: true)
        pieces.removeAll(keepingCapacity: true)
        widen(to: count)
    }

    /// Adds places, so that there are as many.
    package mutating func widen(to count: Int) {
        while pieces.count < count { pieces.append(Piece()) }
    }

    /// What is at a place.
    package func kind(_ place: Int) -> SlabCell.Kind { pieces[place].kind }

    /// Puts what stands in the text to a place.
    package mutating func put(_ kind: SlabCell.Kind, _ range: Range<Int>, at place: Int) {
        pieces[place] = Piece(kind: kind, range: range)
    }

    /// Puts a number to a place.
    package mutating func put(_ number: Int64, at place: Int) {
        put(.integer, bits: UInt64(bitPattern: number), at: place)
    }

    /// Puts a value to a place.
    package mutating func put(_ value: FieldValue, at place: Int) {
        switch value {
        case .absent: pieces[place] = Piece()
        case .null: pieces[place] = Piece(kind: .null)
        case .integer(let number): put(number, at: place)
        case .real(let number): put(.real, bits: number.bitPattern, at: place)
        case .text(let bytes): put(.text, bytes, at: place)
        case .blob(let bytes): put(.blob, bytes, at: place)
        case .json(let bytes): put(.json, bytes, at: place)
        case .attribute(let bytes): put(.attribute, bytes, at: place)
        }
    }

    /// Puts what is written behind the bytes that were made to a place, and nothing where that is
    /// refused; `write` changes none of the bytes before its own.
    package mutating func put<Failure>(
        _ kind: SlabCell.Kind, at place: Int,
        _ write: (inout [UInt8]) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        let start = made.count
        guard try write(&made) else {
            made.removeLast(made.count - start)
            return false
        }
        pieces[place] = Piece(kind: kind, isMade: true, range: start..<made.count)
        return true
    }

    private mutating func put(_ kind: SlabCell.Kind, bits: UInt64, at place: Int) {
        let start = made.count
        withUnsafeBytes(of: bits.littleEndian) { made.append(contentsOf: $0) }
        pieces[place] = Piece(kind: kind, isMade: true, range: start..<made.count)
    }

    private mutating func put(_ kind: SlabCell.Kind, _ bytes: [UInt8], at place: Int) {
        let start = made.count
        made.append(contentsOf: bytes)
        pieces[place] = Piece(kind: kind, isMade: true, range: start..<made.count)
    }

    /// About how many bytes the value at a place takes.
    package func weight(_ place: Int) -> Int {
        switch pieces[place].kind {
        case .absent, .null, .integer, .real: 16
        case .text, .blob, .json, .attribute: 48 + pieces[place].range.count
        }
    }

    /// Appends the value at each of these places to the row that a slab is being filled with;
    /// `text` is the text that was read.
    package func append(
        _ places: [Int], of text: UnsafeBufferPointer<UInt8>, to slab: inout RowSlab
    ) {
        made.withUnsafeBufferPointer { made in
            for place in places { append(pieces[place], made, text, &slab) }
        }
    }

    /// The same of the first so many places.
    package func append(
        first count: Int, of text: UnsafeBufferPointer<UInt8>, to slab: inout RowSlab
    ) {
        made.withUnsafeBufferPointer { made in
            for piece in pieces.prefix(count) { append(piece, made, text, &slab) }
        }
    }

    @inline(__always)
    private func append(
        _ piece: Piece, _ made: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>,
        _ slab: inout RowSlab
    ) {
        let bytes = piece.isMade ? made : text
        slab.append(piece.kind, UnsafeBufferPointer(rebasing: bytes[piece.range]))
    }
}
