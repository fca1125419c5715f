import MooringSchema

/// Finds the models of a whole schema, with its queries and mutations, by what these give and take:
/// their names may be the app's own.
struct OperationSearch {
    /// The API's types.
    let schema: APISchema

    /// The models, in the schema's order.
    func models() -> [APIModel] {
        let plain = ColumnSearch(schema: schema, models: [])
        // What any page holds is a model, also where no query gives that page.
        let paged = Set(schema.names.compactMap(plain.item))
        let written = Set(schema.mutations.compactMap(self.written))
        let names = schema.names.filter { (paged.union(written)).contains($0) }
            .filter { schema.types[$0]?.kind == .object }
        let search = ColumnSearch(schema: schema, models: Set(names))
        return names.map { model($0, search) }
    }

    /// The unions and interfaces that pages hold and whose values may be of a type that is no
    /// model: what such a type holds is in no model's pages. In the schema's order.
    func unlisted() -> [String] {
        let plain = ColumnSearch(schema: schema, models: [])
        let paged = Set(schema.names.compactMap(plain.item))
        let models = Set(models().map(\.name))
        return schema.names.filter { name in
            let types = schema.possible[name] ?? []
            return paged.contains(name) && schema.types[name]?.kind == .abstract
                && (types.isEmpty || !types.isSubset(of: models))
        }
    }

    // What a mutation of Amplify's three kinds writes: a type that no query gives page by page is
    // a model all the same, and cannot be searched.
    private func written(_ field: APISchema.Field) -> String? {
        let base = field.type.base
        let names = ["create", "update", "delete"].map { $0 + base.raised }
        return names.contains(field.name) && input(of: field) != nil ? base : nil
    }

    private func input(of field: APISchema.Field) -> String? {
        guard let input = field.arguments.first(where: { $0.name == "input" })?.type,
            !input.isList, schema.types[input.base]?.kind == .input
        else { return nil }
        return input.base
    }

    private func model(_ name: String, _ search: ColumnSearch) -> APIModel {
        let found = search.columns(of: name)
        var model = APIModel(
            name: name, id: ["id"], columns: found.columns, unreadable: found.unreadable)
        model.abstractFields = found.abstract
        model.lists = list(name, search).map { [$0] } ?? []
        model.get = get(name, found.columns)
        if let arguments = model.get?.arguments { model.id = arguments.map(\.name) }
        model.create = mutation("create", name)
        model.update = mutation("update", name)
        model.delete = mutation("delete", name)
        let written = (model.update ?? model.delete)?.fields
        model.isVersioned =
            model.column(APIModel.version) != nil
            && written.map { $0.contains(APIModel.version) && !$0.contains(APIModel.deleted) }
                ?? true
        return model
    }

    private func list(_ name: String, _ search: ColumnSearch) -> APIModel.ListQuery? {
        let fields = schema.queries.filter { field in
            search.item(of: field.type.base) == name
                && !field.arguments.contains(where: \.isRequired)
                && field.arguments.contains { $0.name == "nextToken" }
                // A search index is another copy of the records.
                && !field.type.base.hasPrefix("Searchable")
        }
        let usual = PluralNames.of(name.raised).map { "list" + $0 }
        func rank(_ field: APISchema.Field) -> Int {
            if usual.contains(field.name) { return 0 }
            if field.arguments.contains(where: { $0.name == "lastSync" }) { return 1 }
            return 2
        }
        // A query of another name may give a part of the records: it is taken where it is the
        // only one.
        let best = fields.map(rank).min()
        let found = fields.filter { rank($0) == best }
        guard best != 2 || found.count == 1 else { return nil }
        return found.first.map { field in
            APIModel.ListQuery(
                name: field.name, takesLimit: field.arguments.contains { $0.name == "limit" })
        }
    }

    private func get(_ name: String, _ columns: [APIModel.Column]) -> APIModel.GetQuery? {
        let known = Set(columns.map(\.name))
        let fields = schema.queries.filter { field in
            let wanted = field.arguments.filter(\.isRequired)
            return field.type.base == name && !field.type.isList && !wanted.isEmpty
                && wanted.allSatisfy { known.contains($0.name) }
        }
        let usual = "get" + name.raised
        let field = fields.first { $0.name == usual } ?? (fields.count == 1 ? fields[0] : nil)
        return field.map {
            APIModel.GetQuery(name: $0.name, arguments: $0.arguments.filter(\.isRequired))
        }
    }

    private func mutation(_ act: String, _ name: String) -> APIModel.Mutation? {
        let own = schema.mutations.filter { $0.type.base == name && input(of: $0) != nil }
        let usual = act + name.raised
        let named = own.filter { input(of: $0).map { $0 == usual.raised + "Input" } ?? false }
        guard
            let field = own.first(where: { $0.name == usual })
                ?? (named.count == 1 ? named[0] : nil),
            let input = input(of: field)
        else { return nil }
        let condition = field.arguments.first { $0.name == "condition" }?.type.base
        let tests = condition.flatMap { schema.types[$0] }?.fields
        let missable = tests?.filter { test in
            let words = schema.types[test.type.base]?.fields.map(\.name) ?? []
            return words.contains("attributeExists") && words.contains("attributeType")
        }
        return APIModel.Mutation(
            name: field.name, input: input,
            fields: (schema.types[input]?.fields).map { Set($0.map(\.name)) },
            condition: condition,
            conditionFields: tests.map { Set($0.map(\.name)) },
            missableFields: missable.map { Set($0.map(\.name)) })
    }
}

extension String {
    /// With its first letter a capital, as Amplify writes names behind a verb.
    var raised: String { prefix(1).uppercased() + dropFirst() }
}
