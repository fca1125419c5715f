import GRDB
package import MooringModel

extension Ledger {
    /// Writes an intent before the step acts, and returns the entry with its number.
    ///
    /// The intent is on disk when the call returns. Throws a conflict for an entry that has a
    /// number or an outcome already.
    package func intend(_ entry: JournalEntry) throws(LedgerError) -> JournalEntry {
        var written = entry
        written.number = try write([.intent(entry)])[0]
        return written
    }

    /// Writes an intent inside a transaction, and returns the entry with its number.
    static func insert(_ entry: JournalEntry, _ db: Database) throws -> JournalEntry {
        try db.execute(
            sql: "INSERT INTO journal (run, plan, intendedAt, document) VALUES (?, ?, ?, ?)",
            arguments: [
                entry.run.text, entry.plan.map { Blob($0) }, entry.intendedAt,
                Blob(entry.json.rendered),
            ])
        var written = entry
        written.number = db.lastInsertedRowID
        for subject in entry.subjects {
            try db.execute(
                sql: "INSERT INTO journalSubject (subject, entry) VALUES (?, ?)",
                arguments: [subject.blob, written.number])
        }
        try JournalChain.linkIntent(of: written.number, db)
        return written
    }

    /// Writes how the step of an intent ended; on disk when the call returns.
    ///
    /// An outcome is written once; only `done` may become `undone` later. The same outcome again
    /// changes nothing. Throws a conflict for anything else.
    package func conclude(
        _ number: Int64, outcome: StepOutcome, reason: String?, at instant: Instant
    ) throws(LedgerError) {
        _ = try write([.outcome(number, outcome, reason: reason, at: instant)])
    }

    /// Writes an outcome inside a transaction.
    static func end(
        _ number: Int64, outcome: StepOutcome, reason: String?, at instant: Instant, _ db: Database
    ) throws {
        try db.execute(
            sql: "UPDATE journal SET outcome = ?, reason = ?, endedAt = ? WHERE number = ?",
            arguments: [outcome.rawValue, reason.map { Blob($0) }, instant, number])
        try JournalChain.linkOutcome(of: number, db)
    }

    /// The entries of a run, in the order in which they were written.
    package func journal(run: RunID) throws(LedgerError) -> [JournalEntry] {
        try journal(where: "run = ?", [run.text])
    }

    /// How the steps ended that a run carried out, or another one by its plans, by the ids of the
    /// findings that they were about; of several about one finding the last.
    package func outcomes(in run: RunID) throws(LedgerError) -> [String: StepOutcome] {
        try read("reading the journal") { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT number, outcome, reason, endedAt, document FROM journal
                    WHERE (run = ?1 OR plan IN (SELECT id FROM plan WHERE plan.run = ?1))
                        AND outcome IS NOT NULL ORDER BY number
                    """, arguments: [run.text])
            var outcomes: [String: StepOutcome] = [:]
            while let row = try rows.next() {
                let entry = try Self.entry(row)
                outcomes[entry.step.finding] = entry.outcome
            }
            return outcomes
        }
    }

    /// Adds to a run's summary how its steps ended, as far as a report tells them.
    package func addEndedSteps(to summary: inout RunSummary) throws(LedgerError) {
        let run = summary.id.text
        var told = summary
        told.done = []
        try read("reading the journal") { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT number, outcome, reason, endedAt, document FROM journal
                    WHERE run = ? AND outcome IS NOT NULL ORDER BY number
                    """, arguments: [run])
            while let row = try rows.next() {
                if let step = RunSummary.EndedStep(try Self.entry(row)) { told.keep(step) }
            }
        }
        summary.done = told.done
    }

    /// The runs whose names begin so and that wrote to the journal, in the order of their names: of
    /// those that were pruned nothing else is left.
    package func journalRuns(beginning prefix: String) throws(LedgerError) -> [RunID] {
        try read("reading the journal") { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT run FROM journal WHERE substr(run, 1, length(?1)) = ?1
                    ORDER BY run
                    """, arguments: [prefix]
            ).compactMap(RunID.init)
        }
    }

    /// The entries of a plan, in the order in which they were written.
    package func journal(plan: String) throws(LedgerError) -> [JournalEntry] {
        try journal(where: "plan = ?", [Blob(plan)])
    }

    /// The entries that ended as done since a moment, in the order in which they were written.
    package func journal(doneSince moment: Instant) throws(LedgerError) -> [JournalEntry] {
        try journal(where: "outcome = 'done' AND endedAt >= ?", [moment])
    }

    /// What is wanted of the entries that ended as done and whose steps follow one of these
    /// strategies, in the order in which they were written; no more than that is held.
    package func journal<Value>(
        doneBy strategies: [Strategy], _ value: (JournalEntry) -> Value?
    ) throws(LedgerError) -> [Value] {
        // Most entries are of other strategies, and parsing them is most of the work.
        let words = strategies.map { "instr(document, '\"\($0.rawValue)\"') > 0" }
        return try read("reading the journal") { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT number, outcome, reason, endedAt, document FROM journal
                    WHERE outcome = 'done' AND (\(words.joined(separator: " OR ")))
                    ORDER BY number
                    """)
            var values: [Value] = []
            while let row = try rows.next() {
                let entry = try Self.entry(row)
                guard strategies.contains(entry.step.strategy) else { continue }
                if let value = value(entry) { values.append(value) }
            }
            return values
        }
    }

    /// The entries written behind one, in the order in which they were written.
    package func journal(after number: Int64) throws(LedgerError) -> [JournalEntry] {
        try journal(where: "number > ?", [number])
    }

    /// The entries without an outcome, in the order in which they were written: after a crash,
    /// the steps of which nobody knows how they ended.
    package func openIntents() throws(LedgerError) -> [JournalEntry] {
        try journal(where: "outcome IS NULL", [])
    }

    /// The entries whose step acts on a key, in the order in which they were written.
    package func journal(
        about bucket: String, key: ObjectKey
    ) throws(LedgerError) -> [JournalEntry] {
        try journal(about: .object(bucket: bucket, key: key))
    }

    /// The entries whose step names a record, be it as a possible owner, in the order in which
    /// they were written.
    package func journal(about identity: RecordIdentity) throws(LedgerError) -> [JournalEntry] {
        try journal(about: .record(identity))
    }

    /// The entries about the object that a step acts on, or about its record where it acts on no
    /// object, in the order in which they were written.
    package func journal(about step: PlanStep) throws(LedgerError) -> [JournalEntry] {
        guard let subject = Subject(of: step) else { return [] }
        return try journal(about: subject)
    }

    /// Whether anything was ever intended.
    package func hasJournal() throws(LedgerError) -> Bool {
        try read("reading the journal") { db in
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM journal)") ?? false
        }
    }

    private func journal(about subject: Subject) throws(LedgerError) -> [JournalEntry] {
        try journal(
            where: "number IN (SELECT entry FROM journalSubject WHERE subject = ?)",
            [subject.blob])
    }

    private func journal(
        where condition: String, _ arguments: StatementArguments
    ) throws(LedgerError) -> [JournalEntry] {
        try read("reading the journal") { db in
            // Asked of every finding, so that it has to be prepared once.
            let select = try db.cachedStatement(
                sql: """
                    SELECT number, outcome, reason, endedAt, document FROM journal
                    WHERE \(condition) ORDER BY number
                    """)
            let rows = try Row.fetchCursor(select, arguments: arguments)
            var entries: [JournalEntry] = []
            while let row = try rows.next() { entries.append(try Self.entry(row)) }
            return entries
        }
    }

    /// The entry of a number; nil when there is none.
    static func journalEntry(_ number: Int64, _ db: Database) throws -> JournalEntry? {
        try Row.fetchOne(
            db,
            sql: "SELECT number, outcome, reason, endedAt, document FROM journal WHERE number = ?",
            arguments: [number]
        ).map(entry)
    }

    private static func entry(_ row: Row) throws -> JournalEntry {
        var entry = try document(row[4], JournalEntry.init(json:))
        entry.number = row[0]
        if let code: String = row[1] {
            guard let outcome = StepOutcome(rawValue: code) else {
                throw DocumentError("'outcome' has an unknown value")
            }
            entry.outcome = outcome
        }
        let reason: Blob? = row[2]
        entry.reason = reason?.text
        entry.endedAt = row[3]
        return entry
    }
}

extension JournalEntry {
    /// Everything by which the entry can be looked up: its key and its records.
    fileprivate var subjects: Set<Subject> {
        var subjects: Set<Subject> = []
        if let bucket = step.bucket, let key = step.key {
            subjects.insert(.object(bucket: bucket, key: key))
        }
        if let target = step.target {
            subjects.insert(.object(bucket: target.bucket, key: target.key))
        }
        if let record = step.record { subjects.insert(.record(record.identity)) }
        for owner in step.precondition.owners { subjects.insert(.record(owner)) }
        return subjects
    }
}
