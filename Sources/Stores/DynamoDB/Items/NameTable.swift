import MooringText

/// The attributes' names that were seen, each with its place: items of one table mostly agree.
struct NameTable {
    /// The names, by their places.
    private(set) var names: [[UInt8]] = []
    private var places: [[UInt8]: Int] = [:]
    // Each name as it stands in an item, quotes and colon included, one behind the other, and
    // where each ends; nothing of a name that was written with escapes.
    private var written: [UInt8] = []
    private var ends: [Int] = []

    // Beyond so many names a search one by one is slower than a table of hashes.
    private static let few = 48

    /// How many names there are.
    var count: Int { names.count }

    /// The place of the name that comes next in an item, its colon included; a new one is added.
    /// `hint` is where it probably is.
    @inline(__always)
    mutating func place(
        of cursor: inout JSONCursor, hint: Int
    ) throws(ItemFault) -> Int {
        if hint < ends.count, takes(hint, &cursor) { return hint }
        return try search(&cursor)
    }

    // Most items hold the same names in the same order: then nothing has to be looked for.
    @inline(__always)
    private func takes(_ place: Int, _ cursor: inout JSONCursor) -> Bool {
        let (start, end) = (place == 0 ? 0 : ends[place - 1], ends[place])
        return end > start
            && written.withUnsafeBufferPointer { written in
                cursor.take(UnsafeBufferPointer(rebasing: written[start..<end]))
            }
    }

    private mutating func search(_ cursor: inout JSONCursor) throws(ItemFault) -> Int {
        _ = cursor.peek()
        if count <= Self.few {
            for place in ends.indices where takes(place, &cursor) { return place }
        }
        let (range, hasEscapes) = try cursor.string()
        let name = try JSONText.decode(cursor.bytes, range, hasEscapes: hasEscapes)
        try cursor.expect(":")
        if let known = places[name] { return known }
        names.append(name)
        places[name] = names.count - 1
        if !hasEscapes { written += Array("\"".utf8) + name + Array("\":".utf8) }
        ends.append(written.count)
        return names.count - 1
    }

    /// The place of a name; nil where it was not seen.
    func place(of name: [UInt8]) -> Int? { places[name] }
}
