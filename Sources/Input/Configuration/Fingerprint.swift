import Crypto
import MooringModel
import MooringText

extension Configuration {
    /// SHA-256 in hexadecimal over a rendering of every value that decides what a run does; the
    /// file's own name and sentences for people are left out.
    var canonicalDigest: String {
        var text = CanonicalText()
        text.add("version", "1")
        text.add("ledger", ledger)
        for source in records { text.add(source) }
        for bucket in buckets { text.add(bucket) }
        for level in levels {
            text.add("level", level.name)
            text.add("head", level.head)
            text.add("tail", level.tail)
        }
        text.add(race)
        text.add("confirm", confirm.rawValue)
        text.add(repair)
        text.add("limits.orphanShare", String(limits.orphanShare))
        text.add("limits.steps", String(limits.steps))
        text.add("limits.bytes", String(limits.bytes))
        text.add("limits.recordShare", String(limits.recordShare))
        text.add("limits.referenceDrop", String(limits.referenceDrop))
        text.add("limits.objectDrop", String(limits.objectDrop))
        for (place, own) in limits.places.sorted(by: { $0.key < $1.key }) {
            text.add("limits", place.text)
            for limit in [own.orphanShare, own.recordShare, own.referenceDrop, own.objectDrop] {
                text.add("own", limit.map { String($0) })
            }
        }
        text.add("limits.planExpiry", limits.planExpiry)
        for gate in gates { text.add(gate) }
        text.add("report", report.directory)
        text.add("formats", report.formats.map(\.rawValue).joined(separator: ","))
        text.add("keep", report.keep)
        return text.digest
    }
}

/// A rendering in which no two values look the same: every field has its name and its length.
struct CanonicalText {
    private var hash = SHA256()

    /// SHA-256 over what was added, in hexadecimal.
    var digest: String { Hexadecimal.text(hash.finalize()) }

    /// Adds bytes under a name; nil is another value than none.
    mutating func add(_ name: String, _ bytes: [UInt8]?) {
        let head = bytes.map { "\(name):\($0.count):" } ?? "\(name)-"
        let line = Array(head.utf8) + (bytes ?? []) + [UInt8(ascii: "\n")]
        line.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }

    /// Adds a text.
    mutating func add(_ name: String, _ text: String?) { add(name, text.map { Array($0.utf8) }) }

    fileprivate mutating func add(_ name: String, _ duration: Duration) {
        add(name, String(duration.nanoseconds))
    }

    /// Adds a truth value.
    mutating func add(_ name: String, _ flag: Bool) { add(name, flag ? "true" : "false") }

    fileprivate mutating func add(_ race: RaceBounds) {
        add("uploadWindow", race.uploadWindow)
        add("staleWindow", race.staleWindow)
        add("offlineWindow", race.offlineWindow)
        add("multipartWindow", race.multipartWindow)
        add("clockBound", race.clockBound)
        add("conflicts", race.conflicts.rawValue)
        add("relinkPossible", race.relinkPossible)
    }

    fileprivate mutating func add(_ source: RecordsConfiguration) {
        add("source", source.name)
        add(source.store)
        add("taken", source.store.taken?.iso8601)
        add("replicaOf", source.replicaOf)
        add(source.race)
        // Only there does it matter whether somebody wrote the default.
        if case .appsync = source.store, source.race.conflicts == .none, source.saysConflicts {
            add("conflicts", "written")
        }
        for glob in source.notReferences { add("notReferences", glob.pattern) }
        for glob in source.unread { add("unread", glob.pattern) }
        for model in source.mapping.models { add(model) }
    }

    /// Adds a record store; how it is reached does not decide what is there.
    mutating func add(_ store: RecordStore) {
        switch store {
        case .sqlite(let path, _), .csv(let path, _), .jsonl(let path, _), .parquet(let path, _):
            add(store.kind, path)
        case .datastore(let path, _): add(store.kind, path)
        case .postgres(let settings):
            for part in settings.identity { add("postgres", part) }
            add("schema", settings.schema)
        case .dynamodb(let settings): add(settings)
        case .dynamodbExport(let settings):
            add(store.kind, settings.text)
            add("tablePrefix", settings.tablePrefix)
            add("tableSuffix", settings.tableSuffix)
            if settings.appliesChanges { add("incremental", "apply") }
        case .appsync(let settings):
            add(store.kind, settings.url)
            add("schema", settings.schema)
            add("mergedRepairs", settings.mergedRepairs.rawValue)
            if let seesAll = settings.seesAll { add("seesAll", seesAll) }
        }
    }

    fileprivate mutating func add(_ settings: DynamoDBSettings) {
        add("dynamodb", settings.region)
        add("endpoint", settings.endpoint?.host)
        add("port", settings.endpoint?.port.map { String($0) })
        add("tablePrefix", settings.tablePrefix)
        add("tableSuffix", settings.tableSuffix)
        add("versionedTables", settings.writesVersioned)
        // A configuration without it keeps its hash.
        for glob in settings.tables ?? [] { add("tables", glob.pattern) }
        if settings.isOnlyWriter { add("writers", "thisRegion") }
    }

    fileprivate mutating func add(_ model: ModelMapping) {
        add("model", model.model)
        add("table", model.table)
        for column in model.id { add("id", column) }
        add("version", model.version)
        add("changed", model.changed)
        add("changedBy", model.changedBy.rawValue)
        if let zone = model.zone { add("zone", zone.name) }
        add("deleted", model.deleted)
        add("identity", model.identity)
        if let identities = model.identities { add("identities", identities.digest) }
        add("visibility", model.visibility?.rawValue)
        add("join", model.isJoin)
        for file in model.files {
            add("file", file.field)
            add("list", file.isList)
            add("complex", file.isComplex)
            switch file.level {
            case .root: add("root", "")
            case .any: add("any", "")
            case .named(let name): add("level", name)
            }
            add("bucket", file.bucket)
            add("template", file.template?.text)
            // A configuration without these keeps its hash.
            if !file.stored.isPlain { add("stored", file.stored.text) }
            if file.empty != .null { add("empty", file.empty.rawValue) }
        }
        for relation in model.relations {
            add("relation", relation.field)
            add("to", relation.model)
            add("cascade", relation.cascade)
        }
    }

    fileprivate mutating func add(_ bucket: BucketConfiguration) {
        add("bucket", bucket.mapping.name)
        add("storeName", bucket.mapping.storeName)
        add(bucket.store)
        // That one lists it, and not which: each day has another. Without one it keeps its hash.
        if case .s3(let settings) = bucket.store, let inventory = settings.inventory {
            add("inventoryAge", inventory.longest)
        }
        for prefix in bucket.mapping.prefixes { add("prefix", prefix.bytes) }
        for glob in bucket.mapping.ignore { add("ignore", glob.pattern) }
        add("quarantine", bucket.mapping.quarantine.bytes)
        for pattern in bucket.mapping.derived { add("derived", pattern) }
    }

    /// Adds an object store.
    mutating func add(_ store: ObjectStore) {
        switch store {
        case .directory(let path, let trust):
            add("directory", path)
            add("trust", trust.rawValue)
        case .listing(let path, let taken):
            add("listing", path)
            add("taken", taken?.iso8601)
        case .inventory(let path, let taken):
            add("inventory", path)
            add("taken", taken?.iso8601)
        case .s3(let settings): add(settings)
        }
    }

    // How it is reached (profile, concurrency, certificates) does not decide what is there.
    fileprivate mutating func add(_ settings: S3Settings) {
        add("s3", settings.bucket)
        add("region", settings.region)
        add("endpoint", settings.endpoint?.host)
        add("port", settings.endpoint?.port.map { String($0) })
        add("pathStyle", settings.pathStyle)
        add("expectedOwner", settings.expectedOwner)
        add("quarantineBucket", settings.quarantineBucket)
        // A configuration without it keeps its hash.
        if settings.isDirectory { add("directory", true) }
    }

    fileprivate mutating func add(_ repair: RepairPolicy) {
        add("apply", repair.apply)
        add("retention", repair.retention)
        add(repair.strategies)
        for override in repair.overrides {
            add("override.model", override.model)
            add("override.cause", override.cause?.rawValue)
            add("override.prefix", override.prefix?.bytes)
            add("override.source", override.source)
            add(override.strategies)
        }
    }

    fileprivate mutating func add(_ strategies: [FindingKind: Strategy]) {
        for kind in FindingKind.allCases {
            add(kind.rawValue, strategies[kind]?.rawValue)
        }
    }

    fileprivate mutating func add(_ gate: Gate) {
        add("gate", gate.kind.rawValue)
        add("new", gate.newOnly)
        add("verdict", gate.verdict?.rawValue)
        add("bytes", gate.countsBytes)
        add("comparison", gate.comparison.rawValue)
        add("value", String(gate.value))
        if let share = gate.share { add("share", String(share)) }
    }
}
