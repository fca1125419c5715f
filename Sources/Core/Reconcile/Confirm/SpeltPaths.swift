/// Missing references by the paths that they may spell. It is made at once, and takes 40 bytes for
/// each path.
struct SpeltPaths: Sendable {
    /// A path that a missing reference may spell.
    struct Entry: Sendable {
        /// The path's hash.
        let path: ValueHash
        /// That of the form which all twins of the reference's value share.
        let form: ValueHash
        /// The reference's number.
        let number: Int32

        /// A path of the reference of a number.
        init(path: ValueHash, form: ValueHash, number: Int) {
            (self.path, self.form, self.number) = (path, form, Int32(number))
        }

        fileprivate static func precedes(_ one: Entry, _ other: Entry) -> Bool {
            one.path == other.path ? one.form < other.form : one.path < other.path
        }
    }

    private let entries: [Entry]
    // Of paths at which some were taken: where the entries of each form begin that is left.
    private var left: [ValueHash: [Int]] = [:]

    /// These paths.
    init(_ entries: [Entry]) {
        self.entries = entries.sorted(by: Entry.precedes)
    }

    /// Whether there were none.
    var isEmpty: Bool { entries.isEmpty }

    /// The references that may spell a path.
    func numbers(at path: ValueHash) -> some Sequence<Int> {
        let start = entries.partitioningIndex { !($0.path < path) }
        return entries[start...].lazy.prefix { $0.path == path }.map { Int($0.number) }
    }

    /// Takes out the references that may spell a path, but for those of some forms.
    mutating func take(at path: ValueHash, but forms: Set<ValueHash> = []) -> [Int] {
        let starts = left[path] ?? starts(at: path)
        var taken: [Int] = []
        let rest = starts.filter { start in
            guard !forms.contains(entries[start].form) else { return true }
            taken += entries[start..<end(from: start)].lazy.map { Int($0.number) }
            return false
        }
        if !taken.isEmpty { left[path] = rest }
        return taken
    }

    private func starts(at path: ValueHash) -> [Int] {
        var starts: [Int] = []
        var place = entries.partitioningIndex { !($0.path < path) }
        while place < entries.count, entries[place].path == path {
            starts.append(place)
            place = end(from: place)
        }
        return starts
    }

    // Of one form there may be as many as there are missing references.
    private func end(from start: Int) -> Int {
        let first = entries[start]
        guard start + 1 < entries.count, !Entry.precedes(first, entries[start + 1]) else {
            return start + 1
        }
        return entries.partitioningIndex { Entry.precedes(first, $0) }
    }
}
