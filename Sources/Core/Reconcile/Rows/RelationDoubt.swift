package import MooringModel

/// Why a relation may mean something else than a record that is gone.
package enum RelationDoubt: Hashable, Sendable {
    /// A record where the parent may lie is spelt like it.
    case alike(RecordIdentity)
    /// The identifier of a record where the parent may lie stands in the value.
    case inside(RecordIdentity)
    /// The value is one by which apps say that there is no parent.
    case saysNone
    /// A column beside the relation may say in which table the parent lies.
    case kind(column: String)
}

/// Tells values by which apps say that there is no parent.
enum NoParent {
    private static let words: Set<String> = [
        "null", "nil", "none", "undefined", "nan", "na", "no", "false", "root", "empty", "unset",
    ]

    /// Whether a value says so: one of nothing but zeros, such as 0 or a UUID of them, or without
    /// any letter or digit, a number below 0, or a word for it.
    static func isSaid(by value: [UInt8]) -> Bool {
        let name = value.filter { $0 >= 0x80 || isDigit($0) || isLetter($0) }
        if name.allSatisfy({ $0 == UInt8(ascii: "0") }) { return true }
        if isBelowZero(value) || value == Array("\\N".utf8) { return true }
        return words.contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    private static func isBelowZero(_ value: [UInt8]) -> Bool {
        let text = WholeValue.trimmed(value)
        return text.first == UInt8(ascii: "-")
            && text.dropFirst().allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}

/// The columns of a child's table that may say in which table its parent lies: `on_type` or
/// `onKind` beside `on_id`, whatever they hold, and others called so that were seen to name the
/// relation's own model.
struct KindColumns {
    private struct Column {
        let place: Int
        let name: String
        let isBeside: Bool
    }

    private static let kinds = ["type", "kind", "model", "class", "table", "entity"]
    private static let endings = ["id", "ids", "uuid", "guid", "key", "ref"]
    // A longer text names no table.
    private static let longest = 200

    private let columns: [Column]
    private let names: Set<String>

    /// The columns for a relation whose parents lie in these tables.
    init(of relation: Relation, tables: [String], columns: [String]) {
        let field = Self.plain(relation.field)
        let bases =
            [field]
            + Self.endings.filter { field.hasSuffix($0) && field != $0 }
            .map { String(field.dropLast($0.count)) }
        // Django calls the columns so.
        let beside = Set(
            bases.flatMap { base in Self.kinds.map { base + $0 } }
                + (field == "objectid" ? ["contenttype", "contenttypeid"] : []))
        self.columns = columns.enumerated().compactMap { place, column in
            let name = Self.plain(column)
            let isBeside = beside.contains(name)
            guard column != relation.field,
                isBeside || Self.kinds.contains(where: { name.hasSuffix($0) })
            else { return nil }
            return Column(place: place, name: column, isBeside: isBeside)
        }
        names = Set(([relation.model] + tables).map { Self.one(Self.plain($0)) })
    }

    /// Of one row, the columns that name the relation's own model, and those that do not.
    func read(_ row: [FieldValue]) -> (own: [String], other: [KindColumn]) {
        var own: [String] = []
        var other: [KindColumn] = []
        for column in columns {
            let bytes = row[column.place].bytes ?? []
            if !bytes.isEmpty, bytes.count <= Self.longest, names.contains(Self.named(bytes)) {
                own.append(column.name)
            } else if column.isBeside || !bytes.isEmpty {
                other.append(KindColumn(name: column.name, isBeside: column.isBeside))
            }
        }
        return (own, other)
    }

    // The last part of a class's whole name.
    private static func named(_ value: [UInt8]) -> String {
        let text = String(decoding: value, as: UTF8.self)
        let last = text.split { "\\/:.".contains($0) }.last ?? ""
        return one(plain(String(last)))
    }

    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" }
    }

    private static func one(_ name: String) -> String {
        name.hasSuffix("s") ? String(name.dropLast()) : name
    }
}

/// A column of a child's row that does not name its relation's model.
struct KindColumn: Hashable {
    /// The column's name.
    let name: String
    /// Whether it is called after the relation's own column.
    let isBeside: Bool
}
