package import MooringModel

extension SparkScript {
    /// A later stage that takes everything back in.
    func whole(stage: Int) -> [String] {
        before(stage) + end(of: stage, closed: "SELECT * FROM closed WHERE false")
    }

    // What the stages before wrote.
    private func before(_ stage: Int) -> [String] {
        [
            view("rows", of: 1), view("objects", of: 1), view("closed", of: stage - 1),
            view("gone", of: stage - 1),
        ]
    }

    /// A later stage: takes back in what the needs in a file speak of, of what the stage before it
    /// left out. The file holds a need on each line: its kind, its number, how many objects are
    /// enough, and its bytes as hexadecimal digits.
    package func widening(stage: Int, needs: Set<NarrowingNeed>, file: String) -> [String] {
        let kinds = Set(needs.map(\.kind))
        var statements = before(stage)
        statements += [
            """
            CREATE OR REPLACE TEMPORARY VIEW need_lines (value STRING)
            USING text OPTIONS (path \(SQLText.text(file)))
            """,
            """
            CREATE OR REPLACE TEMPORARY VIEW needs AS
            SELECT w[0] AS kind, CAST(w[1] AS INT) AS number, CAST(w[2] AS BIGINT) AS enough,
              decode(unhex(w[3]), 'ISO-8859-1') AS text FROM (
              SELECT split(value, ' ', -1) AS w FROM need_lines)
            """,
            """
            CREATE OR REPLACE TEMPORARY VIEW keys AS
            SELECT model, pos, bucket, decode(key, 'ISO-8859-1') AS k FROM gone
            """,
            """
            CREATE OR REPLACE TEMPORARY VIEW texts AS
            SELECT model, pos, t FROM closed LATERAL VIEW explode(texts) AS t
            """,
        ]
        let parts = NarrowingNeed.Kind.allCases.filter(kinds.contains).flatMap {
            met(by: $0, needs)
        }
        statements.append(
            "CREATE OR REPLACE TEMPORARY VIEW met AS\n"
                + parts.joined(separator: "\nUNION ALL\n"))
        return statements
            + end(
                of: stage,
                closed: "SELECT c.* FROM closed c LEFT ANTI JOIN met m "
                    + "ON c.model = m.model AND c.pos = m.pos")
    }

    // Selects the rows, by model and place, that needs of a kind speak of.
    private func met(by kind: NarrowingNeed.Kind, _ needs: Set<NarrowingNeed>) -> [String] {
        switch kind {
        case .key: [probe("keys", "k", kind, "n.number = p.bucket")]
        case .head: [heads(needs)]
        case .value:
            [
                probe(
                    "(SELECT model, pos, r.value AS t FROM closed LATERAL VIEW explode(refs) AS r)",
                    "t", kind)
            ]
        case .owner: [probe("closed", "owner", kind, "n.number = p.model")]
        case .text, .token, .short: textsMet(by: kind)
        case .tail, .name, .ending, .part: keysMet(by: kind)
        }
    }

    // Texts that no field names.
    private func textsMet(by kind: NarrowingNeed.Kind) -> [String] {
        switch kind {
        case .text:
            [
                """
                SELECT p.model, p.pos FROM (
                  SELECT model, pos, t, explode(transform(sequence(1, greatest(1, length(t) - 7)),
                    i -> substring(t, i, 8))) AS w FROM texts WHERE length(t) >= 8
                ) p JOIN needs n ON n.kind = '\(kind.rawValue)'
                  AND substring(n.text, n.number + 1, 8) = p.w AND contains(p.t, n.text)
                """, Self.encoded,
            ]
        case .token:
            [
                probe(
                    """
                    (SELECT model, pos, explode(flatten(transform(split(t, '[^0-9A-Za-z_.-]+'),
                        x -> array(x, regexp_replace(x, '[.]\\\\z', ''))))) AS w FROM texts)
                    """, "w", kind),
                // A name may end before each of several full stops.
                "SELECT model, pos FROM texts WHERE contains(t, '..')", Self.encoded,
            ]
        default:
            [
                """
                SELECT p.model, p.pos FROM texts p JOIN needs n
                  ON n.kind = '\(kind.rawValue)' AND contains(p.t, n.text)
                """, Self.encoded,
            ]
        }
    }

    // Keys of objects, in any spelling.
    private func keysMet(by kind: NarrowingNeed.Kind) -> [String] {
        switch kind {
        case .tail:
            // Letters beyond ASCII have several forms, and some are one with what follows them.
            [
                probe("keys", "lower(substring_index(p.k, '/', -1))", kind),
                """
                SELECT model, pos FROM keys
                WHERE k RLIKE '(?:[\\\\x80-\\\\xff]/[^/]*|[^\\\\x20-\\\\x7e][^/]*|[%+][^/]*|/)\\\\z'
                """,
            ]
        case .name:
            [
                probe(
                    """
                    (SELECT model, pos, if(c = '', s, c) AS w FROM (
                      SELECT model, pos, s, lower(regexp_replace(s, '[^A-Za-z0-9]', '')) AS c FROM (
                        SELECT model, pos, regexp_replace(substring_index(k, '/', -1),
                          '(?<=(?s:.))[.][A-Za-z0-9]{1,5}\\\\z', '') AS s FROM keys)))
                    """, "w", kind)
            ]
        case .ending:
            // A value that holds a key holds the beginning of its last part too.
            [
                """
                \(probe("keys", "right(p.k, 8)", kind))
                LEFT SEMI JOIN needs m ON m.kind = '\(kind.rawValue)'
                  AND m.text = if(length(substring_index(p.k, '/', -1)) < 8, right(p.k, 8),
                    left(substring_index(p.k, '/', -1), 8))
                """
            ]
        default:
            [
                probe(
                    """
                    (SELECT model, pos, explode(filter(transform(sequence(1, 7),
                        i -> if(length(k) = i OR substring(right(k, i + 1), 1, 1) = '/',
                          right(k, i), NULL)), w -> w IS NOT NULL)) AS w FROM keys)
                    """, "w", kind)
            ]
        }
    }

    private func probe(
        _ relation: String, _ text: String, _ kind: NarrowingNeed.Kind, _ condition: String = "true"
    ) -> String {
        let text = text.contains("p.") ? text : "p.\(text)"
        return """
            SELECT p.model, p.pos FROM \(relation) p JOIN needs n
              ON n.kind = '\(kind.rawValue)' AND n.text = \(text) AND \(condition)
            """
    }

    // A text that encodes something may hold a needle in another form.
    private static let encoded =
        "SELECT model, pos FROM texts WHERE t RLIKE '[%+\\\\\\\\&]|\"\"|\\'\\''"

    // As many of each head as are enough; a task keeps no more than the largest of these numbers.
    private func heads(_ needs: Set<NarrowingNeed>) -> String {
        let own = needs.filter { $0.kind == .head }
        let lengths = Set(own.map(\.bytes.count)).sorted().map { "\($0)" }.joined(separator: ", ")
        let below = """
            SELECT p.model, p.pos, n.number, n.text, n.enough FROM (
              SELECT model, pos, bucket, left(k, l) AS h FROM keys
              LATERAL VIEW explode(array(\(lengths))) AS l
            ) p JOIN needs n ON n.kind = 'head' AND n.number = p.bucket AND n.text = p.h
            """
        let most = own.compactMap(\.enough).max() ?? 0
        return """
            SELECT model, pos FROM (\(below)) WHERE enough < 0
            UNION ALL
            SELECT model, pos FROM (
              SELECT model, pos, enough, row_number() OVER (
                PARTITION BY number, text ORDER BY model, pos) AS place
              FROM (\(below)) WHERE enough >= 0
            ) WHERE place <= \(most) AND place <= enough
            """
    }
}
