import MooringModel

extension Schema {
    /// The foreign keys of its tables, column by column. SQLite compares the names of tables
    /// without regard to case.
    func foreignColumns() throws(SQLiteFailure) -> [ForeignColumn] {
        var names: [String: String] = [:]
        for table in tables {
            let name = String(decoding: table.name, as: UTF8.self)
            names[name.lowercased()] = name
        }
        var found: [ForeignColumn] = []
        for table in tables where table.kind == .table {
            let list = try connection.prepare(Self.pragma("foreign_key_list", table.name))
            while try list.step() {
                guard let target = try list.value(at: 2).bytes,
                    let column = try list.value(at: 3).bytes
                else { continue }
                let spelled = String(decoding: target, as: UTF8.self)
                found.append(
                    ForeignColumn(
                        table: String(decoding: table.name, as: UTF8.self),
                        column: String(decoding: column, as: UTF8.self),
                        target: names[spelled.lowercased()] ?? spelled))
            }
        }
        return found
    }
}
