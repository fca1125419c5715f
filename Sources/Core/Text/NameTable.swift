/// The names of members that were seen in JSON objects, each with its place: objects of one table
/// mostly agree.
package struct NameTable: Sendable {
    /// The names, by their places.
    package private(set) var names: [[UInt8]] = []
    private var places: [[UInt8]: Int] = [:]
    // Each name as it stands in an object, quotes and colon included, one behind the other, and
    // where each ends; nothing of a name that was written with escapes.
    private var written: [UInt8] = []
    private var ends: [Int] = []

    // Beyond so many names a search one by one is slower than a table of hashes.
    private static let few = 48

    /// A table without names.
    package init() {}

    /// How many names there are.
    package var count: Int { names.count }

    /// The place of the name that comes next in an object, its colon included; a new one is added.
    /// `hint` is where it probably is.
    package mutating func place(
        of cursor: inout JSONCursor, hint: Int
    ) throws(TextFault) -> Int {
        if hint < ends.count, takes(hint, &cursor) { return hint }
        return try search(&cursor)
    }

    // Most objects hold the same names in the same order: then nothing has to be looked for.
    @inline(__always)
    private func takes(_ place: Int, _ cursor: inout JSONCursor) -> Bool {
        let (start, end) = (place == 0 ? 0 : ends[place - 1], ends[place])
        return end > start
            && written.withUnsafeBufferPointer { written in
                cursor.take(UnsafeBufferPointer(rebasing: written[start..<end]))
            }
    }

    private mutating func search(_ cursor: inout JSONCursor) throws(TextFault) -> Int {
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
    package func place(of name: [UInt8]) -> Int? { places[name] }
}
