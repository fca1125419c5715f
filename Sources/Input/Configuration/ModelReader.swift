import MooringModel
import MooringText

/// Reads one entry of `models`.
struct ModelReader {
    /// The entry.
    let section: Section
    /// The model's name.
    let model: String
    /// The names that fields may refer to.
    let names: KnownNames

    /// The keys of an entry.
    static let keys = [
        "model", "table", "id", "version", "changed", "changedBy", "zone", "deleted", "identity",
        "visibility", "files", "relations", "join", "limits",
    ]

    /// The mapping, of which what could not be read has its default. Relations point to the models
    /// given here, those of the same source, or to one of another source. Where rows hold nested
    /// values a file field may be a path into one.
    func read(models: NameList, isNested: Bool) -> ModelMapping {
        var mapping = ModelMapping(model: model)
        mapping.table = section.filled("table")?.value ?? model
        mapping.id = readID() ?? ["id"]
        mapping.version = section.filled("version")?.value
        mapping.changed = section.filled("changed")?.value
        mapping.changedBy =
            section.choice("changedBy", ["server": .server, "device": .device]) ?? .server
        mapping.zone = readZone()
        mapping.deleted = section.filled("deleted")?.value
        mapping.identity = section.filled("identity")?.value
        mapping.visibility = section.choice(
            "visibility", ["owner": .owner, "signed-in": .signedIn, "anyone": .anyone])
        mapping.limits = LimitsReader.read(records: section)
        mapping.isJoin = section.bool("join") ?? false
        mapping.files = readFiles(isNested: isNested)
        mapping.relations = readRelations(models)
        if mapping.isJoin, mapping.relations.count < 2 {
            section.report("a join table needs two relations or more", at: "join")
        }
        if section.has("changedBy"), mapping.changed == nil {
            section.report("'changedBy' needs 'changed', the column of the time", at: "changedBy")
        }
        if section.has("zone"), mapping.changed == nil {
            section.report("'zone' needs 'changed', the column of the time", at: "zone")
        }
        return mapping
    }

    private func readZone() -> ClockZone? {
        guard let text = section.filled("zone") else { return nil }
        if let zone = ZoneNames.zone(text.value) { return zone }
        let near = ZoneNames.nearest(to: text.value).map { "; did you mean '\($0)'?" } ?? ""
        section.report(
            "'zone' is UTC, an offset such as +02:00, or a name such as Europe/Berlin; found '"
                + text.shown + "'" + near,
            at: "zone")
        return nil
    }

    private func readID() -> [String]? {
        guard let texts = section.texts("id", orOne: true) else { return nil }
        let columns = texts.map(\.value)
        if section.isEmptyList("id") || columns.contains("") {
            section.report("'id' needs the name of a column, or a list of them", at: "id")
            return nil
        }
        if Set(columns).count < columns.count {
            section.report("'id' names a column twice", at: "id")
        }
        return columns
    }

    private func readFiles(isNested: Bool) -> [FileField] {
        let keys = [
            "field", "list", "complex", "level", "bucket", "template", "stored", "empty", "limits",
        ]
        var taken = NameList()
        return (section.sections("files", known: keys) ?? []).compactMap { file in
            guard let field = file.name(of: "file field", taken: &taken, key: "field") else {
                return nil
            }
            var mapped = FileField(
                field: field, isList: file.bool("list") ?? false,
                isComplex: file.bool("complex") ?? false, level: readLevel(file),
                bucket: readBucket(file), template: readTemplate(file))
            mapped.limits = LimitsReader.read(records: file)
            mapped.stored = readLayout(file)
            mapped.empty = readEmpty(file, mapped)
            if isNested, let path = readPath(file, mapped) { mapped.path = path }
            return mapped
        }
    }

    private func readEmpty(_ file: Section, _ mapped: FileField) -> EmptyForm {
        guard file.has("empty"), let form = file.emptyForm("empty") else { return .null }
        if mapped.isList {
            file.report("a list loses the key's element, whatever 'empty' says", at: "empty")
        }
        return form
    }

    private func readPath(_ file: Section, _ mapped: FileField) -> FieldPath? {
        guard let path = FieldPath(parsing: mapped.field) else {
            file.report(
                "'\(mapped.field.printable)' is no path such as cover.key or pages[].image, with "
                    + "one list at most; a name that holds a dot or a bracket stands in quotes",
                at: "field")
            return nil
        }
        if mapped.isList, path.hasElements {
            file.report("'[]' in the path says already that there is a list", at: "list")
        }
        return path
    }

    private func readLevel(_ file: Section) -> LevelChoice {
        guard let text = file.filled("level") else { return .root }
        if text.value == "root" { return .root }
        if text.value == "any" { return .any }
        if names.levels.contains(text.value) { return .named(text.value) }
        file.reportUnknown("level", text, among: names.levels + LevelsReader.reserved)
        return .root
    }

    // A complex object names its bucket itself; any other value lies in the only bucket there is,
    // unless the field says which.
    private func readBucket(_ file: Section) -> String? {
        guard file.has("bucket") else {
            if names.buckets.all.count > 1, file.bool("complex") != true {
                file.reportMissing(
                    "bucket",
                    "there are several: \(names.buckets.all.map(\.printable).inWords())")
            }
            return nil
        }
        guard let text = file.filled("bucket") else { return nil }
        guard names.buckets.contains(text.value) else {
            file.reportUnknown("bucket", text, among: names.buckets.all)
            return nil
        }
        return text.value
    }

    private func readTemplate(_ file: Section) -> KeyTemplate? {
        guard let text = file.filled("template") else { return nil }
        guard let template = KeyTemplate(text.value) else {
            file.context.report(
                "the template '\(text.shown)' holds a brace that is none of {id}, {uuid}, "
                    + "{field:NAME} and {*}",
                line: text.line)
            return nil
        }
        return template
    }

    private func readLayout(_ file: Section) -> StoredLayout {
        guard let text = file.filled("stored") else { return .plain }
        do throws(StoredLayout.Fault) {
            return try StoredLayout(text.value)
        } catch {
            file.context.report(
                "the layout '\(text.shown)' of 'stored' \(error.words)", line: text.line)
            return .plain
        }
    }

    // A name that is nearly a model's is a misspelling. Any other one may be a table that lies
    // elsewhere, such as the users of a sign-in service.
    private func readRelations(_ models: NameList) -> [Relation] {
        var taken = NameList()
        let keys = ["field", "model", "cascade"]
        return (section.sections("relations", known: keys) ?? []).compactMap { entry in
            let field = entry.name(of: "relation", taken: &taken, key: "field")
            let cascade = entry.bool("cascade") ?? false
            guard entry.has("model") else {
                entry.reportMissing("model", "name the model that it points to")
                return nil
            }
            guard let target = entry.filled("model"), let field else { return nil }
            if !models.contains(target.value),
                Nearest.match(target.value, among: models.all) != nil
            {
                entry.reportUnknown("model", target, among: models.all)
            }
            return Relation(field: field, model: target.value, cascade: cascade)
        }
    }
}

extension StoredLayout.Fault {
    private static let forms = "{key}, {key:START} and {key:START:COUNT}"

    private static func nearest(_ word: String) -> String {
        let name = String(word.prefix { $0 != ":" })
        let near = name == "key" ? nil : Nearest.match(name, among: ["key"])
        let rest = String(word.dropFirst(name.count))
        return near.map { "; did you mean '{\($0)\(rest.printable)}'?" } ?? ""
    }

    /// What is wrong with a layout, behind its name.
    fileprivate var words: String {
        switch self {
        case .openBrace: "holds a brace without its other one"
        case .unknown(let word):
            "holds a brace '{\(word.printable)}' that is none of \(Self.forms)"
                + Self.nearest(word)
        case .range(let word):
            "holds a slice '{\(word.printable)}' of no bytes of a value: START is 0 or more, COUNT "
                + "1 or more, and no key is longer than \(StoredLayout.longest) bytes"
        case .noKey: "holds no value: write \(Self.forms)"
        case .leavesOut:
            "leaves bytes of the value out, so that a key does not tell what a record holds for "
                + "it; every byte stands in a slice, as with {key} or a last {key:START}"
        }
    }
}
