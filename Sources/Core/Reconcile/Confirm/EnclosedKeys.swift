import MooringDecisions
import MooringModel

/// Finds the missing references whose values hold the key of an object that is there.
///
/// The objects are offered one after the other and forgotten: kept are the values' own windows of
/// eight bytes, as bits, and of the keys those texts all of whose windows stand in some value.
struct EnclosedKeys: Sendable {
    private let values: [[UInt8]]
    private let forms: TextForms
    /// Tells of most keys that no value holds them.
    private(set) var filter = EnclosedFilter()
    // The texts that may stand in a value, each with whether it is a bare identifier everywhere.
    private var texts: [[UInt8]: Bool] = [:]

    private static let span = NeedleIndex.freeLength

    /// The values of missing references, which are numbered, of keys that are read so.
    init(_ values: [[UInt8]], forms: TextForms, resolver: KeyResolver) {
        self.values = values
        self.forms = forms
        guard !values.isEmpty else { return }
        filter = EnclosedFilter(
            bytes: values.reduce(0) { $0 + $1.count }, endsInValue: resolver.endsInValue,
            cutsAtSlashes: resolver.cutsAtSlashes)
        for value in values {
            forms.each(of: value) { filter.note($0) }
        }
    }

    /// Notes an object that is there, if a value may hold its key, or what records of its level
    /// hold of it; `isBare` tells of a reading whether it is a record's identifier.
    mutating func add(
        _ key: ObjectKey, _ resolver: KeyResolver, isBare: (KeyReading) -> Bool
    ) {
        guard key.bytes.withUnsafeBufferPointer(filter.mayHold) else { return }
        for reading in resolver.readings(of: key) where !reading.relative.isEmpty {
            let text = reading.relative
            let isHeld =
                text.count >= Self.span
                ? text.withUnsafeBytes(filter.firstEnclosed) == 0
                : filter.shorts.contains(NeedleIndex.packed(text[...]))
            if isHeld { texts[text] = (texts[text] ?? true) && isBare(reading) }
        }
    }

    /// The values that hold one of the objects' keys inside, or in another form than its own;
    /// `names` tells of a value what it means as a whole, which says nothing.
    func holders(names: (Int) -> [[UInt8]]) -> [Int] {
        guard !texts.isEmpty else { return [] }
        let needles = texts.keys.sorted { $0.lexicographicallyPrecedes($1) }
        let search = ValueSearch(
            index: NeedleIndex(needles.map { $0[...] }), shortest: 1,
            isBare: { texts[needles[$0]] == true }, forms: forms, buckets: { _ in [0] },
            isListed: { _, _ in false }, isField: true)
        return values.indices.filter { number in
            let value = values[number]
            let own = [value] + names(number)
            return search.needles(in: value).contains { found in
                let text = needles[found.needle]
                return (found.isWhole || texts[text] != true) && !own.contains(text)
            }
        }
    }
}

/// The windows of eight bytes that texts hold, as two bits each, and their short names.
struct EnclosedFilter: Sendable {
    private var bits: [UInt64] = []
    private var shift: UInt64 = 54
    /// Short names that stand between delimiters.
    private(set) var shorts: Set<UInt64> = []
    private var shortFilter = NameFilter()
    // By the last byte of a short name, the lengths that such names have, as bits.
    private var shortLengths: [UInt8] = Array(repeating: 0, count: 256)
    private var endsInValue = true
    private var cutsAtSlashes = false

    private static let span = NeedleIndex.freeLength
    private static let mixer: UInt64 = 0x9E37_79B9_7F4A_7C15
    // So many bits for each byte of the texts, at most all together.
    private static let room = 8
    private static let mostBits = 28

    /// A filter of no texts, which holds nothing.
    init() {}

    /// A filter of texts of so many bytes together; where values are no ends of keys, any key may
    /// be held, and where they begin behind a slash, no less than a part of its path is.
    init(bytes: Int, endsInValue: Bool, cutsAtSlashes: Bool) {
        (self.endsInValue, self.cutsAtSlashes) = (endsInValue, cutsAtSlashes)
        var width = 10
        while 1 << width < bytes * Self.room, width < Self.mostBits { width += 1 }
        shift = UInt64(64 - width)
        bits = Array(repeating: 0, count: (1 << width) / 64)
    }

    /// Notes a text that may hold keys.
    mutating func note(_ text: [UInt8]) {
        text.withUnsafeBytes { text in
            for start in 0..<max(0, text.count - Self.span + 1) {
                let (word, both) = Self.place(text, start, shift)
                bits[word] |= both
            }
            for start in 0..<text.count where start == 0 || Delimiters.hold(text[start - 1]) {
                for length in 1..<Self.span where start + length <= text.count {
                    if Delimiters.end(at: start + length, of: text) {
                        let short = NeedleIndex.packed(Array(text[start..<start + length])[...])
                        if shorts.insert(short).inserted { shortFilter.insert(hash: short) }
                        shortLengths[Int(text[start + length - 1])] |= 1 << UInt8(length)
                    }
                }
            }
        }
    }

    /// Whether a value may hold the end of a key, or a short name that it ends in.
    func mayHold(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        switch glance(at: key) {
        case .yes: true
        case .no: false
        case .hash: holdsLong(UnsafeRawBufferPointer(key))
        }
    }

    /// What tells it of most keys: their last window.
    func glance(at key: UnsafeBufferPointer<UInt8>) -> Glance {
        guard !bits.isEmpty else { return .no }
        if !endsInValue || !shorts.isEmpty && holdsShort(key) { return .yes }
        guard key.count >= Self.span else { return .no }
        return .hash(
            Self.window(of: UnsafeRawBufferPointer(key), key.count - Self.span))
    }

    /// Whether a window may stand in a value.
    func mayHold(hash window: UInt64) -> Bool {
        let (word, both) = Self.place(window, shift)
        return bits[word] & both == both
    }

    // Whether all windows of the shortest text stand in values that a record may hold for a key,
    // and that is as long as a window.
    private func holdsLong(_ key: UnsafeRawBufferPointer) -> Bool {
        var start = key.count - Self.span
        guard start >= 0 else { return false }
        while true {
            let (word, both) = Self.place(key, start, shift)
            if bits[word] & both != both { return false }
            if !cutsAtSlashes || start == 0 || key[start - 1] == UInt8(ascii: "/") { return true }
            start -= 1
        }
    }

    /// The place from which on to the key's end every window stands in a value.
    func firstEnclosed(_ key: UnsafeRawBufferPointer) -> Int {
        var start = key.count - Self.span
        while start >= 0 {
            let (word, both) = Self.place(key, start, shift)
            if bits[word] & both != both { break }
            start -= 1
        }
        return start + 1
    }

    private func holdsShort(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let last = key.last else { return false }
        let lengths = shortLengths[Int(last)]
        guard lengths != 0 else { return false }
        // The last bytes, as `packed` has them.
        var word: UInt64 = 0
        for length in 1..<min(Self.span, key.count + 1) {
            word = word << 8 | UInt64(key[key.count - length])
            let packed = UInt64(length) << 56 | word
            if lengths >> UInt8(length) & 1 != 0, shortFilter.mayHold(packed),
                shorts.contains(packed)
            {
                return true
            }
        }
        return false
    }

    // Two bits of one word, so that a window costs one look into memory.
    private static func place(
        _ text: UnsafeRawBufferPointer, _ start: Int, _ shift: UInt64
    ) -> (word: Int, both: UInt64) {
        place(window(of: text, start), shift)
    }

    private static func window(of text: UnsafeRawBufferPointer, _ start: Int) -> UInt64 {
        text.loadUnaligned(fromByteOffset: start, as: UInt64.self) &* mixer
    }

    private static func place(_ window: UInt64, _ shift: UInt64) -> (word: Int, both: UInt64) {
        let bit = Int(truncatingIfNeeded: window >> shift)
        // The next bits below say which the second one is.
        return (bit >> 6, 1 << UInt64(bit & 63) | 1 << (window >> (shift - 6) & 63))
    }
}
