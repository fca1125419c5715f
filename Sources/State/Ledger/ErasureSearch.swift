import GRDB
import MooringDecisions
import MooringModel

/// Finds what in a ledger names the objects of a deletion request.
///
/// By the keys that stand in columns and look-ups; and in words, such as evidence and scan
/// problems, by what the keys begin with, where that has a slash and is no common word.
struct ErasureSearch {
    /// The keys of the request.
    let scope: ErasureScope
    /// The ids of findings.
    private(set) var findings: Set<Blob> = []
    /// Plans without the steps that were found, and how many those are.
    private(set) var plans: [(number: Int64, plan: Plan, removed: Int)] = []
    /// Runs that recorded one of the findings, or whose problems name an object, without the
    /// words that do.
    private(set) var summaries: [RunSummary] = []
    /// Entries of the journal.
    private(set) var entries: [JournalEntry] = []
    /// Every run whose report may name an object.
    private(set) var runs: Set<RunID> = []

    private let words: ErasureWords

    /// A search that has found nothing yet.
    init(scope: ErasureScope) {
        self.scope = scope
        words = ErasureWords(scope)
    }

    /// The condition under which a row's `bucket` and `key` are of a place.
    static func condition(_ place: ErasureScope.Place) -> (String, StatementArguments) {
        let named = place.bucket.map { Blob($0) }
        return (
            "(? IS NULL OR bucket = ?) AND substr(key, 1, ?) = ?",
            [named, named, place.head.count, Blob(place.head)]
        )
    }

    /// Looks for findings by key, candidates and words.
    mutating func findFindings(_ db: Database) throws {
        for place in scope.places {
            let (condition, arguments) = Self.condition(place)
            let ids = try Blob.fetchAll(
                db, sql: "SELECT DISTINCT id FROM finding WHERE \(condition)",
                arguments: arguments)
            findings.formUnion(ids)
            for subject in try Self.subjects(of: place, in: "findingSubject", db) {
                findings.formUnion(
                    try Blob.fetchAll(
                        db,
                        sql: """
                            SELECT DISTINCT id FROM finding JOIN findingSubject
                                ON finding.number = findingSubject.finding WHERE subject = ?
                            """, arguments: [subject]))
            }
        }
        let named = scope.bucket.map { Blob($0) }
        for word in words.inJSON {
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT id, document FROM finding
                    WHERE instr(document, ?) > 0 AND (? IS NULL OR bucket = ?)
                    """, arguments: [Blob(word), named, named])
            while let row = try rows.next() {
                let (id, document): (Blob, Blob) = (row[0], row[1])
                if ErasureWords.stand([word], in: document.bytes) { findings.insert(id) }
            }
        }
        for id in findings {
            let found = try String.fetchAll(
                db,
                sql: """
                    SELECT run.id FROM finding
                    CROSS JOIN recording ON recording.series = finding.series
                        AND recording.place >= first AND (last IS NULL OR recording.place <= last)
                    CROSS JOIN run ON run.number = recording.run
                    WHERE finding.id = ?
                    """, arguments: [id])
            runs.formUnion(found.compactMap { RunID($0) })
        }
    }

    /// Looks for plans with steps on the objects.
    mutating func findPlans(_ db: Database) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT number, document FROM plan")
        while let row = try rows.next() {
            var plan = try document(row[1], Plan.init(json:))
            let before = plan.steps.count
            plan.steps.removeAll { step in
                let own = step.bucket.flatMap { bucket in
                    step.key.map { ObjectPlace(bucket: bucket, key: $0) }
                }
                return [own, step.target].compactMap { $0 }
                    .contains { scope.covers(bucket: $0.bucket, key: $0.key) }
            }
            guard plan.steps.count < before else { continue }
            plans.append((row[0], plan, before - plan.steps.count))
            runs.insert(plan.run)
        }
    }

    /// Looks for runs that recorded a finding, or whose problems name an object.
    mutating func findSummaries(_ db: Database) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT document FROM run")
        while let row = try rows.next() {
            let summary = try document(row[0], RunSummary.init(json:))
            let without = self.without(summary)
            guard without != summary || runs.contains(summary.id) else { continue }
            summaries.append(without)
            runs.insert(summary.id)
        }
    }

    /// Looks for entries of the journal by key, and for record writes that hold one.
    mutating func findEntries(_ db: Database) throws {
        var numbers: Set<Int64> = []
        for place in scope.places {
            for subject in try Self.subjects(of: place, in: "journalSubject", db) {
                numbers.formUnion(
                    try Int64.fetchAll(
                        db, sql: "SELECT entry FROM journalSubject WHERE subject = ?",
                        arguments: [subject]))
            }
        }
        let writes = try Row.fetchCursor(
            db, sql: "SELECT number, document FROM journal WHERE instr(document, ?) > 0",
            arguments: [Blob("\"change\":")])
        while let row = try writes.next() {
            let change = try document(row[1], JournalEntry.init(json:)).change
            let values = (change?.expected ?? []) + (change?.assignments ?? [])
            if values.contains(where: { words.isHeld(in: $0.value.bytes ?? []) }) {
                numbers.insert(row[0])
            }
        }
        for number in numbers.sorted() {
            if let entry = try Ledger.journalEntry(number, db) { entries.append(entry) }
        }
    }

    // The subjects of objects under a place; where no bucket is named, of each bucket in turn.
    private static func subjects(
        of place: ErasureScope.Place, in table: String, _ db: Database
    ) throws -> [Blob] {
        let buckets = try place.bucket.map { [$0] } ?? bucketNames(in: table, db)
        return try buckets.flatMap { bucket in
            let head = Array(
                Subject.object(bucket: bucket, key: ObjectKey([])).blob.bytes.dropLast(4))
            return try Blob.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT subject FROM \(table)
                    WHERE subject >= ? AND subject <= ? AND substr(subject, ?, ?) = ?
                    """,
                arguments: [
                    Blob(head), Blob(head + [0xFF, 0xFF, 0xFF, 0xFF]), head.count + 5,
                    place.head.count, Blob(place.head),
                ])
        }
    }

    // A skip scan: the first subject of each bucket.
    private static func bucketNames(in table: String, _ db: Database) throws -> [String] {
        var names: [String] = []
        var after = Blob([UInt8(ascii: "O")])
        while let next = try Blob.fetchOne(
            db, sql: "SELECT min(subject) FROM \(table) WHERE subject > ? AND subject < ?",
            arguments: [after, Blob([UInt8(ascii: "P")])])
        {
            let length = next.bytes.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
            let name = next.bytes.dropFirst(5).prefix(length)
            names.append(String(decoding: name, as: UTF8.self))
            after = Blob(Array(next.bytes.prefix(5 + length)) + [0xFF, 0xFF, 0xFF, 0xFF])
        }
        return names
    }

    private func without(_ summary: RunSummary) -> RunSummary {
        var summary = summary
        for index in summary.records.indices {
            summary.records[index].scan.problems = summary.records[index].scan.problems.map(shown)
        }
        for index in summary.buckets.indices {
            summary.buckets[index].scan.problems = summary.buckets[index].scan.problems.map(shown)
        }
        summary.reason = summary.reason.map(shown)
        return summary
    }

    private func shown(_ text: String) -> String {
        words.name(Array(text.utf8)) ? "(erased)" : text
    }
}
