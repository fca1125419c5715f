import GRDB
import MooringModel
import MooringText

/// Writes the findings of one run: a row for each that is new or changed, and nothing for one that
/// stands as it did; holds the number of each row that still stands.
struct FindingWriter {
    private let run: Int64
    private let start: Instant
    private let series: FindingSeries
    private let entry: FindingSeries.Entry
    private let words: RunWords
    private let place: Int64
    // Whether the run recorded findings before: then what is not told again stays.
    private let isAgain: Bool
    // By how much the count of runs grew in each row that still stands.
    private var seen: [Int64: Int64] = [:]
    private var superseded: Set<Int64> = []
    private var totals = FindingTotals()
    private var used: Set<String> = []

    /// A writer for a run that stands last in its series. Removes what one that was killed left.
    ///
    /// Throws where the run recorded findings before and another one of the series did since.
    init(
        _ db: Database, run: Int64, series: FindingSeries, words: RunWords
    ) throws {
        self.run = run
        self.series = series
        self.words = words
        start =
            try Instant.fetchOne(
                db, sql: "SELECT startedAt FROM run WHERE number = ?", arguments: [run])
            ?? .distantPast
        let known = try Row.fetchOne(
            db,
            sql: """
                SELECT findingSeries.number, recording.place, recording.counted,
                    findingSeries.place
                FROM recording JOIN findingSeries ON findingSeries.number = recording.series
                WHERE run = ?
                """, arguments: [run])
        if let known {
            guard known[1] as Int64 == known[3] as Int64 else { throw RecordedSince() }
            entry = FindingSeries.Entry(known)
            place = entry.place
        } else {
            entry = try series.entry(db)
            place = entry.place + 1
        }
        isAgain = known != nil
        try db.execute(
            sql: "DELETE FROM finding WHERE series = ? AND first > ?",
            arguments: [entry.number, entry.place])
    }

    /// That another run recorded its findings since.
    struct RecordedSince: Error {}

    // What the row of a new state is counted from: one more than before, until it is known better.
    private var base: Int64 { isAgain ? entry.counted : entry.counted + 1 }

    // So many findings are rendered at once, on another core, while those before them are written.
    private static let renderedAtOnce = 2_048

    /// Writes findings, each in place of what the run said of it before.
    mutating func write(_ findings: [Finding], _ db: Database) throws {
        // So that a batch meets each page of the ids' index once; those of one id stay in order.
        let order = findings.places(inOrderOf: { $0.id })
        let (words, start) = (words, start)
        func render(_ part: ArraySlice<Int>) -> Ahead<StoredFinding.Several> {
            Ahead { StoredFinding.all(part.lazy.map { findings[$0] }, words, start: start) }
        }
        let parts = Array(order.chunks(of: Self.renderedAtOnce))
        let statements = try Statements(db)
        var next = parts.first.map(render)
        for number in parts.indices {
            guard let stored = next?.value() else { break }
            next = number + 1 < parts.count ? render(parts[number + 1]) : nil
            used.formUnion(stored.used)
            for finding in stored.findings { try write(finding, statements) }
        }
    }

    private struct Statements {
        let select: RepeatedStatement
        let delete: RepeatedStatement
        let insert: RepeatedStatement
        let insertSubject: RepeatedStatement

        init(_ db: Database) throws {
            // The signs keep SQLite from walking all rows that stand in the series.
            select = try RepeatedStatement(
                db,
                """
                SELECT number, first, kind, verdict, runs + \(RecordedRun.offset), firstSeen,
                    document
                FROM finding WHERE id = ? AND +series = ? AND +last IS NULL
                """)
            delete = try RepeatedStatement(db, "DELETE FROM finding WHERE number = ?")
            insert = try RepeatedStatement(
                db,
                """
                INSERT INTO finding (series, first, last, kind, bucket, key, id, verdict, runs,
                    firstSeen, document)
                VALUES (?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
            insertSubject = try RepeatedStatement(
                db, "INSERT OR IGNORE INTO findingSubject (subject, finding) VALUES (?, ?)")
        }
    }

    // A row that stands for a finding already.
    private struct Standing {
        let number: Int64
        let first: Int64
        let kind: String
        let verdict: String
        let runs: Int64
        let isSame: Bool

        init(_ row: RepeatedStatement.Columns, for finding: StoredFinding) {
            (number, first, runs) = (row.integer(0), row.integer(1), row.integer(4))
            (kind, verdict) = (row.text(2), row.text(3))
            isSame =
                finding.firstSeen.nanoseconds >= row.integer(5)
                && row.holds(finding.document.bytes, 6)
        }
    }

    private mutating func write(_ finding: StoredFinding, _ statements: Statements) throws {
        var rows: [Standing] = []
        try statements.select.each([
            .integer(entry.place), .blob(finding.id.bytes), .integer(entry.number),
        ]) { rows.append(Standing($0, for: finding)) }
        var before: Standing?
        for row in rows {
            if row.first == place {
                totals.add(-1, kind: row.kind, verdict: row.verdict)
                try statements.delete.run([.integer(row.number)])
            } else {
                before = row
            }
        }
        if let before, seen.removeValue(forKey: before.number) != nil {
            totals.add(-1, kind: before.kind, verdict: before.verdict)
        }
        totals.add(1, kind: finding.kind, verdict: finding.verdict)
        guard let before else { return try insert(finding, statements) }
        let growth = finding.runs - (before.runs + entry.counted)
        if before.isSame, !isAgain || growth == 0 {
            seen[before.number] = growth
            superseded.remove(before.number)
        } else {
            superseded.insert(before.number)
            try insert(finding, statements)
        }
    }

    private func insert(_ finding: StoredFinding, _ statements: Statements) throws {
        try statements.insert.run([
            .integer(entry.number), .integer(place), .text(finding.kind),
            .blob(finding.bucket.bytes), .blob(finding.key.bytes), .blob(finding.id.bytes),
            .text(finding.verdict), .integer(finding.runs - base), .instant(finding.firstSeen),
            .blob(finding.document.bytes),
        ])
        guard !finding.subjects.isEmpty else { return }
        let number = statements.insert.lastRow
        for subject in finding.subjects {
            try statements.insertSubject.run([.blob(subject.bytes), .integer(number)])
        }
    }

    /// Ends the recording: what the run did not see is over, and its findings are its own from
    /// here on.
    func end(_ db: Database) throws {
        let isOver = isAgain ? superseded.contains : { seen[$0] == nil }
        try close(where: isOver, db)
        // Ordered, it writes each page of the table once. The sign keeps SQLite from following the
        // index of ids, which leads to the rows one by one.
        try db.execute(
            sql: """
                INSERT INTO history (finding, firstSeen, runs)
                SELECT id, firstSeen, 0 FROM finding WHERE series = ? AND first = ? ORDER BY +id
                ON CONFLICT (finding) DO UPDATE SET firstSeen = min(firstSeen, excluded.firstSeen)
                """, arguments: [entry.number, place])
        guard !isAgain else { return try addWords(db) }
        let counted = entry.counted + (try grow(db))
        try series.move(entry, to: place, counted: counted, db)
        try db.execute(
            sql: """
                INSERT INTO recording (run, series, place, configuration, counted, words, totals)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                run, entry.number, place, series.configuration, counted,
                words.document(of: used), totals.blob,
            ])
    }

    // What stood up to the place before, and is not told any more.
    private func close(where isOver: (Int64) -> Bool, _ db: Database) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT number, first, id FROM finding
                WHERE series = ? AND last IS NULL AND first < ?
                """, arguments: [entry.number, place])
        var ended: [(number: Int64, first: Int64, id: Blob)] = []
        while let row = try rows.next() {
            if isOver(row[0]) { ended.append((row[0], row[1], row[2])) }
        }
        let close = try db.cachedStatement(sql: "UPDATE finding SET last = ? WHERE number = ?")
        let count = try db.cachedStatement(
            sql: "UPDATE history SET runs = runs + ? WHERE finding = ?")
        for row in ended {
            try close.execute(arguments: [place - 1, row.number])
            try count.execute(arguments: [place - row.first, row.id])
        }
        if isAgain { try removeUnheld(db) }
    }

    // Where the runs before this one are removed, nobody else had what it now says otherwise: no
    // later removal of a run would take such rows with it, nor the history that waits for them.
    private func removeUnheld(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM finding WHERE series = ? AND last = ? AND NOT EXISTS
                    (SELECT 1 FROM recording WHERE recording.series = finding.series
                        AND recording.place BETWEEN first AND last)
                """, arguments: [entry.number, place - 1])
    }

    // By how much most rows were counted further; what differs from that is kept by itself.
    private func grow(_ db: Database) throws -> Int64 {
        var shares: [Int64: Int] = [:]
        for growth in seen.values { shares[growth, default: 0] += 1 }
        let most = shares.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 1
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO findingCount (finding, place, runs)
                SELECT number, ?, ? + \(RecordedRun.offset) FROM finding WHERE number = ?
                """)
        for (number, growth) in seen where growth != most {
            try insert.execute(arguments: [place, growth - most, place, number])
        }
        if most != 1 {
            try db.execute(
                sql: "UPDATE finding SET runs = runs + ? WHERE series = ? AND first = ?",
                arguments: [1 - most, entry.number, place])
        }
        return most
    }

    // The totals of what was there before are not known here, and are counted when asked for.
    private func addWords(_ db: Database) throws {
        let select = "SELECT words FROM recording WHERE run = ?"
        var known =
            try Blob.fetchOne(db, sql: select, arguments: [run])
            .map { try MooringLedger.document($0) { $0.texts ?? [:] } } ?? [:]
        let added = try MooringLedger.document(words.document(of: used)) { $0.texts ?? [:] }
        known.merge(added) { _, new in new }
        try db.execute(
            sql: "UPDATE recording SET words = ?, totals = NULL WHERE run = ?",
            arguments: [Blob(JSONValue.texts(known).rendered), run])
    }
}
