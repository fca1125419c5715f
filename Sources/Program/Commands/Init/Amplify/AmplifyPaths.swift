import MooringModel

/// What the access paths of Amplify Gen 2, such as `photos/{entity_id}/*`, say of a bucket.
struct AmplifyPaths {
    /// A level of the configuration.
    struct Level: Hashable {
        /// Its name.
        let name: String
        /// Its prefix, with `{identity}` where the identity stands.
        let prefix: String
    }

    /// The prefixes below which the app may use objects, none inside another; empty where it may
    /// use everything, or where no path says.
    let prefixes: [String]
    /// The levels that are none of Amplify's own three.
    let levels: [Level]

    private static let identities = ["${cognito-identity.amazonaws.com:sub}", "{entity_id}"]

    /// What these paths say; those that are written in no known form are left out, and then there
    /// are no prefixes either, since objects outside of them would not be looked at.
    init(_ paths: [String]) {
        let read = paths.map(Self.prefix)
        let known = read.compactMap { $0 }
        var heads: [String] = []
        for prefix in known {
            let parts = prefix.split(separator: "{identity}", omittingEmptySubsequences: false)
            heads.append(String(parts[0]))
        }
        let isWhole = known.count < read.count || heads.contains("")
        let kept = Set(heads).filter { head in
            !heads.contains { $0 != head && head.utf8.starts(with: $0.utf8) }
        }
        prefixes = isWhole ? [] : kept.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let own = ["public/", "protected/{identity}/", "private/{identity}/"]
        var levels: [Level] = []
        var names: Set<String> = ["guest", "protected", "private", "any", "root"]
        for prefix in known where !prefix.isEmpty && !own.contains(prefix) {
            guard !levels.contains(where: { $0.prefix == prefix }) else { continue }
            var name = Self.name(prefix)
            while !names.insert(name).inserted { name += "-2" }
            levels.append(Level(name: name, prefix: prefix))
        }
        self.levels = levels
    }

    // `photos/{identity}/` for `photos/{entity_id}/*`; nil for another form.
    private static func prefix(_ path: String) -> String? {
        var text = path
        for identity in identities { text = text.replacing(identity, with: "{identity}") }
        guard text.hasSuffix("*") else { return nil }
        text.removeLast()
        let plain = text.replacing("{identity}", with: "")
        let count = text.split(separator: "{identity}", omittingEmptySubsequences: false).count
        let isPlain = !plain.contains { "{}*$".contains($0) } && count <= 2
        let isRelative = !text.hasPrefix("/") && (text.isEmpty || text.hasSuffix("/"))
        return isPlain && isRelative ? text : nil
    }

    private static func name(_ prefix: String) -> String {
        let words = prefix.replacing("{identity}", with: "own").split(separator: "/")
        let name = words.joined(separator: "-").utf8.filter {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || $0 == 0x2D || $0 == 0x5F
        }
        return name.isEmpty ? "path" : String(decoding: name.prefix(60), as: UTF8.self)
    }
}
