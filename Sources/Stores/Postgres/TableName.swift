/// A table's name as the configuration writes it: `Song`, `app.Song`, or with parts in double
/// quotes where they hold a dot or a quote, `"odd.schema"."Song"`.
///
/// Names are taken exactly as they are written, capitals included, with quotes and without.
struct TableName: Hashable {
    /// The schema; nil where the search path tells it.
    let schema: [UInt8]?
    /// The table.
    let name: [UInt8]

    /// The name that a text writes; nil when it is none.
    init?(parsing text: String) {
        var rest = Array(text.utf8)[...]
        var parts: [[UInt8]] = []
        repeat {
            guard parts.count < 2, let part = Self.part(&rest) else { return nil }
            parts.append(part)
        } while Self.takeDot(&rest)
        guard rest.isEmpty, let name = parts.last else { return nil }
        self.name = name
        schema = parts.count == 2 ? parts[0] : nil
    }

    /// The text that is read as this name.
    static func spelled(schema: [UInt8]?, _ name: [UInt8]) -> String {
        ([schema, name].compactMap { $0 }.map(spelled)).joined(separator: ".")
    }

    private static func spelled(_ part: [UInt8]) -> String {
        let text = String(decoding: part, as: UTF8.self)
        guard part.contains(dot) || part.contains(quote) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    private static let dot = UInt8(ascii: ".")
    private static let quote = UInt8(ascii: "\"")

    private static func takeDot(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == dot else { return false }
        rest.removeFirst()
        return true
    }

    private static func part(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.first == quote else {
            let part = rest.prefix { $0 != dot }
            rest = rest[part.endIndex...]
            let isName = !part.isEmpty && !part.contains(quote) && !part.contains(0)
            return isName ? Array(part) : nil
        }
        rest.removeFirst()
        var part: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote {
                guard rest.first == quote else { return part.isEmpty ? nil : part }
                rest.removeFirst()
            }
            if byte == 0 { return nil }
            part.append(byte)
        }
        return nil
    }
}
