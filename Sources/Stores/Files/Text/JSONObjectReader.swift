import MooringText

/// Reads one JSON object and says where its members' values are; values are checked to their
/// end, but not decoded. An object whose names were seen before costs no allocation.
///
/// A string may hold bytes that are not UTF-8: they are kept as they are.
struct JSONObjectReader {
    /// A member of the object.
    struct Member {
        /// The number of its name among `names`.
        let name: Int
        /// What its value is.
        let kind: JSONCursor.Kind
        /// Where its value is, quotes or brackets included.
        let range: Range<Int>
    }

    /// The members of the object read last, in their order.
    private(set) var members: [Member] = []
    /// How often names were numbered anew: numbers of an earlier time mean other names.
    private(set) var numbering = 0
    private var table = NameTable()
    // The member of each name that was met last, counted over all objects since that numbering.
    private var met: [Int] = []
    private var before = 0

    // Objects may hold any names; there is no end to those of many.
    private static let mostNames = 10_000

    /// The names by their numbers, as bytes without escapes.
    var names: [[UInt8]] { table.names }

    /// Reads the object that the bytes are, white space around it allowed.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowFault) {
        before += members.count
        members.removeAll(keepingCapacity: true)
        if table.count > Self.mostNames { forgetNames() }
        var cursor = JSONCursor(bytes, depthLimit: 512, checksEscapes: true)
        guard cursor.take("{") else { throw cursor.fault("is no JSON object") }
        if !cursor.take("}") {
            var next = 0
            repeat {
                let name = try table.place(of: &cursor, hint: next)
                next = name + 1
                _ = cursor.peek()
                let start = cursor.index
                let kind = try cursor.value(depth: 1)
                members.append(Member(name: name, kind: kind, range: start..<cursor.index))
            } while cursor.take(",")
            try cursor.expect("}")
        }
        try cursor.end()
        try refuseDuplicates()
    }

    private mutating func forgetNames() {
        (table, met, before) = (NameTable(), [], 0)
        numbering += 1
    }

    private mutating func refuseDuplicates() throws(RowFault) {
        while met.count < table.count { met.append(-1) }
        for (index, member) in members.enumerated() {
            guard met[member.name] < before else {
                throw RowFault(reason: "has an attribute twice")
            }
            met[member.name] = before + index
        }
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
