import GRDB
import MooringModel

/// How many complete runs said the same of one thing, and when.
///
/// A run counts at once, and for good only when it closes: what an unfinished run counted is taken
/// back as soon as another run counts or begins, so that a crash never adds to a proof.
struct RunTally: Hashable, Sendable {
    /// The runs counted, the one that has not closed yet included.
    var runs = 0
    /// When the first of them counted; nil while there is none.
    var firstAt: Instant?
    /// When the last of them counted; nil while there is none.
    var lastAt: Instant?
    /// The runs counted for good.
    var closedRuns = 0
    /// When the last run that counts for good did so.
    var closedAt: Instant?
    /// The run that last looked, whatever it saw; empty when that was taken back.
    var lastRun = ""

    /// Nothing counted.
    init() {}

    /// Counts a run, once; a run that was reset before is not counted.
    mutating func count(at instant: Instant, run: RunID) {
        guard lastRun != run.text else { return }
        if runs > closedRuns {
            runs = closedRuns
            if runs == 0 { firstAt = nil }
        }
        runs += 1
        firstAt = firstAt ?? instant
        lastAt = instant
        lastRun = run.text
    }

    /// Notes that a run looked and proves nothing, for or against.
    mutating func pass(run: RunID) {
        if runs > closedRuns {
            runs = closedRuns
            if runs == 0 { firstAt = nil }
        }
        lastRun = run.text
    }

    /// Adds runs that were held back until now, the first of them at a moment.
    mutating func add(_ heldRuns: Int, from instant: Instant) {
        runs += heldRuns
        closedRuns += heldRuns
        firstAt = min(firstAt ?? instant, instant)
        closedAt = closedAt ?? instant
        lastAt = lastAt ?? instant
    }

    /// Forgets all runs, at once and for good: what speaks against a proof needs no complete run.
    mutating func reset(run: RunID) {
        self = RunTally()
        lastRun = run.text
    }
}

extension RunTally {
    /// The columns in the order in which `arguments` and `init(_:from:)` take them.
    static let columns = "runs, firstAt, lastAt, closedRuns, closedAt, lastRun"

    /// The values of the columns.
    var arguments: StatementArguments {
        [runs, firstAt, lastAt, closedRuns, closedAt, lastRun]
    }

    /// The same, to be bound.
    var values: [RepeatedStatement.Value] {
        [
            .integer(Int64(runs)), .instant(firstAt), .instant(lastAt),
            .integer(Int64(closedRuns)), .instant(closedAt), .text(lastRun),
        ]
    }

    /// The tally in a row that a repeated statement gave.
    init(_ row: RepeatedStatement.Columns, from index: Int32) {
        runs = Int(row.integer(index))
        firstAt = row.instant(index + 1)
        lastAt = row.instant(index + 2)
        closedRuns = Int(row.integer(index + 3))
        closedAt = row.instant(index + 4)
        lastRun = row.text(index + 5)
    }

    /// The tally in a row whose columns begin at an index.
    init(_ row: Row, from index: Int) {
        runs = row[index]
        firstAt = row[index + 1]
        lastAt = row[index + 2]
        closedRuns = row[index + 3]
        closedAt = row[index + 4]
        lastRun = row[index + 5]
    }

    /// Takes back what runs counted that never closed.
    static func takeBackOpen(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM sighting WHERE runs > closedRuns AND closedRuns = 0")
        for (table, more) in [("sighting", ""), ("watch", ", looks = closedLooks")] {
            try db.execute(
                sql: """
                    UPDATE \(table) SET runs = closedRuns, lastAt = closedAt, lastRun = '',
                        firstAt = CASE WHEN closedRuns > 0 THEN firstAt END\(more)
                    WHERE runs > closedRuns
                    """)
        }
    }
}
