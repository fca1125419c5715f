import GRDB
import MooringDecisions
package import MooringModel

extension Ledger {
    /// Notes that a run judged findings settled, each while it was about the version of a token,
    /// and what that is worth.
    ///
    /// A run counts once. Another token than before starts anew. What the run counts is taken back
    /// unless `closeSightings` follows before another run sights or begins. The places tell which
    /// runs might see a finding at all.
    package func sight(
        _ sightings: [(findingID: String, token: String)],
        worth: SightingWorth = .counts(accepted: nil), at instant: Instant, run: RunID,
        places: [String: RunScope.Place] = [:]
    ) throws(LedgerError) {
        try write("noting sightings of run \(run.text)") { db in
            let select = try db.cachedStatement(
                sql: """
                    SELECT token, heldRuns, heldAt, heldShare, \(RunTally.columns)
                    FROM sighting WHERE finding = ?
                    """)
            let store = try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO sighting
                        (finding, token, heldRuns, heldAt, heldShare, \(RunTally.columns),
                        bucket, prefix, source)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            for (id, token) in sightings {
                let place = (places[id] ?? RunScope.Place()).arguments
                let (id, kept) = (Blob(id), Blob(token))
                var row = SightingRow()
                if let known = try Row.fetchOne(select, arguments: [id]),
                    ObjectVersion.isToken((known[0] as Blob).text, for: token)
                {
                    row = SightingRow(known)
                }
                row.add(worth, at: instant, run: run)
                guard !row.isEmpty else { continue }
                try store.execute(arguments: [id, kept] + row.arguments + place)
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

    init(_ row: Row) {
        tally = RunTally(row, from: 4)
        heldBack = Sighting.HeldBack(
            firstAt: (row[2] as Instant?) ?? .distantPast, runs: row[1], share: row[3])
    }

    /// Whether nothing is worth to be kept.
    var isEmpty: Bool { tally.runs == 0 && heldBack.runs == 0 }

    var arguments: StatementArguments {
        [heldBack.runs, heldBack.runs > 0 ? heldBack.firstAt : nil, heldBack.share]
            + tally.arguments
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
