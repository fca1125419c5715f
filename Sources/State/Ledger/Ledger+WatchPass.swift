import GRDB
package import MooringModel

extension Ledger {
    /// Notes that a run looked at a bucket's quarantine and proves nothing of it, for or against:
    /// earlier looks stay as they are.
    package func passWatch(run: RunID, bucket: String) throws(LedgerError) {
        try write("noting the quarantine watch of run \(run.text)") { db in
            try db.execute(
                sql: "UPDATE watch SET lastRun = ? WHERE bucket = ?",
                arguments: [run.text, Blob(bucket)])
        }
    }

    /// The same of single objects: those that this run may prove nothing of, and another may.
    package func passWatch(
        run: RunID, bucket: String, objects: [QuarantinedObject]
    ) throws(LedgerError) {
        try write("noting the quarantine watch of run \(run.text)") { db in
            let update = try db.cachedStatement(
                sql: """
                    UPDATE watch SET lastRun = ?
                    WHERE bucket = ? AND key = ? AND quarantineRun = ?
                    """)
            for object in objects {
                try update.execute(arguments: [
                    run.text, Blob(bucket), Blob(object.key.bytes), object.run.text,
                ])
            }
        }
    }
}
