import MooringFiles

/// Strings of JSON in pages and exports.
enum JSONStrings {
    /// The bytes that a string stands for whose text between its quotes is at this range; half a
    /// surrogate pair is a fault, since no bytes stand for it.
    static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, hasEscapes: Bool
    ) throws(ItemFault) -> [UInt8] {
        guard hasEscapes else { return Array(UnsafeBufferPointer(rebasing: bytes[range])) }
        do throws(RowFault) {
            return try JSONText.decode(
                bytes, (range.lowerBound - 1)..<(range.upperBound + 1), hasEscapes: true)
        } catch {
            throw ItemFault(reason: error.reason)
        }
    }
}
