import MooringText

/// Reads one JSON object and says where its members' values are; values are checked to their
/// end, but not decoded.
///
/// A string may hold bytes that are not UTF-8: they are kept as they are.
struct JSONObjectReader {
    /// A member of the object.
    struct Member {
        /// The name's bytes, unescaped.
        let name: [UInt8]
        /// What its value is.
        let kind: JSONCursor.Kind
        /// Where its value is, quotes or brackets included.
        let range: Range<Int>
    }

    /// The members of the object read last, in their order.
    private(set) var members: [Member] = []
    // The names of the objects before, by their place: rows of one table mostly agree.
    private var names: [[UInt8]] = []

    /// Reads the object that the bytes are, white space around it allowed.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowFault) {
        members.removeAll(keepingCapacity: true)
        var cursor = JSONCursor(bytes, depthLimit: 512, checksEscapes: true)
        guard cursor.take("{") else { throw cursor.fault("is no JSON object") }
        if !cursor.take("}") {
            repeat { try readMember(&cursor) } while cursor.take(",")
            try cursor.expect("}")
        }
        try cursor.end()
        try refuseDuplicates()
    }

    private mutating func readMember(_ cursor: inout JSONCursor) throws(RowFault) {
        let (range, hasEscapes) = try cursor.string()
        let name = try name(in: cursor.bytes, range, hasEscapes: hasEscapes)
        try cursor.expect(":")
        _ = cursor.peek()
        let start = cursor.index
        let kind = try cursor.value(depth: 1)
        members.append(Member(name: name, kind: kind, range: start..<cursor.index))
    }

    private mutating func name(
        in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, hasEscapes: Bool
    ) throws(RowFault) -> [UInt8] {
        let place = members.count
        if !hasEscapes, place < names.count, names[place].elementsEqual(bytes[range]) {
            return names[place]
        }
        let name = try JSONText.decode(bytes, range, hasEscapes: hasEscapes)
        if place < names.count { names[place] = name } else { names.append(name) }
        return name
    }

    private func refuseDuplicates() throws(RowFault) {
        let isDuplicate: Bool
        if members.count > 24 {
            isDuplicate = Set(members.map(\.name)).count < members.count
        } else {
            isDuplicate = members.indices.contains { index in
                members[..<index].contains { $0.name == members[index].name }
            }
        }
        if isDuplicate { throw RowFault(reason: "has an attribute twice") }
    }
}

extension Range<Int> {
    /// What stands between the quotes of a string at this range.
    var inner: Range<Int> { (lowerBound + 1)..<(upperBound - 1) }
}

extension JSONText {
    /// Whether a line holds nothing but white space.
    static func isBlank(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
    }
}
