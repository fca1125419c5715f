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

    /// Reads a whole text, behind whose value nothing but white space may stand.
    static func whole<Value>(
        _ bytes: [UInt8], _ read: (inout JSONCursor) throws(ItemFault) -> Value
    ) throws(ItemFault) -> Value {
        try bytes.withUnsafeBufferPointer { (buffer) throws(ItemFault) in
            var cursor = JSONCursor(buffer)
            let value = try read(&cursor)
            try cursor.end()
            return value
        }
    }

    /// Steps over an object: `member` is given each name, and steps over its value.
    mutating func members(
        _ member: (inout JSONCursor, [UInt8]) throws(ItemFault) -> Void
    ) throws(ItemFault) {
        try expect("{")
        if take("}") { return }
        repeat {
            let name = try text()
            try expect(":")
            try member(&self, name)
        } while take(",")
        try expect("}")
    }

    /// Steps over an array: `element` steps over each of its values.
    mutating func elements(
        _ element: (inout JSONCursor) throws(ItemFault) -> Void
    ) throws(ItemFault) {
        try expect("[")
        if take("]") { return }
        repeat { try element(&self) } while take(",")
        try expect("]")
    }

    /// Steps over a value with `read`; gives the bytes in which it stands too.
    mutating func locating<Value>(
        _ read: (inout JSONCursor) throws(ItemFault) -> Value
    ) throws(ItemFault) -> (value: Value, bytes: [UInt8]) {
        _ = peek()
        let start = index
        let value = try read(&self)
        return (value, Array(bytes[start..<index]))
    }
}
