import MooringModel
import Yams
import MooringText

/// Collects what is wrong while a file is read, so that many problems are reported at once.
final class ReadingContext {
    /// The variables that `${NAME}` reads.
    let environment: [String: String]
    /// The absolute folder that relative paths start from.
    let folder: String
    /// What was found wrong so far, as far as it is kept.
    private(set) var problems: [ConfigurationError.Problem] = []
    /// All that was found wrong so far.
    private(set) var problemCount = 0

    // Far more than are shown, since sections are not read in the order of their lines.
    private static let mostProblems = 500

    /// A reading that has found nothing wrong yet.
    init(environment: [String: String], folder: String) {
        self.environment = environment
        self.folder = folder
    }

    /// Notes a problem; reading goes on. The message is made only if the problem is kept.
    func report(_ message: @autoclosure () -> String, line: Int?) {
        problemCount += 1
        guard problems.count < Self.mostProblems else { return }
        problems.append(ConfigurationError.Problem(line: line, message: message()))
    }
}

/// One scalar as text, with its variables put in.
struct ScalarText {
    /// The text to use.
    let value: String
    /// The text as it was written, without what variables stood for.
    let written: String
    /// The same to print: without control characters, and cut when it is long.
    let shown: String
    /// Where it stands.
    let line: Int
    /// Whether quotes say that it is a text, whatever it looks like.
    let isQuoted: Bool
}

/// One YAML map while it is read: its entries by key, each with its line.
struct Section {
    /// Where problems go.
    let context: ReadingContext
    /// What the map is, for messages: `race`, `an entry of 'records'`.
    let name: String
    /// The line of the map's first key.
    let line: Int
    /// The keys in the order in which they were written.
    let keys: [String]
    private let entries: [String: Entry]

    private struct Entry {
        let node: Node
        let line: Int
    }

    /// Reads a node that must be a map; reports and gives nil when it is not one, and reports every
    /// key that is not among the known ones. No list of known keys means that all may stand.
    init?(
        _ node: Node, name: String, known: [String]?, context: ReadingContext, line: Int? = nil
    ) {
        guard let mapping = node.mapping else {
            let found = Self.kind(of: node)
            context.report("\(name) needs a map; found \(found)", line: node.mark?.line ?? line)
            return nil
        }
        var entries: [String: Entry] = [:]
        var keys: [String] = []
        for (key, value) in mapping {
            let line = key.mark?.line ?? mapping.mark?.line ?? 0
            guard let word = key.scalar?.string else {
                context.report("a key must be a text; found \(Self.kind(of: key))", line: line)
                continue
            }
            if word == "<<" {
                context.report("merge keys ('<<') are not read; repeat the keys", line: line)
                continue
            }
            entries[word] = Entry(node: value, line: line)
            keys.append(word)
        }
        self.context = context
        self.name = name
        self.line = mapping.mark?.line ?? line ?? 1
        self.keys = keys
        self.entries = entries
        if let known { refuseKeys(except: known) }
    }

    /// Reports every key that is not among the known ones.
    func refuseKeys(except known: [String]) {
        for key in keys where !known.contains(key) {
            report(Nearest.unknown("key", key, among: known), at: key)
        }
    }

    /// Whether the key stands in the map, with whatever value.
    func has(_ key: String) -> Bool { entries[key] != nil }

    /// Whether the key's value is a map.
    func isMap(_ key: String) -> Bool { entries[key]?.node.mapping != nil }

    /// Whether the key's value is this one word, and not a list that holds it.
    func isWord(_ word: String, _ key: String) -> Bool {
        entries[key]?.node.scalar?.string == word
    }

    /// Whether the key's value is a list without entries.
    func isEmptyList(_ key: String) -> Bool { entries[key]?.node.sequence?.isEmpty == true }

    /// The line of a key; the map's own when the key is absent.
    func line(of key: String) -> Int { entries[key]?.line ?? line }

    /// Notes a problem with a key's value.
    func report(_ message: @autoclosure () -> String, at key: String) {
        context.report(message(), line: line(of: key))
    }

    /// Reports `'KEY' is missing`, with what to write instead.
    func reportMissing(_ key: String, _ hint: String) {
        context.report("'\(key)' is missing in \(name); \(hint)", line: line)
    }

    /// A value that must be one text; plain numbers and words such as `no` are texts.
    func text(_ key: String) -> ScalarText? {
        entries[key].flatMap {
            Self.text($0.node, "'\(key.printable)'", context: context, line: $0.line)
        }
    }

    /// A value that must be `null` or a quoted text without any character.
    func emptyForm(_ key: String) -> EmptyForm? {
        guard let scalar = entries[key]?.node.scalar else {
            report("'\(key)' is null or \"\"", at: key)
            return nil
        }
        let isQuoted = scalar.style != .plain && scalar.style != .any
        if isQuoted, scalar.string.isEmpty { return .text }
        if !isQuoted, ["~", "null", "Null", "NULL"].contains(scalar.string) { return .null }
        report("'\(key)' is null or \"\"; found '\(scalar.string.printable)'", at: key)
        return nil
    }

    /// A value that must be a text and not an empty one.
    func filled(_ key: String) -> ScalarText? {
        guard let text = text(key) else { return nil }
        guard !text.value.isEmpty else {
            let cause =
                text.written.isEmpty
                ? "" : ", and '\(text.shown)' is one in this environment"
            context.report("'\(key)' needs a text that is not empty" + cause, line: text.line)
            return nil
        }
        guard text.value != Configuration.placeholder else {
            context.report(
                "'\(key)' holds the placeholder \(Configuration.placeholder), since no file of the "
                    + "project said its value; write the app's own",
                line: text.line)
            return nil
        }
        return text
    }

    /// A value that must be a list of texts; `orOne` takes a single text for a list of one.
    func texts(_ key: String, orOne: Bool = false) -> [ScalarText]? {
        if orOne, entries[key]?.node.scalar != nil { return text(key).map { [$0] } }
        guard let nodes = nodes(key) else { return nil }
        return nodes.enumerated().compactMap { index, node in
            let name = "entry \(index + 1) of '\(key)'"
            return Self.text(node, name, context: context, line: line(of: key))
        }
    }

    /// A value that must be a map with these keys.
    func section(_ key: String, known: [String]?) -> Section? {
        entries[key].flatMap {
            Section($0.node, name: "'\(key)'", known: known, context: context, line: $0.line)
        }
    }

    /// A value that must be a list of maps with these keys.
    func sections(_ key: String, known: [String]) -> [Section]? {
        nodes(key)?.enumerated().compactMap { index, node in
            Section(
                node, name: "entry \(index + 1) of '\(key)'", known: known, context: context,
                line: line(of: key))
        }
    }

    private func nodes(_ key: String) -> [Node]? {
        guard let entry = entries[key] else { return nil }
        guard let sequence = entry.node.sequence else {
            let found = Self.kind(of: entry.node)
            report("'\(key)' needs a list; found \(found)", at: key)
            return nil
        }
        return Array(sequence)
    }

    private static func text(
        _ node: Node, _ name: String, context: ReadingContext, line: Int
    ) -> ScalarText? {
        let line = node.mark?.line ?? line
        guard let scalar = node.scalar else {
            context.report("\(name) needs a text; found \(kind(of: node))", line: line)
            return nil
        }
        let isQuoted = scalar.style != .plain && scalar.style != .any
        if !isQuoted, ["", "~", "null", "Null", "NULL"].contains(scalar.string) {
            context.report("\(name) is empty; write a value or leave it out", line: line)
            return nil
        }
        let shown = scalar.string.printable
        switch Substitution.apply(to: scalar.string, environment: context.environment) {
        case .untouched:
            return ScalarText(
                value: scalar.string, written: scalar.string, shown: shown, line: line,
                isQuoted: isQuoted)
        case .replaced(let value):
            return ScalarText(
                value: value, written: scalar.string, shown: shown, line: line, isQuoted: false)
        case .problem(let message):
            context.report("\(name): \(message)", line: line)
            return nil
        }
    }

    private static func kind(of node: Node) -> String {
        switch node {
        case .mapping: return "a map"
        case .sequence: return "a list"
        case .alias: return "an alias"
        case .scalar(let scalar):
            return scalar.string.isEmpty ? "nothing" : "'\(scalar.string.printable)'"
        }
    }
}
