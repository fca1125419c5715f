import GRDB
import MooringDecisions
package import MooringModel

/// A finding that a run judged settled, while it was about the version of a token.
package struct SeenFinding: Hashable, Sendable {
    /// The finding's id.
    package let id: String
    /// One text for the version of what it is about.
    package let token: String
    /// Where it lies: that tells which runs might see it at all.
    package let place: RunScope.Place

    /// A finding that was judged settled.
    package init(id: String, token: String, place: RunScope.Place = RunScope.Place()) {
        (self.id, self.token, self.place) = (id, token, place)
    }
}

extension Ledger {
    /// Notes that a run judged findings settled, and what that is worth.
    ///
    /// A run counts once. Another token than before starts anew. What the run counts is taken back
    /// unless `closeSightings` follows before another run sights or begins.
    package func sight(
        _ findings: some Collection<SeenFinding>,
        worth: SightingWorth = .counts(accepted: nil), at instant: Instant, run: RunID
    ) throws(LedgerError) {
        try write("noting sightings of run \(run.text)") { db in
            let select = try RepeatedStatement(
                db,
                """
                SELECT token, heldRuns, heldAt, heldShare, \(RunTally.columns)
                FROM sighting WHERE finding = ?
                """)
            let columns = "token, heldRuns, heldAt, heldShare, \(RunTally.columns)"
            let insert = try RepeatedStatement(
                db,
                """
                INSERT INTO sighting (\(columns), bucket, prefix, source, finding)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
            // Two statements: one that replaces keeps a copy of each page that it changes.
            let update = try RepeatedStatement(
                db,
                """
                UPDATE sighting SET (\(columns), bucket, prefix, source)
                    = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                WHERE finding = ?
                """)
            for finding in findings {
                var isKnown = false
                let known = try select.first([.bytes(finding.id)]) { row in
                    isKnown = true
                    return ObjectVersion.isToken(row.text(0), for: finding.token)
                        ? SightingRow(row) : nil
                }
                var row = (known ?? nil) ?? SightingRow()
                row.add(worth, at: instant, run: run)
                guard !row.isEmpty else { continue }
                try (isKnown ? update : insert).run(
                    [.bytes(finding.token)] + row.values + finding.place.values
                        + [.bytes(finding.id)])
            }
        }
    }

    /// Ends the sightings of a complete run: what it sighted counts, all others that it might have
    /// seen are forgotten; without a scope all are.
    ///
    /// A finding that was gone or not settled in a complete run starts anew.
    package func closeSightings(run: RunID, in scope: RunScope? = nil) throws(LedgerError) {
        try write("closing the sightings of run \(run.text)") { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT finding, bucket, prefix, source FROM sighting WHERE lastRun <> ?",
                arguments: [run.text])
            let delete = try db.cachedStatement(sql: "DELETE FROM sighting WHERE finding = ?")
            for row in rows where scope?.covers(RunScope.Place(row, from: 1)) ?? true {
                try delete.execute(arguments: [row[0] as Blob])
            }
            try db.execute(
                sql: """
                    UPDATE sighting SET closedRuns = runs, closedAt = lastAt
                    WHERE closedRuns <> runs OR closedAt IS NOT lastAt
                    """)
        }
    }
}

/// What is known of a finding's sightings: those that count, and those that are held back.
private struct SightingRow {
    private var tally = RunTally()
    private var heldBack = Sighting.HeldBack(firstAt: .distantPast, runs: 0, share: 0)

    init() {}

    init(_ row: RepeatedStatement.Columns) {
        tally = RunTally(row, from: 4)
        heldBack = Sighting.HeldBack(
            firstAt: row.instant(2) ?? .distantPast, runs: Int(row.integer(1)),
            share: row.real(3))
    }

    /// Whether nothing is worth to be kept.
    var isEmpty: Bool { tally.runs == 0 && heldBack.runs == 0 }

    var values: [RepeatedStatement.Value] {
        [
            .integer(Int64(heldBack.runs)),
            .instant(heldBack.runs > 0 ? heldBack.firstAt : nil), .real(heldBack.share),
        ] + tally.values
    }

    mutating func add(_ worth: SightingWorth, at instant: Instant, run: RunID) {
        switch worth {
        case .counts(let accepted):
            if heldBack.runs > 0, let accepted, Acceptance.covers(heldBack.share, by: accepted) {
                tally.add(heldBack.runs, from: heldBack.firstAt)
                heldBack = Sighting.HeldBack(firstAt: .distantPast, runs: 0, share: 0)
            }
            tally.count(at: instant, run: run)
        case .heldBack(let share):
            guard tally.lastRun != run.text else { return }
            heldBack.firstAt = heldBack.runs == 0 ? instant : heldBack.firstAt
            heldBack.runs += 1
            heldBack.share = max(heldBack.share, share)
            tally.pass(run: run)
        case .nothing: tally.pass(run: run)
        }
    }
}
