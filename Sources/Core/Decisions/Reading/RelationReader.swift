package import MooringModel

/// Reads the relation fields of rows of one table.
package struct RelationReader: Sendable {
    private let places: [Int?]

    /// A reader of a model's relations for rows with these columns.
    package init(_ relations: [Relation], columns: [String]) {
        places = relations.map { relation in columns.firstIndex(of: relation.field) }
    }

    /// The parent's identifier that each relation of a row names, in the mapping's order; nil where
    /// the row names none, which is also what an empty value means. A number with a fraction names
    /// none either: databases call 3.0 and the identifier 3 equal, whose bytes are not.
    package func values(_ row: [FieldValue]) -> [[UInt8]?] {
        places.map { place in
            guard let place else { return nil }
            if case .real = row[place] { return nil }
            guard let bytes = row[place].bytes, !bytes.isEmpty else { return nil }
            return bytes
        }
    }
}
