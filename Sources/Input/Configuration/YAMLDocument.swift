import Yams
import MooringText

/// Turns the text of a file into one YAML tree of bounded size, whatever the text is.
enum YAMLDocument {
    /// The most nodes of a tree, each alias counted with all that it stands for.
    static let nodeLimit = 100_000
    /// The deepest nesting of lists and maps.
    static let depthLimit = 32
    /// The most aliases in a file that also uses lists, maps or aliases as keys.
    static let keyAliasLimit = 12

    /// The root of the only document. Throws a refusal that names the line where the text is not
    /// YAML, holds a key twice, or grows beyond the bounds.
    static func root(of text: String, file: String) throws(ConfigurationError) -> Node {
        let bytes = Array(text.utf8)
        if let found = controlCharacter(in: bytes) {
            throw ConfigurationError(
                file: file, line: found.line, "found the control character \(found.name)")
        }
        if aliasesMayBlowUpKeys(bytes) {
            throw ConfigurationError(
                file: file,
                "more than \(keyAliasLimit) aliases beside keys that are no texts; "
                    + "write such keys as plain texts")
        }
        let node: Node?
        do {
            // The basic resolver leaves every scalar a text: `no` and `123` are names here. The
            // encoding is given, since the default one is read from the environment.
            node = try Yams.compose(yaml: withoutByteOrderMark(text), .basic, .default, .utf8)
        } catch {
            throw refusal(error, file: file)
        }
        guard let node, node.scalar?.string.isEmpty != true else {
            throw ConfigurationError(
                file: file, "the file says nothing; 'mooring init' writes a commented one")
        }
        var budget = nodeLimit
        guard fits(node, depth: 0, budget: &budget) else {
            throw ConfigurationError(
                file: file, line: node.mark?.line,
                "more than \(nodeLimit) values or \(depthLimit) levels with its aliases put in; "
                    + "use fewer aliases")
        }
        return node
    }

    // libyaml drops the mark only where it guesses the encoding itself.
    private static func withoutByteOrderMark(_ text: String) -> String {
        guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
        return String(text.unicodeScalars.dropFirst())
    }

    private static func fits(_ node: Node, depth: Int, budget: inout Int) -> Bool {
        budget -= 1
        guard budget > 0, depth < depthLimit else { return false }
        switch node {
        case .scalar, .alias: return true
        case .sequence(let sequence):
            for item in sequence where !fits(item, depth: depth + 1, budget: &budget) {
                return false
            }
            return true
        case .mapping(let mapping):
            for (key, value) in mapping {
                guard fits(key, depth: depth + 1, budget: &budget),
                    fits(value, depth: depth + 1, budget: &budget)
                else { return false }
            }
            return true
        }
    }

    // While it reads, Yams hashes and sorts the keys of each map with everything their aliases
    // stand for, which doubles with each alias in a chain; the tree's bound would come too late.
    // Texts that only look like aliases and keys count too: what is refused wrongly is very rare.
    private static func aliasesMayBlowUpKeys(_ bytes: [UInt8]) -> Bool {
        var aliases = 0
        var hasOddKeys = false
        for index in bytes.indices {
            let last = index > 0 ? bytes[index - 1] : UInt8(ascii: "\n")
            let next = index + 1 < bytes.count ? bytes[index + 1] : UInt8(ascii: "\n")
            switch bytes[index] {
            case UInt8(ascii: "*") where isAnchorByte(next) && mayEndToken(last):
                aliases += 1
                let end = bytes[(index + 1)...].prefix(while: isAnchorByte).endIndex
                hasOddKeys = hasOddKeys || isColon(after: end, in: bytes)
            case UInt8(ascii: "?") where isBlank(next) && mayEndToken(last):
                hasOddKeys = true
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                hasOddKeys = hasOddKeys || isColon(after: index + 1, in: bytes)
            default: break
            }
        }
        return hasOddKeys && aliases > keyAliasLimit
    }

    private static func isColon(after index: Int, in bytes: [UInt8]) -> Bool {
        let rest = bytes[index...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return rest.first == UInt8(ascii: ":")
    }

    // YAML also breaks lines at some characters beyond ASCII, so these count as blanks here.
    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (9...13).contains(byte) || byte >= 0x80
    }

    private static func mayEndToken(_ byte: UInt8) -> Bool {
        isBlank(byte) || "[]{},:?".utf8.contains(byte)
    }

    private static func isAnchorByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }

    private static func controlCharacter(in bytes: [UInt8]) -> (line: Int, name: String)? {
        var line = 1
        for byte in bytes {
            if byte == UInt8(ascii: "\n") { line += 1 }
            guard byte < 0x20 || byte == 0x7F, byte != 9, byte != 10, byte != 13 else { continue }
            let digits = String(byte, radix: 16, uppercase: true)
            return (line, "U+00" + (byte < 0x10 ? "0" : "") + digits)
        }
        return nil
    }
}

extension YAMLDocument {
    // Yams' own description repeats the source line, which may hold a secret.
    private static func refusal(_ error: any Error, file: String) -> ConfigurationError {
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _),
            .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let start = context.map { "\($0.text), " } ?? ""
            return ConfigurationError(
                file: file, line: mark.line,
                "not YAML at column \(mark.column): \(start)\(problem.printable)")
        case .duplicatedKeysInMapping(let keys, let context):
            let names = keys.map { "'\($0.printable)'" }.inWords()
            return ConfigurationError(
                file: file, line: context.mark.line,
                "\(names) \(keys.count == 1 ? "stands" : "stand") twice in one map; keep one")
        case .reader(let problem, _, _, _):
            return ConfigurationError(file: file, "not YAML: \(problem.printable)")
        default:
            return ConfigurationError(file: file, "not YAML that can be read")
        }
    }
}
