/// A statement under construction, as bytes: a name of the schema need not be valid UTF-8.
struct SQLText {
    /// The text so far.
    private(set) var bytes: [UInt8]

    /// A statement that begins so.
    init(_ text: String = "") {
        self.bytes = Array(text.utf8)
    }

    /// Adds text as it is; never a name or a value.
    mutating func append(_ text: String) {
        bytes += text.utf8
    }

    /// Adds another piece.
    mutating func append(_ other: SQLText) {
        bytes += other.bytes
    }

    /// Adds a name between double quotes, which makes any bytes but NUL a name.
    mutating func append(name: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        bytes.append(quote)
        for byte in name {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }

    /// Adds a text between single quotes.
    mutating func append(text: [UInt8]) {
        let quote = UInt8(ascii: "'")
        bytes.append(quote)
        for byte in text {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }

    /// Adds pieces with a separator between them.
    mutating func append(_ pieces: [SQLText], separator: String) {
        for (index, piece) in pieces.enumerated() {
            if index > 0 { append(separator) }
            append(piece)
        }
    }

    /// A column of the table whose alias is `m`. The qualifier keeps SQLite from reading a column
    /// that does not exist as a string.
    static func column(_ name: [UInt8]) -> SQLText {
        var text = SQLText("m.")
        text.append(name: name)
        return text
    }

    /// ` FROM` the table of the main database, under the alias `m`.
    static func from(_ table: [UInt8]) -> SQLText {
        var text = SQLText(" FROM main.")
        text.append(name: table)
        text.append(" AS m")
        return text
    }
}
