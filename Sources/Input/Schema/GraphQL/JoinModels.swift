import MooringText

/// The models that Amplify adds for `@manyToMany`: one for each relation that two fields name.
struct JoinModels {
    /// The schema's types.
    let types: SchemaTypes

    private struct End {
        let object: SchemaObject
        let place: SchemaPlace
        let relation: String
    }

    /// The join models, in the order in which their relations are first named.
    func models() -> [AmplifySchema.Model] {
        var names: [String] = []
        var ends: [String: [End]] = [:]
        for object in types.objects where object.isModel {
            for field in object.fields {
                for directive in field.directives where directive.name == "manyToMany" {
                    guard let relation = directive["relationName"]?.word,
                        let name = AmplifyNames.joinModel(relation), !types.isTaken(name)
                    else { continue }
                    if ends[name] == nil { names.append(name) }
                    ends[name, default: []].append(
                        End(object: object, place: field.place, relation: relation))
                }
            }
        }
        return names.compactMap { name in ends[name].flatMap { model(name, $0) } }
    }

    private func model(_ name: String, _ ends: [End]) -> AmplifySchema.Model {
        var model = AmplifySchema.Model(name: name, place: ends[0].place)
        model.fields = ["id", "createdAt", "updatedAt"]
        guard ends.count == 2, ends[0].object.name != ends[1].object.name else {
            let times =
                switch ends.count {
                case 1: "once"
                case 2: "twice in one"
                default: "\(ends.count) times"
                }
            model.notes.append(
                "@manyToMany '\(ends[0].relation.printable)' does not join two models: it is "
                    + "named \(times)")
            return model
        }
        for end in ends {
            let id = end.object.id
            let columns = id.enumerated().map { index, column in
                // Amplify does not raise the first letter of a sort key's column here.
                index == 0
                    ? AmplifyNames.joinColumn(end.object.name, column)
                    : AmplifyNames.joinColumn(end.object.name, "") + column
            }
            model.fields.formUnion(columns)
            guard columns.count == 1 else {
                model.notes.append(
                    "\(end.object.name) has an identifier of \(columns.count) columns, so its "
                        + "relation by \(columns.joined(separator: ", ")) cannot be configured")
                continue
            }
            model.links.append(
                AmplifySchema.Link(
                    column: columns[0], target: end.object.name,
                    reason: "@manyToMany adds this model"))
        }
        model.isJoin = model.links.count == 2
        // Amplify gives a join model the rules of both its ends.
        let rules = ends.flatMap(\.object.directives)
        model.visibility = ModelAccess(rules, general: types.generalAccess).visibility
        return model
    }
}
