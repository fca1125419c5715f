package import MooringDecisions
package import MooringModel
import MooringText

/// Which file fields hold no key as they are mapped: a name or path that no record has, or a list
/// or an object where the mapping says a key. A person is told, who may have misspelt the field;
/// nothing is decided by it.
package struct FieldForms: Sendable {
    private struct Field {
        var keys = 0
        var lists = 0
        var objects = 0
        // What stands where the path fails, and the name that is not there.
        var names: Set<[UInt8]> = []
        var wanted: String?
    }

    // Fewer records may lack a file by chance.
    private static let fewestRecords = 10
    // So many records are looked into for names, and so many names kept.
    private static let mostRecords = 1_000
    private static let mostNames = 200

    private let models: [SourceModel]
    private var records: [Int]
    private var fields: [[Field]]
    private var columns: [Set<[UInt8]>]

    /// Forms of nothing yet.
    package init(_ models: [SourceModel]) {
        self.models = models
        records = models.map { _ in 0 }
        fields = models.map { $0.mapping.files.map { _ in Field() } }
        columns = models.map { _ in [] }
    }

    /// Adds one record, with the row that it was read from; tombstones count for nothing.
    package mutating func add(
        _ reading: RecordReading, model: Int, row: [FieldValue], columns: [String]
    ) {
        guard !reading.isTombstone else { return }
        records[model] += 1
        // A list or object in place of a key counts as one, since it protects what it may mean.
        for reference in reading.references where !KeyRule.isStructured(reference.value) {
            fields[model][reference.field].keys += 1
        }
        for value in reading.unusable where value.hidesReferences {
            let file = models[model].mapping.files[value.field]
            switch value.value.first {
            case UInt8(ascii: "[") where !file.isList: fields[model][value.field].lists += 1
            case UInt8(ascii: "{") where !file.isComplex: fields[model][value.field].objects += 1
            default: break
            }
        }
        guard records[model] <= Self.mostRecords else { return }
        for (number, file) in models[model].mapping.files.enumerated()
        where !file.path.steps.isEmpty && fields[model][number].keys == 0
            && fields[model][number].names.count < Self.mostNames
        {
            guard let place = columns.firstIndex(of: file.column),
                let missing = PathNames.missing(of: file.path, in: row[place])
            else { continue }
            fields[model][number].wanted = missing.wanted
            fields[model][number].names.formUnion(missing.known)
        }
    }

    /// Adds plain records by what was counted of them.
    mutating func add(plain counts: ReferenceCounts) {
        for (model, own) in counts.models.enumerated() {
            records[model] += own.records
            for (field, own) in own.fields.enumerated() {
                fields[model][field].keys += own.references
            }
        }
    }

    /// Adds records that an engine left out, each of which is plain.
    package mutating func add(_ matched: MatchedRecords, model: Int) {
        records[model] += matched.records
        for (field, own) in matched.fields.enumerated() {
            fields[model][field].keys += own.references
        }
    }

    /// Notes which columns a table has, as far as they were read.
    package mutating func see(columns names: [String], table: String, source: String) {
        for model in models.indices
        where models[model].source == source && models[model].mapping.table == table
            && columns[model].count < Self.mostNames
        {
            columns[model].formUnion(names.map { Array($0.utf8) })
        }
    }

    /// What looks like a mistake in the mapping, one sentence for each field.
    package var sentences: [String] {
        models.indices.flatMap { model in
            models[model].mapping.files.indices.compactMap { sentence(model, $0) }
        }
    }

    private func sentence(_ model: Int, _ number: Int) -> String? {
        let (mapping, field) = (models[model].mapping, fields[model][number])
        let file = mapping.files[number]
        let place = "field \(models[model].source).\(mapping.model).\(file.field): "
        let count = records[model]
        if field.lists > field.keys {
            return place + "lists stand there in place of a key; add list: true"
        }
        if field.objects > field.keys {
            return place + "objects stand there in place of a key; add complex: true"
        }
        guard count >= Self.fewestRecords, field.keys == 0 else { return nil }
        return place + "none of \(count) records holds a key there" + nearest(field, file, model)
            + "; correct 'field' in mooring.yaml where it is misspelt"
    }

    private func nearest(_ field: Field, _ file: FileField, _ model: Int) -> String {
        if let wanted = field.wanted {
            return Nearest.names(to: Array(wanted.utf8), among: Array(field.names))
        }
        // What the mapping names elsewhere is meant for something else.
        let mapped = Set(models[model].mapping.columns.map { Array($0.utf8) })
        return Nearest.names(
            to: Array(file.column.utf8), among: columns[model].filter { !mapped.contains($0) })
    }
}
