import GRDB
package import MooringModel

extension Ledger {
    /// What earlier runs know of these findings; those that no run saw are left out.
    package func history(
        of ids: [String]
    ) throws(LedgerError) -> [String: FindingHistory] {
        try read("reading the history of findings") { db in
            let select = try db.cachedStatement(
                sql: """
                    SELECT h.firstSeen, h.runs, s.token, s.firstAt, s.lastAt, s.runs,
                        s.heldRuns, s.heldAt, s.heldShare
                    FROM history h LEFT JOIN sighting s USING (finding) WHERE finding = ?
                    """)
            var histories: [String: FindingHistory] = [:]
            histories.reserveCapacity(ids.count)
            for id in ids {
                guard let row = try Row.fetchOne(select, arguments: [Blob(id)]) else { continue }
                var history = FindingHistory(firstSeen: row[0], runs: row[1])
                history.sighting = Self.sighting(row)
                histories[id] = history
            }
            return histories
        }
    }

    private static func sighting(_ row: Row) -> Sighting? {
        guard let token: Blob = row[2] else { return nil }
        let (heldRuns, heldAt): (Int, Instant?) = (row[6], row[7])
        var held: Sighting.Held?
        if heldRuns > 0, let heldAt {
            held = Sighting.Held(firstAt: heldAt, runs: heldRuns, share: row[8])
        }
        // Of sightings that were held back alone, nothing counts yet.
        guard let firstAt = (row[3] as Instant?) ?? heldAt else { return nil }
        return Sighting(
            token: token.text, firstAt: firstAt, lastAt: (row[4] as Instant?) ?? firstAt,
            runs: row[5], held: held)
    }

    /// Stores findings of a run that has begun; one that it recorded already is replaced.
    ///
    /// A finding counts once for each run. Its first sight is the earliest that was ever recorded;
    /// where the finding names none, that is the start of the run.
    package func record(_ findings: [Finding], in run: RunID) throws(LedgerError) {
        let refused = "recording findings of run \(run.text)"
        try write(refused) { db in
            let number = try knownNumber(of: run, db, refused: refused)
            let select = try db.cachedStatement(sql: "SELECT startedAt FROM run WHERE number = ?")
            let start = try Instant.fetchOne(select, arguments: [number]) ?? .distantPast
            let writer = try FindingWriter(db, run: number, start: start)
            for finding in findings { try writer.write(finding) }
        }
    }

    /// Hands over a run's findings in the order of reports: kind, bucket, key bytes, id.
    ///
    /// In batches of at most 500; a batch is never empty. The callback runs outside of the
    /// database and may call the ledger; its errors are thrown as they are.
    package func findings(
        in run: RunID, _ filter: FindingFilter = FindingFilter(),
        batch: ([Finding]) throws -> Void
    ) throws {
        let kinds = filter.kinds.isEmpty ? Set(FindingKind.allCases) : filter.kinds
        let refused = "reading findings of run \(run.text)"
        for kind in kinds.map(\.rawValue).sorted() {
            var place: FindingPlace?
            repeat {
                let page = try read(refused) { db in
                    try Self.page(of: kind, in: run, filter, after: place, db)
                }
                if !page.findings.isEmpty { try batch(page.findings) }
                place = page.next
            } while place != nil
        }
    }

    /// How many findings are read or written at once.
    package static let pageSize = 500

    /// Where the next page goes on; the kind is the same.
    struct FindingPlace {
        fileprivate let bucket: Blob
        fileprivate let key: Blob
        fileprivate let id: Blob
    }

    /// One page of a run's findings of a kind, and where the next one goes on; nil at the end.
    static func page(
        of kind: String, in run: RunID, _ filter: FindingFilter, after place: FindingPlace?,
        _ db: Database
    ) throws -> (findings: [Finding], next: FindingPlace?) {
        let after = place == nil ? "" : "AND (bucket, key, id) > (?, ?, ?)"
        // Of an empty BLOB, SQLite's substr is NULL.
        let select = try db.cachedStatement(
            sql: """
                SELECT bucket, key, id, document FROM finding
                WHERE run = (SELECT number FROM run WHERE id = ?) AND kind = ? \(after)
                    AND verdict IN (?, ?, ?) AND ifnull(substr(key, 1, ?), x'') = ?
                ORDER BY bucket, key, id LIMIT \(pageSize)
                """)
        var arguments: StatementArguments = [run.text, kind]
        if let place { arguments += [place.bucket, place.key, place.id] }
        let verdicts = filter.verdicts.isEmpty ? Set(Verdict.allCases) : filter.verdicts
        let codes = Verdict.allCases.map { verdicts.contains($0) ? $0.rawValue : nil }
        arguments += StatementArguments(codes)
        arguments += [filter.keyPrefix.count, Blob(filter.keyPrefix)]
        var findings: [Finding] = []
        var next: FindingPlace?
        let rows = try Row.fetchCursor(select, arguments: arguments)
        while let row = try rows.next() {
            findings.append(try document(row[3], Finding.init(json:)))
            if findings.count == pageSize {
                next = FindingPlace(bucket: row[0], key: row[1], id: row[2])
            }
        }
        return (findings, next)
    }
}

/// Writes findings of one run with statements that are prepared once.
private struct FindingWriter {
    private let run: Int64
    private let start: Instant
    private let removal: Statement
    private let history: Statement
    private let earliest: Statement
    private let insertion: Statement
    private let subject: Statement
    private let db: Database

    init(_ db: Database, run: Int64, start: Instant) throws {
        self.db = db
        self.run = run
        self.start = start
        removal = try db.cachedStatement(sql: "DELETE FROM finding WHERE id = ? AND run = ?")
        history = try db.cachedStatement(
            sql: """
                INSERT INTO history (finding, firstSeen, runs) VALUES (?, ?, 1)
                ON CONFLICT (finding) DO UPDATE
                SET firstSeen = min(firstSeen, excluded.firstSeen), runs = runs + 1
                """)
        earliest = try db.cachedStatement(
            sql: "UPDATE history SET firstSeen = min(firstSeen, ?) WHERE finding = ?")
        insertion = try db.cachedStatement(
            sql: """
                INSERT INTO finding (run, kind, bucket, key, id, verdict, document)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        subject = try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO findingSubject (subject, finding) VALUES (?, ?)")
    }

    func write(_ finding: Finding) throws {
        let id = Blob(finding.id)
        let firstSeen = finding.firstSeen ?? start
        try removal.execute(arguments: [id, run])
        if db.changesCount == 0 {
            try history.execute(arguments: [id, firstSeen])
        } else {
            try earliest.execute(arguments: [firstSeen, id])
        }
        try insertion.execute(arguments: [
            run, finding.kind.rawValue, Blob(finding.bucket ?? ""), Blob(finding.key?.bytes ?? []),
            id, finding.verdict.rawValue, Blob(finding.json(withOwners: true).rendered),
        ])
        let number = db.lastInsertedRowID
        for mentioned in finding.subjects {
            try subject.execute(arguments: [mentioned.blob, number])
        }
    }
}

extension Finding {
    /// Everything by which the finding can be looked up: its keys and its records.
    fileprivate var subjects: Set<Subject> {
        var subjects: Set<Subject> = []
        for key in (key.map { [$0] } ?? []) + candidates {
            subjects.insert(.object(bucket: bucket ?? "", key: key))
        }
        for identity in ([record].compactMap { $0 } + records).map(\.identity) + owners {
            subjects.insert(.record(identity))
        }
        return subjects
    }
}
