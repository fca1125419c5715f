import GRDB
package import MooringDecisions
package import MooringModel

/// A deletion request that was carried out, by the hash of what was asked.
package struct KnownErasure: Hashable, Sendable {
    /// The bucket that was named; nil means every bucket.
    package let bucket: String?
    /// `identity` or `prefix`.
    package let request: String
    /// How many bytes the identity or the prefix has.
    package let length: Int
    /// SHA-256 of them, in hexadecimal.
    package let digest: String

    /// An erasure.
    package init(bucket: String?, request: String, length: Int, digest: String) {
        self.bucket = bucket
        self.request = request
        self.length = length
        self.digest = digest
    }
}

/// How keys of a bucket begin below which objects are missing.
package struct LostPrefix: Hashable, Sendable {
    /// The bucket's name.
    package let bucket: String
    /// What the keys begin with.
    package let prefix: [UInt8]

    /// A beginning of keys of a bucket.
    package init(bucket: String, prefix: [UInt8]) {
        self.bucket = bucket
        self.prefix = prefix
    }
}

extension LedgerSchema {
    /// Losses by their bucket. What was accepted without one goes: it is asked for again.
    static let losses = """
        DROP TABLE acceptedLoss;
        CREATE TABLE acceptedLoss (
            bucket BLOB NOT NULL,
            prefix BLOB NOT NULL,
            count INTEGER NOT NULL,
            acceptedAt INTEGER NOT NULL,
            run TEXT NOT NULL,
            PRIMARY KEY (bucket, prefix)
        ) WITHOUT ROWID;
        CREATE TABLE vanishedPrefix (
            bucket BLOB NOT NULL,
            prefix BLOB NOT NULL,
            count INTEGER NOT NULL,
            run TEXT NOT NULL,
            PRIMARY KEY (bucket, prefix)
        ) WITHOUT ROWID;
        """
}

extension Ledger {
    /// Remembers that a deletion request was carried out: what is missing under its keys is meant
    /// to be. What was accepted there goes, since it names the keys.
    package func keep(
        erasure scope: ErasureScope, by run: RunID, at now: Instant
    ) throws(LedgerError) {
        try write("keeping that a deletion request was carried out") { db in
            try db.execute(
                sql: """
                    INSERT INTO erasure (bucket, request, length, digest, erasedAt, run)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    scope.bucket.map { Blob($0) }, scope.request.name,
                    scope.request.bytes.count,
                    Blob(FindingIdentity.sha256(scope.request.bytes)), now, run.text,
                ])
            for table in ["acceptedLoss", "vanishedPrefix"] {
                for place in scope.places {
                    let named = place.bucket.map { Blob($0) }
                    try db.execute(
                        sql: """
                            DELETE FROM \(table)
                            WHERE (? IS NULL OR bucket = ?) AND substr(prefix, 1, ?) = ?
                            """,
                        arguments: [named, named, place.head.count, Blob(place.head)])
                }
                // One that was cut short may name the person as well.
                let named = scope.bucket.map { Blob($0) }
                try db.execute(
                    sql: """
                        DELETE FROM \(table)
                        WHERE (? IS NULL OR bucket = ?) AND instr(prefix, ?) > 0
                        """, arguments: [named, named, Blob(scope.request.bytes)])
            }
        }
    }

    /// Every deletion request that was carried out.
    package func erasures() throws(LedgerError) -> Set<KnownErasure> {
        try read("reading which deletion requests were carried out") { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT DISTINCT bucket, request, length, digest FROM erasure")
            return Set(
                rows.map { row in
                    KnownErasure(
                        bucket: (row[0] as Blob?)?.text, request: row[1], length: row[2],
                        digest: (row[3] as Blob).text)
                })
        }
    }

    /// Forgets deletion requests whose places are used again.
    package func forget(erasures: Set<KnownErasure>) throws(LedgerError) {
        try write("forgetting deletion requests whose places are used again") { db in
            for erasure in erasures {
                try db.execute(
                    sql: """
                        DELETE FROM erasure
                        WHERE bucket IS ? AND request = ? AND length = ? AND digest = ?
                        """,
                    arguments: [
                        erasure.bucket.map { Blob($0) }, erasure.request, erasure.length,
                        Blob(erasure.digest),
                    ])
            }
        }
    }

    /// Lowers how many references below a prefix may be without their objects; 0 ends it.
    package func lower(loss count: Int, below place: LostPrefix) throws(LedgerError) {
        try write("lowering an accepted loss") { db in
            try db.execute(
                sql: """
                    UPDATE acceptedLoss SET count = min(count, ?) WHERE bucket = ? AND prefix = ?
                    """, arguments: [count, Blob(place.bucket), Blob(place.prefix)])
            try db.execute(sql: "DELETE FROM acceptedLoss WHERE count <= 0")
        }
    }

    /// Remembers that so many references below a prefix may be without their objects.
    package func accept(
        loss count: Int, below place: LostPrefix, in run: RunID, at now: Instant
    ) throws(LedgerError) {
        try write("keeping that a loss was accepted") { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO acceptedLoss (bucket, prefix, count, acceptedAt, run)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [Blob(place.bucket), Blob(place.prefix), count, now, run.text])
        }
    }

    /// How many references below which prefixes may be without their objects.
    package func acceptedLosses() throws(LedgerError) -> [LostPrefix: Int] {
        try read("reading which losses were accepted") { db in try Self.losses("acceptedLoss", db) }
    }

    /// Remembers below which prefixes nearly everything vanished at once, and how many references
    /// were without their objects then.
    package func remember(
        vanished prefixes: [LostPrefix: Int], in run: RunID
    ) throws(LedgerError) {
        try write("keeping which prefixes vanished") { db in
            for (place, count) in prefixes {
                try db.execute(
                    sql: """
                        INSERT OR REPLACE INTO vanishedPrefix (bucket, prefix, count, run)
                        VALUES (?, ?, ?, ?)
                        """, arguments: [Blob(place.bucket), Blob(place.prefix), count, run.text])
            }
        }
    }

    /// The prefixes that vanished, each with the references that were without objects then.
    package func vanishedPrefixes() throws(LedgerError) -> [LostPrefix: Int] {
        try read("reading which prefixes vanished") { db in try Self.losses("vanishedPrefix", db) }
    }

    /// Forgets prefixes whose objects are back, or whose loss was accepted.
    package func forget(vanished prefixes: Set<LostPrefix>) throws(LedgerError) {
        try write("forgetting prefixes that are no longer missed") { db in
            for place in prefixes {
                try db.execute(
                    sql: "DELETE FROM vanishedPrefix WHERE bucket = ? AND prefix = ?",
                    arguments: [Blob(place.bucket), Blob(place.prefix)])
            }
        }
    }

    private static func losses(_ table: String, _ db: Database) throws -> [LostPrefix: Int] {
        let rows = try Row.fetchAll(db, sql: "SELECT bucket, prefix, count FROM \(table)")
        return Dictionary(
            rows.map {
                (
                    LostPrefix(bucket: ($0[0] as Blob).text, prefix: ($0[1] as Blob).bytes),
                    $0[2]
                )
            }, uniquingKeysWith: { first, _ in first })
    }
}
