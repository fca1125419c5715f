import MooringText

/// Why a text is not what DynamoDB writes; never any of the text itself.
typealias ItemFault = TextFault

extension JSONCursor {
    /// Steps over `{"S":"`, the beginning of most values, if it is the next without white space;
    /// the cursor then stands at the quote.
    @inline(__always)
    mutating func takeTextStart() -> Bool {
        guard index + 6 <= bytes.count, let base = bytes.baseAddress else { return false }
        let raw = UnsafeRawPointer(base + index)
        // {"S" and :" as they lie in memory.
        guard raw.loadUnaligned(as: UInt32.self).littleEndian == 0x2253_227B,
            raw.loadUnaligned(fromByteOffset: 4, as: UInt16.self).littleEndian == 0x223A
        else { return false }
        index += 5
        return true
    }
}
