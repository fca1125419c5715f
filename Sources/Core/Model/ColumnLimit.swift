/// What keeps a column from holding what a write would set.
package enum ColumnLimit: String, Hashable, Sendable {
    /// It takes no NULL.
    case noNull
    /// Nobody writes its value: it is computed.
    case computed
}

extension RecordSource {
    /// A source that knows no columns with limits of their own.
    package func columnLimits(table: String) async throws -> [String: ColumnLimit] { [:] }

    /// A source that has to read to find out what it may.
    package func unreadable(_ scope: RecordScope) async throws -> [ScanProblem] { [] }

    /// A source whose reads nobody measures.
    package func cost(_ scopes: [RecordScope]) async throws -> [String] { [] }
}

/// What a key becomes that is taken out of its field.
package enum EmptyForm: String, Hashable, Sendable {
    /// NULL; inside a nested value, `null`.
    case null
    /// An empty text, for columns that take no NULL.
    case text
}
