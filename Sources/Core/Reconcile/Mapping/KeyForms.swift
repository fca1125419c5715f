import MooringDecisions
import MooringModel

/// Forms of keys that are equal where the keys differ by one kind of spelling only.
enum KeyForms {
    /// The key without percent-encoding, encoded twice or thrice even, and plus signs as blanks.
    static func decoded(_ key: [UInt8]) -> [UInt8] {
        var form = key
        for _ in 0..<3 {
            let next = PercentCoding.decoded(form[...], plusIsBlank: true)
            if next == form { break }
            form = next
        }
        return form
    }

    /// The key in lower case; of bytes that are not UTF-8, only ASCII letters change.
    static func lowercased(_ key: [UInt8]) -> [UInt8] {
        if let text = String(validating: key, as: UTF8.self) {
            return Array(text.lowercased().utf8)
        }
        return key.map { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
    }

    /// The key with single slashes between its segments, none at its ends, and no backslashes.
    static func slashed(_ key: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        var form: [UInt8] = []
        form.reserveCapacity(key.count)
        for byte in key {
            let next = byte == UInt8(ascii: "\\") ? slash : byte
            if next == slash, form.last ?? slash == slash { continue }
            form.append(next)
        }
        if form.last == slash { form.removeLast() }
        return form
    }

    /// Whether slashes stand in a key where they can be wrong.
    static func hasOddSlash(_ key: [UInt8]) -> Bool {
        let slash = UInt8(ascii: "/")
        guard key.first != slash, key.last != slash else { return true }
        var last: UInt8 = 0
        for byte in key {
            if byte == UInt8(ascii: "\\") || byte == slash && last == slash { return true }
            last = byte
        }
        return false
    }
}

/// Numbers texts that are canonically equivalent alike, as Swift compares them.
struct UnicodeForms {
    private var numbers: [String: UInt32] = [:]

    /// The number of a key's text as bytes; nil for ASCII, which has one form, and for bytes that
    /// are no text.
    mutating func form(_ key: [UInt8]) -> [UInt8]? {
        guard key.contains(where: { $0 >= 0x80 }),
            let text = String(validating: key, as: UTF8.self)
        else { return nil }
        let number = numbers[text] ?? UInt32(numbers.count)
        numbers[text] = number
        return withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}

/// Leaves the identity in keys open, so that one rewrite fits the keys of many.
struct OpenKeys {
    /// Turns keys into levels and identities.
    let resolver: KeyResolver

    private static let token = Array("{identity}".utf8)

    /// The key with `{identity}` in place of the identity that it lies under, at every level that
    /// has one and fits.
    func underLevels(_ key: ObjectKey) -> [[UInt8]] {
        resolver.plainReadings(of: key).compactMap { reading in
            guard reading.identity != nil,
                let level = resolver.levels.first(where: { $0.name == reading.level }),
                let tail = level.tail
            else { return nil }
            return level.head + Self.token + tail + reading.relative
        }
    }

    /// One such form: under a level, or with the first folder that has the form of an identity;
    /// the key itself where there is none.
    func opened(_ key: ObjectKey) -> [UInt8] {
        if let form = underLevels(key).first { return form }
        var start = 0
        for (index, byte) in key.bytes.enumerated() where byte == UInt8(ascii: "/") {
            if Self.isIdentity(key.bytes[start..<index]) {
                return key.bytes[..<start] + Self.token + key.bytes[index...]
            }
            start = index + 1
        }
        return key.bytes
    }

    // A UUID, or one behind a region's name and a colon.
    private static func isIdentity(_ segment: ArraySlice<UInt8>) -> Bool {
        guard segment.count >= 36 else { return false }
        let region = segment.dropLast(36)
        guard region.isEmpty || region.last == UInt8(ascii: ":") else { return false }
        return segment.suffix(36).enumerated().allSatisfy { place, byte in
            if [8, 13, 18, 23].contains(place) { return byte == UInt8(ascii: "-") }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                return true
            default: return false
            }
        }
    }
}

extension KeyPattern {
    /// Whether it leaves the identity open.
    var isOpen: Bool {
        if case .anyIdentity = self { return true }
        return false
    }

    /// What it puts before a value of so many bytes.
    func prefix(beforeValueOf count: Int) -> [UInt8] { Array(shown.bytes.dropLast(count)) }
}
