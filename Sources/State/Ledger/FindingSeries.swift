import GRDB
import MooringDecisions
import MooringModel

/// Runs that see the same thing: what one of them saw and the next does not is over. What another
/// configuration on the same ledger sees, or a run that could not read everything, says nothing of
/// these.
package struct FindingSeries: Hashable, Sendable {
    /// A hash of what is seen.
    let scope: String
    /// The fingerprint of the configuration by which it is seen.
    let configuration: String
    /// Whether the runs see all that the configuration names, now.
    let isWhole: Bool

    /// The series of runs over a scope, but for the sides that they could not read to their end.
    package init(
        of scope: RunScope, without incomplete: [String], isJudgedAsOf: Bool,
        configuration: String
    ) {
        let buckets = scope.buckets.mapValues { prefixes in
            JSONValue.array(prefixes.map(JSONValue.key).sorted { $0.rendered < $1.rendered })
        }
        let seen = JSONValue.members([
            "buckets": .object(
                buckets.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) }),
            "sources": .texts(scope.sources.sorted()),
            "incomplete": .texts(incomplete.sorted()), "asOf": .bool(isJudgedAsOf),
        ])
        self.scope = FindingIdentity.sha256(seen.rendered)
        self.configuration = configuration
        isWhole = incomplete.isEmpty && !isJudgedAsOf
    }

    /// A series by names of the caller's own.
    package init(scope: String, configuration: String) {
        self.scope = scope
        self.configuration = configuration
        isWhole = true
    }

    /// The entry of a series in a ledger.
    struct Entry {
        /// The number by which rows name the series.
        let number: Int64
        /// The place of its newest run; 0 while there was none.
        let place: Int64
        /// By how many runs what stands all the time was counted further at that place.
        let counted: Int64

        /// A series in a row of these three columns.
        init(_ row: Row) {
            (number, place, counted) = (row[0], row[1], row[2])
        }
    }

    /// The series in a ledger; made where there is none.
    ///
    /// A configuration that was changed goes on where the one before it ended. Two that take turns
    /// get a series each, so that neither ends each night what the other one sees.
    func entry(_ db: Database) throws -> Entry {
        let select = "SELECT number, place, counted FROM findingSeries WHERE"
        if let own = try Row.fetchOne(
            db, sql: "\(select) scope = ? AND configuration = ?",
            arguments: [scope, configuration])
        {
            return Entry(own)
        }
        // One that was migrated knows no scope, and its own configuration goes on with it.
        if isWhole,
            let migrated = try Row.fetchOne(
                db, sql: "\(select) scope IS NULL AND configuration = ?",
                arguments: [configuration])
        {
            return Entry(migrated)
        }
        let isKnown = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM recording JOIN findingSeries ON number = series
                    WHERE scope = ? AND recording.configuration = ?)
                """, arguments: [scope, configuration])
        if isKnown == false,
            let before = try Row.fetchOne(
                db,
                sql: """
                    \(select) scope = ? ORDER BY
                        (SELECT max(run) FROM recording WHERE series = number) DESC LIMIT 1
                    """, arguments: [scope])
        {
            return Entry(before)
        }
        try db.execute(
            sql: """
                INSERT INTO findingSeries (scope, configuration, place, counted)
                VALUES (?, ?, 0, 0)
                """, arguments: [scope, configuration])
        let made = try Row.fetchOne(
            db, sql: "\(select) number = ?", arguments: [db.lastInsertedRowID])
        guard let made else { throw DocumentError("a series was not stored") }
        return Entry(made)
    }

    /// Moves the series on to a place, under this scope and configuration from now on.
    func move(_ entry: Entry, to place: Int64, counted: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE findingSeries SET scope = ?, configuration = ?, place = ?, counted = ?
                WHERE number = ?
                """, arguments: [scope, configuration, place, counted, entry.number])
    }
}

extension [UInt8] {
    fileprivate static func < (one: [UInt8], other: [UInt8]) -> Bool {
        one.lexicographicallyPrecedes(other)
    }
}
