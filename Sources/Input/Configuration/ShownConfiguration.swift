package import MooringModel
import Yams

/// A configuration as it may leave the machine: what is listed here is shown as it is written, so
/// that a variable stays its name, and of everything else only that it is there.
package enum ShownConfiguration {
    /// What stands in place of a value that is not shown.
    package static let hidden = "(not shown)"

    /// The file as one JSON value. Throws a refusal where it cannot be read.
    package static func json(path: String) throws(ConfigurationError) -> JSONValue {
        let bytes = try Configuration.contents(of: path)
        return shown(try YAMLDocument.root(of: String(decoding: bytes, as: UTF8.self), file: path))
    }

    // A key that is new is hidden until somebody says here that it holds no secret.
    private static let harmless: Set<String> = [
        "version", "ledger", "engine", "spark", "submit", "master", "work", "records", "buckets",
        "levels", "race", "confirm",
        "repair", "limits", "gates", "report", "name", "taken", "replicaOf", "models",
        "notReferences", "unread",
        // Stores: where they are, never how somebody proves to be let in.
        "sqlite", "csv", "jsonl", "parquet", "datastore", "dynamodb", "dynamodbExport", "appsync",
        "directory", "listing", "inventory", "inventoryAge", "s3", "bucket", "region", "endpoint",
        "pathStyle", "bucketName", "requesterPays",
        "concurrency", "expectedOwner", "path", "schema", "tables", "tablePrefix",
        "tableSuffix", "segments", "readCapacity", "consistent", "versionedTables", "writers",
        "incremental",
        "auth", "seesAll", "pageSize", "consistentReads", "readPause", "mergedRepairs",
        "statementTimeout", "lockTimeout", "role", "arn",
        // Models.
        "model", "table", "id", "changed", "changedBy", "zone", "deleted", "identity",
        "visibility", "files", "relations", "join", "field", "list", "complex", "level",
        "template", "stored", "empty", "cascade",
        // Buckets.
        "trust", "prefixes", "ignore", "quarantine", "prefix", "derived",
        // Bounds, policy and limits.
        "preset", "uploadWindow", "staleWindow", "offlineWindow", "multipartWindow",
        "clockBound", "conflicts", "relink", "apply", "orphan", "dangling", "shared",
        "invalid-key", "empty-object", "exposed", "abandoned-upload", "dangling-relation",
        "stale-copy", "unmapped-reference", "mapping-error", "overrides", "cause", "source",
        "retention", "orphanShare", "recordShare", "steps", "bytes", "referenceDrop",
        "objectDrop", "planExpiry", "formats", "keep",
    ]

    private static func shown(_ node: Node, under key: String? = nil) -> JSONValue {
        switch node {
        case .scalar(let scalar): .string(scalar.string)
        case .sequence(let nodes): .array(nodes.map { shown($0, under: key) })
        case .alias: .string(hidden)
        case .mapping(let pairs):
            .object(
                pairs.map { name, value in
                    let name = name.scalar?.string ?? hidden
                    return JSONValue.Member(name: name, value: shown(value, at: name, key))
                })
        }
    }

    private static func shown(
        _ value: Node, at name: String, _ parent: String?
    ) -> JSONValue {
        // The names of levels are the file's own.
        if parent == "levels", value.scalar != nil { return shown(value) }
        if name == "postgres" { return database(value) }
        // An address of an API has neither user nor query; of a database it is no such thing.
        if name == "url", parent == "appsync" { return shown(value) }
        return harmless.contains(name) ? shown(value, under: name) : .string(hidden)
    }

    // Where the database is; whoever comes to it, and with what, is left out.
    private static func database(_ value: Node) -> JSONValue {
        guard let address = value.scalar?.string else {
            guard case .mapping(let pairs) = value else { return .string(hidden) }
            return .object(
                pairs.map { name, value in
                    let name = name.scalar?.string ?? hidden
                    let shown = name == "url" ? database(value) : shown(value, at: name, nil)
                    return JSONValue.Member(name: name, value: shown)
                })
        }
        // A variable alone says nothing but its name.
        if address.hasPrefix("${"), address.firstIndex(of: "}") == address.indices.last {
            return .string(address)
        }
        let words = PostgresAddress(parsing: address)?.values ?? [:]
        // A database's name that looks like an address is taken for one by libpq.
        let isDoubtful = words.contains { word, value in
            !people.contains(word)
                && (word + value).contains {
                    $0 == "@" || $0 == "=" || $0 == "/" && word == "dbname"
                }
        }
        // What cannot be told apart for sure may be a part of a password.
        guard !isDoubtful else { return .string(hidden) }
        guard isHost(words["host"] ?? "") else {
            return .texts(words.filter { $0.key == "service" })
        }
        return .texts(words.filter { places.contains($0.key) })
    }

    // Names or addresses of hosts with their ports, several behind commas.
    private static func isHost(_ text: String) -> Bool {
        text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { host in
            var name = host
            // A colon within brackets belongs to an address.
            if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
                let port = host[colon...].dropFirst()
                guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
                name = host[..<colon]
            }
            return name.utf8.allSatisfy(isOfHost)
        }
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "._-[]:".utf8.contains(byte)
        }
    }

    private static let places: Set<String> = ["service", "host", "hostaddr", "port", "dbname"]
    private static let people: Set<String> = ["user", "password", "sslpassword"]
}
