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
                    \(Self.columns) FROM finding \(Self.recordings)
                    WHERE finding.id = ? ORDER BY run.id DESC LIMIT ?
                    """, arguments: [Blob(findingID), limit])
        }
    }

    /// The findings that name a key, be it as one of several candidates, newest run first.
    package func findings(
        about bucket: String, key: ObjectKey, limit: Int = appearanceLimit
    ) throws(LedgerError) -> [Appearance] {
        let subject = Subject.object(bucket: bucket, key: key)
        return try findings(
            "\(Self.mentioned) UNION \(Self.keyed)",
            [subject.blob, Blob(bucket), Blob(key.bytes)], limit)
    }

    /// The findings that name a record, be it as a possible owner, newest run first.
    package func findings(
        about identity: RecordIdentity, limit: Int = appearanceLimit
    ) throws(LedgerError) -> [Appearance] {
        try findings(Self.mentioned, [Subject.record(identity).blob], limit)
    }

    private static let mentioned = "SELECT finding FROM findingSubject WHERE subject = ?"

    // The columns before the key have few values, and the index is asked for each of them. A
    // finding without a key has an empty one here.
    private static let keyed = """
        SELECT number FROM finding INDEXED BY findingInOrder
            WHERE series IN (SELECT number FROM findingSeries WHERE number > 0)
                AND kind IN (\(kinds)) AND bucket = ? AND key = ? AND key <> x''
        """
    private static let kinds = FindingKind.allCases.map { "'\($0.rawValue)'" }
        .joined(separator: ", ")

    private func findings(
        _ rows: String, _ arguments: StatementArguments, _ limit: Int
    ) throws(LedgerError) -> [Appearance] {
        try read("looking for findings") { db in
            try Self.appearances(
                db,
                sql: """
                    \(Self.columns) FROM finding \(Self.recordings)
                    WHERE finding.number IN (\(rows))
                    ORDER BY run.id DESC, kind, bucket, key, finding.id LIMIT ?
                    """, arguments: arguments + [limit])
        }
    }

    private static let columns = """
        SELECT run.id, finding.document, finding.runs,
            \(RecordedRun.offset(at: "recording.place")), \(RecordedRun.columns)
        """

    // Each run that saw a row; the order of the tables is the one to read them in.
    private static let recordings = """
        CROSS JOIN recording ON recording.series = finding.series
            AND recording.place >= finding.first
            AND (finding.last IS NULL OR recording.place <= finding.last)
        CROSS JOIN run ON run.number = recording.run
        """

    private static func appearances(
        _ db: Database, sql: String, arguments: StatementArguments
    ) throws -> [Appearance] {
        var appearances: [Appearance] = []
        let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
        while let row = try rows.next() {
            guard let run = RunID(row[0] as String) else {
                throw DocumentError("a run's id has another form")
            }
            let recorded = try RecordedRun(row, from: 4)
            appearances.append(
                Appearance(
                    run: run,
                    finding: try recorded.finding(row[1], runs: row[2], offset: row[3])))
        }
        return appearances
    }
}
