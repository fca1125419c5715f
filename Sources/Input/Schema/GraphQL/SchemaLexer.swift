/// Splits a schema's bytes into tokens, each with its place.
///
/// The bytes must be UTF-8. Blanks, commas, line ends, comments and a byte order mark stand
/// between tokens and are none.
struct SchemaLexer {
    /// The file as it was named, for errors.
    let file: String
    // What places name, where the text is one of several.
    private let part: String?
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var column = 1

    private static let marks = Set("!$&():=@[]{|}".utf8)

    /// A lexer at the beginning of a text, which may be one of several of a schema.
    init(_ bytes: [UInt8], file: String, isPart: Bool = false) {
        self.file = file
        part = isPart ? file : nil
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Where the next byte stands.
    var place: SchemaPlace { SchemaPlace(line: line, column: column, file: part) }

    /// The next byte; nil at the end.
    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether the text goes on with these bytes.
    func goesOn(with other: [UInt8]) -> Bool { bytes[position...].starts(with: other) }

    /// Goes on by so many bytes, which must be there.
    mutating func advance(_ count: Int = 1) {
        for _ in 0..<count {
            let byte = bytes[position]
            position += 1
            let endsLine = byte == 0x0A || (byte == 0x0D && current != 0x0A)
            if endsLine {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80, byte != 0x0D {
                column += 1
            }
        }
    }

    /// An error at a place.
    func error(at place: SchemaPlace, _ message: String) -> SchemaError {
        SchemaError(file: file, place: place, message: message)
    }

    /// The next token; throws where the text holds what no schema does.
    mutating func next() throws(SchemaError) -> SchemaToken {
        skipBlanks()
        let start = place
        guard let byte = current else { return SchemaToken(kind: .end, place: start) }
        if Self.isNameStart(byte) {
            return SchemaToken(kind: .name(take(while: Self.isNamePart)), place: start)
        }
        if Self.marks.contains(byte) {
            advance()
            return SchemaToken(kind: .mark(byte), place: start)
        }
        if byte == UInt8(ascii: "\"") {
            return SchemaToken(kind: .string(try string()), place: start)
        }
        if byte == UInt8(ascii: "-") || Self.isDigit(byte) {
            return SchemaToken(kind: try number(), place: start)
        }
        if goesOn(with: Array("...".utf8)) {
            advance(3)
            return SchemaToken(kind: .spread, place: start)
        }
        throw error(at: start, "found \(shownScalar), which no schema holds here")
    }

    private mutating func skipBlanks() {
        while let byte = current {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","): advance()
            case UInt8(ascii: "#"): _ = take { $0 != 0x0A && $0 != 0x0D }
            // A byte order mark inside, where files were joined.
            case 0xEF where goesOn(with: [0xEF, 0xBB, 0xBF]): advance(3)
            default: return
            }
        }
    }

    private mutating func take(while fits: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = current, fits(byte) { advance() }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func number() throws(SchemaError) -> SchemaToken.Kind {
        let start = place
        var text = ""
        var isDecimal = false
        if current == UInt8(ascii: "-") {
            advance()
            text = "-"
        }
        let whole = take(while: Self.isDigit)
        var isRight = !whole.isEmpty && (whole == "0" || !whole.hasPrefix("0"))
        text += whole
        if current == UInt8(ascii: ".") {
            advance()
            let fraction = take(while: Self.isDigit)
            isRight = isRight && !fraction.isEmpty
            isDecimal = true
            text += "." + fraction
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            advance()
            text += "e"
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") {
                text += current == UInt8(ascii: "-") ? "-" : ""
                advance()
            }
            let exponent = take(while: Self.isDigit)
            isRight = isRight && !exponent.isEmpty
            isDecimal = true
            text += exponent
        }
        if let byte = current, Self.isNamePart(byte) || byte == UInt8(ascii: ".") {
            isRight = false
        }
        guard isRight else {
            throw error(
                at: start, "found a number that is not written out, expected one such as 12 or 1.5")
        }
        return isDecimal ? .decimal(text) : .integer(text)
    }

    // The scalar at the place, so that a message names no control character itself.
    private var shownScalar: String {
        let scalar =
            String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
            .unicodeScalars.first ?? "?"
        if (0x21...0x7E).contains(scalar.value) { return "'\(Character(scalar))'" }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Whether a text is a name of the language: such a name can be shown as it is.
    static func isName(_ text: String) -> Bool {
        text.utf8.first.map(isNameStart) == true && text.utf8.allSatisfy(isNamePart)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
    }

    private static func isNamePart(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) }
}
