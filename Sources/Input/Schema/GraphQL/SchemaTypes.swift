import MooringText

/// An object type of a schema, with its extensions put in.
struct SchemaObject {
    /// Its name.
    let name: String
    /// Where its name stands.
    let place: SchemaPlace
    /// Its directives, then its extensions'.
    var directives: [SchemaDirective]
    /// Its fields, then its extensions'.
    private(set) var fields: [SchemaField] = []
    /// The columns of each of its indexes, by the index's name.
    private(set) var indexes: [String: [String]] = [:]
    // Kept by name, so that a schema of many fields takes no longer for each of them.
    private var places: [String: Int] = [:]
    private var relations: [String: SchemaField] = [:]
    private var primaryKey: [String]?

    /// The object type that a definition begins.
    init(_ definition: SchemaDefinition) {
        name = definition.name
        place = definition.place
        directives = definition.directives
    }

    /// Adds a field; false when there is one of its name.
    mutating func add(_ field: SchemaField) -> Bool {
        guard places[field.name] == nil else { return false }
        places[field.name] = fields.count
        fields.append(field)
        for directive in field.directives {
            let columns = [field.name] + (directive.fieldNames("sortKeyFields") ?? [])
            switch directive.name {
            case "primaryKey": primaryKey = primaryKey ?? Self.unique(columns)
            case "index":
                if let name = directive["name"]?.word, indexes[name] == nil {
                    indexes[name] = columns
                }
            case "hasMany", "hasOne":
                if relations[field.type.base] == nil { relations[field.type.base] = field }
            default: break
            }
        }
        return true
    }

    /// The field of a name.
    func field(_ name: String) -> SchemaField? { places[name].map { fields[$0] } }

    /// The first field that says it has one or many of a model.
    func relation(to model: String) -> SchemaField? { relations[model] }

    /// The columns of a model's identifier: of `@primaryKey`, else of the old `@key` without a
    /// name, else `id`.
    var id: [String] {
        if let primaryKey { return primaryKey }
        let old = directives.first { $0.name == "key" && $0["name"] == nil }
        let columns = Self.unique(old?.fieldNames("fields") ?? []).filter { field($0) != nil }
        return columns.isEmpty ? ["id"] : columns
    }

    private static func unique(_ columns: [String]) -> [String] {
        var seen: Set<String> = []
        return columns.filter { seen.insert($0).inserted }
    }

    /// The first directive of a name.
    func directive(_ name: String) -> SchemaDirective? {
        directives.first { $0.name == name }
    }

    /// Whether it is a model, whose values are records of a table.
    var isModel: Bool { directive("model") != nil }
}

/// The types of a schema by their names.
struct SchemaTypes {
    /// The object types, in the order of the text.
    private(set) var objects: [SchemaObject] = []
    /// The names of the enums.
    private(set) var enums: Set<String> = []
    /// The rule of access that models without one of their own have; Amplify reads it from the
    /// default value of `globalAuthRule` in an input called AMPLIFY.
    private(set) var generalAccess: SchemaValue?
    private var indexes: [String: Int] = [:]

    /// The types of a document; throws where two types, or two fields of one type, share a name.
    init(_ document: SchemaDocument) throws(SchemaError) {
        var places: [String: SchemaPlace] = [:]
        for definition in document.definitions where Self.isType(definition) {
            if !definition.isExtension {
                if let other = places[definition.name] {
                    throw SchemaError(
                        file: document.file, place: definition.place,
                        message: "found another type '\(definition.name.printable)', which "
                            + (other.file.map { "\($0.printablePath) " } ?? "")
                            + "line \(other.line) defines; keep one of them")
                }
                places[definition.name] = definition.place
            }
            if definition.kind == .enumeration { enums.insert(definition.name) }
            if definition.kind == .input, definition.name == "AMPLIFY" {
                generalAccess =
                    definition.fields.first { $0.name == "globalAuthRule" }?.defaultValue
            }
            if definition.kind == .object { try add(definition, file: document.file) }
        }
    }

    /// The object type of a name.
    subscript(name: String) -> SchemaObject? { indexes[name].map { objects[$0] } }

    /// The object type of a name, if it is a model.
    func model(_ name: String) -> SchemaObject? { self[name].flatMap { $0.isModel ? $0 : nil } }

    /// Whether any definition that makes types bears the name.
    func isTaken(_ name: String) -> Bool { indexes[name] != nil || enums.contains(name) }

    private static func isType(_ definition: SchemaDefinition) -> Bool {
        definition.kind != .schema && definition.kind != .directive
    }

    // A type may be extended before it is defined, or where only Amplify defines it.
    private mutating func add(
        _ definition: SchemaDefinition, file: String
    ) throws(SchemaError) {
        let index = indexes[definition.name] ?? objects.count
        if index == objects.count {
            indexes[definition.name] = index
            objects.append(SchemaObject(definition))
        } else {
            objects[index].directives += definition.directives
        }
        for field in definition.fields where !objects[index].add(field) {
            throw SchemaError(
                file: file, place: field.place,
                message: "found another field '\(field.name.printable)' of type "
                    + "'\(definition.name.printable)'; keep one of them")
        }
    }
}
