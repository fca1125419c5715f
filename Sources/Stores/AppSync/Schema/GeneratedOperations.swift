import MooringSchema

/// Says which operations Amplify generates for the models of a schema that holds no operations yet,
/// but Amplify's own directives.
struct GeneratedOperations {
    /// The schema's definitions.
    let document: SchemaDocument
    /// What Amplify's directives say.
    let amplify: AmplifySchema
    /// Whether the API detects conflicts, and adds its own columns to each model.
    let detectsConflicts: Bool

    /// The models, those that Amplify adds for relations included.
    func models() -> [APIModel] {
        let names = Set(amplify.models.map(\.name))
        let search = ColumnSearch(schema: APISchema(document), models: names)
        return amplify.models.map { model($0, search) }
    }

    private func model(_ own: AmplifySchema.Model, _ search: ColumnSearch) -> APIModel {
        let found = search.columns(of: own.name)
        let definition = search.schema.types[own.name]
        let directive = document.definitions.lazy
            .filter { $0.kind == .object && $0.name == own.name }
            .compactMap { $0.directive("model") }.first
        var columns = found.columns
        let written = Set(definition?.fields.map(\.name) ?? [])
        let stamps = Self.stamps(directive)
        // What Amplify adds: identifiers of other records, and when a record was made and changed.
        for name in own.fields.subtracting(written).sorted() {
            guard let stamp = stamps[name] else {
                columns.append(APIModel.Column(name: name, type: .named("ID")))
                continue
            }
            if let stamp { columns.append(APIModel.Column(name: stamp, type: Self.time)) }
        }
        if detectsConflicts {
            let types = ["Int", "Boolean", "AWSTimestamp"]
            for (name, type) in zip(APIModel.own, types) where !written.contains(name) {
                columns.append(APIModel.Column(name: name, type: .named(type)))
            }
        }
        var model = APIModel(
            name: own.name, id: own.id, columns: columns, unreadable: found.unreadable)
        model.abstractFields = found.abstract
        model.isVersioned = detectsConflicts && !written.contains(APIModel.version)
        addQueries(to: &model, directive)
        addMutations(to: &model, directive)
        return model
    }

    private static let time = SchemaType.named("AWSDateTime")

    // The names of the times by their usual names; nil where there is none.
    private static func stamps(_ directive: SchemaDirective?) -> [String: String?] {
        var names: [String: String?] = ["createdAt": "createdAt", "updatedAt": "updatedAt"]
        switch directive?["timestamps"] {
        case .null: names = names.mapValues { _ in nil }
        case .object(let members):
            for member in members { names[member.name] = .some(member.value.word) }
        default: break
        }
        return names
    }

    private func addQueries(to model: inout APIModel, _ directive: SchemaDirective?) {
        let renamed = Self.names(directive, "queries")
        let name = model.name.raised
        if let get = renamed["get", default: "get\(name)"] {
            model.get = APIModel.GetQuery(
                name: get,
                arguments: model.id.map { column in
                    APISchema.Argument(
                        name: column, type: (model.column(column)?.type ?? .named("ID")).required,
                        isRequired: true)
                })
        }
        let plurals = PluralNames.of(name)
        if let list = renamed["list"] {
            model.lists = list.map { [APIModel.ListQuery(name: $0)] } ?? []
        } else {
            model.lists = plurals.map { APIModel.ListQuery(name: "list\($0)") }
        }
        if model.lists.isEmpty, detectsConflicts, let sync = renamed["sync", default: nil] {
            model.lists = [APIModel.ListQuery(name: sync)]
        }
    }

    private func addMutations(to model: inout APIModel, _ directive: SchemaDirective?) {
        let renamed = Self.names(directive, "mutations")
        let name = model.name.raised
        func mutation(_ act: String) -> APIModel.Mutation? {
            renamed[act, default: act + name].map {
                APIModel.Mutation(
                    name: $0, input: "\(act.raised)\(name)Input",
                    condition: "Model\(name)ConditionInput")
            }
        }
        model.create = mutation("create")
        model.update = mutation("update")
        model.delete = mutation("delete")
    }

    // The names that a directive gives to operations; nil for those that it leaves out.
    private static func names(
        _ directive: SchemaDirective?, _ argument: String
    ) -> [String: String?] {
        switch directive?[argument] {
        case .null:
            return ["get": nil, "list": nil, "create": nil, "update": nil, "delete": nil]
        case .object(let members):
            // What is not named there has its usual name, or is not there, by the project's
            // settings: the API tells.
            var names: [String: String?] = [:]
            for member in members { names[member.name] = .some(member.value.word) }
            return names
        default: return [:]
        }
    }
}
