package import MooringModel

/// A copy of tables: it tells nothing about now, is never acted on, and never serves a repair.
package protocol CopySource: RecordSource {
    /// The refusal to look at one record.
    var refusal: StoreError { get }
}

extension CopySource {
    /// Never.
    package var isLive: Bool { false }

    /// Always refuses.
    package func rows(
        table: String, idColumns: [String], id: RecordID, columns: [String]
    ) async throws -> [[FieldValue]] { throw refusal }

    /// Always refuses.
    package func columns(table: String) async throws -> [String] { throw refusal }
}
