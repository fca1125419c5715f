/// A text with named slots: `{{name}}` takes a text and escapes it, `{{{name}}}` takes what was
/// rendered already.
///
/// A slot without a value, or a value without a slot, is a programming error: a debug build stops,
/// a release build leaves the slot as it stands.
struct Template: Sendable {
    /// Which escape a slot's text needs.
    enum Language: Sendable {
        /// References for the markup characters; fit for an attribute in quotes too.
        case html
        /// Printable ASCII.
        case text
    }

    private enum Part: Sendable {
        case literal(String)
        case escaped(String)
        case rendered(String)
    }

    private let language: Language
    private let parts: [Part]

    /// A template of a file in `Reports/Templates`.
    init(_ bytes: [UInt8], _ language: Language) {
        self.init(String(decoding: bytes, as: UTF8.self)[...], language)
    }

    private init(_ text: Substring, _ language: Language) {
        self.language = language
        var parts: [Part] = []
        var rest = text
        while let opening = Self.find("{{", in: rest) {
            parts.append(.literal(String(rest[..<opening])))
            rest = rest[opening...]
            let isRendered = rest.hasPrefix("{{{")
            let braces = isRendered ? 3 : 2
            guard let closing = Self.find(isRendered ? "}}}" : "}}", in: rest) else { break }
            let name = String(rest.dropFirst(braces)[..<closing])
            parts.append(isRendered ? .rendered(name) : .escaped(name))
            rest = rest[closing...].dropFirst(braces)
        }
        self.parts = parts + [.literal(String(rest))]
    }

    private init(parts: [Part], _ language: Language) {
        self.parts = parts
        self.language = language
    }

    /// The names of all slots.
    var names: Set<String> {
        Set(
            parts.compactMap {
                switch $0 {
                case .literal: nil
                case .escaped(let name), .rendered(let name): name
                }
            })
    }

    /// The text with every slot filled.
    func filled(_ values: [String: String]) -> String {
        assert(names == Set(values.keys), "slots \(names) are given \(values.keys)")
        var output = ""
        for part in parts {
            switch part {
            case .literal(let text): output += text
            case .rendered(let name): output += values[name] ?? "{{{\(name)}}}"
            case .escaped(let name):
                output += values[name].map(escape) ?? "{{\(name)}}"
            }
        }
        return output
    }

    /// What stands before and after a slot, so that its content can be written in pieces.
    func split(at slot: String) -> (before: Template, after: Template) {
        let place = parts.firstIndex {
            if case .rendered(let name) = $0 { name == slot } else { false }
        }
        assert(place != nil, "no slot \(slot)")
        let index = place ?? parts.endIndex
        return (
            Template(parts: Array(parts[..<index]), language),
            Template(parts: Array(parts[index...].dropFirst()), language)
        )
    }

    private func escape(_ text: String) -> String {
        switch language {
        case .html: Markup.text(text)
        case .text: VisibleText.ascii(text)
        }
    }

    private static func find(_ needle: String, in text: Substring) -> String.Index? {
        var index = text.startIndex
        while index < text.endIndex {
            if text[index...].hasPrefix(needle) { return index }
            index = text.index(after: index)
        }
        return nil
    }
}
