import MooringModel
import MooringText
package import MooringSchema

/// Which fields of a schema that may hold keys a configuration maps, and which it does not.
package struct SchemaCoverage: Hashable, Sendable {
    /// A field that may hold keys and is mapped nowhere.
    package struct Gap: Hashable, Sendable {
        /// The field.
        package let field: AmplifySchema.KeyField
        /// What is missing, and what to write: the end of a sentence that begins with the field.
        package let message: String
    }

    /// The fields that are not mapped, in the order of the schema.
    package private(set) var gaps: [Gap] = []
    /// Sentences about what the configuration says and the schema does not, or otherwise.
    package private(set) var notes: [String] = []

    /// Compares a schema with all sources of a configuration. Fields named in the exceptions, as
    /// `TYPE.FIELD`, hold no keys.
    package init(
        schema: AmplifySchema, records: [RecordsConfiguration], exceptions: [String]
    ) {
        var excepted = Set(exceptions)
        func isExcepted(_ field: AmplifySchema.KeyField) -> Bool {
            excepted.remove(field.name) != nil || exceptions.contains(field.name)
        }
        let mappings = records.flatMap(\.mapping.models)
        let coverage = Coverage(mappings)
        for model in schema.models {
            for field in model.keys where !isExcepted(field) {
                compare(field, coverage, file: schema.file)
            }
        }
        for field in schema.embedded where !isExcepted(field) {
            if let message = Self.missing(field, schema, coverage) {
                gaps.append(Gap(field: field, message: message))
            }
        }
        notes += excepted.sorted().map {
            "\($0.printable) is excepted, and the schema has no such field that may hold keys"
        }
        notes += Self.leftOver(mappings, schema)
    }

    private mutating func compare(
        _ field: AmplifySchema.KeyField, _ coverage: Coverage, file: String
    ) {
        let place =
            "\((field.place.file ?? file).printablePath):\(field.place.line):\(field.place.column)"
        if let mapped = coverage.field(field.type, field.field) {
            if mapped.isList != field.isList {
                notes.append(
                    "\(place): \(field.name) is \(field.isList ? "a list" : "no list") in the "
                        + "schema, and \(mapped.isList ? "a list" : "none") in the configuration")
            }
        } else if field.isLikely {
            let missing =
                coverage.knows(field.type)
                ? "model \(field.type) does not map it; name it under its files"
                : "there is no model \(field.type) in the configuration; add it"
            gaps.append(Gap(field: field, message: "may hold keys, and \(missing)"))
        } else {
            notes.append("\(place): \(field.name) may hold keys of files, and is not mapped")
        }
    }

    // A field inside other values is mapped where each model that holds it names the way to it.
    private static func missing(
        _ field: AmplifySchema.KeyField, _ schema: AmplifySchema, _ coverage: Coverage
    ) -> String? {
        let ways = schema.models.flatMap { model in
            model.nested.filter { $0.key == field }.map { (model: model.name, path: $0.path) }
        }
        guard !ways.isEmpty else {
            return "may hold keys inside another value, which no configuration can map"
        }
        let missing = ways.filter { coverage.field($0.model, $0.path) == nil }
        guard let first = missing.first else { return nil }
        return "may hold keys inside another value, and model \(first.model) does not map "
            + "\(first.path); name it under its files, where the source's rows hold such values"
    }

    // What the configuration maps and the schema does not have; a replica repeats its authority.
    private static func leftOver(_ mappings: [ModelMapping], _ schema: AmplifySchema) -> [String] {
        var notes: [String] = []
        for mapping in mappings {
            guard let model = schema.model(mapping.model) ?? schema.model(mapping.table) else {
                notes.append("model \(mapping.model.printable) is not in the schema")
                continue
            }
            let columns = mapping.files.map(\.field) + mapping.relations.map(\.field)
            let known = model.fields.union(model.nested.map(\.path))
            for column in columns where !known.contains(column) {
                notes.append(
                    "\(mapping.model.printable).\(column.printable) is mapped, and the schema "
                        + "has no such field")
            }
        }
        var seen: Set<String> = []
        return notes.filter { seen.insert($0).inserted }
    }
}

/// The fields that a configuration maps, by model or table.
private struct Coverage {
    private var fields: [String: [String: FileField]] = [:]

    init(_ mappings: [ModelMapping]) {
        for mapping in mappings {
            for name in Set([mapping.model, mapping.table]) {
                for file in mapping.files { fields[name, default: [:]][file.field] = file }
                if fields[name] == nil { fields[name] = [:] }
            }
        }
    }

    func knows(_ model: String) -> Bool { fields[model] != nil }

    func field(_ model: String, _ field: String) -> FileField? { fields[model]?[field] }
}
