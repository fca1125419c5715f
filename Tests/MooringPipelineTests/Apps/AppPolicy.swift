import MooringModel

/// A random policy, and by its own words what it does about a finding.
struct AppPolicy {
    private static let exceptions: [(conditions: [String: String], kind: String, done: String)] = [
        (["model": "Song"], "dangling", "keep"), (["cause": "unattributed"], "orphan", "keep"),
        (["cause": "twin"], "dangling", "repoint"),
        (["cause": "misplaced"], "dangling", "repoint"),
        (["cause": "foreign"], "dangling", "repoint"),
        (["cause": "detached"], "orphan", "relink"),
        (["cause": "unassociated"], "orphan", "relink"),
        (["cause": "cleared"], "orphan", "quarantine"),
        (["cause": "lost-update"], "orphan", "relink"),
        (["prefix": "private/"], "orphan", "keep"),
        (["source": "app"], "dangling-relation", "nullify"),
        (["source": "app", "model": "Post"], "dangling", "delete-record"),
        (["cause": "join-end"], "dangling-relation", "delete-record"),
        (["cause": "missing"], "dangling", "delete-record"),
        (["model": "Comment"], "dangling-relation", "delete-record"),
        (["model": "Album"], "stale-copy", "keep"),
    ]

    private var kinds: [String: String]
    private var overrides: [(conditions: [String: String], kind: String, done: String)]
    /// Whether devices resolve conflicts by versions.
    let isOptimistic: Bool
    /// Whether no device ever associates an existing object again.
    let neverRelinks: Bool

    /// A policy that a seed makes.
    init(_ random: inout SplitMix) {
        isOptimistic = random.chance(30)
        neverRelinks = random.chance(25)
        let orphans = ["quarantine", "quarantine", "relink", "keep", "relink"]
        kinds = [
            "orphan": random.pick(neverRelinks ? orphans + ["delete", "delete"] : orphans),
            "dangling": random.pick([
                "nullify", "nullify", "nullify", "keep", "requery", "repoint", "repoint",
                "delete-record", "delete-record",
            ]),
            "dangling-relation": random.pick([
                "keep", "nullify", "nullify", "delete-record", "delete-record",
            ]),
            "stale-copy": random.pick(["requery", "requery", "requery", "keep"]),
        ]
        // These two stand before the configuration's own.
        overrides = [
            (["cause": "cleared"], "orphan", "keep"),
            (["cause": "lost-update"], "orphan", "keep"),
        ]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            overrides.append(random.pick(Self.exceptions))
        }
    }

    /// The lines of `repair`, without the two exceptions that stand by default.
    var yaml: String {
        var lines = ["repair:"]
        for (kind, done) in kinds.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(kind): \(done)")
        }
        let own = overrides.dropFirst(2)
        if !own.isEmpty { lines.append("  overrides:") }
        for override in own {
            let words = override.conditions.sorted { $0.key < $1.key }
                .map { "\($0.key): \"\($0.value)\"" }
            lines.append(
                "    - {\(words.joined(separator: ", ")), \(override.kind): \(override.done)}")
        }
        return lines.joined(separator: "\n")
    }

    /// What is said of a finding: the last exception that fits, else the kind's own.
    func wants(_ finding: Finding) -> String {
        var done = kinds[finding.kind.rawValue] ?? "keep"
        for override in overrides where override.kind == finding.kind.rawValue {
            let fits = override.conditions.allSatisfy { condition in
                switch condition.key {
                case "model": finding.record?.identity.model == condition.value
                case "source": finding.record?.identity.source == condition.value
                case "cause": finding.cause?.rawValue == condition.value
                default: finding.key?.bytes.starts(with: condition.value.utf8) == true
                }
            }
            if fits { done = override.done }
        }
        return done
    }
}
