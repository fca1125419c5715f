/// Reads one JSON object and says where its members' values are; values are checked to their
/// end, but not decoded.
///
/// A string may hold bytes that are not UTF-8: they are kept as they are.
struct JSONObjectReader {
    /// What a value is.
    enum Kind {
        case string(hasEscapes: Bool)
        case number(isWhole: Bool)
        case boolean
        case null
        /// An object or an array.
        case nested
    }

    /// A member of the object.
    struct Member {
        /// The name's bytes, unescaped.
        let name: [UInt8]
        /// What its value is.
        let kind: Kind
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
        var scanner = JSONScanner(bytes: bytes)
        scanner.skipSpace()
        guard scanner.take("{") else { throw scanner.fault("is no JSON object") }
        scanner.skipSpace()
        if !scanner.take("}") {
            repeat {
                scanner.skipSpace()
                try readMember(&scanner)
                scanner.skipSpace()
            } while scanner.take(",")
            guard scanner.take("}") else { throw scanner.fault("lacks a comma or brace") }
        }
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw scanner.fault("goes on after the JSON object") }
        try refuseDuplicates()
    }

    private mutating func readMember(_ scanner: inout JSONScanner) throws(RowFault) {
        let start = scanner.index
        let hasEscapes = try scanner.string()
        let name = try name(in: scanner.bytes, start..<scanner.index, hasEscapes: hasEscapes)
        scanner.skipSpace()
        guard scanner.take(":") else { throw scanner.fault("lacks a colon") }
        scanner.skipSpace()
        let valueStart = scanner.index
        let kind = try scanner.value(depth: 1)
        members.append(Member(name: name, kind: kind, range: valueStart..<scanner.index))
    }

    private mutating func name(
        in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, hasEscapes: Bool
    ) throws(RowFault) -> [UInt8] {
        let place = members.count
        let inner = bytes[(range.lowerBound + 1)..<(range.upperBound - 1)]
        if !hasEscapes, place < names.count, names[place].elementsEqual(inner) {
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
