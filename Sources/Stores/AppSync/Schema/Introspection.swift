import MooringSchema
import MooringModel

/// What an API is asked about its own schema, and how its answer is read.
enum Introspection {
    /// The query; types nest at most six deep, which is a list of lists, each with its mark.
    static let text =
        "query Introspection { __schema { queryType { name } mutationType { name } types { "
        + "kind name fields(includeDeprecated: true) { name args { name defaultValue type { ...T } "
        + "} type { ...T } } possibleTypes { name } inputFields { name defaultValue "
        + "type { ...T } } } } } "
        + "fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind "
        + "name ofType { kind name ofType { kind name } } } } } }"

    /// The schema in the answer's data; nil where it holds none.
    static func schema(in data: JSONNode) -> APISchema? {
        guard let root = data["__schema"], let types = root["types"]?.elements else { return nil }
        var schema = APISchema()
        schema.query = root["queryType"]?["name"]?.string ?? ""
        schema.mutation = root["mutationType"]?["name"]?.string ?? ""
        for type in types {
            // A part that cannot be read may hold keys: then nothing of it is used.
            guard let name = type["name"]?.string else { return nil }
            if name.hasPrefix("__") { continue }
            let kind: APISchema.Kind =
                switch type["kind"]?.string {
                case "INPUT_OBJECT": .input
                case "ENUM": .enumeration
                case "SCALAR": .scalar
                case "INTERFACE", "UNION": .abstract
                default: .object
                }
            let members = (type["fields"] ?? type["inputFields"])?.elements ?? []
            let fields = members.compactMap(field)
            guard fields.count == members.count else { return nil }
            schema.add(APISchema.Definition(name: name, kind: kind, fields: fields))
            guard kind == .abstract else { continue }
            for type in (type["possibleTypes"]?.elements ?? []).compactMap({ $0["name"]?.string }) {
                schema.note(type, isPossibleFor: name)
            }
        }
        return schema
    }

    private static func field(_ node: JSONNode) -> APISchema.Field? {
        guard let name = node["name"]?.string, let type = node["type"].flatMap(type) else {
            return nil
        }
        let arguments = (node["args"]?.elements ?? []).compactMap { argument in
            argument["type"].flatMap(self.type).flatMap { type in
                argument["name"]?.string.map { name in
                    APISchema.Argument(
                        name: name, type: type,
                        isRequired: type.isRequired && argument["defaultValue"] == nil)
                }
            }
        }
        return APISchema.Field(name: name, type: type, arguments: arguments)
    }

    private static func type(_ node: JSONNode) -> SchemaType? {
        switch node["kind"]?.string {
        case "NON_NULL": node["ofType"].flatMap(type).map(SchemaType.nonNull)
        case "LIST": node["ofType"].flatMap(type).map(SchemaType.list)
        default: node["name"]?.string.map(SchemaType.named)
        }
    }
}
