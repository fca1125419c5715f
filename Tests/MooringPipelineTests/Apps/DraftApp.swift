import MooringModel

/// A random app as it is written down before any store holds it.
struct DraftApp {
    /// A row of a source's table.
    struct Row {
        let source: String
        let table: String
        var values: [String: FieldValue]
    }

    /// An object at its key, or in the quarantine of an earlier run.
    struct Object {
        let bucket: String
        let key: [UInt8]
        let content: [UInt8]
        let isYoung: Bool
        var isHeld = false
    }

    let seed: UInt64
    let models: [AppModel]
    let policy: AppPolicy
    /// Whether a source `phone` holds copies.
    let hasCopies: Bool
    /// Whether the repair follows a second audit, G after the first.
    let hasTwoRuns: Bool
    var rows: [Row] = []
    var objects: [Object] = []
    /// Keys that stand in texts and URLs that nobody mapped.
    var mentions: Set<[UInt8]> = []
    var random: SplitMix
    /// What identifiers and values are made of; the app's own choice of the hostile ones.
    var words: [[UInt8]] = []
    // Real stores hold other keys, and see time pass on their own.
    let isReal: Bool
    /// Longer ago than any wait.
    let longAgo: Instant

    /// The app of a seed; of one for real stores every moment is long ago, and no key is such as a
    /// folder or SQL text cannot hold.
    init(seed: UInt64, isReal: Bool = false) {
        self.seed = seed
        self.isReal = isReal
        longAgo = isReal ? Instant(seconds: 1_577_836_800) : World.longAgo
        random = SplitMix(state: seed)
        models = AppSchema.models(&random)
        policy = AppPolicy(&random)
        hasCopies = random.chance(45)
        hasTwoRuns = random.chance(60)
        for _ in 0..<Int.random(in: 4...8, using: &random) {
            words.append(random.pick(isReal ? Self.tame : Self.hostile))
        }
        addRows()
        if hasCopies { addCopies() }
        addObjects()
        addMentions()
    }

    static let uuids = (1...3).map { "01234567-89ab-4cde-8f01-23456789ab0\($0)" }

    private static let tame: [[UInt8]] = [
        "song", "a", "b", "A", "\u{E9}", "e\u{301}", "=cmd()", "<script>", "%41", "two words",
        "two%20words", "line\nbreak", "deep/er/file", "plain", "it's", "\"quoted\"",
    ].map { Array($0.utf8) }

    private static let hostile: [[UInt8]] =
        tame + [
            Array("../up".utf8), [0xFF, 0x61], [0x61, 0, 0x62], Array("/lead".utf8),
            Array("%252e".utf8), Array("7".utf8), [UInt8](repeating: 0x78, count: 1_024),
            [UInt8](repeating: 0x79, count: 1_100), Array("public/a".utf8), Array("x//y".utf8),
        ]

    /// The configuration's text.
    var configuration: String {
        let copies = hasCopies ? "\n  - {name: phone, sqlite: ./phone.sqlite, replicaOf: app}" : ""
        let bounds = isReal ? "testing" : "standard"
        return """
            version: 1
            ledger: ./ledger
            records:
              - name: app
                sqlite: ./app.sqlite
                models:
            \(models.map(\.yaml).joined(separator: "\n"))\(copies)
            buckets:
              - name: media
                directory: ./media
                quarantine: .q/
                ignore: ["static/**"]
                derived: ["thumbs/{key}"]
              - {name: archive, directory: ./archive, quarantine: .q/}
            race:
              preset: \(bounds)
              conflicts: \(policy.isOptimistic ? "optimistic" : "none")
              relink: \(policy.neverRelinks ? "never" : "possible")
            limits: {orphanShare: 100%, recordShare: 100%, referenceDrop: 100%, objectDrop: 100%}
            \(policy.yaml)
            """
    }

    /// The app in a few lines, for the report of a failure.
    var dump: String {
        func shown(_ bytes: [UInt8]) -> String {
            let text = String(decoding: bytes.prefix(60), as: UTF8.self).debugDescription
            return bytes.count > 60 ? text + "... \(bytes.count) bytes" : text
        }
        var lines = ["seed \(seed): two runs \(hasTwoRuns)", configuration]
        for row in rows {
            let values = row.values.sorted { $0.key < $1.key }.compactMap { name, value in
                value.bytes.map { "\(name)=\(shown($0))" }
            }
            lines.append("\(row.source) \(row.table) " + values.joined(separator: " "))
        }
        for object in objects {
            lines.append(
                "\(object.bucket) \(shown(object.key))\(object.isHeld ? " in quarantine" : "")"
                    + (object.isYoung ? " young" : ""))
        }
        return lines.joined(separator: "\n")
    }
}
