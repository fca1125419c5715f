package import MooringModel

/// A reference as one record holds it.
package struct StoredReference: Hashable, Sendable {
    /// Which of the model's `files` holds it.
    package let field: Int
    /// The index in a list; nil elsewhere.
    package let index: Int?
    /// The key, as the record holds it.
    package let value: [UInt8]
    /// The bucket that a complex object names; nil elsewhere.
    package let bucket: [UInt8]?
}

/// A value in a file field that is no usable key.
package struct UnusableValue: Hashable, Sendable {
    /// Which of the model's `files` holds it.
    package let field: Int
    /// The index in a list; nil where the whole value is meant.
    package let index: Int?
    /// Its bytes as the record holds them; of a JSON value that is no string, its JSON text.
    package let value: [UInt8]
    /// What is wrong with it.
    package let reason: String
    /// Whether the whole value could not be read, so that it may hide references.
    package let hidesReferences: Bool
}

/// One row as a model's mapping reads it.
package struct RecordReading: Hashable, Sendable {
    /// The values of the mapping's `id` columns.
    package var id: RecordID
    /// The version; nil when there is none.
    package var version: Int64?
    /// The last change; nil when it is not known.
    package var changed: ChangeTime?
    /// What its mark of deletion says; nil where that it is not deleted, or there is none.
    package var mark: DeletionMark?
    /// The identity under which its files lie; nil when it is not known.
    package var identity: [UInt8]?
    /// Its references, in the order of fields and lists.
    package var references: [StoredReference]
    /// Its values that are no keys.
    package var unusable: [UnusableValue]

    /// Whether the record is marked as deleted, or may be: such a one protects its files, and
    /// misses none.
    package var isTombstone: Bool { mark != nil }
}

/// Reads rows of one table as records of one model.
package struct RecordReader: Sendable {
    private let mapping: ModelMapping
    private let id: [Int]
    private let version, changed, deleted, identity: Int?
    private let files: [Int?]

    /// A reader for rows with these columns; nil when an id column is not among them.
    package init?(mapping: ModelMapping, columns: [String]) {
        func place(_ column: String?) -> Int? { column.flatMap { columns.firstIndex(of: $0) } }
        let id = mapping.id.compactMap { place($0) }
        guard id.count == mapping.id.count else { return nil }
        self.mapping = mapping
        self.id = id
        self.version = place(mapping.version)
        self.changed = place(mapping.changed)
        self.deleted = place(mapping.deleted)
        self.identity = place(mapping.identity)
        self.files = mapping.files.map { place($0.column) }
    }

    /// The record in a row; nil when a part of its identifier is missing.
    package func read(_ row: [FieldValue]) -> RecordReading? {
        var parts: [[UInt8]] = []
        for column in id {
            guard let bytes = row[column].bytes else { return nil }
            parts.append(bytes)
        }
        var reading = RecordReading(
            id: RecordID(parts: parts), version: version.flatMap { Self.integer(row[$0]) },
            changed: changed.flatMap { ChangeTimeForm.read(row[$0], zone: mapping.zone)?.time },
            mark: deleted.flatMap { DeletionMark(row[$0], zone: mapping.zone) },
            identity: identity.flatMap { row[$0].bytes }.flatMap(identity(of:)), references: [],
            unusable: [])
        for (field, column) in files.enumerated() {
            guard let column, !row[column].isMissing else { continue }
            FieldReader(field: field, mapping: mapping.files[field])
                .read(row[column], into: &reading)
        }
        return reading
    }

    private func identity(of value: [UInt8]) -> [UInt8]? {
        guard let identities = mapping.identities else { return value }
        return identities.identity(of: value)
    }

    private static func integer(_ value: FieldValue) -> Int64? {
        if case .integer(let number) = value { return number }
        return value.bytes.flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }
}
