package import MooringModel

/// A table of a database, for the commands that look at a schema.
package struct SQLiteTable: Hashable, Sendable {
    /// A column of a table.
    package struct Column: Hashable, Sendable {
        /// The column's name; invalid UTF-8 is repaired.
        package let name: String
        /// The type as the schema spells it, possibly empty.
        package let declaredType: String
    }

    /// The table's name; invalid UTF-8 is repaired.
    package let name: String
    /// The columns in their order, generated and hidden ones too; none where the module of a
    /// virtual table is missing.
    package let columns: [Column]
    /// The names of the columns of the declared primary key, in the key's order.
    package let primaryKey: [String]
    /// Whether its content is an app's own, and not what a virtual table keeps inside.
    package let isOrdinary: Bool
}

extension SQLiteSource {
    /// The tables of the database by name, without views and SQLite's own; throws `StoreError`.
    package func tables() throws -> [SQLiteTable] {
        do throws(SQLiteFailure) {
            return try inTransaction { connection throws(SQLiteFailure) in
                let schema = try Schema(connection)
                var tables: [SQLiteTable] = []
                for table in schema.tables where table.kind != .view {
                    tables.append(try describe(table, in: schema))
                }
                return tables
            }
        } catch {
            throw error.storeError(at: file.path)
        }
    }

    /// The foreign keys that the schema declares; none where it cannot be read: that protects more.
    package func foreignColumns() async -> [ForeignColumn] {
        do throws(SQLiteFailure) {
            return try inTransaction { connection throws(SQLiteFailure) in
                try Schema(connection).foreignColumns()
            }
        } catch {
            return []
        }
    }

    /// The columns that are declared NOT NULL, or computed; conditions of CHECK are not read.
    /// Source: https://sqlite.org/pragma.html#pragma_table_xinfo
    package func columnLimits(table: String) async throws -> [String: ColumnLimit] {
        do throws(SQLiteFailure) {
            return try inTransaction { connection throws(SQLiteFailure) in
                let schema = try Schema(connection, device: file.device)
                var limits: [String: ColumnLimit] = [:]
                for column in try schema.columns(of: try schema.table(table)) {
                    let name = String(decoding: column.name, as: UTF8.self)
                    limits[name] =
                        column.isGenerated ? .computed : column.takesNull ? nil : .noNull
                }
                return limits
            }
        } catch {
            throw error.storeError(at: tablePlace(file.path, Array(table.utf8)))
        }
    }

    /// The journal mode, `wal` or another, in lower case; throws `StoreError`.
    package func journalMode() throws -> String {
        do throws(SQLiteFailure) {
            return try inTransaction { connection throws(SQLiteFailure) in
                try connection.journalMode()
            }
        } catch {
            throw error.storeError(at: file.path)
        }
    }

    private func describe(
        _ table: Schema.Table, in schema: Schema
    ) throws(SQLiteFailure) -> SQLiteTable {
        var columns: [Schema.Column] = []
        do throws(SQLiteFailure) {
            columns = try schema.columns(of: table)
        } catch {
            // A missing module is a scan's problem; it must not hide the other tables here.
            guard table.kind == .virtual else { throw error }
        }
        let key = columns.filter { $0.primaryKeyPosition > 0 }
            .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }
        return SQLiteTable(
            name: String(decoding: table.name, as: UTF8.self),
            columns: columns.map {
                SQLiteTable.Column(
                    name: String(decoding: $0.name, as: UTF8.self), declaredType: $0.declaredType)
            },
            primaryKey: key.map { String(decoding: $0.name, as: UTF8.self) },
            isOrdinary: table.kind == .table)
    }
}
