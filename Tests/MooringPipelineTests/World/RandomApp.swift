import MooringModel

/// A generator that a seed replays.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func pick<Item>(_ items: [Item]) -> Item {
        items[Int.random(in: items.indices, using: &self)]
    }
}

/// A random small app: hostile keys, levels, lists with every kind of blank, tombstones, records
/// with one id, and objects at some of the places that the records mean, and elsewhere.
struct RandomApp {
    /// What a reference may mean, by a rule that shares no code with the program.
    struct Meaning {
        let table: String
        let row: Int
        let value: [UInt8]
        let isTombstone: Bool
        let means: @Sendable (ObjectKey) -> Bool
    }

    private static let values: [[UInt8]] = [
        Array("song".utf8), Array("a".utf8), Array("b".utf8), Array("../up".utf8),
        Array("\u{E9}".utf8), Array("e\u{301}".utf8), Array("=cmd()".utf8), [0xFF, 0x61],
        Array("line\nbreak".utf8), [0x61, 0, 0x62], Array("<script>".utf8), Array("/lead".utf8),
        Array("deep/er/file".utf8), Array("%41".utf8), Array("A".utf8), Array("two words".utf8),
    ]

    private static let readable = values.filter { String(validating: $0, as: UTF8.self) != nil }

    let level: String
    private(set) var meanings: [Meaning] = []
    private var random: SplitMix

    init(seed: UInt64) {
        random = SplitMix(state: seed)
        level = random.pick(["root", "any", "private"])
    }

    /// The configuration's lines for the songs' cover.
    var cover: String {
        level == "root" ? "template: \"{id}\"" : "level: \(level), template: \"{id}\""
    }

    /// Fills a world.
    mutating func fill(_ world: World) {
        world.song("keeper", cover: "kept", owner: "me")
        let kept = level == "private" ? "private/me/kept" : "kept"
        world.object(kept)
        note("Song", Array("kept".utf8), owner: "me", isTombstone: false)
        for _ in 0..<Int.random(in: 1...8, using: &random) { addSong(world) }
        for table in ["Album", "Page"] {
            for number in 0..<Int.random(in: 0...3, using: &random) {
                addList(world, table, "\(number)")
            }
        }
        for value in Self.values {
            for head in ["", "public/", "private/me/", "private/them/", "protected/me/"]
            where random.chance(head.isEmpty ? 40 : 12) {
                let isYoung = random.chance(10)
                world.bucket.put(
                    ObjectKey(Array(head.utf8) + value), [1],
                    at: isYoung ? World.start : World.longAgo)
            }
        }
    }

    private mutating func addSong(_ world: World) {
        let value = random.pick(Self.values)
        let owner = random.chance(60) ? "me" : nil
        let isTombstone = random.chance(15)
        let hasCover = random.chance(85)
        let changed = random.chance(15) ? World.start : World.longAgo
        world.source.insert(
            "Song",
            [
                "id": .text(random.pick(Self.values)),
                "cover": hasCover ? .text(value) : .null, "version": .integer(1),
                "changed": .moment(changed), "deleted": isTombstone ? .integer(1) : .null,
                "owner": owner.map { .text($0) } ?? .null,
            ])
        note("Song", hasCover ? value : [], owner: owner, isTombstone: isTombstone)
    }

    private mutating func note(
        _ table: String, _ value: [UInt8], owner: String?, isTombstone: Bool
    ) {
        let row = meanings.filter { $0.table == table }.count
        let level = table == "Song" ? level : "root"
        meanings.append(
            Meaning(
                table: table, row: row, value: value, isTombstone: isTombstone,
                means: { key in
                    guard !value.isEmpty else { return false }
                    func lies(under head: String) -> Bool {
                        guard key.bytes.starts(with: head.utf8) else { return false }
                        let rest = key.bytes.dropFirst(head.utf8.count)
                        guard let slash = rest.firstIndex(of: 47), slash > rest.startIndex else {
                            return false
                        }
                        let identity = rest[..<slash]
                        return rest[(slash + 1)...].elementsEqual(value)
                            && (owner.map { identity.elementsEqual($0.utf8) } ?? true)
                    }
                    switch level {
                    case "root": return key.bytes == value
                    case "private": return lies(under: "private/")
                    default:
                        return key.bytes == value || key.bytes == Array("public/".utf8) + value
                            || lies(under: "protected/") || lies(under: "private/")
                    }
                }))
    }

    private mutating func addList(_ world: World, _ table: String, _ id: String) {
        var elements: [String] = []
        var values: [[UInt8]] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            if random.chance(10) {
                elements.append("null")
                continue
            }
            let value = random.pick(Self.readable)
            values.append(value)
            elements.append(quoted(value))
        }
        let blanks = ["", " ", "\n  ", "\t"]
        let pieces = elements.map { random.pick(blanks) + $0 + random.pick(blanks) }
        let text = random.pick(blanks) + "[" + pieces.joined(separator: ",") + "]"
        let changed = random.chance(10) ? World.start : World.longAgo
        var row: [String: FieldValue] = [
            "id": .text(id), "images": .text(text), "changed": .moment(changed),
        ]
        if table == "Album" { row["version"] = .integer(1) }
        world.source.insert(table, row)
        let number = Int(id) ?? 0
        for value in values {
            meanings.append(
                Meaning(
                    table: table, row: number, value: value, isTombstone: false,
                    means: { $0.bytes == value }))
        }
    }

    // A JSON string in one of its many spellings.
    private mutating func quoted(_ value: [UInt8]) -> String {
        var text = "\""
        for scalar in String(decoding: value, as: UTF8.self).unicodeScalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if mustEscape || (scalar.value < 0x80 && random.chance(10)) {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
