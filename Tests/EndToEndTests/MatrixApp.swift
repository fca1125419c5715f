import Testing

/// An app with a database, a folder and a phone's copy of the records, for findings of every kind.
///
/// Beside the models of `App` there are `Page`, whose value is the whole key, and `Comment` and
/// `Follow`, which belong to a `Thread`; the rows of `Follow` have no mark of deletion.
struct MatrixApp {
    let app: App
    let phone: Database

    static let tables = """
        CREATE TABLE Page (id TEXT PRIMARY KEY, key TEXT, \(App.columns));
        CREATE TABLE Thread (id TEXT PRIMARY KEY, \(App.columns));
        CREATE TABLE Comment (id TEXT PRIMARY KEY, threadID TEXT, \(App.columns));
        CREATE TABLE Follow (threadID TEXT, userID TEXT, _lastChangedAt INTEGER)
        """

    private static let common =
        "version: _version, changed: _lastChangedAt, deleted: _deleted"

    private static let models = """
              - {model: Song, \(common), identity: ownerIdentity,
                 files: [{field: coverArtKey, level: private, template: "{id}-{uuid}.png"}]}
              - {model: Album, \(common),
                 files: [{field: imageKeys, list: true, level: guest, template: "{id}-{uuid}"}]}
              - {model: Post, \(common),
                 files: [{field: file, complex: true, level: guest, template: "posts/{id}.txt"}]}
              - {model: Page, \(common), files: [{field: key}]}
              - {model: Thread, \(common)}
              - {model: Comment, \(common), relations: [{field: threadID, model: Thread}]}
              - {model: Follow, join: true, id: [threadID, userID], changed: _lastChangedAt,
                 relations: [{field: threadID, model: Thread}, {field: userID, model: User}]}
        """

    /// A policy that does nothing at all.
    static let idle = "orphan: keep, dangling: keep, dangling-relation: keep, stale-copy: keep"

    init(tables: String = tables) throws {
        app = try App()
        phone = try Database(app.path + "/phone.sqlite")
        try app.database.run(tables)
        try phone.run(
            """
            CREATE TABLE Song (id TEXT PRIMARY KEY, title TEXT, coverArtKey TEXT,
                ownerIdentity TEXT, \(App.columns));
            CREATE TABLE Album (id TEXT PRIMARY KEY, imageKeys TEXT, \(App.columns));
            CREATE TABLE Post (id TEXT PRIMARY KEY, file TEXT, \(App.columns));
            CREATE TABLE Note (id TEXT PRIMARY KEY, body TEXT); \(Self.tables)
            """)
        try app.healthy()
    }

    /// Writes the configuration anew.
    func configure(
        repair: String, race: String = "{preset: testing}", source: String = "sqlite: ./app.sqlite",
        copy: String = "sqlite: ./phone.sqlite",
        extra: String = "limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}"
    ) throws {
        try app.write(
            "mooring.yaml",
            """
            version: 1
            ledger: ./mooring.ledger
            records:
              - name: app
                \(source)
                models:
            \(Self.models)
              - name: phone
                \(copy)
                replicaOf: app
            buckets: [{name: media, directory: ./files}]
            race: \(race)
            repair: {\(repair)}
            report: {directory: Reports/Runs, formats: [json]}
            \(extra)
            """)
    }

    func comment(_ id: String, _ thread: String, age: Int = Age.old) throws {
        try app.database.run(
            "INSERT INTO Comment VALUES (?, ?, 1, \(App.milliseconds(ago: age)), 0)",
            Array(id.utf8), Array(thread.utf8))
    }

    func page(_ id: String, _ key: String) throws {
        try app.database.run(
            "INSERT INTO Page VALUES (?, ?, 1, \(App.milliseconds(ago: Age.old)), 0)",
            Array(id.utf8), Array(key.utf8))
    }

    /// A song in the phone's copy; its title is not the authority's.
    func copy(_ id: String, version: Int) throws {
        try phone.run(
            """
            INSERT INTO Song VALUES (?, 'an old title', NULL, NULL, \(version),
                \(App.milliseconds(ago: 2 * Age.old)), NULL)
            """, Array(id.utf8))
    }

    /// Everything that the stores hold by now.
    func holdings() throws -> Holdings { try Holdings(self) }
}

/// Everything that an app's stores hold: rows column by column, and files byte for byte. The
/// times that a repair gives the app's own records are left out.
struct Holdings: Equatable {
    private var items: [String: [String: String]] = [:]

    init(_ world: MatrixApp) throws {
        for (source, database) in [("app", world.app.database), ("phone", world.phone)] {
            let tables = try database.rows(
                "SELECT name FROM sqlite_schema WHERE type = 'table'"
            ).compactMap { $0[0] }
            for table in tables {
                let names = try database.rows("PRAGMA table_info(\(table))").compactMap { $0[1] }
                let columns = names.filter { source == "phone" || $0 != "_lastChangedAt" }
                let rows = try database.rows(
                    "SELECT \(columns.map { "quote(\($0))" }.joined(separator: ", ")) FROM \(table)"
                )
                for row in rows {
                    let values = row.map { $0 ?? "" }
                    let item = "\(source) \(table) \(values[0])"
                    items[item] = Dictionary(
                        zip(columns, values), uniquingKeysWith: { first, _ in first })
                }
            }
        }
        for (name, bytes) in world.app.files(below: "files") {
            var name = String(decoding: name, as: UTF8.self)
            if name.hasPrefix(".mooring/quarantine/") {
                name =
                    "quarantined "
                    + name.split(separator: "/").dropFirst(3)
                    .joined(separator: "/")
            } else if name.hasPrefix(".mooring/") {
                continue
            }
            items["file " + name] = ["": bytes.map { String($0) }.joined(separator: " ")]
        }
    }

    /// What changed since, a line for each item that came or went and for each other value.
    func changes(to later: Holdings) -> [String] {
        var lines: [String] = []
        for item in Set(items.keys).union(later.items.keys) {
            switch (items[item], later.items[item]) {
            case (nil, _): lines.append("+ \(item)")
            case (_, nil): lines.append("- \(item)")
            case (.some(let old), .some(let new)):
                lines += new.compactMap { column, value in
                    old[column] == value ? nil : "\(item).\(column) = \(value)"
                }
            }
        }
        return lines.sorted()
    }
}
