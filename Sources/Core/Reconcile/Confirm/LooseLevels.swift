import MooringDecisions
import MooringModel

/// Levels as twins of their own text spell them: where an app encoded the whole key, or changed
/// the case or the Unicode form of all of it, no level's own bytes stand before the value.
struct LooseLevels: Sendable {
    /// What a record may hold of a key under such a level.
    struct Reading: Hashable {
        /// The level's number.
        let level: Int
        /// Whether an identity was cut out.
        let hasIdentity: Bool
        /// What a record may hold, in the form of all twins.
        let relative: [UInt8]
    }

    private struct Level {
        let head: TwinForm
        let tail: TwinForm?
    }

    private let levels: [Level]
    private let layouts: [StoredLayout]
    // Whether each level is written in the form of all its twins.
    private let arePlain: Bool

    private static let slash = UInt8(ascii: "/")

    /// The levels of a resolver.
    init(_ resolver: KeyResolver) {
        levels = resolver.levels.map {
            Level(head: TwinForm($0.head), tail: $0.tail.map { TwinForm($0) })
        }
        layouts = resolver.layouts
        arePlain = zip(resolver.levels, levels).allSatisfy { own, level in
            level.head.content == own.head && level.tail?.content == own.tail
        }
    }

    /// What records may hold of a key; nothing where its own bytes tell all of that.
    func readings(of key: ObjectKey, _ form: TwinForm) -> [Reading] {
        let isPlain = arePlain && form.content == key.bytes
        // Of characters beyond ASCII the bytes may differ in the Unicode form alone.
        if isPlain, key.bytes.allSatisfy({ $0 < 0x80 }) { return [] }
        // Characters are compared by canonical equivalence, and what is no UTF-8 by its bytes.
        let plain =
            form.isText
            ? read(Array(form.characters), slash: "/", { Array($0.characters) }) {
                Array(String($0).utf8)
            } : read(form.content, slash: Self.slash, \.content) { Array($0) }
        return plain
            + plain.flatMap { reading in
                layouts.compactMap { layout in
                    layout.value(of: reading.relative).map {
                        Reading(
                            level: reading.level, hasIdentity: reading.hasIdentity, relative: $0)
                    }
                }
            }
    }

    // As `KeyResolver.plainReadings` reads keys by their bytes.
    private func read<Element: Equatable>(
        _ key: [Element], slash: Element, _ elements: (TwinForm) -> [Element],
        _ bytes: (ArraySlice<Element>) -> [UInt8]
    ) -> [Reading] {
        var found: [Reading] = []
        for (number, level) in levels.enumerated() {
            let head = elements(level.head)
            guard key.starts(with: head) else { continue }
            let rest = key[head.count...]
            guard let tail = level.tail.map(elements) else {
                found.append(Reading(level: number, hasIdentity: false, relative: bytes(rest)))
                continue
            }
            let end = rest.firstIndex(of: slash) ?? rest.endIndex
            guard rest.startIndex < end else { continue }
            for split in rest.startIndex + 1...end where rest[split...].starts(with: tail) {
                found.append(
                    Reading(
                        level: number, hasIdentity: true,
                        relative: bytes(rest[(split + tail.count)...])))
            }
        }
        return found.filter { !$0.relative.isEmpty }
    }
}
