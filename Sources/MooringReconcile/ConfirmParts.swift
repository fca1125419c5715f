package import MooringDecisions
package import MooringModel

extension OwnerName {
    /// The name of the record alone, under which owners are looked up.
    var withoutField: OwnerName { OwnerName(model: model, field: -1, id: id) }
}

/// A value in a field of a record, as the confirm scan looks for dangling references.
struct DanglingPlace: Hashable {
    let model: Int
    let id: [[UInt8]]
    let field: Int
    let value: [UInt8]
}

/// What the mappings of a table say about a column.
enum ColumnRole: Hashable {
    /// It holds keys.
    case file
    /// It is named, as something else than a key: its values are never taken for one.
    case named
    /// No mapping names it.
    case unmapped

    /// The role of a column under the models of its table.
    init(_ column: String, models: [ModelMapping]) {
        if models.contains(where: { $0.files.contains { $0.field == column } }) {
            self = .file
        } else if models.contains(where: { $0.columns.contains(column) }) {
            self = .named
        } else {
            self = .unmapped
        }
    }
}

/// A wanted key with its last path segment, for texts that cannot be read in any better way.
struct SuffixedKey {
    let number: Int
    let key: ObjectKey
    private let segment: [UInt8]

    init(number: Int, key: ObjectKey) {
        self.number = number
        self.key = key
        let start = key.bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        segment = Array(key.bytes[start...])
    }

    /// Whether the segment stands anywhere in a text.
    func mayStand(in text: [UInt8]) -> Bool {
        guard let first = segment.first, text.count >= segment.count else {
            return segment.isEmpty
        }
        for index in 0...(text.count - segment.count)
        where text[index] == first && text[index...].starts(with: segment) {
            return true
        }
        return false
    }
}

/// One text for one version of a row: its version where there is one, else a hash of its values.
package enum RowToken {
    /// The token of a row.
    package static func of(_ reading: RecordReading, row: [FieldValue]) -> String {
        var content: [UInt8] = []
        if let version = reading.version { return "v\(version)" }
        for value in row {
            content += Array(value.storageClass.utf8) + [0] + (value.bytes ?? []) + [0xFF, 0]
        }
        return FindingIdentity.sha256(content)
    }
}
