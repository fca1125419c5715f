/// A change of one record, as a store wrote it down when it happened.
package struct RecordedChange: Hashable, Sendable {
    /// The table's name.
    package let table: String
    /// When it was written, by the store's clock.
    package let written: Instant
    /// The record before it; nil where there was none, or nobody kept it.
    package let before: [String: FieldValue]?
    /// The record after it; nil where it was removed.
    package let after: [String: FieldValue]?

    /// A change.
    package init(
        table: String, written: Instant, before: [String: FieldValue]?,
        after: [String: FieldValue]?
    ) {
        self.table = table
        self.written = written
        self.before = before
        self.after = after
    }
}

/// A source that also knows what its records were before: evidence of when a reference was lost.
package protocol RecordHistory: Sendable {
    /// Reads every change that is known, in any order; called once per change, never concurrently.
    /// Returns what could not be read; throws `StoreError` where nothing could, and what `receive`
    /// throws.
    func changes(
        _ receive: (RecordedChange) async throws -> Void
    ) async throws -> [ScanProblem]
}
