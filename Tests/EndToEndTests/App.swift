import Glibc
import Testing

/// A small real app in a temporary folder: SQLite records, a folder of files, `mooring.yaml`.
///
/// `Song` holds one key at private/{identity}/, `Album` a list at public/, `Post` a complex
/// object at public/, and `Note` is a table that the configuration does not name.
class App: Folder {
    /// The app's database.
    let database: Database

    /// What the program needs in its environment to reach the app's stores.
    var environment: [String: String] { [:] }

    /// The parts of the configuration that tests vary, each as YAML.
    struct Settings {
        var race = "{preset: standard}"
        var repair = "{orphan: quarantine, dangling: nullify}"
        var limits = "{orphanShare: 100%, recordShare: 100%, objectDrop: 100%}"
        var source = "sqlite: ./app.sqlite"
        var models: String?
        var bucket = "directory: ./files"
        var report = "{directory: Reports/Runs, formats: [json, text]}"
        var extra = ""
    }

    static let columns = "_version INTEGER, _lastChangedAt INTEGER, _deleted INTEGER"

    private static let models = """
        - model: Song
          version: _version
          changed: _lastChangedAt
          deleted: _deleted
          identity: ownerIdentity
          files: [{field: coverArtKey, level: private, template: "{id}-{uuid}.png"}]
        - model: Album
          version: _version
          changed: _lastChangedAt
          deleted: _deleted
          files: [{field: imageKeys, list: true, level: guest, template: "{id}-{uuid}"}]
        - model: Post
          version: _version
          changed: _lastChangedAt
          deleted: _deleted
          files: [{field: file, complex: true, level: guest, template: "posts/{id}.txt"}]
        """

    init(_ settings: Settings = Settings(), mode: String = "WAL") throws {
        let folder = try Folder.make()
        database = try Database(folder + "/app.sqlite", mode: mode)
        super.init(path: folder)
        try database.run(
            """
            CREATE TABLE Song (id TEXT PRIMARY KEY, title TEXT, coverArtKey TEXT,
                ownerIdentity TEXT, \(Self.columns));
            CREATE TABLE Album (id TEXT PRIMARY KEY, imageKeys TEXT, \(Self.columns));
            CREATE TABLE Post (id TEXT PRIMARY KEY, file TEXT, \(Self.columns));
            CREATE TABLE Note (id TEXT PRIMARY KEY, body TEXT)
            """)
        try #require(mkdir(folder + "/files", 0o755) == 0)
        try configure(settings)
    }

    /// Writes `mooring.yaml` anew.
    func configure(_ settings: Settings) throws {
        let indented = (settings.models ?? Self.models).split(separator: "\n")
            .map { "      " + $0 }.joined(separator: "\n")
        try write(
            "mooring.yaml",
            """
            version: 1
            ledger: ./mooring.ledger
            records:
              - name: app
                \(settings.source)
                models:
            \(indented)
            buckets:
              - name: media
                \(settings.bucket)
            race: \(settings.race)
            repair: \(settings.repair)
            limits: \(settings.limits)
            report: \(settings.report)
            \(settings.extra)
            """)
    }

    // MARK: Records and files

    static let identity = "eu-west-1:11111111-2222-3333-4444-555555555555"

    /// A key's part that a template's {uuid} fits.
    static func uuid(_ number: Int) -> String {
        let digits = String(number)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
            + digits
    }

    static func songKey(_ id: String, _ number: Int = 1) -> String {
        "private/\(identity)/\(id)-\(uuid(number)).png"
    }

    /// Milliseconds since 1970, so many seconds ago.
    static func milliseconds(ago age: Int) -> Int { (time(nil) - age) * 1_000 }

    /// Adds a song; `cover` is what the record holds, by default the key of `songKey`.
    func song(
        _ id: String, cover: String?, age: Int = Age.old, deleted: Bool = false
    ) throws {
        try database.run(
            """
            INSERT INTO Song VALUES (?, 'A title', ?, ?, 1, \(Self.milliseconds(ago: age)),
                \(deleted ? 1 : 0))
            """, Array(id.utf8), cover.map { Array($0.utf8) }, Array(Self.identity.utf8))
    }

    /// What a song holds for its first cover.
    static func cover(_ id: String, _ number: Int = 1) -> String { "\(id)-\(uuid(number)).png" }

    func album(_ id: String, _ list: String?, age: Int = Age.old) throws {
        try database.run(
            "INSERT INTO Album VALUES (?, ?, 1, \(Self.milliseconds(ago: age)), 0)",
            Array(id.utf8), list.map { Array($0.utf8) })
    }

    func post(_ id: String, _ file: String?, age: Int = Age.old) throws {
        try database.run(
            "INSERT INTO Post VALUES (?, ?, 1, \(Self.milliseconds(ago: age)), 0)",
            Array(id.utf8), file.map { Array($0.utf8) })
    }

    /// Puts a file into the bucket's folder.
    func put(_ key: String, _ content: String = "content", age: Int = Age.old) throws {
        try write("files/" + key, content, age: age)
    }

    /// A song with its file, so that there is a reference and an object that agree.
    func healthy(_ id: String = "healthy") throws {
        try song(id, cover: Self.cover(id))
        try put(Self.songKey(id))
    }

    /// An orphan that a plan removes at once: its song, old and settled, holds another key.
    @discardableResult
    func orphan(_ id: String = "orphaned", _ content: String = "orphan") throws -> String {
        try song(id, cover: Self.cover(id, 2))
        try put(Self.songKey(id, 2))
        try put(Self.songKey(id), content)
        return Self.songKey(id)
    }

    /// A dangling reference that a plan nulls at once: a song, old, without its file.
    func dangling(_ id: String = "dangling") throws {
        try song(id, cover: Self.cover(id))
    }

    func cover(of id: String) throws -> String? {
        try database.text("SELECT coverArtKey FROM Song WHERE id = '\(id)'")
    }

    // MARK: The program

    /// Runs `mooring` in the app's folder.
    func mooring(
        _ arguments: String..., environment: [String: String] = [:]
    ) throws -> Program.Result {
        try Program.run(
            arguments, in: path,
            environment: self.environment.merging(environment) { _, given in given })
    }

    /// Runs `mooring`, and wants an exit status.
    @discardableResult
    func expect(
        _ status: Int32, _ arguments: String..., at place: SourceLocation = #_sourceLocation
    ) throws -> Program.Result {
        let result = try Program.run(arguments, in: path, environment: environment)
        #expect(
            result.status == status,
            "mooring \(arguments.joined(separator: " ")): \(result.told)", sourceLocation: place)
        return result
    }

    /// Audits, and gives the findings of `latest`.
    @discardableResult
    func audit(
        _ status: Int32 = 0, at place: SourceLocation = #_sourceLocation
    ) throws -> [Finding] {
        try expect(status, "audit", at: place)
        return try findings()
    }

    /// The findings of `latest`.
    func findings(in run: String = "latest") throws -> [Finding] {
        let text = try #require(read("Reports/Runs/\(run)/findings.jsonl"))
        return try text.split(separator: "\n").map { Finding(try JSON(parsing: String($0))) }
    }

    /// The summary of `latest`.
    func report(_ run: String = "latest") throws -> JSON {
        try JSON(parsing: try #require(read("Reports/Runs/\(run)/report.json")))
    }

    /// Audits and plans; gives the plan and its path.
    func plan(_ arguments: String...) throws -> (path: String, plan: JSON) {
        try expect(0, "audit")
        let result = try Program.run(["plan"] + arguments, in: path, environment: environment)
        #expect(result.status == 0, "\(result.told)")
        let file = "Reports/Runs/latest/plan.json"
        return (file, try JSON(parsing: try #require(read(file))))
    }

    /// The names of the runs, newest first.
    func runs() throws -> [JSON] { try expect(0, "runs", "--json").json()["runs"].elements }

    /// The run of this command that is newest.
    func newest(_ command: String) throws -> JSON {
        try #require(try runs().first { $0["command"].string == command })
    }

    /// What lies in quarantine: bytes by key.
    func quarantined() -> [String: String] {
        var found: [String: String] = [:]
        for (name, bytes) in files(below: "files/.mooring/quarantine") {
            let key = name.split(separator: UInt8(ascii: "/"), maxSplits: 1).last ?? []
            found[String(decoding: key, as: UTF8.self)] = String(decoding: bytes, as: UTF8.self)
        }
        return found
    }

    /// The journal's entries that have no outcome, from the ledger itself.
    func openIntents() throws -> Int {
        let ledger = try Database(path + "/mooring.ledger", mode: nil)
        return Int(
            try ledger.text("SELECT count(*) FROM journal WHERE outcome IS NULL") ?? "") ?? -1
    }
}

/// One line of `findings.jsonl`.
struct Finding {
    let json: JSON

    init(_ json: JSON) { self.json = json }

    var kind: String { json["kind"].string ?? "" }
    var cause: String? { json["cause"].string }
    var verdict: String { json["verdict"].string ?? "" }
    var key: String? { json["key"].string }
    var recordID: String? { json["record"]["id"].string }
    var action: String? { json["action"].string }
    var proof: String? { json["needs"]["proof"].string }
    var evidence: String { json["evidence"].elements.compactMap(\.string).joined(separator: "; ") }

    /// Kind, cause and verdict in one word, for comparisons.
    var label: String { [kind, cause, verdict].compactMap { $0 }.joined(separator: "/") }
}

extension [Finding] {
    /// The finding about a key.
    func about(_ key: String, kind: String? = nil) throws -> Finding {
        try #require(
            first { $0.key == key && (kind == nil || $0.kind == kind) },
            "no finding about \(key) among \(map { "\($0.label) \($0.key ?? "")" })")
    }

    var labels: [String] { map(\.label).sorted() }
}
