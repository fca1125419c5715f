import GRDB
package import MooringDecisions
package import MooringModel

/// What the ledger holds, or held, about the objects of a deletion request.
package struct ErasedEvidence: Hashable, Sendable {
    /// Findings, each counted in every run that recorded it.
    package var findings = 0
    /// Entries of the journal that have an outcome.
    package var entries = 0
    /// Entries without an outcome, which stay as they are until a run knows how they ended.
    package var openEntries = 0
    /// Steps of saved plans.
    package var steps = 0
    /// First sights, sightings and rows of the watch.
    package var sights = 0
    /// The runs whose reports may name one of the objects.
    package var runs: Set<RunID> = []

    /// Nothing.
    package init() {}
}

extension Ledger {
    /// The runs whose findings, plans, scan problems or steps name an object of a request.
    package func runs(about scope: ErasureScope) throws(LedgerError) -> Set<RunID> {
        try read("looking for what names the objects of a request") { db in
            var search = ErasureSearch(scope: scope)
            try search.findFindings(db)
            try search.findPlans(db)
            try search.findSummaries(db)
            try search.findEntries(db)
            return search.runs.union(search.entries.map(\.run))
        }
    }

    /// Takes out of the ledger what it holds about the objects of a request, in one transaction.
    ///
    /// Findings, sights, watch rows and steps of plans go; entries of the journal stay without
    /// their object, each behind a link of the chain that says so.
    package func erase(
        _ scope: ErasureScope, by run: RunID, at instant: Instant
    ) throws(LedgerError) -> ErasedEvidence {
        let refused = "erasing what names the objects of a request"
        do {
            // Outside of the transaction, in which SQLite does not take it.
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        } catch {
            throw LedgerError(error, path: path, refused: refused)
        }
        return try write(refused) { db in
            var search = ErasureSearch(scope: scope)
            try search.findFindings(db)
            try search.findPlans(db)
            try search.findSummaries(db)
            try search.findEntries(db)
            let writer = EvidenceEraser(search: search, run: run, instant: instant, db: db)
            return try writer.erase()
        }
    }

    /// Rewrites the file without the pages that are free by now, and empties the `-wal` file:
    /// then neither holds what was removed. False when another process is reading meanwhile, so
    /// that old bytes stay in the `-wal` file.
    package func clearRemoved() throws(LedgerError) -> Bool {
        do {
            try queue.vacuum()
            return try queue.writeWithoutTransaction { db in
                let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                return row?[0] == 0
            }
        } catch {
            throw LedgerError(error, path: path, refused: "clearing what was removed")
        }
    }
}

/// Removes what a search found, inside one transaction.
private struct EvidenceEraser {
    let search: ErasureSearch
    let run: RunID
    let instant: Instant
    let db: Database

    func erase() throws -> ErasedEvidence {
        var erased = ErasedEvidence()
        erased.runs = search.runs
        for id in search.findings {
            try db.execute(
                sql: """
                    DELETE FROM recordSight WHERE record IN (SELECT subject FROM findingSubject
                        JOIN finding ON number = finding WHERE id = ?)
                    """, arguments: [id])
            erased.sights += db.changesCount
            erased.findings += try FindingIntervals.erase(id, db)
            try db.execute(sql: "DELETE FROM history WHERE finding = ?", arguments: [id])
            try db.execute(sql: "DELETE FROM sighting WHERE finding = ?", arguments: [id])
            erased.sights += db.changesCount
        }
        for place in search.scope.places {
            for table in ["objectSight", "watch"] {
                let (condition, arguments) = ErasureSearch.condition(place)
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE \(condition)", arguments: arguments)
                erased.sights += db.changesCount
            }
        }
        for (number, plan, removed) in search.plans {
            try db.execute(
                sql: "UPDATE plan SET document = ? WHERE number = ?",
                arguments: [Blob(plan.json.rendered), number])
            erased.steps += removed
        }
        for summary in search.summaries {
            try db.execute(
                sql: "UPDATE run SET document = ? WHERE id = ?",
                arguments: [Blob(marked(summary).json.rendered), summary.id.text])
        }
        for entry in search.entries {
            guard entry.outcome != nil else {
                erased.openEntries += 1
                continue
            }
            try redact(entry)
            erased.entries += 1
        }
        return erased
    }

    private func marked(_ summary: RunSummary) -> RunSummary {
        var summary = summary
        let note = "what it found about some objects was erased on request"
        if !summary.notes.contains(note) { summary.notes.append(note) }
        return summary
    }

    // The link comes first: the triggers let only the entry of the last link be erased.
    private func redact(_ entry: JournalEntry) throws {
        let select = "SELECT \(EntryRow.columns) FROM journal WHERE number = ?"
        guard let row = try Row.fetchOne(db, sql: select, arguments: [entry.number]) else { return }
        let erased = entry.erased(by: run)
        let document = Blob(erased.json.rendered)
        let reason = erased.reason.map { Blob($0) }
        var values = (0..<7).map { row[$0] as DatabaseValue }
        let before = EntryRow(values)
        values[3] = document.databaseValue
        values[5] = reason.databaseValue
        let after = EntryRow(values)
        let columns: [DatabaseValue] = [
            entry.number.databaseValue, run.text.databaseValue, instant.databaseValue,
            Blob(before.intent).databaseValue, Blob(after.intent).databaseValue,
            after.outcome.map { Blob($0) }.databaseValue,
        ]
        let link = try JournalChain.append(
            .erasure, entry: entry.number, content: EntryRow.digest(columns), db)
        try db.execute(
            sql: """
                INSERT INTO journalErasure (entry, run, erasedAt, before, intent, outcome, number)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, arguments: StatementArguments(columns + [link.databaseValue]))
        try db.execute(
            sql: "UPDATE journal SET document = ?, reason = ? WHERE number = ?",
            arguments: [document, reason, entry.number])
        try db.execute(
            sql: "DELETE FROM journalSubject WHERE entry = ?", arguments: [entry.number])
    }
}

extension Blob? {
    fileprivate var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
}
