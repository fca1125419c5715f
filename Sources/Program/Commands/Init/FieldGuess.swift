import MooringDecisions
import MooringModel

/// What is guessed of one column's values as keys.
struct FieldGuess {
    /// The most values that are looked up of a column.
    static let valueLimit = 200

    /// The mapping that fits best.
    var field: FileField
    /// How many values were looked up, and how many of them are files at the guessed place.
    var lookedUp = 0
    var found = 0
    /// How the template was guessed; nil when none is.
    var template: TemplateGuess?
    /// How many keys the template was tried on.
    var keys = 0
    /// Whether the values only look like keys, by their form.
    var looksLikeKeys = false

    /// Whether enough values are files to name the field: of a column that holds titles, colours
    /// and files side by side a person has to tell which are which.
    var isCertain: Bool { found > 0 && found * 2 >= lookedUp }

    /// Whether a configuration can hold the column's name: it refuses control characters.
    var canBeNamed: Bool { Self.canBeNamed(field.field) }

    /// Whether a model or field of this name can be configured.
    static func canBeNamed(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// Guesses what a column holds; nil when its values are no texts that can be keys.
    init?(
        column: String, of sample: TableSample, identity: String?, in folder: ObjectFolder
    ) async {
        let texts = sample.values(of: column).compactMap(Self.text)
        guard !texts.isEmpty else { return nil }
        field = Self.form(of: texts, column: column)
        let mapping = ModelMapping(
            model: sample.name, id: sample.id, identity: identity, files: [field])
        guard let reader = RecordReader(mapping: mapping, columns: sample.columns) else {
            return nil
        }
        let readings = sample.rows.lazy.compactMap(reader.read).filter { !$0.references.isEmpty }
        var places = PlaceCount()
        var pairs: [(id: [UInt8], key: [UInt8])] = []
        for reading in readings {
            for reference in reading.references where lookedUp < Self.valueLimit {
                lookedUp += 1
                await places.add(reference.value, identity: reading.identity, in: folder)
                pairs.append((reading.id.joined, reference.value))
            }
        }
        guard lookedUp > 0 else { return nil }
        (field.level, found) = places.best
        looksLikeKeys = pairs.count { Self.looksLikeKey($0.key) } * 2 >= pairs.count
        keys = pairs.count
        if found > 0, let guess = TemplateGuess(pairs) {
            template = guess
            field.template = guess.template
        }
    }

    private static func text(_ value: FieldValue) -> [UInt8]? {
        switch value {
        case .text(let bytes) where !bytes.isEmpty: bytes
        default: nil
        }
    }

    // A column is a list or a complex object when most of its values read as one.
    private static func form(of texts: [[UInt8]], column: String) -> FileField {
        var (lists, objects, listsOfObjects) = (0, 0, 0)
        for text in texts.prefix(valueLimit) {
            // A text that is no JSON is a plain key: that is the whole answer.
            guard let node = try? JSONNode(parsing: text) else { continue }
            if let elements = node.elements {
                lists += 1
                if elements.contains(where: { holdsKey($0) }) { listsOfObjects += 1 }
            } else if holdsKey(node) {
                objects += 1
            }
        }
        let half = (min(texts.count, valueLimit) + 1) / 2
        let isList = lists >= half
        return FileField(
            field: column, isList: isList,
            isComplex: isList ? listsOfObjects > 0 : objects >= half)
    }

    private static func holdsKey(_ node: JSONNode) -> Bool {
        var node = node
        if let text = node.stringBytes, text.first == UInt8(ascii: "{") {
            // Only a string that holds JSON can be a complex object in a list.
            guard let inner = try? JSONNode(parsing: text) else { return false }
            node = inner
        }
        if let wrapped = node["s3"] { node = wrapped }
        return node["key"]?.stringBytes != nil
    }

    private static func looksLikeKey(_ key: [UInt8]) -> Bool {
        guard key.count <= KeyRule.lengthLimit, !key.contains(where: { $0 <= 0x20 }) else {
            return false
        }
        let name = key.split(separator: UInt8(ascii: "/")).last ?? []
        let dot = name.lastIndex(of: UInt8(ascii: "."))
        let hasExtension = dot.map { (2...5).contains(name.endIndex - $0 - 1) } ?? false
        return hasExtension || key.dropFirst().contains(UInt8(ascii: "/"))
    }
}

/// Counts under which level the values of a column are files.
private struct PlaceCount {
    private var root = 0
    private var byLevel: [String: Int] = [:]
    private var anywhere = 0
    // Of a record without an identity, every known one is tried, up to so many.
    private static let identityLimit = 50

    mutating func add(
        _ value: [UInt8], identity: [UInt8]?, in folder: ObjectFolder
    ) async {
        var isFound = false
        if await folder.holds(value) {
            root += 1
            isFound = true
        }
        for level in AccessLevel.amplify {
            guard await isFile(value, at: level, identity, folder) else { continue }
            byLevel[level.name, default: 0] += 1
            isFound = true
        }
        if isFound { anywhere += 1 }
    }

    private func isFile(
        _ value: [UInt8], at level: AccessLevel, _ identity: [UInt8]?, _ folder: ObjectFolder
    ) async -> Bool {
        guard let tail = level.tail else { return await folder.holds(level.head + value) }
        if let identity, !identity.isEmpty {
            return await folder.holds(level.head + identity + tail + value)
        }
        for name in (folder.identities[level.name] ?? []).prefix(Self.identityLimit) {
            if await folder.holds(level.head + name + tail + value) { return true }
        }
        return false
    }

    /// The place where most are, or any where no single place has them all.
    var best: (LevelChoice, Int) {
        var best: (LevelChoice, Int) = (.root, root)
        for level in AccessLevel.amplify {
            if let count = byLevel[level.name], count > best.1 {
                best = (.named(level.name), count)
            }
        }
        return best.1 < anywhere ? (.any, anywhere) : best
    }
}
