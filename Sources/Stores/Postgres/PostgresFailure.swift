import MooringModel
import MooringText

/// A call of the server that failed, or a request that its schema cannot serve.
///
/// The text holds names of tables, columns, roles and hosts, and never a value of a record or a
/// password.
struct PostgresFailure: Error {
    /// The server's SQLSTATE; nil where Mooring itself refuses, or no server answered.
    let state: String?
    /// What was found; no value of a record.
    let reason: String
    /// What to do next, where there is something to say.
    private(set) var hint: String?
    /// Whether nobody knows what became of what was asked: the connection broke.
    var isLost = false

    /// A refusal that the server knows nothing of.
    init(_ reason: String, hint: String? = nil) {
        self.state = nil
        self.reason = reason
        self.hint = hint
    }

    /// A connection that broke, with the client library's words.
    init(lost words: String) {
        self.init("the connection to the server was lost: \(words)", hint: "run again")
        isLost = true
    }

    /// What the server answered. Its words are repeated only where they hold no values; `name` is
    /// the constraint that it names, and `isNested` says that a function or a trigger ran into it,
    /// which may choose both state and words.
    init(state: String, words: String, name: String?, isNested: Bool = false) {
        self.state = state
        let own =
            Self.explanation(of: state, constraint: name)
            ?? (isNested && !Self.ownClasses.contains(state.prefix(2))
                ? ("a trigger or a function refused it (\(state))", nil) : nil)
        reason = own?.reason ?? "\(words) (\(state))"
        hint = own?.hint ?? Self.hint(for: state, words)
    }

    /// Whether a value cannot be one of the column's type, so that no row holds it.
    var isForeignValue: Bool { state?.hasPrefix("22") ?? false }

    /// Whether the server said no before the end, so that the transaction is surely rolled back.
    var isRolledBack: Bool {
        guard let state, !isLost else { return false }
        // The completion is unknown; or a pooler lost the server, whose last word it cannot tell.
        return state != "40003" && !["08", "57", "58", "XX", "F0"].contains(state.prefix(2))
    }

    /// The failure with the statement that lets a role read a table, where only that is missing.
    func granting(_ table: Catalogue.Relation, to role: [UInt8]) -> PostgresFailure {
        guard state == "42501", !reason.contains("row-level security") else { return self }
        var failure = self
        failure.hint = "run " + Self.grant(table, to: role)
        return failure
    }

    /// The statements that let a role read a table. Source: PostgreSQL's documentation on GRANT.
    static func grant(_ table: Catalogue.Relation, to role: [UInt8]) -> String {
        var sql = SQLText("GRANT USAGE ON SCHEMA ")
        sql.append(name: table.schema)
        sql.append(" TO ")
        sql.append(name: role)
        sql.append("; GRANT SELECT ON ")
        sql.append(.relation(table))
        sql.append(" TO ")
        sql.append(name: role)
        return String(decoding: sql.bytes, as: UTF8.self)
    }

    /// The failure as an incomplete scan's problem.
    func problem(at place: String) -> ScanProblem {
        ScanProblem(place: place, reason: reason + (hint.map { "; \($0)" } ?? ""))
    }

    /// The failure as a store's error; a refusal where it says that nothing was written.
    func storeError(at place: String, isRefusal: Bool = false) -> StoreError {
        StoreError(place: place, reason: reason, hint: hint, isRefusal: isRefusal)
    }

    // Of the server and its limits, which say nothing of values.
    private static let ownClasses: Set<Substring> = [
        "08", "25", "40", "53", "54", "55", "57", "58",
    ]

    // What these classes say may repeat values of records, or is whatever an app's trigger says.
    private static func explanation(
        of state: String, constraint: String?
    ) -> (reason: String, hint: String?)? {
        let name = constraint.map { " " + quotedName(Array($0.utf8)) } ?? ""
        switch state {
        case "23502": return ("a NOT NULL constraint refused it", nil)
        case "23503": return ("the FOREIGN KEY constraint\(name) refused it", nil)
        case "23505": return ("the UNIQUE constraint\(name) refused it", nil)
        case "23514": return ("the CHECK constraint\(name) refused it", nil)
        case "23P01": return ("the EXCLUDE constraint\(name) refused it", nil)
        case "22021", "22P05":
            return ("a text cannot be told in the encoding of the database or of UTF-8", nil)
        case "57014": return nil
        default: break
        }
        switch state.prefix(2) {
        case "22": return ("a value does not fit its column's type (\(state))", nil)
        case "23": return ("the constraint\(name) refused it (\(state))", nil)
        case "P0", "09", "27", "38", "39":
            return ("a trigger or a function refused it (\(state))", nil)
        case "XX" where state == "XX000":
            return ("the server met an internal error (XX000)", "see the server's log")
        default: return nil
        }
    }

    private static func hint(for state: String, _ words: String) -> String? {
        switch state {
        case "42501" where words.contains("row-level security"):
            return "its policies would hide rows, and a hidden row protects nothing: read with a "
                + "role that has BYPASSRLS"
        case "42501": return "GRANT the role what Docs/POSTGRES.md lists"
        case "57014" where words.contains("statement timeout"):
            return "give the source a longer statementTimeout"
        case "55P03": return "run again when nobody holds the lock, or raise lockTimeout"
        case "40001", "40P01": return "run again"
        case "25006": return "write to the primary, with a role that may"
        case "53300": return "run again when the server has a free connection"
        default: return nil
        }
    }
}
