import GRDB
import MooringDecisions
package import MooringModel

extension Ledger {
    /// Writes down that a run begins, and takes back what runs counted that never ended.
    ///
    /// Throws a conflict when the ledger knows the run already.
    package func begin(_ summary: RunSummary) throws(LedgerError) {
        let refused = "beginning run \(summary.id.text)"
        try write(refused) { db in
            guard try Self.number(of: summary.id, db) == nil else {
                throw conflict(
                    "the run is in it already", refused: refused, hint: "start another run")
            }
            try RunTally.takeBackOpen(db)
            try Self.insert(summary, db)
        }
    }

    /// Writes a run that the ledger does not know inside a transaction.
    static func insert(_ summary: RunSummary, _ db: Database) throws {
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO run (id, command, status, startedAt, document)
                VALUES (?, ?, ?, ?, ?)
                """)
        try insert.execute(arguments: [
            summary.id.text, summary.command, summary.status.rawValue, summary.startedAt,
            Blob(summary.json.rendered),
        ])
    }

    /// Replaces a run's whole summary; throws a conflict when the run never began.
    package func update(_ summary: RunSummary) throws(LedgerError) {
        let refused = "updating run \(summary.id.text)"
        try write(refused) { db in
            _ = try knownNumber(of: summary.id, db, refused: refused)
            try Self.store(summary, db)
        }
    }

    /// The summaries of all runs, or of the latest so many, newest first: in the order in which the
    /// ledger began them, whatever the clock said.
    package func runs(limit: Int? = nil) throws(LedgerError) -> [RunSummary] {
        try read("listing runs") { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT document FROM run ORDER BY number DESC LIMIT ?",
                arguments: [limit ?? -1])
            return try Self.summaries(rows)
        }
    }

    /// When the run began that stands right before another one in the ledger's own order, or the
    /// last one, of those that were not judged as of another moment; nil where there is none.
    package func startOfRun(before run: RunID?) throws(LedgerError) -> Instant? {
        try read("looking for the run before") { db in
            let number = try run.flatMap { try Self.number(of: $0, db) } ?? .max
            let rows = try Row.fetchCursor(
                db,
                sql: "SELECT document, startedAt FROM run WHERE number < ? ORDER BY number DESC",
                arguments: [number])
            while let row = try rows.next() {
                let run = try document(row[0], RunSummary.init(json:))
                if !run.isJudgedAsOf { return row[1] }
            }
            return nil
        }
    }

    /// The newest run that the caller takes, in the ledger's own order; nil where there is none.
    package func lastRun(
        where isTaken: (RunSummary) -> Bool
    ) throws(LedgerError) -> RunSummary? {
        try read("looking for an earlier run") { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT document FROM run ORDER BY number DESC")
            while let row = try rows.next() {
                let run = try document(row[0], RunSummary.init(json:))
                if isTaken(run) { return run }
            }
            return nil
        }
    }

    /// A run's summary; nil when the ledger does not know the run.
    package func run(_ id: RunID) throws(LedgerError) -> RunSummary? {
        try read("reading run \(id.text)") { db in
            try Self.summaries(
                try Row.fetchCursor(
                    db, sql: "SELECT document FROM run WHERE id = ?", arguments: [id.text])
            ).first
        }
    }

    /// The latest run of these commands that scanned both sides to their end, whether or not its
    /// repair was refused, of those that the caller takes; nil when there is none. Order is the
    /// ledger's own.
    package func lastCompleteAudit(
        of commands: Set<String>, where isTaken: (RunSummary) -> Bool = { _ in true }
    ) throws(LedgerError) -> RunSummary? {
        try read("looking for the last complete run") { db in
            var numbers: [Int64] = []
            for command in commands {
                for status in [RunSummary.Status.complete, .refused] {
                    numbers += try Int64.fetchAll(
                        db, sql: "SELECT number FROM run WHERE command = ? AND status = ?",
                        arguments: [command, status.rawValue])
                }
            }
            for number in numbers.sorted(by: >) {
                let rows = try Row.fetchCursor(
                    db, sql: "SELECT document FROM run WHERE number = ?", arguments: [number])
                if let run = try Self.summaries(rows).first, run.isCompleteScan, isTaken(run) {
                    return run
                }
            }
            return nil
        }
    }

    /// The newest complete run of these commands that began behind another run, in the ledger's own
    /// order; nil where none did. One judged as of another moment, or that saw another store than
    /// the ledger knows, is none, nor is one of another configuration that shares no store with it.
    package func completeRun(
        of commands: Set<String>, behind run: RunID
    ) throws(LedgerError) -> RunSummary? {
        try read("looking for newer runs") { db in
            guard let number = try Self.number(of: run, db) else { return nil }
            let select = "SELECT document FROM run WHERE number = ?"
            let earlier = try Self.summaries(
                try Row.fetchCursor(db, sql: select, arguments: [number])
            ).first
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT document FROM run WHERE number > ? AND status = 'complete'
                    ORDER BY number DESC
                    """, arguments: [number])
            while let row = try rows.next() {
                let run = try document(row[0], RunSummary.init(json:))
                if commands.contains(run.command), !run.isJudgedAsOf,
                    IdentityRule.refusals(in: run.guards).isEmpty,
                    earlier.map({ run.isAbout($0) }) ?? true
                {
                    return run
                }
            }
            return nil
        }
    }

    /// Marks every run that is still `running` as interrupted and returns them, oldest first.
    ///
    /// Only for the holder of the lock, before its own run begins: a run that is `running` while
    /// its lock is free has crashed.
    package func closeCrashedRuns() throws(LedgerError) -> [RunSummary] {
        try write("closing runs that crashed") { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT document FROM run WHERE status = 'running' ORDER BY number")
            var closed = try Self.summaries(rows)
            for index in closed.indices {
                closed[index].status = .interrupted
                closed[index].reason = closed[index].reason ?? "it ended without a word"
                try Self.store(closed[index], db)
            }
            return closed
        }
    }

    /// A run's number in the ledger, which no clock moves; nil where the run never began.
    static func number(of run: RunID, _ db: Database) throws -> Int64? {
        let select = try db.cachedStatement(sql: "SELECT number FROM run WHERE id = ?")
        return try Int64.fetchOne(select, arguments: [run.text])
    }

    /// A run's number in the ledger; throws a conflict when the run never began.
    func knownNumber(of run: RunID, _ db: Database, refused: String) throws -> Int64 {
        if let number = try Self.number(of: run, db) { return number }
        throw conflict(
            "run \(run.text) is not in it", refused: refused, hint: "run mooring runs")
    }

    private static func store(_ summary: RunSummary, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE run SET command = ?, status = ?, startedAt = ?, document = ?,
                    journalLinks = (SELECT links FROM journalHead),
                    journalHash = (SELECT hash FROM journalHead)
                WHERE id = ?
                """,
            arguments: [
                summary.command, summary.status.rawValue, summary.startedAt,
                Blob(summary.json.rendered), summary.id.text,
            ])
    }

    private static func summaries(_ rows: RowCursor) throws -> [RunSummary] {
        var summaries: [RunSummary] = []
        while let row = try rows.next() {
            summaries.append(try document(row[0], RunSummary.init(json:)))
        }
        return summaries
    }
}
