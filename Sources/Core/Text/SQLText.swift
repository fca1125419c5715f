/// A statement under construction, as bytes: a name of a database need not be valid UTF-8.
package struct SQLText: Sendable {
    /// The text so far.
    package private(set) var bytes: [UInt8]

    /// A statement that begins so.
    package init(_ text: String = "") {
        self.bytes = Array(text.utf8)
    }

    /// Adds text as it is; never a name or a value.
    package mutating func append(_ text: String) {
        bytes += text.utf8
    }

    /// Adds another piece.
    package mutating func append(_ other: SQLText) {
        bytes += other.bytes
    }

    /// Adds text of the server's own making, such as the spelling of a type.
    package mutating func append(spelled text: [UInt8]) {
        bytes += text
    }

    /// Adds a name between double quotes, which makes any bytes but NUL a name.
    package mutating func append(name: [UInt8]) {
        append(name, between: UInt8(ascii: "\""))
    }

    /// Adds a text between single quotes.
    package mutating func append(text: [UInt8]) {
        append(text, between: UInt8(ascii: "'"))
    }

    /// Adds pieces with a separator between them.
    package mutating func append(_ pieces: [SQLText], separator: String) {
        for (index, piece) in pieces.enumerated() {
            if index > 0 { append(separator) }
            append(piece)
        }
    }

    /// A column of the table whose alias is `m`. The qualifier keeps SQLite from reading a column
    /// that does not exist as a string.
    package static func column(_ name: [UInt8]) -> SQLText {
        var text = SQLText("m.")
        text.append(name: name)
        return text
    }

    private mutating func append(_ text: [UInt8], between quote: UInt8) {
        bytes.append(quote)
        for byte in text {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }
}
