/// A record's identifier: one part, or several for a composite key, each as bytes.
package struct RecordID: Hashable, Sendable {
    /// The values of the id columns, in the order of the mapping's `id`.
    package let parts: [[UInt8]]

    /// An identifier of these parts.
    package init(parts: [[UInt8]]) {
        self.parts = parts
    }

    /// An identifier of one part.
    package init(_ bytes: [UInt8]) {
        self.parts = [bytes]
    }

    /// An identifier of one part, from a text.
    package init(_ text: String) {
        self.parts = [Array(text.utf8)]
    }

    /// The identifier of so many parts that is written as these bytes: it is cut at the first
    /// slashes, though a part may hold one itself.
    package init(joined bytes: [UInt8], parts count: Int) {
        let parts = bytes.split(
            separator: UInt8(ascii: "/"), maxSplits: max(count, 1) - 1,
            omittingEmptySubsequences: false)
        self.parts = parts.map(Array.init)
    }

    /// Hashes all bytes of a part at once, which is several times faster than one by one.
    package func hash(into hasher: inout Hasher) {
        for part in parts {
            hasher.combine(part.count)
            part.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// Every identifier of so many parts that is written as these bytes; nil when there are more
    /// than `limit`.
    package static func cuts(of bytes: [UInt8], parts count: Int, limit: Int) -> [RecordID]? {
        guard count > 1 else { return [RecordID(bytes)] }
        var cuts: [RecordID] = []
        for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
            let rest = Array(bytes[(index + 1)...])
            guard let tails = self.cuts(of: rest, parts: count - 1, limit: limit) else {
                return nil
            }
            cuts += tails.map { RecordID(parts: [Array(bytes[..<index])] + $0.parts) }
            guard cuts.count <= limit else { return nil }
        }
        return cuts
    }

    /// The parts with `/` between them: how an identifier is written wherever one text is shown.
    package var joined: [UInt8] { Array(parts.joined(separator: [UInt8(ascii: "/")])) }

    /// The written form for people; invalid UTF-8 is repaired.
    package var text: String { String(decoding: joined, as: UTF8.self) }
}

/// A record of one model in one source; two rows with one identity are one record.
package struct RecordIdentity: Hashable, Sendable {
    /// The source's name in the configuration.
    package let source: String
    /// The model's name in the configuration.
    package let model: String
    /// The values of the mapping's `id` columns.
    package let id: RecordID

    /// The identity of a record.
    package init(source: String, model: String, id: RecordID) {
        self.source = source
        self.model = model
        self.id = id
    }
}

/// Rows of one table as a source reads them: a bounded batch whose rows share their columns.
package struct RecordBatch: Sendable {
    /// The table's name, as the source spells it.
    package let table: String
    /// The names of the columns; every row has one value for each.
    package let columns: [String]
    /// The rows in one buffer, where the source reads them so.
    package let slab: RowSlab?
    private let made: [[FieldValue]]

    /// A batch of rows.
    package init(table: String, columns: [String], rows: [[FieldValue]]) {
        self.table = table
        self.columns = columns
        made = rows
        slab = nil
    }

    /// A batch of the rows of a slab, which has a cell for each column.
    package init(table: String, columns: [String], slab: RowSlab) {
        self.table = table
        self.columns = columns
        made = []
        self.slab = slab
    }

    /// How many rows there are.
    package var count: Int { slab?.count ?? made.count }

    /// A row as values of their own; of a slab it is made anew each time.
    package func row(_ number: Int) -> [FieldValue] { slab?.row(number) ?? made[number] }

    /// All rows in one buffer; of single rows it is made anew each time.
    package var packed: RowSlab {
        if let slab { return slab }
        var slab = RowSlab(width: columns.count)
        for row in made {
            for value in row { slab.append(value) }
            slab.endRow()
        }
        return slab
    }

    /// All rows as values of their own.
    package var rows: [[FieldValue]] {
        guard let slab else { return made }
        return (0..<slab.count).map(slab.row)
    }
}
