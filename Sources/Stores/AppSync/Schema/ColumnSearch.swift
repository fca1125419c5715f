import MooringSchema

/// Finds out which fields of a type hold its own values: relations to other models are records of
/// their own, and are read as such.
struct ColumnSearch {
    /// The API's types.
    let schema: APISchema
    /// The names of its models.
    let models: Set<String>

    /// What a type's fields give.
    struct Result {
        /// The fields that are read.
        var columns: [APIModel.Column] = []
        /// What is not read, though it may hold something.
        var unreadable: [String] = []
        /// The type's own fields that are unions or interfaces.
        var abstract: Set<String> = []
    }

    private static let depthLimit = 16

    /// The columns of a type.
    func columns(of name: String) -> Result { columns(of: name, path: [name]) }

    private func columns(of name: String, path: [String]) -> Result {
        var result = Result()
        for field in schema.types[name]?.fields ?? [] {
            let base = field.type.base
            let place = (path.count > 1 ? "\(name)." : "") + field.name
            if models.contains(base) {
                if path.count == 1, isWritten(field.name, with: name) {
                    result.unreadable.append(
                        "\(place) holds a \(base) of its own, which pages hold as well")
                }
                continue
            }
            if let item = item(of: base) {
                if !models.contains(item) {
                    result.unreadable.append("\(place) is a page of \(item), which no query lists")
                }
                continue
            }
            guard !field.arguments.contains(where: \.isRequired) else {
                result.unreadable.append("\(place) wants arguments")
                continue
            }
            switch schema.types[base]?.kind {
            case .abstract:
                result.unreadable.append("\(place) is a union or an interface")
                result.abstract.insert(field.name)
            case .object:
                guard !path.contains(base), path.count < Self.depthLimit else {
                    result.unreadable.append("\(place) holds a value of its own type")
                    continue
                }
                let inner = columns(of: base, path: path + [base])
                result.unreadable += inner.unreadable
                guard !inner.columns.isEmpty else { continue }
                result.columns.append(
                    APIModel.Column(name: field.name, type: field.type, nested: inner.columns))
            default: result.columns.append(APIModel.Column(name: field.name, type: field.type))
            }
        }
        return result
    }

    // What a relation leads to is written for itself; its owner's inputs name its id at most.
    private func isWritten(_ field: String, with model: String) -> Bool {
        let names = ["create", "update"].map { $0 + model.raised }
        return schema.mutations.filter { names.contains($0.name) }
            .flatMap(\.arguments).filter { $0.name == "input" }
            .contains { schema.types[$0.type.base]?.fields.contains { $0.name == field } ?? false }
    }

    /// The type whose records a page holds; nil where a type is no page.
    func item(of name: String) -> String? {
        guard let type = schema.types[name], type.kind == .object, type.field("nextToken") != nil,
            let items = type.field("items"), items.type.isList
        else { return nil }
        return items.type.base
    }
}
