import MooringModel
import MooringText

// Writes to a device's copy: never over a write that the device has not sent yet, and with what
// the service said of the record.

extension ConditionalUpdate {
    /// Why the record is not to be written, since the device has a write of its own that waits;
    /// nil where there is none. Throws where nothing tells what waits.
    func waiting(
        _ schema: Schema, _ connection: SQLiteConnection
    ) throws(SQLiteFailure) -> String? {
        guard let device = file.device else { return nil }
        switch try DeviceTables.outbox(in: schema) {
        case .none:
            guard !schema.tables.contains(where: { $0.name == DeviceTables.androidOutbox }) else {
                throw SQLiteFailure(
                    "it has the outbox of Amplify for Android, PersistentRecord, which is not read")
            }
            return nil
        case .unknown(let reason): throw SQLiteFailure(reason)
        case .known: break
        }
        let outbox = OutboxTable.dataStore
        // DataStore's models and their tables have one name.
        let mapped = device.models.filter { $0.table == change.table }.map(\.model)
        let models = Set(mapped + [change.table])
        var sql = SQLText("SELECT m.\(outbox.id) FROM main.")
        sql.append(name: Array(outbox.table.utf8))
        sql.append(" AS m WHERE m.\(outbox.record) = ? AND m.\(outbox.model) = ?")
        var waits = false
        for model in models {
            try connection.run(sql, [.text(change.id.dataStoreText), .text(Array(model.utf8))]) {
                _ in
                waits = true
            }
        }
        return waits ? "the device has a write of it in its outbox" : nil
    }

    /// Writes what the service said of the record, beside the record's own row.
    func assignMetadata(
        _ columns: [(SyncColumn, FieldValue)], of table: [UInt8], at row: Place,
        _ connection: SQLiteConnection
    ) throws(SQLiteFailure) {
        guard let first = columns.first?.0 else { return }
        var select = SQLText("SELECT ")
        select.append(first.identifier)
        select.append(SQLText.from(table))
        select.append(row.address.condition)
        var id = FieldValue.null
        try connection.run(select, row.values) { statement throws(SQLiteFailure) in
            id = try statement.value(at: 0)
        }
        guard id != .null else {
            throw SQLiteFailure("the device keeps nothing that the service said of the record")
        }
        var sql = SQLText("UPDATE main.")
        sql.append(name: DeviceTables.metadata)
        sql.append(" SET ")
        sql.append(columns.map { SQLText("\($0.0.source) = ?") }, separator: ", ")
        sql.append(" WHERE id = ?")
        try connection.run(sql, columns.map(\.1) + [id]) { _ in }
        guard connection.changes == 1 else {
            throw SQLiteFailure("the device's metadata did not take the change")
        }
    }
}
