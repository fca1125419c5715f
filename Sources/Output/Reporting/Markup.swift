import MooringText

/// Writes foreign text into HTML.
enum Markup {
    /// The text with every markup character as a reference and every hidden one as an escape; fit
    /// for element content and for an attribute in quotes.
    static func text(_ text: String) -> String {
        var output = ""
        ForeignBytes.scan(Array(text.utf8)) { piece in
            switch piece {
            case .plain(let scalar): append(scalar, to: &output)
            case .escaped(let escape): output += escape
            }
        }
        return output
    }

    /// Bytes as element content, each run of escapes in a `span` of its own look; at most so many
    /// bytes, with a sentence in the middle that counts the rest.
    static func bytes(_ bytes: [UInt8], limit: Int = 2_048) -> String {
        guard bytes.count > limit else { return marked(bytes) }
        let half = limit / 2
        return marked(Array(bytes.prefix(half)))
            + "<span class=\"cut\"> ... \(Figures.grouped(bytes.count - 2 * half)) bytes left out"
            + " ... </span>" + marked(Array(bytes.suffix(half)))
    }

    /// Bytes as element content in ASCII, where two spellings of one text must look different.
    static func asciiBytes(_ bytes: [UInt8]) -> String {
        plain(VisibleText.ascii(bytes, width: 8_192))
    }

    /// A text without hidden characters as element content or an attribute in quotes.
    static func plain(_ escaped: String) -> String {
        var output = ""
        for scalar in escaped.unicodeScalars { append(scalar, to: &output) }
        return output
    }

    private static func marked(_ bytes: [UInt8]) -> String {
        var output = ""
        var isInside = false
        ForeignBytes.scan(bytes) { piece in
            switch piece {
            case .plain(let scalar):
                if isInside { output += "</span>" }
                isInside = false
                append(scalar, to: &output)
            case .escaped(let escape):
                if !isInside { output += "<span class=\"esc\">" }
                isInside = true
                output += escape
            }
        }
        return isInside ? output + "</span>" : output
    }

    private static func append(_ scalar: Unicode.Scalar, to output: inout String) {
        switch scalar {
        case "&": output += "&amp;"
        case "<": output += "&lt;"
        case ">": output += "&gt;"
        case "\"": output += "&quot;"
        case "'": output += "&#39;"
        default: output.unicodeScalars.append(scalar)
        }
    }
}
