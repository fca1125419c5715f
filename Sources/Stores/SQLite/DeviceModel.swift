package import MooringModel
import MooringText

/// One model of a device's copy as Amplify DataStore keeps it: the record's row lies in a table of
/// its own, and what the service said of it in `MutationSyncMetadata`, in a row whose id is
/// `MODEL|ID`, or only the record's id in older databases (amplify-swift,
/// `MutationSyncMetadata.swift`).
package struct DeviceModel: Hashable, Sendable {
    /// The table of the records.
    package let table: String
    /// The model's name.
    package let model: String
    /// The column of the record's identifier.
    package let id: String
    /// Under which names the mapping wants version, last change and mark of deletion.
    package let version, changed, deleted: String?

    /// A model as it is mapped; only the first id column counts, since DataStore joins the others
    /// into a column of its own.
    package init(_ mapping: ModelMapping) {
        table = mapping.table
        model = mapping.model
        id = mapping.id.first ?? "id"
        version = mapping.version
        changed = mapping.changed
        deleted = mapping.deleted
    }
}

/// The tables that DataStore keeps beside the models' own.
struct DeviceTables {
    /// What a database has of them.
    enum Outbox {
        /// It is none of DataStore's, so that nothing waits in it.
        case none
        case known
        /// Its form is not known, so that nothing says what waits in it.
        case unknown(String)
    }

    /// What the service said of each record: version, last change, mark of deletion.
    static let metadata = Array("MutationSyncMetadata".utf8)
    /// When each model was synchronised last.
    static let lastSync = Array("ModelSyncMetadata".utf8)
    /// The outbox of Amplify for Android, whose writes are not read.
    static let androidOutbox = Array("PersistentRecord".utf8)
    /// The column that joins the parts of a composite identifier.
    static let joinedID = Array("@@primaryKey".utf8)

    /// The models whose tables have metadata.
    let models: [DeviceModel]

    /// Which outbox a database has.
    static func outbox(in schema: Schema) throws(SQLiteFailure) -> Outbox {
        let outbox = OutboxTable.dataStore
        let name = Array(outbox.table.utf8)
        guard let table = schema.tables.first(where: { $0.name == name }) else {
            let isDataStore = schema.tables.contains {
                $0.name == metadata || $0.name == lastSync
            }
            return isDataStore
                ? .unknown("it has DataStore's tables, but no \(outbox.table)") : .none
        }
        let known = try schema.columns(of: table).map(\.name)
        let missing = outbox.columns.filter { !known.contains(Array($0.utf8)) }
        guard missing.isEmpty else {
            return .unknown(
                "\(outbox.table) is of an unknown version: it has no column "
                    + missing.joined(separator: ", "))
        }
        return .known
    }
}

extension Schema {
    /// The same, for a table that is read as a whole; none where its columns cannot be read, which
    /// the reading itself tells.
    func syncColumns(of table: Table) -> [Column] {
        // A failure comes back when the table is read, and is told then.
        guard device != nil, let columns = try? columns(of: table) else { return [] }
        return columns.filter { $0.sync != nil }
    }

    /// What the service said of each record of a table, under the names that the mapping wants,
    /// where the table has no such columns of its own.
    func syncColumns(
        of table: Table, beside own: [Column]
    ) -> [Column] {
        guard let model = device?.models.first(where: { Array($0.table.utf8) == table.name }),
            tables.contains(where: { $0.name == DeviceTables.metadata })
        else { return [] }
        let wanted = [
            (model.version, "version"), (model.changed, "lastChangedAt"),
            (model.deleted, "deleted"),
        ]
        let key = DeviceTables.joinedID
        let id = own.contains { $0.name == key } ? key : Array(model.id.utf8)
        return wanted.compactMap { name, source in
            guard let name, !own.contains(where: { $0.name == Array(name.utf8) }) else {
                return nil
            }
            return Column(
                name: Array(name.utf8), declaredType: "INTEGER", primaryKeyPosition: 0,
                isGenerated: false,
                sync: SyncColumn(source: source, model: Array(model.model.utf8), id: id))
        }
    }
}

/// A value of `MutationSyncMetadata` as a column of a record.
struct SyncColumn {
    /// The column of `MutationSyncMetadata`.
    let source: String
    /// The model's name, as that table spells it.
    let model: [UInt8]
    /// The column of the record's table that holds the identifier.
    let id: [UInt8]

    /// The value, for the row whose alias is `m`.
    var expression: SQLText {
        var sql = SQLText("(SELECT s.\(source)")
        sql.append(row)
        sql.append(")")
        return sql
    }

    /// The identifier of the metadata's row.
    var identifier: SQLText {
        var sql = SQLText("(SELECT s.id")
        sql.append(row)
        sql.append(")")
        return sql
    }

    // The longer of the two spellings names the model.
    private var row: SQLText {
        var sql = SQLText(" FROM main.")
        sql.append(name: DeviceTables.metadata)
        sql.append(" AS s WHERE s.id IN (")
        sql.append(text: model + [UInt8(ascii: "|")])
        sql.append(" || ")
        sql.append(SQLText.column(id))
        sql.append(", ")
        sql.append(SQLText.column(id))
        sql.append(") ORDER BY length(s.id) DESC LIMIT 1")
        return sql
    }
}
