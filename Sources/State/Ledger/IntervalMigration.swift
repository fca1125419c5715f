import GRDB
import MooringModel

/// Makes intervals of the rows of an older ledger, which hold each finding once for each run; holds
/// one finding of each series in memory.
struct IntervalMigration {
    private let db: Database
    // By the run's number.
    private var places: [Int64: Place] = [:]
    // The newest place of each series, by its number.
    private var newest: [Int64: Int64] = [:]
    // The interval of each series that the finding at hand may go on with.
    private var open: [Int64: Interval] = [:]

    private struct Place {
        let series: Int64
        let place: Int64
        let start: Instant
        let words: RunWords
    }

    private struct Interval {
        let number: Int64
        let first: Int64
        var last: Int64
        let runs: Int64
        var offset: Int64 = 0
        let document: Blob
    }

    /// A migration inside the transaction of a ledger.
    init(_ db: Database) {
        self.db = db
    }

    /// Gives each run that recorded findings its place. A series is made for each configuration,
    /// and another one for runs of it that did not end or were judged as of another moment.
    mutating func numberRuns() throws {
        var series: [String: Int64] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT number, startedAt, document FROM run
                WHERE EXISTS (SELECT 1 FROM finding WHERE finding.run = run.number)
                ORDER BY number
                """)
        while let row = try rows.next() {
            let (number, start): (Int64, Instant) = (row[0], row[1])
            let summary = try document(row[2], RunSummary.init(json:))
            let isWhole = summary.isCompleteScan && !summary.isJudgedAsOf
            let name = "\(isWhole) \(summary.configuration)"
            let known = try series[name] ?? add(seriesOf: summary.configuration, isWhole)
            series[name] = known
            let place = (newest[known] ?? 0) + 1
            newest[known] = place
            let words = try words(of: number)
            places[number] = Place(series: known, place: place, start: start, words: words)
            let names = Set(words.sentences.map(\.name))
            try db.execute(
                sql: """
                    INSERT INTO recording
                        (run, series, place, configuration, counted, words, totals)
                    VALUES (?, ?, ?, ?, ?, ?, NULL)
                    """,
                arguments: [
                    number, known, place, summary.configuration, place,
                    words.document(of: names),
                ])
        }
        for (number, place) in newest {
            try db.execute(
                sql: "UPDATE findingSeries SET place = ?, counted = ? WHERE number = ?",
                arguments: [place, place, number])
        }
    }

    // One without a scope is what whole runs of its configuration go on with.
    private func add(seriesOf configuration: String, _ isWhole: Bool) throws -> Int64 {
        try db.execute(
            sql: """
                INSERT INTO findingSeries (scope, configuration, place, counted)
                VALUES (?, ?, 0, 0)
                """, arguments: [isWhole ? nil : "migrated", configuration])
        return db.lastInsertedRowID
    }

    private func words(of run: Int64) throws -> RunWords {
        var words = RunWords()
        let orphan = try Blob.fetchOne(
            db,
            sql: "SELECT document FROM finding WHERE run = ? AND kind = 'orphan' LIMIT 1",
            arguments: [run])
        let finding = try orphan.map { try document($0, Finding.init(json:)) }
        // As the program that wrote them said how many references a run read.
        if let text = finding?.evidence.first, text.hasPrefix("none of "),
            text.hasSuffix(" references means it")
        {
            words.sentences.append(RunWords.Sentence(RunWords.references, text))
        }
        return words
    }

    /// Joins rows of one finding that are alike at places behind one another.
    mutating func joinRows() throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT number, run, kind, bucket, key, id, verdict, document FROM finding
                ORDER BY id, run
                """)
        var id: Blob?
        while let row = try rows.next() {
            if id != row[5] {
                try closeAll(id)
                id = row[5]
            }
            try add(row)
        }
        try closeAll(id)
    }

    private mutating func add(_ row: Row) throws {
        guard let at = places[row[1]] else { return }
        let finding = try document(row[7], Finding.init(json:))
        var used: Set<String> = []
        let stored = Blob(
            at.words.stored(finding, noting: &used).json(withOwners: true).rendered)
        let runs = Int64(finding.runs) - at.place
        if var known = open[at.series], known.last == at.place - 1, known.document == stored {
            known.last = at.place
            if runs - known.runs != known.offset {
                known.offset = runs - known.runs
                try db.cachedStatement(
                    sql: "INSERT INTO findingCount (finding, place, runs) VALUES (?, ?, ?)"
                ).execute(arguments: [known.number, at.place, known.offset])
            }
            open[at.series] = known
            return
        }
        if let before = open[at.series] { try close(before) }
        open[at.series] = Interval(
            number: row[0], first: at.place, last: at.place, runs: runs, document: stored)
        try db.cachedStatement(
            sql: """
                INSERT INTO findingRow (number, series, first, last, kind, bucket, key, id,
                    verdict, runs, firstSeen, document)
                VALUES (?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            row[0] as Int64, at.series, at.place, row[2] as String, row[3] as Blob,
            row[4] as Blob, row[5] as Blob, row[6] as String, runs,
            finding.firstSeen ?? at.start, stored,
        ])
    }

    private func close(_ interval: Interval) throws {
        try db.cachedStatement(sql: "UPDATE findingRow SET last = ? WHERE number = ?")
            .execute(arguments: [interval.last, interval.number])
    }

    // What stands in the newest run stays open; its runs are counted when it is closed.
    private mutating func closeAll(_ id: Blob?) throws {
        for (series, interval) in open {
            guard interval.last == newest[series] else {
                try close(interval)
                continue
            }
            try db.cachedStatement(sql: "UPDATE history SET runs = runs - ? WHERE finding = ?")
                .execute(arguments: [interval.last - interval.first + 1, id])
        }
        open = [:]
    }
}
