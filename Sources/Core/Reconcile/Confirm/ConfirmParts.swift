package import MooringDecisions
package import MooringModel

extension OwnerName {
    /// The name of the record alone, under which owners are looked up.
    var withoutField: OwnerName { OwnerName(model: model, field: -1, id: id) }
}

/// A value in a field of a record, as the confirm scan looks for dangling references.
struct DanglingPlace: Hashable {
    private let model: Int
    private let id: RecordID
    private let field: Int
    private let value: [UInt8]
    // One list may hold a key for several buckets.
    private let bucket: Int?
    private let foreignBucket: String?

    /// Where a candidate stands.
    init(_ candidate: DanglingCandidate) {
        model = candidate.model
        id = candidate.place.identity.id
        field = candidate.field
        value = candidate.value
        (bucket, foreignBucket) = (candidate.bucket, candidate.foreignBucket)
    }

    /// Where a reference of a record stands that means this bucket; nil for one that nobody
    /// configured.
    init(_ reference: StoredReference, of id: RecordID, model: Int, bucket: Int?) {
        self.model = model
        self.id = id
        field = reference.field
        value = reference.value
        self.bucket = bucket
        foreignBucket =
            bucket == nil
            ? reference.bucket.map { String(decoding: $0, as: UTF8.self) } ?? "" : nil
    }

    /// Hashes all bytes of a text at once. A list may hold one key for as many buckets as somebody
    /// likes, so that these count too.
    func hash(into hasher: inout Hasher) {
        hasher.combine(model)
        hasher.combine(id)
        hasher.combine(field)
        hasher.combine(ByteText(value[...]))
        hasher.combine(bucket)
        hasher.combine(foreignBucket)
    }
}

/// A value of a column, whichever models read it.
struct ColumnValue: Hashable {
    /// The column's name, as the batch spells it.
    let column: String
    /// The value, or an element of it.
    let value: [UInt8]
}

/// What the mappings read in one column of one row.
struct MappedColumn {
    /// A reference that stands in the column.
    struct Entry {
        /// The reference, as the record holds it.
        let reference: StoredReference
        /// How its field is mapped.
        let field: FileField
        /// Where it stands.
        let place: DanglingPlace
        /// The identity of its record; nil where that is not known.
        let identity: [UInt8]?
        /// Whether its record is a tombstone, or may be.
        let isTombstone: Bool
    }

    /// The references of all models.
    private(set) var references: [Entry] = []
    private var places: [ArraySlice<UInt8>: [Int]] = [:]
    /// Whether a value in it is no usable key, or its row names no record: then nothing tells what
    /// it means.
    private(set) var isUnusable: Bool

    /// The values of all references, each once.
    var values: Dictionary<ArraySlice<UInt8>, [Int]>.Keys { places.keys }

    /// The column of these readings of its row.
    init(
        _ column: String, _ readings: [(Int, RecordReading)], models: [SourceModel],
        meaning: ReferenceRule
    ) {
        isUnusable = readings.isEmpty
        for (model, reading) in readings {
            let files = models[model].mapping.files
            for reference in reading.references where files[reference.field].column == column {
                places[reference.value[...], default: []].append(references.count)
                let meant = meaning.places(
                    of: reference, in: files[reference.field], identity: reading.identity)
                references.append(
                    Entry(
                        reference: reference, field: files[reference.field],
                        place: DanglingPlace(
                            reference, of: reading.id, model: model, bucket: meant.bucket),
                        identity: reading.identity, isTombstone: reading.isTombstone))
            }
            for value in reading.unusable where files[value.field].column == column {
                if !value.value.isEmpty { isUnusable = true }
            }
        }
    }

    /// The references that hold a value, over all models; none where it is no key of the column.
    func references(of value: ArraySlice<UInt8>) -> [Entry] {
        (places[value] ?? []).map { references[$0] }
    }
}

/// One text for one version of a row: its version where there is one, else a hash of its values.
package enum RowToken {
    /// `v` and the version, or else SHA-256 over what these columns hold.
    package static func of(
        _ reading: RecordReading, row: [FieldValue], columns: [String]
    ) -> String {
        if let version = reading.version { return "v\(version)" }
        return hash(
            of: Dictionary(zip(columns, row), uniquingKeysWith: { first, _ in first }))
    }

    /// The hash of a row's values, whatever their order; a column that the row lacks, or where it
    /// holds nothing, counts as if nobody had asked for it.
    package static func hash(of row: [String: FieldValue]) -> String {
        var content: [UInt8] = []
        let sorted = row.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (column, value) in sorted where !value.isMissing {
            content += Array(column.utf8) + [0] + Array(value.storageClass.utf8) + [0]
            let bytes = value.storedBytes ?? []
            withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { content.append(contentsOf: $0) }
            content += bytes
        }
        return FindingIdentity.sha256(content)
    }
}
