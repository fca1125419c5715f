import MooringModel
import MooringText

/// Reads who may read a model's records from its `@auth` rules.
package struct ModelAccess {
    /// Who may read; nil when no rule says so that this version understands.
    private(set) var visibility: Visibility?
    /// The rule it comes from, such as `allow: public`.
    private(set) var reason = ""
    /// Sentences for a person about rules that were not read.
    private(set) var notes: [String] = []

    private static let reading: Set<String> = ["read", "get", "list", "sync", "search", "listen"]
    private static let openness: [Visibility] = [.owner, .signedIn, .anyone]

    /// The most open of the rules that allow reading wins; models without rules have the general
    /// one, if there is any.
    init(_ directives: [SchemaDirective], general: SchemaValue?) {
        let own = directives.filter { $0.name == "auth" }
        var rules = own.flatMap { $0["rules"]?.elements ?? [] }
        var source = "@auth"
        if own.isEmpty, let general {
            rules = [general]
            source = "globalAuthRule"
        }
        for rule in rules where Self.allowsReading(rule) {
            guard let allow = rule["allow"]?.word, let readers = Self.readers(allow) else {
                notes.append(
                    "an @auth rule allows "
                        + (rule["allow"]?.word.map { "'\($0.printable)'" } ?? "nobody named")
                        + ", which does not tell who may read: visibility leaves it out")
                continue
            }
            guard Self.rank(readers) > (visibility.map(Self.rank) ?? -1) else { continue }
            visibility = readers
            reason = "\(source): allow \(allow)"
        }
    }

    private static func rank(_ visibility: Visibility) -> Int {
        openness.firstIndex(of: visibility) ?? 0
    }

    private static func readers(_ allow: String) -> Visibility? {
        switch allow {
        case "owner": .owner
        // A group's members are signed in; which they are, a configuration does not say.
        case "private", "groups": .signedIn
        case "public": .anyone
        default: nil
        }
    }

    /// Whether a rule lets anybody read: without `operations` it allows all; the old transformer's
    /// `queries` meant reading.
    package static func allowsReading(_ rule: SchemaValue) -> Bool {
        if let operations = rule["operations"], operations != .null {
            return operations.elements.compactMap(\.word).contains(where: reading.contains)
        }
        if let queries = rule["queries"] { return !queries.elements.isEmpty }
        return true
    }
}
