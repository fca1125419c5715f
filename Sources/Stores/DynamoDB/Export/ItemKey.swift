import Crypto
import MooringModel
import MooringText

/// The key of an item, as 128 bits that equal keys share and no two others are known to.
struct ItemKey: Hashable {
    /// Its words.
    let high: UInt64
    let low: UInt64

    /// The key of the names and values in an object such as a change's `Keys`, which the cursor
    /// steps over; with the names, sorted by their bytes. Throws `ItemFault` where it is no key.
    static func named(
        _ cursor: inout JSONCursor
    ) throws(ItemFault) -> (names: [[UInt8]], key: ItemKey) {
        var parts: [(name: [UInt8], value: [UInt8])] = []
        try cursor.members { (cursor, name) throws(ItemFault) in
            parts.append((name, try value(&cursor)))
        }
        guard (1...2).contains(parts.count) else { throw cursor.fault("holds no key") }
        parts.sort { $0.name.lexicographicallyPrecedes($1.name) }
        return (parts.map(\.name), ItemKey(parts))
    }

    /// The key of an item, which the cursor steps over, by the names of its attributes. Throws
    /// `ItemFault` where the item lacks one.
    static func of(
        _ cursor: inout JSONCursor, _ names: [[UInt8]]
    ) throws(ItemFault) -> ItemKey {
        var values = [[UInt8]?](repeating: nil, count: names.count)
        try cursor.expect("{")
        if !cursor.take("}") {
            repeat {
                let place = try place(of: &cursor, among: names)
                try cursor.expect(":")
                if let place { values[place] = try value(&cursor) } else { try cursor.value() }
            } while cursor.take(",")
            try cursor.expect("}")
        }
        let parts = zip(names, values).compactMap { name, value in value.map { (name, $0) } }
        guard parts.count == names.count else {
            throw cursor.fault("lacks a key attribute of the table's changes")
        }
        return ItemKey(parts)
    }

    private static func place(
        of cursor: inout JSONCursor, among names: [[UInt8]]
    ) throws(ItemFault) -> Int? {
        _ = cursor.peek()
        let start = cursor.index
        let (range, hasEscapes) = try cursor.string()
        guard hasEscapes else { return names.firstIndex { cursor.bytes.holds($0, at: range) } }
        cursor.index = start
        let name = try cursor.text()
        return names.firstIndex(of: name)
    }

    // The type and the value, a number in one form of the many that it has.
    private static func value(_ cursor: inout JSONCursor) throws(ItemFault) -> [UInt8] {
        try cursor.expect("{")
        let type = try cursor.text()
        guard type.count == 1, "SNB".utf8.contains(type[0]) else {
            throw cursor.fault("holds a key of another type than S, N or B")
        }
        try cursor.expect(":")
        let value = try cursor.text()
        try cursor.expect("}")
        guard type == Array("N".utf8) else { return type + value }
        guard let number = NumberForm.of(value) else {
            throw cursor.fault("holds a key that is no number, and says that it is one")
        }
        return type + number
    }

    // Lengths keep what stands side by side apart.
    private init(_ parts: [(name: [UInt8], value: [UInt8])]) {
        var digest = SHA256()
        for part in parts {
            for bytes in [part.name, part.value] {
                withUnsafeBytes(of: UInt64(bytes.count).littleEndian) {
                    digest.update(bufferPointer: $0)
                }
                digest.update(data: bytes)
            }
        }
        (high, low) = digest.finalize().withUnsafeBytes {
            (
                $0.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
                $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }

    /// The key of two words.
    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }
}

/// Which keys may be among some: none is denied that is, and a few are not denied that are not.
struct KeyFilter: Sendable {
    private var bits: [UInt64]

    // 16 MiB. Of ten million keys a two-hundredth of the others pass, of a hundred million most.
    private static let words = 1 << 21

    /// A filter of no keys.
    init() { bits = [UInt64](repeating: 0, count: Self.words) }

    /// Adds a key.
    mutating func insert(_ key: ItemKey) {
        for place in Self.places(key) { bits[place.word] |= place.bit }
    }

    /// Whether a key may have been added.
    func mayContain(_ key: ItemKey) -> Bool {
        Self.places(key).allSatisfy { bits[$0.word] & $0.bit != 0 }
    }

    private static func places(_ key: ItemKey) -> [(word: Int, bit: UInt64)] {
        [key.high, key.high >> 32, key.low, key.low >> 32].map { part in
            let place = part & UInt64(words * 64 - 1)
            return (Int(place >> 6), 1 << (place & 63))
        }
    }
}
