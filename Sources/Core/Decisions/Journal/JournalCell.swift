/// A value of a column as the journal's hashes take it: another storage class is another value.
package enum JournalCell: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    /// The bytes of a text.
    case text([UInt8])
    case blob([UInt8])

    /// The text of a column that may be NULL.
    package init(text: String?) {
        self = text.map { .text(Array($0.utf8)) } ?? .null
    }

    /// The bytes of a column that may be NULL.
    package init(blob: [UInt8]?) {
        self = blob.map { .blob($0) } ?? .null
    }

    /// A byte for the class, then the value.
    private var bytes: [UInt8] {
        switch self {
        case .null: [0]
        case .integer(let number): [1] + withUnsafeBytes(of: number.bigEndian) { Array($0) }
        case .real(let number):
            [2] + withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) }
        case .text(let text): [3] + text
        case .blob(let data): [4] + data
        }
    }

    /// The hash of the cells of an event, in their order: what a link's content is.
    package static func digest(_ cells: some Sequence<JournalCell>) -> [UInt8] {
        JournalLink.digest(cells.map(\.bytes))
    }
}
