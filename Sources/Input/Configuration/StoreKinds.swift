import MooringModel
import MooringText

/// The kinds of store that a section may name, and those that this version reads.
struct StoreKinds {
    /// Every kind of the contract, as a key.
    let known: [String]
    /// The kinds that this version reads.
    let read: [String]

    /// The one kind that the section names; nil after a problem was reported.
    func kind(of section: Section, place: String) -> String? {
        let named = known.filter(section.has)
        guard let kind = named.first else {
            section.context.report(
                "\(place) names no store; write one of \(read.inWords())", line: section.line)
            return nil
        }
        guard named.count == 1 else {
            section.context.report(
                "\(place) names \(named.inWords()); keep one of them", line: section.line)
            return nil
        }
        guard read.contains(kind) else {
            section.report(
                "this version of mooring does not read '\(kind)'; it reads \(read.inWords())",
                at: kind)
            return nil
        }
        return kind
    }
}

/// Names in the order in which they were written, each once.
struct NameList {
    /// The names.
    private(set) var all: [String] = []
    private var known: Set<String> = []

    /// Adds a name; false when it was there already.
    mutating func insert(_ name: String) -> Bool {
        guard known.insert(name).inserted else { return false }
        all.append(name)
        return true
    }

    /// Whether the name is there.
    func contains(_ name: String) -> Bool { known.contains(name) }
}

extension Section {
    /// A list of maps that must hold at least one; nil when it is not a list.
    func entries(_ key: String, of what: String, known: [String]) -> [Section]? {
        guard let sections = sections(key, known: known) else { return nil }
        if isEmptyList(key) { report("'\(key)' names no \(what)", at: key) }
        return sections
    }

    /// The name of an entry, which no entry before may have; nil after a problem was reported.
    func name(of what: String, taken: inout NameList, key: String = "name") -> String? {
        guard has(key) else {
            reportMissing(key, "every \(what) needs one")
            return nil
        }
        guard let text = filled(key) else { return nil }
        guard text.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            context.report("'\(key)' must not hold control characters", line: text.line)
            return nil
        }
        guard taken.insert(text.value) else {
            context.report("there is another \(what) called '\(text.shown)'", line: text.line)
            return nil
        }
        return text.value
    }

    /// A value that must be a date, or a date and time, in ISO 8601.
    func moment(_ key: String) -> Instant? {
        guard let text = text(key) else { return nil }
        guard let moment = Instant(iso8601: text.value) else {
            context.report(
                "'\(key)' needs a moment such as 2026-11-21T02:00:00Z; found '\(text.shown)'",
                line: text.line)
            return nil
        }
        return moment
    }
}
