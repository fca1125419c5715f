/// A statement under construction, as bytes: a name of the catalogue need not be valid UTF-8.
struct SQLText: Sendable {
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

    /// Adds text of the server's own making, such as the spelling of a type.
    mutating func append(spelled text: [UInt8]) {
        bytes += text
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

    /// Adds pieces with a separator between them.
    mutating func append(_ pieces: [SQLText], separator: String) {
        for (index, piece) in pieces.enumerated() {
            if index > 0 { append(separator) }
            append(piece)
        }
    }

    /// A name alone.
    static func name(_ name: [UInt8]) -> SQLText {
        var text = SQLText()
        text.append(name: name)
        return text
    }

    /// A column of the table whose alias is `m`.
    static func column(_ name: [UInt8]) -> SQLText {
        var text = SQLText("m.")
        text.append(name: name)
        return text
    }

    /// A relation with its schema.
    static func relation(_ relation: Catalogue.Relation) -> SQLText {
        var text = SQLText.name(relation.schema)
        text.append(".")
        text.append(name: relation.name)
        return text
    }
}
