import MooringModel
import MooringText

/// The tables and views of a database, as one transaction sees them.
///
/// Names are compared byte for byte: the two spellings of `é` are two tables to SQLite, and a
/// table that is spelt otherwise in the configuration would not be found again in a batch.
struct Schema {
    /// A table or view.
    struct Table {
        /// What SQLite says that it is.
        enum Kind: String {
            case table
            case view
            case virtual
            /// A table in which a virtual one keeps its content.
            case shadow
        }

        /// Its name.
        let name: [UInt8]
        /// What it is.
        let kind: Kind
        /// Whether its rows have no rowid and are stored by their primary key.
        let isWithoutRowID: Bool
    }

    /// A column.
    struct Column {
        /// Its name.
        let name: [UInt8]
        /// The type as declared, possibly empty.
        let declaredType: String
        /// Its place in the primary key, from 1; 0 outside of it.
        let primaryKeyPosition: Int
        /// Whether its value is computed.
        let isGenerated: Bool
        /// Whether it is declared NOT NULL, by itself or as part of a key that has to be.
        var takesNull = true
        /// Whether it is one that a virtual table has for questions to itself, and no row holds.
        var isHidden = false
        /// Where its value lies, when that is beside the table; nil for the table's own.
        var sync: SyncColumn?

        /// The value, for the row whose alias is `m`.
        var expression: SQLText { sync?.expression ?? SQLText.column(name) }
    }

    /// All but SQLite's own, by name.
    let tables: [Table]
    /// The connection that reads them.
    let connection: SQLiteConnection
    /// What a device's copy keeps beside its records; nil for any other database.
    let device: DeviceTables?

    /// Reads the schema in the connection's transaction.
    init(
        _ connection: SQLiteConnection, device: DeviceTables? = nil
    ) throws(SQLiteFailure) {
        self.connection = connection
        self.device = device
        var tables: [Table] = []
        let list = try connection.prepare(SQLText("PRAGMA main.table_list"))
        while try list.step() {
            guard try list.value(at: 0).bytes == Array("main".utf8),
                let name = try list.value(at: 1).bytes,
                !Self.isInternal(name),
                let kind = try list.value(at: 2).bytes.flatMap({
                    Table.Kind(rawValue: String(decoding: $0, as: UTF8.self))
                })
            else { continue }
            let isWithoutRowID = try list.value(at: 4) == .integer(1)
            tables.append(Table(name: name, kind: kind, isWithoutRowID: isWithoutRowID))
        }
        self.tables = tables.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// The table or view of exactly this name; throws with the nearest known names.
    func table(_ name: String) throws(SQLiteFailure) -> Table {
        let bytes = Array(name.utf8)
        if let table = tables.first(where: { $0.name == bytes }) { return table }
        throw SQLiteFailure(
            "there is no such table" + Nearest.names(to: bytes, among: tables.map(\.name)))
    }

    /// The columns of a table, generated and hidden ones too.
    func columns(of table: Table) throws(SQLiteFailure) -> [Column] {
        var columns: [Column] = []
        let list = try connection.prepare(Self.pragma("table_xinfo", table.name))
        while try list.step() {
            guard let name = try list.value(at: 1).bytes else { continue }
            let type = try list.value(at: 2).bytes ?? []
            var position = 0
            if case .integer(let number) = try list.value(at: 5) { position = Int(number) }
            let takesNull = try list.value(at: 3) != .integer(1)
            let hidden = try list.value(at: 6)
            columns.append(
                Column(
                    name: name, declaredType: String(decoding: type, as: UTF8.self),
                    primaryKeyPosition: position,
                    isGenerated: hidden == .integer(2) || hidden == .integer(3),
                    takesNull: takesNull,
                    isHidden: hidden == .integer(1)))
        }
        return columns + syncColumns(of: table, beside: columns)
    }

    /// What to select for these names if all are columns; throws with the nearest known names.
    func selecting(
        _ names: [String], among columns: [Column]
    ) throws(SQLiteFailure) -> [SQLText] {
        try require(names, among: columns).map { name in
            columns.first { $0.name == name }?.expression ?? SQLText.column(name)
        }
    }

    /// The bytes of the names if all are columns; throws with the nearest known names.
    func require(_ names: [String], among columns: [Column]) throws(SQLiteFailure) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for name in names {
            let bytes = Array(name.utf8)
            guard columns.contains(where: { $0.name == bytes }) else {
                let nearest = Nearest.names(to: bytes, among: columns.map(\.name))
                throw SQLiteFailure("there is no column \(quotedName(bytes))" + nearest)
            }
            found.append(bytes)
        }
        return found
    }

    /// The columns that the table's own UNIQUE and PRIMARY KEY constraints look at.
    func constrainedColumns(of table: Table) throws(SQLiteFailure) -> [[UInt8]] {
        var names: [[UInt8]] = []
        let indexes = try connection.prepare(Self.pragma("index_list", table.name))
        while try indexes.step() {
            // c is an index by CREATE INDEX, which has no conflict clause.
            guard let index = try indexes.value(at: 1).bytes,
                try indexes.value(at: 3) != .text(Array("c".utf8))
            else { continue }
            let members = try connection.prepare(Self.pragma("index_info", index))
            while try members.step() {
                if let name = try members.value(at: 2).bytes { names.append(name) }
            }
        }
        return names
    }

    /// The foreign keys of a table that point to another one: its columns, and those they name.
    func foreignKeys(
        of child: Table, to parent: Table
    ) throws(SQLiteFailure) -> [(from: [[UInt8]], to: [[UInt8]])] {
        var keys: [FieldValue: (from: [[UInt8]], to: [[UInt8]])] = [:]
        let primary = try columns(of: parent).filter { $0.primaryKeyPosition > 0 }
            .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }.map(\.name)
        let list = try connection.prepare(Self.pragma("foreign_key_list", child.name))
        while try list.step() {
            guard let name = try list.value(at: 2).bytes, Self.isSame(name, parent.name),
                let from = try list.value(at: 3).bytes
            else { continue }
            var key = keys[try list.value(at: 0)] ?? ([], [])
            // A key that names no column means the primary key.
            let place = key.from.count
            guard
                let to = try list.value(at: 4).bytes
                    ?? (primary.indices.contains(place) ? primary[place] : nil)
            else { continue }
            key.from.append(from)
            key.to.append(to)
            keys[try list.value(at: 0)] = key
        }
        return Array(keys.values)
    }

    // SQLite compares names without regard to the case of ASCII letters.
    private static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        func folded(_ name: [UInt8]) -> [UInt8] {
            name.map { (65...90).contains($0) ? $0 + 32 : $0 }
        }
        return folded(one) == folded(other)
    }

    /// A pragma about one table.
    static func pragma(_ pragma: String, _ name: [UInt8]) -> SQLText {
        var sql = SQLText("PRAGMA main.\(pragma)(")
        sql.append(name: name)
        sql.append(")")
        return sql
    }

    /// SQLite reserves this prefix, in any case, for its own tables.
    private static func isInternal(_ name: [UInt8]) -> Bool {
        name.count >= 7 && String(decoding: name.prefix(7), as: UTF8.self).lowercased() == "sqlite_"
    }
}
