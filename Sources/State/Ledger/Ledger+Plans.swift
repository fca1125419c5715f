import GRDB
package import MooringModel

extension Ledger {
    /// Saves a plan, which never changes afterwards; the same plan may be saved again.
    ///
    /// Throws a conflict when another plan has this id.
    package func save(_ plan: Plan) throws(LedgerError) {
        let refused = "saving plan \(plan.id)"
        try write(refused) { db in
            let content = Blob(plan.json.rendered)
            let saved = try Blob.fetchOne(
                db, sql: "SELECT document FROM plan WHERE id = ?", arguments: [Blob(plan.id)])
            if let saved {
                guard saved == content else {
                    throw conflict(
                        "another plan has this id", refused: refused, hint: "make a new plan")
                }
                return
            }
            try db.execute(
                sql: "INSERT INTO plan (id, run, createdAt, document) VALUES (?, ?, ?, ?)",
                arguments: [Blob(plan.id), plan.run.text, plan.createdAt, content])
        }
    }

    /// A plan as it was saved; nil when there is none of this id.
    package func plan(_ id: String) throws(LedgerError) -> Plan? {
        try plan(where: "id = ?", [Blob(id)])
    }

    /// The plan that was made last for a run's findings; nil when there is none.
    package func lastPlan(of run: RunID) throws(LedgerError) -> Plan? {
        try plan(where: "run = ? ORDER BY createdAt DESC, number DESC LIMIT 1", [run.text])
    }

    private func plan(
        where condition: String, _ arguments: StatementArguments
    ) throws(LedgerError) -> Plan? {
        try read("reading a plan") { db in
            let saved = try Blob.fetchOne(
                db, sql: "SELECT document FROM plan WHERE \(condition)", arguments: arguments)
            return try saved.map { try document($0, Plan.init(json:)) }
        }
    }
}
