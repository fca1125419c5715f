import MooringText

extension SQLText {
    /// ` FROM` the table of the main database, under the alias `m`.
    static func from(_ table: [UInt8]) -> SQLText {
        var text = SQLText(" FROM main.")
        text.append(name: table)
        text.append(" AS m")
        return text
    }
}
