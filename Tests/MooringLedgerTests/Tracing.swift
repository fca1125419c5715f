import GRDB
import MooringModel
import Synchronization

@testable import MooringLedger

extension Ledger {
    /// The queries, each once, that run while a body does.
    func tracing(_ body: () throws -> Void) throws -> Set<String> {
        let seen = Mutex<Set<String>>([])
        queue.inDatabase { db in
            db.trace { event in
                if case .statement(let statement) = event {
                    seen.withLock { _ = $0.insert(statement.sql) }
                }
            }
        }
        try body()
        queue.inDatabase { $0.trace(options: []) }
        return seen.withLock { $0 }.filter { $0.hasPrefix("SELECT") }
    }

    /// How SQLite would run a query, one line each.
    func plan(ofQuery sql: String) throws -> [String] {
        try queue.read { db in
            let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
            statement.setUncheckedArguments(StatementArguments())
            return try Row.fetchAll(statement).map { $0["detail"] }
        }
    }
}
