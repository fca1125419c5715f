/// Which environments of an Amplify app (Gen 1) have tables and a bucket, told by their names
/// alone: a table is `MODEL-API-ENV`, a bucket ends with `-ENV`.
package struct AmplifyEnvironments: Hashable, Sendable {
    /// What one environment has.
    package struct Halves: Hashable, Sendable {
        /// How many of the mapped models have a table.
        package var tables: Set<String> = []
        /// The names of its buckets.
        package var buckets: Set<String> = []

        /// Whether there is only one of the two.
        package var isHalf: Bool { tables.isEmpty != buckets.isEmpty }
    }

    /// The environment that is configured.
    package let own: String
    private let head: String
    private let base: String
    private let prefix: String

    /// The environments beside that of a bucket's own name and of a source's tables; nil where
    /// these names are not Amplify's, or of two environments.
    package init?(bucket: String, tablePrefix: String, tableSuffix: String) {
        guard tableSuffix.hasPrefix("-"),
            let own = Self.environment(ofTableEnd: tableSuffix.dropFirst()),
            bucket.hasSuffix("-" + own)
        else { return nil }
        self.own = own
        prefix = tablePrefix
        base = String(bucket.dropLast(own.utf8.count + 1))
        // Each environment's stack puts a number of its own behind the bucket's name.
        head = String(base.reversed().drop { $0.isASCII && $0.isNumber }.reversed())
        guard head.utf8.count >= Self.shortestHead else { return nil }
    }

    private static let shortestHead = 3
    // An id of AppSync has 26 letters and digits; an environment's name has 2 to 10 small letters.
    private static let ofAPI = 20...32
    private static let ofEnvironment = 2...10

    private static func isPlain(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }

    private static func isEnvironment(_ text: Substring) -> Bool {
        ofEnvironment.contains(text.utf8.count) && isPlain(text)
    }

    private static func environment(ofTableEnd end: Substring) -> String? {
        let parts = end.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, ofAPI.contains(parts[0].utf8.count), isPlain(parts[0]),
            isEnvironment(parts[1])
        else { return nil }
        return String(parts[1])
    }

    /// What each environment has of these tables and buckets, of which `models` are mapped.
    package func halves(
        of models: [String], tables: [String], buckets: [String]
    ) -> [String: Halves] {
        var found: [String: Halves] = [:]
        for name in tables {
            for model in models {
                let start = prefix + model + "-"
                guard name.hasPrefix(start),
                    let environment = Self.environment(
                        ofTableEnd: name.dropFirst(start.count))
                else { continue }
                found[environment, default: Halves()].tables.insert(model)
            }
        }
        for name in buckets {
            guard let environment = environment(ofBucket: name) else { continue }
            found[environment, default: Halves()].buckets.insert(name)
        }
        return found
    }

    private func environment(ofBucket name: String) -> String? {
        guard let dash = name.lastIndex(of: "-") else { return nil }
        let environment = name[name.index(after: dash)...]
        guard Self.isEnvironment(environment), name.hasPrefix(head) else { return nil }
        let middle = name[..<dash].dropFirst(head.count)
        let isNumber = middle.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber || name[..<dash] == base ? String(environment) : nil
    }

    private static let shown = 20

    /// What is there beside the configured environment, in a sentence.
    package func sentence(_ found: [String: Halves], models: Int) -> String {
        let others = found.filter { $0.key != own }.sorted { $0.key < $1.key }
        guard !others.isEmpty else {
            return "no other environment beside \(own) by these names, in this account and region"
        }
        let halves = others.filter { $0.value.isHalf }
        let whole = others.count - halves.count
        var parts = halves.prefix(Self.shown).map { name, half in
            half.buckets.isEmpty
                ? "\(name) has tables (\(half.tables.count) of \(models) mapped) and no bucket"
                : "\(name) has a bucket (\(half.buckets.sorted().joined(separator: ", "))) and no "
                    + "tables"
        }
        if halves.count > Self.shown {
            parts.append("\(halves.count - Self.shown) more have one half alone")
        }
        if whole > 0 { parts.append("\(whole) with both") }
        return "beside \(own), by their names in this account and region: "
            + parts.joined(separator: "; ")
            + (halves.isEmpty ? "" : ". Nothing is done about them")
    }
}
