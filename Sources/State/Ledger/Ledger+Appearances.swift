import GRDB
package import MooringModel

extension Ledger {
    /// The most appearances that one call returns.
    package static let appearanceLimit = 1_000

    /// A finding in each run that recorded it, newest first.
    package func appearances(
        of findingID: String, limit: Int = appearanceLimit
    ) throws(LedgerError) -> [Appearance] {
        try read("reading a finding") { db in
            try Self.appearances(
                db,
                sql: """
                    SELECT run.id, finding.document FROM finding JOIN run ON run.number = run
                    WHERE finding.id = ? ORDER BY run.id DESC LIMIT ?
                    """, arguments: [Blob(findingID), limit])
        }
    }

    /// The findings that name a key, be it as one of several candidates, newest run first.
    package func findings(
        about bucket: String, key: ObjectKey, limit: Int = appearanceLimit
    ) throws(LedgerError) -> [Appearance] {
        try findings(about: .object(bucket: bucket, key: key), limit: limit)
    }

    /// The findings that name a record, be it as a possible owner, newest run first.
    package func findings(
        about identity: RecordIdentity, limit: Int = appearanceLimit
    ) throws(LedgerError) -> [Appearance] {
        try findings(about: .record(identity), limit: limit)
    }

    private func findings(
        about subject: Subject, limit: Int
    ) throws(LedgerError) -> [Appearance] {
        try read("looking for findings") { db in
            try Self.appearances(
                db,
                sql: """
                    SELECT run.id, finding.document FROM findingSubject
                    JOIN finding ON finding.number = findingSubject.finding
                    JOIN run ON run.number = finding.run
                    WHERE subject = ?
                    ORDER BY run.id DESC, kind, bucket, key, finding.id LIMIT ?
                    """, arguments: [subject.blob, limit])
        }
    }

    private static func appearances(
        _ db: Database, sql: String, arguments: StatementArguments
    ) throws -> [Appearance] {
        var appearances: [Appearance] = []
        let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
        while let row = try rows.next() {
            guard let run = RunID(row[0] as String) else {
                throw DocumentError("a run's id has another form")
            }
            appearances.append(
                Appearance(run: run, finding: try document(row[1], Finding.init(json:))))
        }
        return appearances
    }
}
