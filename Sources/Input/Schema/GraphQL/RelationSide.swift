/// What one directive at one field says of a relation.
struct RelationSide {
    /// The schema's types.
    let types: SchemaTypes
    /// The model that has the field.
    let object: SchemaObject
    /// The field.
    let field: SchemaField
    /// The directive.
    let directive: SchemaDirective

    /// The relation, where the directive names one and its columns can be told.
    var claim: ModelRelations.Claim? {
        guard let target = types.model(field.type.base) else { return nil }
        let columns = directive.fieldNames("fields") ?? directive.fieldNames("references")
        switch directive.name {
        case "hasMany": return hasMany(target)
        case "hasOne": return hasOne(target)
        case "belongsTo":
            return columns.flatMap { claim(object, $0, target) } ?? belongsTo(target)
        // The old transformer's directive, where it names the columns of a single record.
        case "connection" where !field.type.isList:
            return directive.fieldNames("fields").flatMap { claim(object, $0, target) }
        default: return nil
        }
    }

    /// A sentence for a person, where the directive names a relation that cannot be told.
    var note: String? {
        let isOld = directive.name == "connection"
        let isRelation = ["hasMany", "hasOne", "belongsTo"].contains(directive.name)
        guard isOld || isRelation, claim == nil else { return nil }
        if isOld {
            return "\(field.name): @connection is a directive of Amplify's old transformer, and "
                + "not read here; write the relation by hand where it has a column"
        }
        if types.model(field.type.base) == nil {
            return "\(field.name): @\(directive.name) points to \(field.type.base), which is no "
                + "model"
        }
        if directive.name == "belongsTo" {
            return "\(field.name): @belongsTo names no fields, and \(field.type.base) has no "
                + "relation back"
        }
        return "\(field.name): @\(directive.name) does not join by the identifier of "
            + "\(object.name), so its column holds none"
    }

    private var reason: String { "\(object.name).\(field.name): @\(directive.name)" }

    private func claim(
        _ holder: SchemaObject, _ columns: [String], _ target: SchemaObject
    ) -> ModelRelations.Claim? {
        columns.isEmpty
            ? nil
            : ModelRelations.Claim(
                holder: holder.name, columns: columns, target: target.name, reason: reason)
    }

    // The many hold the column: it is named, or that of an index, or one that Amplify adds.
    private func hasMany(_ many: SchemaObject) -> ModelRelations.Claim? {
        columns(ofMany: many, one: object, field: field, directive).flatMap {
            claim(many, $0, object)
        }
    }

    private func columns(
        ofMany many: SchemaObject, one: SchemaObject, field: SchemaField,
        _ directive: SchemaDirective
    ) -> [String]? {
        if let references = directive.fieldNames("references") { return references }
        let id = one.id
        let joinedBy = directive.fieldNames("fields") ?? []
        guard !joinedBy.isEmpty || directive["indexName"] != nil else {
            return id.map { AmplifyNames.connection(one.name, field.name, $0) }
        }
        guard joinedBy.isEmpty || joinedBy == id else { return nil }
        guard let index = directive["indexName"]?.word else {
            return Array(many.id.prefix(id.count))
        }
        return many.indexes[index].map { Array($0.prefix(id.count)) }
    }

    // The one that has the field holds the column, unless `references` say otherwise.
    private func hasOne(_ target: SchemaObject) -> ModelRelations.Claim? {
        if let references = directive.fieldNames("references") {
            return claim(target, references, object)
        }
        return claim(object, directive.fieldNames("fields") ?? addedColumns(target), target)
    }

    private func belongsTo(_ target: SchemaObject) -> ModelRelations.Claim? {
        guard let other = target.relation(to: object.name) else { return nil }
        if let directive = other.directive("hasMany") {
            return columns(ofMany: object, one: target, field: other, directive)
                .flatMap { claim(object, $0, target) }
        }
        let references = other.directive("hasOne")?.fieldNames("references")
        return claim(object, references ?? addedColumns(target), target)
    }

    private func addedColumns(_ target: SchemaObject) -> [String] {
        target.id.map { AmplifyNames.connection(object.name, field.name, $0) }
    }
}
