import MooringText

/// Why a text is not what DynamoDB writes; never any of the text itself.
typealias ItemFault = TextFault

extension JSONCursor {
    /// Steps over `{"S":"`, the beginning of most values, if it is the next without white space;
    /// the cursor then stands at the quote.
    @inline(__always)
    mutating func takeTextStart() -> Bool {
        guard isStart(of: UInt8(ascii: "S")), bytes[index + 5] == UInt8(ascii: "\"") else {
            return false
        }
        index += 5
        return true
    }

    /// Steps over `{"N":`, whatever the letter, if it is the next without white space.
    @inline(__always)
    mutating func takeStart(of type: UInt8) -> Bool {
        guard isStart(of: type) else { return false }
        index += 5
        return true
    }

    /// Steps over a text if it is what comes next, without white space.
    mutating func take(text: StaticString) -> Bool {
        text.withUTF8Buffer { take($0) }
    }

    // One byte more is always there: no value ends with the colon.
    @inline(__always)
    private func isStart(of type: UInt8) -> Bool {
        guard index + 6 <= bytes.count, let base = bytes.baseAddress else { return false }
        let raw = UnsafeRawPointer(base + index)
        // {"S" and : as they lie in memory.
        return raw.loadUnaligned(as: UInt32.self).littleEndian == 0x2200_227B | UInt32(type) << 16
            && base[index + 4] == UInt8(ascii: ":")
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
