import MooringModel
import MooringText

/// Reads `levels`: an entry of a name that Amplify has replaces that one, others are added.
struct LevelsReader {
    /// The root of the file.
    let root: Section

    /// Words that a field's `level` takes beside the names of levels.
    static let reserved = ["any", "root"]

    /// Amplify's three and the file's own, in that order.
    func read() -> [AccessLevel] {
        var levels = AccessLevel.amplify
        guard let section = root.section("levels", known: nil) else { return levels }
        for name in section.keys {
            guard !name.isEmpty, !Self.reserved.contains(name) else {
                section.report(
                    "a level cannot be called '\(name.printable)', which stands for itself",
                    at: name)
                continue
            }
            guard let prefix = section.text(name), check(prefix, name: name) else { continue }
            let level = AccessLevel(name: name, prefix: prefix.value)
            if let index = levels.firstIndex(where: { $0.name == name }) {
                levels[index] = level
            } else {
                levels.append(level)
            }
        }
        return levels
    }

    private func check(_ prefix: ScalarText, name: String) -> Bool {
        let place = "the level '\(name.printable)'"
        var problem: String?
        let parts = prefix.value.split(separator: "{identity}", omittingEmptySubsequences: false)
        if prefix.value.utf8.first == UInt8(ascii: "/") {
            problem = "must not begin with a slash, since keys do not"
        } else if parts.count > 2 {
            problem = "holds {identity} more than once"
        } else if parts.contains(where: { $0.contains { $0 == "{" || $0 == "}" } }) {
            problem = "holds a brace that is not {identity}"
        }
        guard let problem else { return true }
        root.context.report("\(place) \(problem)", line: prefix.line)
        return false
    }
}
