import MooringModel

/// Reads the models of a schema: identifiers, relations, readers, and the models that Amplify adds.
struct ModelRelations {
    /// The schema's types.
    let types: SchemaTypes
    /// The fields that may hold keys.
    let keys: KeyFields

    /// A relation as one side of it says.
    struct Claim {
        /// The model whose column it is.
        let holder: String
        /// The columns, as many as the target's identifier has.
        let columns: [String]
        /// The model that it points to.
        let target: String
        /// Which directive says so.
        let reason: String
    }

    /// The models, in the order of the text, then the join models that Amplify adds.
    func models() -> [AmplifySchema.Model] {
        let objects = types.objects.filter(\.isModel)
        var claims: [String: [Claim]] = [:]
        var notes: [String: [String]] = [:]
        for object in objects {
            for field in object.fields {
                for directive in field.directives {
                    let side = RelationSide(
                        types: types, object: object, field: field, directive: directive)
                    if let claim = side.claim { claims[claim.holder, default: []].append(claim) }
                    if let note = side.note { notes[object.name, default: []].append(note) }
                }
            }
        }
        let written = objects.map { object in
            model(object, claims[object.name] ?? [], notes[object.name] ?? [])
        }
        return written + JoinModels(types: types).models()
    }

    private func model(
        _ object: SchemaObject, _ claims: [Claim], _ notes: [String]
    ) -> AmplifySchema.Model {
        var model = AmplifySchema.Model(name: object.name, place: object.place)
        model.id = object.id
        model.notes = notes + oldKeyNotes(object)
        model.changed = changeColumn(object)
        model.isChangedByDevice = model.changed.map { object.field($0) != nil } ?? false
        model.fields = Set(object.fields.map(\.name)).union(["id", "createdAt", "updatedAt"])
        model.changed.map { _ = model.fields.insert($0) }
        var taken: Set<String> = []
        for claim in claims where taken.insert(claim.columns.joined(separator: ", ")).inserted {
            model.fields.formUnion(claim.columns)
            add(claim, to: &model)
        }
        let identifiers = Set(model.id).union(claims.flatMap(\.columns))
        model.keys = keys.fields(of: object, except: identifiers)
        model.nested = keys.nested(in: object)
        let access = ModelAccess(object.directives, general: types.generalAccess)
        model.visibility = access.visibility
        model.notes += access.notes
        model.isJoin = isJoin(object, model)
        return model
    }

    // `@model(timestamps: null)`, and null for the one column, say that there is none.
    private func changeColumn(_ object: SchemaObject) -> String? {
        guard let timestamps = object.directive("model")?["timestamps"] else { return "updatedAt" }
        switch timestamps["updatedAt"] {
        case .null?: return nil
        case let value?: return value.word.flatMap { SchemaLexer.isName($0) ? $0 : nil }
        case nil: return timestamps == .null ? nil : "updatedAt"
        }
    }

    private func add(_ claim: Claim, to model: inout AmplifySchema.Model) {
        let id = types[claim.target]?.id ?? ["id"]
        guard claim.columns.count == 1, id.count == 1 else {
            let columns = claim.columns.joined(separator: ", ")
            model.notes.append(
                "\(claim.target) has an identifier of \(id.count) columns, so its relation by "
                    + "\(columns) (\(claim.reason)) cannot be configured")
            return
        }
        model.links.append(
            AmplifySchema.Link(
                column: claim.columns[0], target: claim.target, reason: claim.reason))
    }

    // A model that holds nothing but two relations and what every record has joins their ends.
    private func isJoin(_ object: SchemaObject, _ model: AmplifySchema.Model) -> Bool {
        let columns = Set(model.links.map(\.column))
        let common = columns.union(model.id).union(["id", "createdAt", "updatedAt", "owner"])
        let others = object.fields.filter { !common.contains($0.name) }
        return model.links.count == 2 && others.count == 2
            && others.allSatisfy { types.model($0.type.base) != nil && !$0.type.isList }
    }

    private func oldKeyNotes(_ object: SchemaObject) -> [String] {
        object.directives.contains { $0.name == "key" }
            ? [
                "@key is a directive of Amplify's old transformer: only the identifier was read "
                    + "from it"
            ] : []
    }
}
