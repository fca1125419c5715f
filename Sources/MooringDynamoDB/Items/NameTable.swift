/// The attributes' names that were seen, each with its place: items of one table mostly agree.
struct NameTable {
    /// The names, by their places.
    private(set) var names: [[UInt8]] = []
    private var places: [[UInt8]: Int] = [:]

    // Beyond so many names a search one by one is slower than a table of hashes.
    private static let few = 48

    /// How many names there are.
    var count: Int { names.count }

    /// The place of the name that comes next in an item, in front of its colon; a new one is added.
    /// `hint` is where it probably is.
    mutating func place(
        of cursor: inout JSONCursor, hint: Int
    ) throws(ItemFault) -> Int {
        let (range, hasEscapes) = try cursor.string()
        if !hasEscapes, let place = find(cursor.bytes, range, hint: hint) { return place }
        let name = try JSONStrings.decode(cursor.bytes, range, hasEscapes: hasEscapes)
        if let known = places[name] { return known }
        names.append(name)
        places[name] = names.count - 1
        return names.count - 1
    }

    /// The place of a name; nil where it was not seen.
    func place(of name: [UInt8]) -> Int? { places[name] }

    private func find(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, hint: Int
    ) -> Int? {
        if hint < names.count, bytes.holds(names[hint], at: range) { return hint }
        guard names.count <= Self.few else { return nil }
        return names.indices.first { bytes.holds(names[$0], at: range) }
    }
}
