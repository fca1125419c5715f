import MooringText

/// Turns the models that Amplify describes in JSON, `data.model_introspection` of
/// `amplify_outputs.json`, into the definitions of a schema that says the same.
enum Introspection {
    /// The definitions. Throws a `SchemaError` without a description of models, and where a name
    /// in it is none of GraphQL.
    static func document(_ root: ProjectNode, file: String) throws -> SchemaDocument {
        let found =
            root["data", "model_introspection"] ?? root["modelIntrospection"]
            ?? (root["models"] != nil ? root : nil)
        guard let found, let models = found["models"]?.members else {
            throw SchemaError(
                file: file,
                message:
                    "no data.model_introspection in it, which describes the models; name the app's "
                    + "GraphQL schema instead")
        }
        let values = found["nonModels"]?.members ?? []
        for member in models + values {
            try check(member, file: file)
            for field in member.value["fields"]?.members ?? [] { try check(field, file: file) }
        }
        let objects =
            models.map { object($0, isModel: true, models: found["models"]) }
            + values.map { object($0, isModel: false, models: nil) }
        let enums = (found["enums"]?.members ?? []).map {
            SchemaDefinition(
                kind: .enumeration, name: $0.name, isExtension: false, directives: [], fields: [],
                members: [], place: $0.place)
        }
        return SchemaDocument(file: file, definitions: objects + enums)
    }

    // The names are written into a configuration and into messages.
    private static func check(
        _ member: ProjectNode.Member, file: String
    ) throws(SchemaError) {
        guard !SchemaLexer.isName(member.name) else { return }
        throw SchemaError(
            file: file, place: member.place,
            message: "found '\(member.name.printable)', which is no name of GraphQL")
    }

    private static func object(
        _ member: ProjectNode.Member, isModel: Bool, models: ProjectNode?
    ) -> SchemaDefinition {
        var directives: [SchemaDirective] = []
        if isModel {
            directives.append(
                directive("model", timestamps(member.value), at: member.place))
            directives += access(member.value, at: member.place)
        }
        let id = isModel ? identifier(member.value) : []
        // What an app cannot write is added by Amplify, and stands in no schema.
        let written = (member.value["fields"]?.members ?? []).filter {
            $0.value["isReadOnly"]?.isTrue != true
        }
        let fields = written.map { field in
            var added = relation(field, models)
            if field.name == id.first, id != ["id"] {
                let others = SchemaValue.list(id.dropFirst().map { .string($0) })
                added.append(
                    directive(
                        "primaryKey", [SchemaArgument(name: "sortKeyFields", value: others)],
                        at: field.place))
            }
            return SchemaField(
                name: field.name, arguments: [], type: type(field.value), defaultValue: nil,
                directives: added, place: field.place)
        }
        return SchemaDefinition(
            kind: .object, name: member.name, isExtension: false, directives: directives,
            fields: fields, members: [], place: member.place)
    }

    // Without a column for it, the model keeps no time of the last write.
    private static func timestamps(_ model: ProjectNode) -> [SchemaArgument] {
        guard model["fields"]?["updatedAt"] == nil else { return [] }
        let none = SchemaArgument(name: "updatedAt", value: .null)
        return [SchemaArgument(name: "timestamps", value: .object([none]))]
    }

    private static func identifier(_ model: ProjectNode) -> [String] {
        guard let info = model["primaryKeyInfo"], let first = info["primaryKeyFieldName"]?.text
        else { return ["id"] }
        return [first] + (info["sortKeyFieldNames"]?.elements.compactMap(\.text) ?? [])
    }

    private static func type(_ field: ProjectNode) -> SchemaType {
        let type = field["type"]
        let name =
            type?.text ?? type?["model"]?.text ?? type?["nonModel"]?.text ?? type?["enum"]?.text
            ?? "String"
        let named = SchemaType.named(name)
        return field["isArray"]?.isTrue == true ? .list(named) : named
    }

    // MARK: Directives

    private static func access(
        _ model: ProjectNode, at place: SchemaPlace
    ) -> [SchemaDirective] {
        (model["attributes"]?.elements ?? []).filter { $0["type"]?.text == "auth" }.map {
            let rules = ($0["properties", "rules"]?.elements ?? []).map(value)
            return directive(
                "auth", [SchemaArgument(name: "rules", value: .list(rules))], at: place)
        }
    }

    private static func relation(
        _ field: ProjectNode.Member, _ models: ProjectNode?
    ) -> [SchemaDirective] {
        guard let association = field.value["association"],
            let target = field.value["type", "model"]?.text
        else { return [] }
        let own = names(association["targetNames"] ?? association["targetName"])
        let other = names(association["associatedWith"])
        func made(_ name: String, _ argument: String, _ columns: [String]) -> [SchemaDirective] {
            let value = SchemaValue.list(columns.map { .string($0) })
            return [
                directive(
                    name, [SchemaArgument(name: argument, value: value)], at: field.place)
            ]
        }
        switch association["connectionType"]?.text {
        case "BELONGS_TO": return own.isEmpty ? [] : made("belongsTo", "fields", own)
        case "HAS_ONE" where !own.isEmpty: return made("hasOne", "fields", own)
        case let kind? where kind == "HAS_ONE" || kind == "HAS_MANY":
            // The other side may name its own field that belongs to this one; that one tells more.
            let fields = models?[target]?["fields"]
            let isField = other.contains { fields?[$0, "type", "model"] != nil }
            let isID = other == ["id"]
            guard !isField, !isID, !other.isEmpty else { return [] }
            return made(kind == "HAS_ONE" ? "hasOne" : "hasMany", "references", other)
        default: return []
        }
    }

    private static func names(_ node: ProjectNode?) -> [String] {
        let listed = node?.elements.compactMap(\.text) ?? []
        return listed.isEmpty ? [node?.text].compactMap { $0 } : listed
    }

    private static func directive(
        _ name: String, _ arguments: [SchemaArgument], at place: SchemaPlace
    ) -> SchemaDirective {
        SchemaDirective(name: name, arguments: arguments, place: place)
    }

    private static func value(_ node: ProjectNode) -> SchemaValue {
        switch node.kind {
        case .text(let text): .string(text)
        case .number(let text): .decimal(text)
        case .boolean(let flag): .boolean(flag)
        case .null, .expression: .null
        case .list(let nodes): .list(nodes.map(value))
        case .object(let members):
            .object(members.map { SchemaArgument(name: $0.name, value: value($0.value)) })
        }
    }
}
