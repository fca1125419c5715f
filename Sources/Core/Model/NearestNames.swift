/// A name of a database between quotes, with control characters escaped and its end left out
/// after 100 bytes.
package func quotedName(_ name: [UInt8]) -> String {
    let text = String(decoding: name.prefix(100), as: UTF8.self).debugDescription
    return name.count > 100 ? text + "…" : text
}

/// `; the nearest are "a", "b"`: at most three of the names, by edit distance without regard to
/// ASCII case; empty when there are none.
package func nearestNames(to name: [UInt8], among known: [[UInt8]]) -> String {
    let wanted = comparable(name)
    let ranked = known.map { (distance: editDistance(wanted, comparable($0)), name: $0) }
    let nearest = ranked.sorted {
        ($0.distance, $0.name.count) < ($1.distance, $1.name.count)
            || ($0.distance, $0.name.count) == ($1.distance, $1.name.count)
                && $0.name.lexicographicallyPrecedes($1.name)
    }
    guard !nearest.isEmpty else { return "" }
    return "; the nearest are "
        + nearest.prefix(3).map { quotedName($0.name) }.joined(separator: ", ")
}

/// A bounded lower-case form: names of hostile length must not cost quadratic time.
private func comparable(_ name: [UInt8]) -> [UInt8] {
    name.prefix(64).map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 }
}

private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (line, byte) in left.enumerated() {
        var diagonal = row[0]
        row[0] = line + 1
        for (column, other) in right.enumerated() {
            let replaced = diagonal + (byte == other ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
        }
    }
    return row[right.count]
}
