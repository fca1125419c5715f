import GRDB
package import MooringModel

extension Ledger {
    /// What earlier runs know of these findings; those that no run saw are left out.
    package func history(
        of ids: [String]
    ) throws(LedgerError) -> [String: FindingHistory] {
        try read("reading the history of findings") { db in
            let select = try RepeatedStatement(
                db,
                """
                SELECT h.firstSeen, h.runs + \(Self.standing), s.token, s.firstAt,
                    s.lastAt, s.runs, s.heldRuns, s.heldAt, s.heldShare
                FROM history h LEFT JOIN sighting s USING (finding) WHERE finding = ?
                """)
            var histories: [String: FindingHistory] = [:]
            for id in ids {
                histories[id] = try select.first([.bytes(id)]) { row in
                    var history = FindingHistory(
                        firstSeen: Instant(nanoseconds: row.integer(0)), runs: Int(row.integer(1)))
                    history.sighting = Self.sighting(row)
                    return history
                }
            }
            return histories
        }
    }

    // The runs that saw what still stands; they are added to the history when that is over.
    private static let standing = """
        (SELECT ifnull(sum(findingSeries.place - finding.first + 1), 0)
            FROM finding JOIN findingSeries ON findingSeries.number = finding.series
            WHERE finding.id = h.finding AND +finding.last IS NULL
                AND finding.first <= findingSeries.place)
        """

    private static func sighting(_ row: RepeatedStatement.Columns) -> Sighting? {
        guard !row.isNull(2) else { return nil }
        let (heldRuns, heldAt) = (Int(row.integer(6)), row.instant(7))
        var heldBack: Sighting.HeldBack?
        if heldRuns > 0, let heldAt {
            heldBack = Sighting.HeldBack(firstAt: heldAt, runs: heldRuns, share: row.real(8))
        }
        // Of sightings that were held back alone, nothing counts yet.
        guard let firstAt = row.instant(3) ?? heldAt else { return nil }
        return Sighting(
            token: row.text(2), firstAt: firstAt, lastAt: row.instant(4) ?? firstAt,
            runs: Int(row.integer(5)), heldBack: heldBack)
    }

    /// Hands over a run's findings in the order of reports: kind, bucket, key bytes, id.
    ///
    /// In batches of at most 500; a batch is never empty. The callback runs outside of the
    /// database and may call the ledger; its errors are thrown as they are.
    package func findings(
        in run: RunID, _ filter: FindingFilter = FindingFilter(),
        batch: ([Finding]) throws -> Void
    ) throws {
        let refused = "reading findings of run \(run.text)"
        for kind in filter.kindCodes {
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

    /// How many findings are read at once.
    package static let pageSize = 500

    /// How many first sights or sightings are written at once: each write waits for the disk.
    package static let batchSize = 20_000

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
        guard let recorded = try RecordedRun(run, db) else { return ([], nil) }
        let after = place == nil ? "" : "AND (bucket, key, id) > (?, ?, ?)"
        let select = try db.cachedStatement(
            sql: """
                SELECT bucket, key, id, document, runs, \(RecordedRun.offset)
                FROM finding INDEXED BY findingInOrder
                WHERE series = ? AND kind = ? \(after) AND \(RecordedRun.holds)
                    AND \(filter.condition)
                ORDER BY bucket, key, id LIMIT \(pageSize)
                """)
        var arguments: StatementArguments = [recorded.place, recorded.series, kind]
        if let place { arguments += [place.bucket, place.key, place.id] }
        arguments += [recorded.place, recorded.place]
        arguments += filter.arguments
        var findings: [Finding] = []
        var next: FindingPlace?
        let rows = try Row.fetchCursor(select, arguments: arguments)
        while let row = try rows.next() {
            findings.append(try recorded.finding(row[3], runs: row[4], offset: row[5]))
            if findings.count == pageSize {
                next = FindingPlace(bucket: row[0], key: row[1], id: row[2])
            }
        }
        return (findings, next)
    }
}

extension FindingFilter {
    /// The condition of verdict and key on a row.
    // Of an empty BLOB, SQLite's substr is NULL.
    var condition: String { "verdict IN (?, ?, ?) AND ifnull(substr(key, 1, ?), x'') = ?" }

    /// The values of the condition.
    var arguments: StatementArguments {
        let wanted = verdicts.isEmpty ? Set(Verdict.allCases) : verdicts
        let codes = Verdict.allCases.map { wanted.contains($0) ? $0.rawValue : nil }
        return StatementArguments(codes) + [keyPrefix.count, Blob(keyPrefix)]
    }

    /// The codes of the kinds, in the order of reports.
    var kindCodes: [String] {
        (kinds.isEmpty ? Set(FindingKind.allCases) : kinds).map(\.rawValue).sorted()
    }
}
