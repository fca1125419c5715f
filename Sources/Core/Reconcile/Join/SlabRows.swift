import MooringModel

/// The rows of a slab in place, for as long as it hands them over.
struct SlabRows {
    /// What the cells' places count in.
    let bytes: UnsafeBufferPointer<UInt8>
    /// The cells of all rows, one row's behind the other's.
    let cells: UnsafeBufferPointer<SlabCell>
    /// How many cells a row has.
    let width: Int

    /// The cells of one row.
    subscript(number: Int) -> UnsafeBufferPointer<SlabCell> {
        UnsafeBufferPointer(rebasing: cells[number * width..<(number + 1) * width])
    }
}
