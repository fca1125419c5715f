import MooringConfiguration
import MooringModel
import MooringSchema

/// Writes one model of a schema as an entry of `models`.
struct ModelText {
    /// The model.
    let model: AmplifySchema.Model
    /// What is known of its table; nil without a database.
    let table: DraftTable?
    /// What is known of its store from the project's other files; nil for a schema alone.
    var store: ModelStore?

    /// The lines, indented as they stand in the file.
    var text: String {
        let title = "- model: \(YAMLText.scalar(model.name))  # \(Self.shown(model.place))"
        let body =
            (notes + facts).map { "  " + $0 } + section("files", model.keys.map(entry) + nested)
            + section("relations", model.links.map(entry))
        return ([title] + body).map { "      " + $0 }.joined(separator: "\n")
    }

    /// A place in the schema, for a comment.
    static func shown(_ place: SchemaPlace) -> String {
        (place.file.map { VisibleName.whole($0) + " " } ?? "") + "line \(place.line)"
    }

    // A section of which nothing is active would be an empty value, so its name is a comment too.
    private func section(_ name: String, _ entries: [[String]]) -> [String] {
        guard !entries.isEmpty else { return [] }
        let isActive = entries.joined().contains { !$0.hasPrefix("#") }
        return ["  \(isActive ? "" : "# ")\(name):"] + entries.joined().map { "    " + $0 }
    }

    private var notes: [String] { model.notes.map { "# note: " + VisibleName.whole($0) } }

    // MARK: Facts

    private var facts: [String] {
        var lines: [String] = []
        if model.id != ["id"] {
            let columns = model.id.map(YAMLText.scalar).joined(separator: ", ")
            let isThere = model.id.allSatisfy(has)
            lines.append(
                (isThere ? "" : "# ") + "id: " + (model.id.count == 1 ? columns : "[\(columns)]")
                    + (isThere ? "" : "  # the table has no such columns"))
        }
        lines +=
            store?.facts(of: model) ?? [
                fact("version", ["_version"]),
                fact("changed", ["_lastChangedAt", "updatedAt"], note: changedNote),
                fact("deleted", ["_deleted"]),
            ]
        if let identity = table?.guess?.identity {
            lines.append(
                "identity: \(YAMLText.scalar(identity))  # guessed: its values are folders below "
                    + "private/ or protected/")
        }
        if let visibility = model.visibility {
            lines.append("visibility: \(visibility.rawValue)  # from the most open @auth rule")
        }
        if isJoin { lines.append("join: true  # nothing but two relations") }
        return lines
    }

    private var changedNote: String {
        table == nil ? "; updatedAt without" : ""
    }

    // Active where the database has the column, else a suggestion.
    private func fact(_ key: String, _ columns: [String], note: String = "") -> String {
        if let column = table?.column(columns) {
            return "\(key): \(YAMLText.scalar(column))  # the table has this column"
        }
        return "# \(key): \(columns[0])  # with conflict detection\(note)"
    }

    private func has(_ column: String) -> Bool {
        table.map { $0.sample.columns.contains(column) } ?? true
    }

    // A join table needs both its relations, so it is none where the table lacks a column.
    private var isJoin: Bool { model.isJoin && model.links.allSatisfy { has($0.column) } }

    // MARK: Files

    private func entry(of field: AmplifySchema.KeyField) -> [String] {
        let values = table?.values(of: field.field)
        var lines = ["# \(basis(of: field)) (\(Self.shown(field.place)))"]
        lines += field.remarks.map { "# \($0)" }
        guard has(field.field) else {
            return lines + ["# not named: the table has no column \(field.field)"]
        }
        var entry = ["- field: \(YAMLText.scalar(field.field))"]
        if field.isList { entry.append("  list: true") }
        if field.isComplex { entry.append("  complex: true") }
        entry.append("  level: \(level(values))")
        if let bucket = store?.bucket, !field.isComplex {
            entry.append("  bucket: \(YAMLText.scalar(bucket))  # guess: the default bucket")
        }
        if let template = values?.template, let values {
            entry.append(
                "  template: \(YAMLText.quoted(template.template.text))"
                    + "  # guessed: \(template.fitting) of \(values.keys) keys name their record so"
            )
        } else {
            let suggestion = field.isList ? "{id}-{uuid}" : "{id}"
            entry.append(
                "  # template: \"\(suggestion)\"  # where keys are made of the record's identifier")
        }
        let isActive = field.isLikely || values != nil
        return lines + (isActive ? entry : entry.map { "# " + $0 })
    }

    // Only the stores of an Amplify project are known to hold nested values.
    private var nested: [[String]] {
        guard store != nil else { return [] }
        return model.nested.map { nested in
            var lines = entry(of: nested.key)
            lines[0] += ", inside another value"
            guard let index = lines.firstIndex(where: { $0.contains("- field:") }) else {
                return lines
            }
            lines[index] = "- field: \(YAMLText.quoted(nested.path))"
            return lines
        }
    }

    private func basis(of field: AmplifySchema.KeyField) -> String {
        switch field.basis {
        case .complexObject(let type): "by its type \(type): bucket, key and region in one value"
        case .name: "guessed by its name"
        case .bareName: "may be the key of anything; take the # away if it is that of a file"
        }
    }

    private func level(_ values: FieldGuess?) -> String {
        guard let values else { return "any" }
        let name =
            switch values.field.level {
            case .root: "root"
            case .any: "any"
            case .named(let name): YAMLText.scalar(name)
            }
        return "\(name)  # guessed: \(values.found) of \(values.lookedUp) values are files there"
    }

    // MARK: Relations

    private func entry(of link: AmplifySchema.Link) -> [String] {
        let entry = [
            "- field: \(YAMLText.scalar(link.column))  # \(link.reason)",
            "  model: \(YAMLText.scalar(link.target))",
            "  # cascade: true  # where the record is deleted together with its \(link.target)",
        ]
        guard has(link.column) else {
            return ["# not named: the table has no column \(link.column)"] + entry.map { "# " + $0 }
        }
        return entry
    }
}
