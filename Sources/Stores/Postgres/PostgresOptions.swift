/// How a database is read and written, beside where it is.
package struct PostgresOptions: Hashable, Sendable {
    /// The schema in which tables without one are looked for; nil for the role's search path.
    package var schema: String?
    /// The longest time of one statement; nil for none in a scan, and half a minute elsewhere.
    package var statementTimeout: Duration?
    /// The longest wait for another transaction's lock.
    package var lockTimeout: Duration
    /// The share of the locks that the server has free which a scan may take; half.
    package var lockShare = 0.5

    /// Options, of which each has a default.
    package init(
        schema: String? = nil, statementTimeout: Duration? = nil,
        lockTimeout: Duration = .seconds(5)
    ) {
        self.schema = schema
        self.statementTimeout = statementTimeout
        self.lockTimeout = lockTimeout
    }
}
