import GRDB
import MooringModel

/// Two runs of one series: what stands at both places stood all the time, and what begins or ends
/// between them is all that can differ.
struct RunInterval {
    private let run: RecordedRun
    private let other: RecordedRun

    /// Two runs in the order in which they are compared; nil where they are of different series, or
    /// one of them recorded nothing.
    init?(from run: RunID, to other: RunID, _ db: Database) throws {
        guard let run = try RecordedRun(run, db), let other = try RecordedRun(other, db),
            run.series == other.series
        else { return nil }
        self.run = run
        self.other = other
    }

    /// The numbers of the first run's rows that fit and do not stand in the other one, in the order
    /// of reports.
    func changed(_ filter: FindingFilter, _ db: Database) throws -> [Int64] {
        let rows = rows(filter)
        return try Int64.fetchAll(
            db,
            sql: "SELECT number FROM \(rows.text) ORDER BY kind, bucket, key, id",
            arguments: rows.arguments)
    }

    /// How many rows that fit both runs have.
    func standing(_ filter: FindingFilter, _ db: Database) throws -> Int {
        let later = run.place < other.place ? other : run
        if filter.keyPrefix.isEmpty, let totals = later.totals {
            let earlier = run.place < other.place ? run : other
            let rows = RunInterval(later, earlier).rows(filter)
            let changed = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM \(rows.text)", arguments: rows.arguments)
            return totals.count(filter) - (changed ?? 0)
        }
        let select = try db.cachedStatement(
            sql: """
                SELECT count(*) FROM finding INDEXED BY findingInOrder
                WHERE series = ? AND kind = ? AND \(RecordedRun.holds) AND \(filter.condition)
                """)
        return try filter.kindCodes.reduce(0) { sum, kind in
            var arguments: StatementArguments = [
                run.series, kind, min(run.place, other.place), later.place,
            ]
            arguments += filter.arguments
            return sum + (try Int.fetchOne(select, arguments: arguments) ?? 0)
        }
    }

    /// Two runs that are known to be of one series.
    init(_ run: RecordedRun, _ other: RecordedRun) {
        self.run = run
        self.other = other
    }

    /// The rows of the first run that fit and do not reach the place of the other one: what follows
    /// FROM, which ends with a condition, and its values.
    func rows(_ filter: FindingFilter) -> (text: String, arguments: StatementArguments) {
        let kinds = filter.kindCodes
        let fits = "kind IN (\(kinds.map { _ in "?" }.joined(separator: ", "))) AND "
        let text: String
        if run.place < other.place {
            text =
                "finding INDEXED BY findingByLast WHERE series = ? AND last >= ? AND last < ? "
                + "AND first <= ? AND "
        } else {
            text =
                "finding INDEXED BY findingByFirst WHERE series = ? AND first <= ? "
                + "AND first > ? AND (last IS NULL OR last >= ?) AND "
        }
        let places = [run.series, run.place, other.place, run.place]
        return (
            text + fits + filter.condition,
            StatementArguments(places) + StatementArguments(kinds) + filter.arguments
        )
    }
}

extension RecordedRun {
    /// The findings of rows by their numbers, without those that are gone by now.
    func findings(_ rows: some Sequence<Int64>, _ db: Database) throws -> [Finding] {
        let select = try db.cachedStatement(
            sql: "SELECT document, runs, \(Self.offset) FROM finding WHERE number = ?")
        return try rows.compactMap { number in
            try Row.fetchOne(select, arguments: [place, number]).map {
                try finding($0[0], runs: $0[1], offset: $0[2])
            }
        }
    }
}
