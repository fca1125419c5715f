import Glibc
import Testing

/// A kind and cause of finding, an app that has just that one, and what every strategy does to it.
struct MatrixRow: Sendable {
    let kind: String
    let cause: String
    var verdict = "settled"
    /// The key that it is about; nil of rows.
    var key: String?
    /// The strategies that it takes, with what each changes.
    let acts: [Act]
    /// What the policy does where a general strategy is overruled: by the exceptions that stand by
    /// default, and for what lies in quarantine.
    var general: String?
    var race = "preset: testing"
    /// Seconds between two runs.
    var apart: UInt32 = 0
    let plant: @Sendable (MatrixApp) throws -> Void

    /// What a strategy changes, and how many runs it needs before it may.
    struct Act: Sendable {
        let strategy: String
        var changes: [String] = []
        var runs = 1
        var isUndone = false
        /// Whether it becomes a step of a plan.
        var isStep = true
    }
}

/// One strategy of one row: what the test of the matrix takes.
struct MatrixCase: Sendable, CustomTestStringConvertible {
    let row: MatrixRow
    let act: MatrixRow.Act

    var testDescription: String { "\(row.kind)/\(row.cause): \(act.strategy)" }

    static let all = MatrixRow.all.flatMap { row in row.acts.map { MatrixCase(row: row, act: $0) } }
}

extension MatrixRow {
    private typealias Acts = [Act]

    static let other = "eu-west-1:99999999-2222-3333-4444-555555555555"
    private static let own = App.songKey("s1")
    private static let keep = Act(strategy: "keep", isStep: false)
    private static let requery = Act(strategy: "requery")

    private static func removals(of key: String, _ runs: (Int, Int) = (1, 2)) -> [Act] {
        [
            keep, requery,
            Act(
                strategy: "quarantine",
                changes: ["+ file quarantined \(key)", "- file \(key)"], runs: runs.0,
                isUndone: true),
            Act(strategy: "delete", changes: ["- file \(key)"], runs: runs.1),
        ]
    }

    // What cannot be undone wants two runs.
    private static func write(
        _ strategy: String, _ item: String, _ column: String, _ value: String,
        isUndone: Bool = true
    ) -> Act {
        Act(
            strategy: strategy,
            changes: ["\(item)._version = 2", "\(item).\(column) = \(value)"].sorted(),
            runs: isUndone ? 1 : 2, isUndone: isUndone)
    }

    private static func relink(_ item: String, _ column: String, _ value: String) -> Act {
        write("relink", item, column, value)
    }

    private static let albumKeys = [1, 2].map { "a1-\(App.uuid($0))" }
    private static let both = "'[\"\(albumKeys[1])\",\"\(albumKeys[0])\"]'"
    private static let cover = "'\(App.cover("s1"))'"

    static let orphans: [MatrixRow] = [
        MatrixRow(
            kind: "orphan", cause: "unassociated", key: own,
            acts: removals(of: own) + [relink("app Song 's1'", "coverArtKey", cover)]
        ) {
            try $0.app.song("s1", cover: nil, age: Age.old + Age.day)
            try $0.app.put(own)
        },
        MatrixRow(
            kind: "orphan", cause: "cleared", key: own,
            acts: removals(of: own) + [relink("app Song 's1'", "coverArtKey", cover)],
            general: "keep"
        ) {
            try $0.app.song("s1", cover: nil, age: Age.day)
            try $0.app.put(own)
        },
        MatrixRow(kind: "orphan", cause: "superseded", key: own, acts: removals(of: own)) {
            try $0.app.orphan("s1")
        },
        MatrixRow(
            kind: "orphan", cause: "detached", key: "public/" + albumKeys[0],
            acts: removals(of: "public/" + albumKeys[0])
                + [relink("app Album 'a1'", "imageKeys", both)]
        ) {
            for key in albumKeys { try $0.app.put("public/" + key) }
            try $0.app.album("a1", "[\"\(albumKeys[1])\"]")
        },
        MatrixRow(
            kind: "orphan", cause: "lost-update", key: "public/" + albumKeys[0],
            acts: removals(of: "public/" + albumKeys[0])
                + [relink("app Album 'a1'", "imageKeys", both)],
            general: "keep", race: "preset: testing, uploadWindow: 3s", apart: 4
        ) {
            // Counted from one instant: a slow machine widens no gap between the three.
            let start = Int(time(nil))
            func old() -> Int { Age.old + Int(time(nil)) - start }
            try $0.app.put("public/" + albumKeys[0], age: old())
            try $0.app.put("public/" + albumKeys[1], age: old() - 1)
            try $0.app.album("a1", "[\"\(albumKeys[1])\"]", age: old() - 3)
        },
        MatrixRow(
            kind: "orphan", cause: "ownerless", key: App.songKey("gone"),
            acts: removals(of: App.songKey("gone"), (2, 2))
        ) { try $0.app.put(App.songKey("gone")) },
        MatrixRow(
            kind: "orphan", cause: "unknown-identity",
            key: "private/\(other)/\(App.cover("gone"))",
            acts: removals(of: "private/\(other)/\(App.cover("gone"))", (2, 2))
        ) { try $0.app.put("private/\(other)/\(App.cover("gone"))") },
        MatrixRow(
            kind: "orphan", cause: "unattributed", key: "elsewhere/readme.txt",
            acts: removals(of: "elsewhere/readme.txt", (2, 3))
        ) { try $0.app.put("elsewhere/readme.txt") },
    ]

    private static let onlyRead = [keep, Act(strategy: "requery", isStep: false)]

    static let danglings: [MatrixRow] = [
        MatrixRow(
            kind: "dangling", cause: "missing", key: own,
            acts: [
                keep, requery, write("nullify", "app Song 's1'", "coverArtKey", "NULL"),
                write(
                    "delete-record", "app Song 's1'", "_deleted", "1", isUndone: false),
            ]
        ) { try $0.app.dangling("s1") },
        MatrixRow(
            kind: "dangling", cause: "quarantined", key: own,
            acts: [
                keep, requery,
                Act(
                    strategy: "restore",
                    changes: ["+ file \(own)", "- file quarantined \(own)"]),
            ], general: "restore"
        ) {
            try $0.app.dangling("s1")
            try $0.app.put(".mooring/quarantine/20260101T020000Z-abcdef/" + own)
        },
        MatrixRow(
            kind: "dangling", cause: "misplaced", verdict: "undecided", key: "x.png",
            acts: onlyRead + [write("repoint", "app Page 'p1'", "key", "'public/x.png'")]
        ) {
            try $0.page("p1", "x.png")
            try $0.app.put("public/x.png")
        },
        MatrixRow(
            kind: "dangling", cause: "twin", verdict: "undecided", key: own,
            acts: onlyRead
                + [write("repoint", "app Song 's1'", "coverArtKey", cover.uppercasedID)]
        ) {
            try $0.app.dangling("s1")
            try $0.app.put(App.songKey("S1"))
        },
        MatrixRow(
            kind: "dangling", cause: "foreign", verdict: "undecided", key: "posts/p1.txt",
            acts: onlyRead + [
                write(
                    "repoint", "app Post 'p1'", "file",
                    #"'{ "bucket": "media", "key": "posts/p1.txt", "region": "eu" }'"#)
            ]
        ) {
            try $0.app.post(
                "p1", #"{ "bucket": "elsewhere", "key": "posts/p1.txt", "region": "eu" }"#)
            try $0.app.put("public/posts/p1.txt")
        },
    ]

    private static let relations: [Act] = [
        keep, write("nullify", "app Comment 'c1'", "threadID", "NULL"),
        write("delete-record", "app Comment 'c1'", "_deleted", "1", isUndone: false),
    ]

    static let rows: [MatrixRow] = [
        MatrixRow(kind: "dangling-relation", cause: "missing-parent", acts: relations) {
            try $0.comment("c1", "gone")
        },
        MatrixRow(kind: "dangling-relation", cause: "tombstoned-parent", acts: relations) {
            try $0.app.database.run(
                "INSERT INTO Thread VALUES ('t1', 1, \(App.milliseconds(ago: Age.old)), 1)")
            try $0.comment("c1", "t1")
        },
        MatrixRow(
            kind: "dangling-relation", cause: "join-end",
            acts: [
                keep, Act(strategy: "delete-record", changes: ["- app Follow 'gone'"], runs: 2),
            ]
        ) {
            try $0.app.database.run(
                "INSERT INTO Follow VALUES ('gone', 'u', \(App.milliseconds(ago: Age.old)))")
        },
        MatrixRow(
            kind: "stale-copy", cause: "behind",
            acts: [
                keep,
                Act(
                    strategy: "requery",
                    changes: [
                        "phone Song 's1'._deleted = 0", "phone Song 's1'._version = 5",
                        "phone Song 's1'.ownerIdentity = '\(App.identity)'",
                        "phone Song 's1'.title = 'A title'",
                    ], isUndone: true),
            ]
        ) {
            try $0.app.song("s1", cover: nil)
            try $0.app.database.run("UPDATE Song SET _version = 5 WHERE id = 's1'")
            try $0.copy("s1", version: 3)
        },
        MatrixRow(
            kind: "stale-copy", cause: "deleted-upstream",
            acts: [
                keep,
                Act(strategy: "requery", changes: ["- phone Song 's1'"], isUndone: true),
            ]
        ) { try $0.copy("s1", version: 3) },
    ]

    static let all = orphans + danglings + rows
}

extension String {
    fileprivate var uppercasedID: String { replacing("'s1", with: "'S1") }
}
