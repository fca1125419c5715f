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
}
