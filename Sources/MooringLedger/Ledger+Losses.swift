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
            for place in scope.places {
                try db.execute(
                    sql: "DELETE FROM acceptedLoss WHERE substr(prefix, 1, ?) = ?",
                    arguments: [place.head.count, Blob(place.head)])
            }
            // One that was cut short may name the person as well.
            try db.execute(
                sql: "DELETE FROM acceptedLoss WHERE instr(prefix, ?) > 0",
                arguments: [Blob(scope.request.bytes)])
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
    package func lower(loss count: Int, below prefix: [UInt8]) throws(LedgerError) {
        try write("lowering an accepted loss") { db in
            try db.execute(
                sql: "UPDATE acceptedLoss SET count = min(count, ?) WHERE prefix = ?",
                arguments: [count, Blob(prefix)])
            try db.execute(sql: "DELETE FROM acceptedLoss WHERE count <= 0")
        }
    }

    /// Remembers that so many references below a prefix may be without their objects.
    package func accept(
        loss count: Int, below prefix: [UInt8], in run: RunID, at now: Instant
    ) throws(LedgerError) {
        try write("keeping that a loss was accepted") { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO acceptedLoss (prefix, count, acceptedAt, run)
                    VALUES (?, ?, ?, ?)
                    """, arguments: [Blob(prefix), count, now, run.text])
        }
    }

    /// How many references below which prefixes may be without their objects.
    package func acceptedLosses() throws(LedgerError) -> [[UInt8]: Int] {
        try read("reading which losses were accepted") { db in
            let rows = try Row.fetchAll(db, sql: "SELECT prefix, count FROM acceptedLoss")
            return Dictionary(
                rows.map { (($0[0] as Blob).bytes, $0[1]) },
                uniquingKeysWith: { first, _ in first })
        }
    }
}
