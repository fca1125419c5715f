/// One of the files that the AWS tools share, read as the AWS CLI reads it.
///
/// Sections in brackets, `name = value` below them; a line that is indented deeper than the setting
/// above it goes on with that setting's value, as the settings below `s3 =` do. A byte order mark,
/// carriage returns and lines that start with `#` or `;` are overlooked.
struct SharedFile: Sendable {
    /// The settings of each section by the section's whole name; of a section that comes twice, the
    /// last value of each. Names of settings in small letters.
    private(set) var sections: [String: [String: String]] = [:]
    /// The first line that is neither a section, nor a setting, nor a comment; from 1.
    private(set) var firstFault: Int?

    /// Reads a file's bytes; what cannot be read is overlooked and noted.
    init(parsing bytes: [UInt8]) {
        var rest = bytes[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        var section: String?
        var isInsideSetting = false
        var indent = 0
        let lines = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let depth = line.prefix { Self.isBlank($0) }.count
            let text = Self.trimmed(line)
            guard let first = text.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";")
            else { continue }
            if isInsideSetting, depth > indent { continue }
            indent = depth
            isInsideSetting = false
            if first == UInt8(ascii: "[") {
                section = Self.sectionName(text)
                if let section, sections[section] == nil { sections[section] = [:] }
                if section == nil { note(number) }
            } else if let section, let (name, value) = Self.setting(text) {
                sections[section]?[name] = value
                isInsideSetting = true
            } else {
                note(number)
                isInsideSetting = true
            }
        }
    }

    private mutating func note(_ number: Int) { firstFault = firstFault ?? number + 1 }

    // `[profile "my one"] # comment` gives `profile my one`.
    private static func sectionName(_ text: ArraySlice<UInt8>) -> String? {
        guard let end = text.firstIndex(of: UInt8(ascii: "]")),
            // A quote that is not closed makes the line a fault like any other.
            let words = try? ShellWords.split(Array(text[(text.startIndex + 1)..<end]))
        else { return nil }
        return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    private static func setting(_ text: ArraySlice<UInt8>) -> (String, String)? {
        // The CLI takes a colon too.
        guard
            let sign = text.firstIndex(of: UInt8(ascii: "="))
                ?? text.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let name = trimmed(text[..<sign])
        guard !name.isEmpty else { return nil }
        return (
            String(decoding: name, as: UTF8.self).lowercased(),
            String(decoding: trimmed(text[(sign + 1)...]), as: UTF8.self)
        )
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let tail = line.drop(while: isBlank)
        guard let last = tail.lastIndex(where: { !isBlank($0) }) else { return [] }
        return tail[...last]
    }
}
