import MooringModel

/// Reads a list in the server's binary form and writes it as JSON, NULLs as null, and each further
/// dimension as lists in the list.
struct ArrayReader {
    private let bytes: UnsafeRawBufferPointer
    private let element: ValueForm
    private var place = 0

    // The server's own bound.
    private static let mostDimensions: Int32 = 6

    /// A list of elements of a form.
    init(_ bytes: UnsafeRawBufferPointer, _ element: ValueForm) {
        self.bytes = bytes
        self.element = element
    }

    /// Writes the whole list.
    mutating func write(to output: inout [UInt8]) throws(PostgresFailure) {
        let dimensions = try header()
        if dimensions.isEmpty { output += "[]".utf8 }
        try write(dimensions[...], to: &output)
        guard place == bytes.count else { throw ValueForm.damaged }
    }

    /// Whether the JSON of it tells all: one dimension, counted from 1, and no NULL that looks
    /// like a JSON null.
    mutating func isPlain() throws(PostgresFailure) -> Bool {
        let dimensions = try header()
        guard let only = dimensions.first else { return true }
        guard dimensions.count == 1, only.first == 1 else { return false }
        guard element == .json || element == .jsonb else { return true }
        for _ in 0..<only.count {
            guard let value = try next() else { continue }
            let text = try element.value(value).bytes ?? []
            if text.filter({ $0 > 0x20 }) == Array("null".utf8) { return false }
        }
        return true
    }

    private mutating func header() throws(PostgresFailure) -> [(count: Int32, first: Int32)] {
        let count = try integer()
        guard (0...Self.mostDimensions).contains(count) else { throw ValueForm.damaged }
        _ = try integer()
        _ = try integer()
        var dimensions: [(Int32, Int32)] = []
        for _ in 0..<count { dimensions.append((try integer(), try integer())) }
        guard dimensions.allSatisfy({ $0.0 >= 0 }) else { throw ValueForm.damaged }
        return dimensions
    }

    private mutating func write(
        _ dimensions: ArraySlice<(count: Int32, first: Int32)>, to output: inout [UInt8]
    ) throws(PostgresFailure) {
        guard let outer = dimensions.first else { return }
        output.append(UInt8(ascii: "["))
        for index in 0..<outer.count {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            if dimensions.count > 1 {
                try write(dimensions.dropFirst(), to: &output)
            } else if let value = try next() {
                try write(value, to: &output)
            } else {
                output += "null".utf8
            }
        }
        output.append(UInt8(ascii: "]"))
    }

    private func write(
        _ value: UnsafeRawBufferPointer, to output: inout [UInt8]
    ) throws(PostgresFailure) {
        if element == .text { return JSONValue.appendString(value, to: &output) }
        switch try element.value(value) {
        case .text(let text): text.withUnsafeBytes { JSONValue.appendString($0, to: &output) }
        case let other: output += other.bytes ?? Array("null".utf8)
        }
    }

    /// The bytes of the next element; nil for NULL.
    private mutating func next() throws(PostgresFailure) -> UnsafeRawBufferPointer? {
        let count = Int(try integer())
        if count < 0 { return nil }
        guard bytes.count - place >= count else { throw ValueForm.damaged }
        defer { place += count }
        return bytes.part(from: place, count: count)
    }

    private mutating func integer() throws(PostgresFailure) -> Int32 {
        guard bytes.count - place >= 4 else { throw ValueForm.damaged }
        defer { place += 4 }
        return Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self))
    }
}

/// Texts of JSON, and lists of the server made of JSON.
enum JSONText {
    /// The literal of the server's list that a JSON list of one dimension stands for; nil where the
    /// text is none. Elements of a JSON form stay the JSON that they are.
    static func arrayLiteral(_ bytes: [UInt8], of element: ValueForm) -> [UInt8]? {
        // A text that is no list stands for none: that is the whole answer.
        guard let elements = (try? JSONNode(parsing: bytes))?.elements else { return nil }
        var output = [UInt8(ascii: "{")]
        for (index, node) in elements.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            if node.kind == .null {
                output += "NULL".utf8
                continue
            }
            let isNested = node.elements != nil || node.members != nil
            guard element.isNested || !isNested else { return nil }
            let text = element.isNested ? nil : node.stringBytes
            output.append(UInt8(ascii: "\""))
            for byte in text ?? Array(bytes[node.range]) {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    output.append(UInt8(ascii: "\\"))
                }
                output.append(byte)
            }
            output.append(UInt8(ascii: "\""))
        }
        output.append(UInt8(ascii: "}"))
        return output
    }
}
