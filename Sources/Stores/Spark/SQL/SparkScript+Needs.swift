import MooringConfiguration
package import MooringModel

extension SparkScript {
    /// A later stage that takes everything back in.
    func whole(stage: Int) -> [String] {
        before(stage) + end(of: stage, met: "SELECT model, pos FROM closed")
    }

    // What the stages before wrote.
    private func before(_ stage: Int) -> [String] {
        ["rows", "objects"].map { view($0, of: 1) }
            + ["closed", "gone", "kept_rows", "kept_objects"].map { view($0, of: stage - 1) }
    }

    // Takes the rows back in that are met, and their objects.
    private func end(of stage: Int, facts: [String] = [], met: String) -> [String] {
        func gone(_ join: String) -> String {
            "\(join) JOIN met m ON g.model = m.model AND g.pos = m.pos"
        }
        return write("met", stage, met)
            + write("new_rows", stage, "SELECT g.model, g.pos FROM closed g \(gone("LEFT SEMI"))")
            + write(
                "new_objects", stage,
                "SELECT g.bucket, g.place AS pos FROM gone g \(gone("LEFT SEMI"))")
            + write("closed", stage, "SELECT g.* FROM closed g \(gone("LEFT ANTI"))")
            + write("gone", stage, "SELECT g.* FROM gone g \(gone("LEFT ANTI"))")
            + end(of: stage, facts: facts)
    }

    /// A later stage: takes back in what the needs in a file speak of, of what the stage before it
    /// left out. The file holds a need on each line: its kind, its number, how many objects are
    /// enough, and its bytes as hexadecimal digits.
    package func widening(stage: Int, needs: NarrowingNeeds, file: String) -> [String] {
        let kinds = needs.kinds
        let number = "if(kind IN ('key', 'owner'), number, 0)"
        let statements = [
            """
            CREATE OR REPLACE TEMPORARY VIEW need_lines (value STRING)
            USING text OPTIONS (path \(SQLText.text(mounts.url(of: file))))
            """,
            """
            CREATE OR REPLACE TEMPORARY VIEW needs AS
            SELECT *, xxhash64(kind, \(number), text) AS need FROM (
              SELECT w[0] AS kind, CAST(w[1] AS INT) AS number, CAST(w[2] AS BIGINT) AS enough,
                decode(unhex(w[3]), 'ISO-8859-1') AS text FROM (
                SELECT split(value, ' ', -1) AS w FROM need_lines))
            """,
            """
            CREATE OR REPLACE TEMPORARY VIEW keys AS
            SELECT model, pos, bucket, decode(key, 'ISO-8859-1') AS k FROM gone
            """,
            """
            CREATE OR REPLACE TEMPORARY VIEW texts AS
            SELECT model, pos, t FROM rows LATERAL VIEW explode(texts) AS t
            """,
        ]
        let parts =
            sought(kinds, needs)
            + NarrowingNeed.Kind.allCases.filter(kinds.contains).flatMap { met(by: $0, needs) }
        return before(stage) + statements + sieves(needs)
            + end(
                of: stage, facts: [Self.needsRead],
                met: "SELECT DISTINCT model, pos FROM (\n"
                    + parts.joined(separator: "\nUNION ALL\n") + ")")
    }

    // Counted as the lines that they are, apart from what is made of them.
    private static let needsRead =
        "SELECT concat_ws(' ', 'needs', 0, coalesce(sum(length(value)), 0), count(*)) "
        + "AS value FROM need_lines"

    // Few needs go to where the rows are.
    private func areFew(_ needs: NarrowingNeeds) -> Bool { needs.count <= needsSent }

    private func hint(_ count: Int, _ names: String) -> String {
        count <= needsSent ? "/*+ BROADCAST(\(names)) */ " : ""
    }

    // Of many needs. What passes is little, and goes to where these are.
    private static let sieve = NeedSieve(name: "sieve")
    private static let windows = NeedSieve(name: "windows")

    private func sieves(_ needs: NarrowingNeeds) -> [String] {
        guard !areFew(needs) else { return [] }
        return [
            Self.sieve.made(of: "SELECT need FROM needs"),
            Self.windows.made(
                of: "SELECT xxhash64(substring(text, number + 1, 8)) AS need FROM needs "
                    + "WHERE kind = 'text'"),
        ]
    }

    // Selects the rows, by model and place, of which something is a need's text as a whole. These
    // are compared by numbers, all kinds of them at once. A row that no stage left out may be
    // among them: it is handed on already.
    private func sought(
        _ kinds: Set<NarrowingNeed.Kind>, _ needs: NarrowingNeeds
    ) -> [String] {
        var parts: [String] = []
        if !kinds.isDisjoint(with: [.value, .owner]) {
            parts.append(
                """
                SELECT model, pos, need, need AS other FROM rows
                  LATERAL VIEW explode(concat(refs.value, array(owner))) AS need WHERE plain
                """)
        }
        if kinds.contains(.token) {
            parts.append(
                """
                SELECT model, pos, need, need AS other FROM (
                  SELECT model, pos, \(SQLText.need(.token, "0", "w")) AS need FROM (
                    SELECT model, pos, explode(flatten(transform(split(t, '[^0-9A-Za-z_.-]+'),
                      x -> array(x, regexp_replace(x, '[.]\\\\z', ''))))) AS w FROM texts))
                """)
        }
        parts += keysSought(kinds)
        guard !parts.isEmpty else { return [] }
        var rows = parts.joined(separator: "\nUNION ALL\n")
        if !areFew(needs) {
            rows = """
                SELECT /*+ BROADCAST(s, t) */ p.* FROM (
                \(rows)
                ) p \(Self.sieve.join("s", "p.need"))
                \(Self.sieve.join("t", "p.other"))
                """
        }
        return [
            """
            SELECT \(hint(needs.count, "n, o"))p.model, p.pos FROM (
            \(rows)
            ) p LEFT SEMI JOIN needs n ON p.need = n.need
            LEFT SEMI JOIN needs o ON p.other = o.need
            """
        ]
    }

    // What a key is compared with, all in one look at it. The last part's forms are made below what
    // needs them more than once.
    private func keysSought(_ kinds: Set<NarrowingNeed.Kind>) -> [String] {
        var sought: [(need: String, other: String?)] = []
        if kinds.contains(.key) { sought.append((SQLText.need(.key, "bucket", "k"), nil)) }
        if kinds.contains(.tail) { sought.append((SQLText.need(.tail, "0", "lower(n)"), nil)) }
        if kinds.contains(.name) {
            sought.append((SQLText.need(.name, "0", "if(c = '', s, c)"), nil))
        }
        // A value that holds a key holds the beginning of its last part too.
        if kinds.contains(.ending) {
            sought.append(
                (
                    SQLText.need(.ending, "0", "right(k, 8)"),
                    SQLText.need(.ending, "0", "if(length(n) < 8, right(k, 8), left(n, 8))")
                ))
        }
        var parts: [String] = []
        if !sought.isEmpty {
            let all = sought.map { "struct(\($0.need), \($0.other ?? "CAST(NULL AS BIGINT)"))" }
            let last = "SELECT *, substring_index(k, '/', -1) AS n FROM keys"
            let named = """
                SELECT *, lower(regexp_replace(s, '[^A-Za-z0-9]+', '')) AS c FROM (
                  SELECT *, if(contains(right(n, 6), '.'), regexp_replace(n,
                    '(?<=(?s:.))[.][A-Za-z0-9]{1,5}\\\\z', ''), n) AS s FROM (\(last)))
                """
            parts.append(
                """
                SELECT model, pos, need, coalesce(other, need) AS other FROM (
                  \(kinds.contains(.name) ? named : last)
                ) LATERAL VIEW inline(array(\(all.joined(separator: ",\n  ")))) AS need, other
                """)
        }
        if kinds.contains(.part) {
            parts.append(
                """
                SELECT model, pos, need, need AS other FROM (
                  SELECT model, pos, \(SQLText.need(.part, "0", "w")) AS need FROM (
                    SELECT model, pos, explode(filter(transform(sequence(1, 7),
                      i -> if(length(k) = i OR substring(right(k, i + 1), 1, 1) = '/',
                        right(k, i), NULL)), w -> w IS NOT NULL)) AS w
                    FROM keys WHERE length(k) < 8 OR contains(right(k, 8), '/')))
                """)
        }
        return parts
    }

    // Selects the rows that needs of a kind speak of in another way than as a whole.
    private func met(by kind: NarrowingNeed.Kind, _ needs: NarrowingNeeds) -> [String] {
        switch kind {
        case .head: heads(needs)
        case .text: texts(needs) + [Self.encoded]
        // A name may end before each of several full stops.
        case .token: ["SELECT model, pos FROM texts WHERE contains(t, '..')", Self.encoded]
        case .short:
            [
                """
                SELECT p.model, p.pos FROM texts p JOIN needs n
                  ON n.kind = '\(kind.rawValue)' AND contains(p.t, n.text)
                """, Self.encoded,
            ]
        case .tail:
            // Letters beyond ASCII have several forms, and some are one with what follows them.
            [
                """
                SELECT model, pos FROM (SELECT *, substring_index(k, '/', -1) AS n FROM keys)
                WHERE n = '' OR n RLIKE '[^\\\\x20-\\\\x7e]|[%+]'
                  OR substring(k, length(k) - length(n) - 1, 1) RLIKE '[\\\\x80-\\\\xff]'
                """
            ]
        case .key, .value, .owner, .name, .ending, .part: []
        }
    }

    // Only what begins as the eight bytes of some need do is compared with all of these.
    private func texts(_ needs: NarrowingNeeds) -> [String] {
        let own = needs[.text]
        let first = Set(own.lazy.filter { $0.number < $0.bytes.count }.map { $0.bytes[$0.number] })
        guard !first.isEmpty else { return [] }
        let bytes = first.sorted().map { "\\x" + SQLText.digits([$0]) }.joined()
        let pattern = SQLText.text("(?s)(?=([\(bytes)].{7}))")
        var rows = """
            SELECT model, pos, t, explode(regexp_extract_all(t, \(pattern), 1)) AS w
            FROM texts WHERE length(t) >= 8
            """
        if !areFew(needs) {
            rows = """
                SELECT /*+ BROADCAST(s) */ p.* FROM (
                  SELECT *, xxhash64(w) AS need FROM (\(rows))
                ) p \(Self.windows.join("s", "p.need"))
                """
        }
        return [
            """
            SELECT \(hint(own.count, "n"))p.model, p.pos FROM (
            \(rows)
            ) p JOIN needs n ON n.kind = 'text'
              AND substring(n.text, n.number + 1, 8) = p.w AND contains(p.t, n.text)
            """
        ]
    }

    // A text that encodes something may hold a needle in another form.
    private static let encoded =
        "SELECT model, pos FROM texts WHERE t RLIKE '[%+\\\\\\\\&]|\"\"|\\'\\''"

    // As many of each head as are enough; a task keeps no more than the largest of these numbers.
    private func heads(_ needs: NarrowingNeeds) -> [String] {
        let own = needs[.head]
        let lengths = Set(own.lazy.map(\.bytes.count)).sorted().map { "\($0)" }.joined(
            separator: ", ")
        let below = """
            SELECT \(hint(own.count, "n"))p.model, p.pos, n.number, n.text, n.enough FROM (
              SELECT model, pos, bucket, left(k, l) AS h FROM keys
              LATERAL VIEW explode(array(\(lengths))) AS l
            ) p JOIN needs n ON n.kind = 'head' AND n.number = p.bucket AND n.text = p.h
            """
        var parts: [String] = []
        if own.contains(where: { $0.enough == nil }) {
            parts.append("SELECT model, pos FROM (\(below)) WHERE enough < 0")
        }
        if let most = own.lazy.compactMap(\.enough).max() {
            parts.append(
                """
                SELECT model, pos FROM (
                  SELECT model, pos, enough, row_number() OVER (
                    PARTITION BY number, text ORDER BY model, pos) AS place
                  FROM (\(below)) WHERE enough >= 0
                ) WHERE place <= \(most) AND place <= enough
                """)
        }
        return parts
    }
}
