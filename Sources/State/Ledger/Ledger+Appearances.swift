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

    /// The newest appearance of a finding whose id begins so: eight digits at least, since fewer
    /// tell nothing apart. Nil where there is none, or where several findings begin so.
    package func appearance(
        ofIDBeginning prefix: String
    ) throws(LedgerError) -> Appearance? {
        guard prefix.utf8.count >= 8, prefix.utf8.allSatisfy(Self.isDigit) else { return nil }
        let ids = try read("looking for a finding") { db in
            try Blob.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT id FROM finding WHERE id >= ? AND id < ? LIMIT 2
                    """, arguments: [Blob(prefix), Blob(prefix + "g")])
        }
        guard ids.count == 1 else { return nil }
        return try appearances(of: ids[0].text, limit: 1).first
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    /// Hands over the object of every finding that has one, an object of several more than once.
    package func keys(_ take: (ObjectPlace) throws -> Void) throws {
        var last: Int64? = 0
        while let after = last {
            let page = try read("reading the keys of findings") { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT number, bucket, key FROM finding
                            WHERE number > ? AND key <> x'' ORDER BY number LIMIT ?
                        """, arguments: [after, Self.batchSize]
                ).map { row -> (number: Int64, place: ObjectPlace) in
                    let (bucket, key): (Blob, Blob) = (row[1], row[2])
                    return (row[0], ObjectPlace(bucket: bucket.text, key: ObjectKey(key.bytes)))
                }
            }
            for entry in page { try take(entry.place) }
            last = page.last?.number
        }
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
