import MooringModel

extension Schema {
    /// The foreign keys of its tables, column by column. SQLite compares the names of tables
    /// without regard to case, and those of columns too.
    func foreignColumns() throws(SQLiteFailure) -> [ForeignColumn] {
        var named: [String: Table] = [:]
        for table in tables {
            named[String(decoding: table.name, as: UTF8.self).lowercased()] = table
        }
        var found: [ForeignColumn] = []
        for table in tables where table.kind == .table {
            let list = try connection.prepare(Self.pragma("foreign_key_list", table.name))
            while try list.step() {
                // Where there is no such table, or no such column, it points to nothing.
                guard let spelled = try list.value(at: 2).bytes,
                    let column = try list.value(at: 3).bytes,
                    let target = named[
                        String(decoding: spelled, as: UTF8.self).lowercased()],
                    let targetColumn = try targetColumn(
                        try list.value(at: 4).bytes, place: try list.value(at: 1), of: target)
                else { continue }
                found.append(
                    ForeignColumn(
                        table: String(decoding: table.name, as: UTF8.self),
                        column: String(decoding: column, as: UTF8.self),
                        target: String(decoding: target.name, as: UTF8.self),
                        targetColumn: targetColumn))
            }
        }
        return found
    }

    // The column as the table spells it; a key that names none means the primary key.
    private func targetColumn(
        _ spelled: [UInt8]?, place: FieldValue, of target: Table
    ) throws(SQLiteFailure) -> String? {
        let columns = try columns(of: target)
        let column =
            spelled.map { spelled in
                let name = String(decoding: spelled, as: UTF8.self).lowercased()
                return columns.first {
                    String(decoding: $0.name, as: UTF8.self).lowercased() == name
                }
            } ?? columns.first { .integer(Int64($0.primaryKeyPosition) - 1) == place }
        return column.map { String(decoding: $0.name, as: UTF8.self) }
    }
}
