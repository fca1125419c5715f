import MooringModel
import MooringText

/// Reads `records`.
struct RecordsReader {
    /// The root of the file.
    let root: Section
    /// The names that fields may refer to.
    let names: KnownNames
    /// The general bounds of the race model.
    let race: RaceReader.Race

    /// What `records` says.
    struct Result {
        /// The sources that could be read, in the order of the file.
        var sources: [RecordsConfiguration] = []
        /// The names of all sources and models, read or not.
        var names = RecordNames()
        /// What is allowed and probably not meant.
        var warnings: [String] = []
    }

    private static let all = [
        "sqlite", "csv", "jsonl", "parquet", "postgres", "dynamodb", "dynamodbExport", "appsync",
        "datastore",
    ]
    private static let kinds = StoreKinds(known: all, read: all)
    // Their rows hold nested values, so that a field may be a path into one.
    private static let nested = ["jsonl", "postgres", "dynamodb", "dynamodbExport", "appsync"]
    private static let keys =
        ["name"] + kinds.known + ["taken", "models", "race", "replicaOf"]
        + ["notReferences", "unread"]

    /// The sources, names and warnings.
    func read() -> Result {
        var result = Result()
        guard root.has("records") else {
            root.reportMissing("records", "name at least one source")
            return result
        }
        guard let sections = root.entries("records", of: "source", known: Self.keys) else {
            return result
        }
        var replicas: [(section: Section, name: String, authority: ScalarText)] = []
        for section in sections {
            guard let name = section.name(of: "source", taken: &result.names.sources) else {
                continue
            }
            let models = readModels(section, &result)
            let authority = section.filled("replicaOf")
            if let authority { replicas.append((section, name, authority)) }
            let store = readStore(section, name: name, models)
            let own = RaceReader.read(section, general: race)
            guard let store else { continue }
            result.sources.append(
                RecordsConfiguration(
                    name: name, store: store,
                    mapping: RecordMapping(source: name, models: models), race: own.bounds,
                    saysConflicts: own.saysConflicts,
                    replicaOf: authority?.value,
                    notReferences: TextTables.notReferences(section, models: models),
                    unread: TextTables.unread(section, models: models)))
        }
        let replicaNames = Set(replicas.map(\.name))
        for replica in replicas {
            checkAuthority(replica.authority, of: replica.name, replicaNames, result.names.sources)
        }
        result.warnings += Self.unchecked(result.sources)
        inheritModels(&result.sources)
        return result
    }

    private func readStore(
        _ section: Section, name: String, _ models: [ModelMapping]
    ) -> RecordStore? {
        let taken = section.moment("taken")
        let place = "source '\(name.printable)'"
        guard let kind = Self.kinds.kind(of: section, place: place) else { return nil }
        switch kind {
        case "postgres":
            return PostgresReader(section: section).read().map(RecordStore.postgres)
        case "dynamodb":
            return DynamoDBReader(section: section).read(models: models)
                .map(RecordStore.dynamodb)
        case "dynamodbExport":
            return DynamoDBReader(section: section).readExport().map(RecordStore.dynamodbExport)
        case "appsync":
            return AppSyncReader(section: section).read().map(RecordStore.appsync)
        default: break
        }
        guard let path = section.path(kind) else { return nil }
        switch kind {
        case "sqlite": return .sqlite(path: path, taken: taken)
        case "parquet": return .parquet(path: path, taken: taken)
        case "csv": return .csv(path: path, taken: taken)
        case "datastore": return .datastore(path: path, taken: taken)
        default: return .jsonl(path: path, taken: taken)
        }
    }

    private func readModels(
        _ section: Section, _ result: inout Result
    ) -> [ModelMapping] {
        guard section.has("models") else {
            if !section.has("replicaOf") {
                section.reportMissing("models", "without one no record references anything")
            }
            return []
        }
        let sections = section.entries("models", of: "model", known: ModelReader.keys) ?? []
        var taken = NameList()
        let readers = sections.compactMap { section in
            section.name(of: "model", taken: &taken, key: "model").map {
                ModelReader(section: section, model: $0, names: names)
            }
        }
        for model in taken.all { _ = result.names.models.insert(model) }
        let isNested = Self.nested.contains(where: section.has)
        return readers.map { reader in
            var mapping = reader.read(models: taken, isNested: isNested)
            mapping.movesOnItself = section.has("appsync")
            return mapping
        }
    }

    private func checkAuthority(
        _ authority: ScalarText, of name: String, _ replicas: Set<String>, _ sources: NameList
    ) {
        var problem: String?
        if authority.value == name {
            problem = "source '\(name.printable)' cannot be a replica of itself"
        } else if !sources.contains(authority.value) {
            problem = Nearest.unknown(
                "source", authority.shown, among: sources.all.filter { $0 != name })
        } else if replicas.contains(authority.value) {
            problem = "'\(authority.shown)' is a replica itself; name the source that it copies"
        }
        if let problem { root.context.report(problem, line: authority.line) }
    }

    // A parent lies in its child's source, else in any other that is no copy; it may also lie
    // elsewhere, such as with a sign-in service. Copies are checked at their authority.
    private static func unchecked(_ sources: [RecordsConfiguration]) -> [String] {
        let authorities = sources.filter { $0.replicaOf == nil }
        let known = Set(authorities.flatMap(\.mapping.models).map(\.model))
        return authorities.flatMap { source in
            source.mapping.models.flatMap { model in
                model.relations.filter { !known.contains($0.model) }.map { relation in
                    "records \(source.name.printable): \(model.model.printable)."
                        + "\(relation.field.printable) points to \(relation.model.printable), "
                        + "which is no model of any source, so it is not checked"
                }
            }
        }
    }

    // A replica copies its authority's tables, so it need not name the models again.
    private func inheritModels(_ sources: inout [RecordsConfiguration]) {
        for index in sources.indices where sources[index].mapping.models.isEmpty {
            let authority = sources.first { $0.name == sources[index].replicaOf }
            sources[index].mapping.models = authority?.mapping.models ?? []
        }
    }
}

/// The names of record sources and models that the repair policy may refer to.
struct RecordNames {
    /// Sources, in the order of the file.
    var sources = NameList()
    /// Models of all sources, in the order of the file.
    var models = NameList()
}
