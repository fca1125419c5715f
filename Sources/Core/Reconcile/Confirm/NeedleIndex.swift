/// Byte strings that are looked for in texts, all of them at once, in one pass over each text.
///
/// Long ones are found wherever they stand. Of most texts a filter of blocks tells that none does;
/// in others the first eight bytes of every window are looked up in a bitset, and only where that
/// says yes the sorted needles are searched, so that a pass grows with the text and hardly with the
/// number of needles. Short ones are found between delimiters
/// alone. It holds the needles once more, and nothing of the texts.
struct NeedleIndex: Sendable {
    /// From so many bytes on a needle is found wherever it stands.
    static let freeLength = 8

    private static let mixer: UInt64 = 0x9E37_79B9_7F4A_7C15
    // The long needles in the order of their bytes, one behind the other.
    private var arena: [UInt8] = []
    private var offsets: [Int] = [0]
    // Which of the caller's texts each is, and the longest other one that it begins with.
    private var order: [Int32] = []
    private var parents: [Int32] = []
    private var filter: [UInt64] = []
    private var shift: UInt64 = 0
    private var blocks = BlockFilter()
    // The short ones, their bytes and their length in one word.
    private var shorts: [UInt64: Int] = [:]
    private var shortLengths: [Int] = []

    /// An index of different texts; empty ones are never found.
    init(_ texts: [ArraySlice<UInt8>]) {
        var long: [(head: UInt64, place: Int)] = []
        for (place, text) in texts.enumerated() {
            if text.count >= Self.freeLength {
                long.append((Self.head(text), place))
            } else if !text.isEmpty {
                shorts[Self.packed(text)] = place
            }
        }
        shortLengths = Set(shorts.keys.map { Int($0 >> 56) }).sorted()
        guard !long.isEmpty else { return }
        long.sort { one, other in
            one.head == other.head
                ? Self.precedes(texts[one.place], texts[other.place]) : one.head < other.head
        }
        order.reserveCapacity(long.count)
        for (_, place) in long {
            arena.append(contentsOf: texts[place])
            offsets.append(arena.count)
            order.append(Int32(place))
        }
        findParents()
        var bits = 10
        while 1 << bits < long.count * 16, bits < 30 { bits += 1 }
        shift = UInt64(64 - bits)
        filter = Array(repeating: 0, count: (1 << bits) / 64)
        for place in order.indices {
            let bit = Self.bit(nativeHead(of: place), shift)
            filter[bit >> 6] |= 1 << UInt64(bit & 63)
        }
        blocks = arena.withUnsafeBytes { arena in
            BlockFilter(
                order.indices.map {
                    UnsafeRawBufferPointer(rebasing: arena[offsets[$0]..<offsets[$0 + 1]])
                })
        }
    }

    /// Whether nothing is looked for.
    var isEmpty: Bool { order.isEmpty && shorts.isEmpty }

    /// Gives every needle that stands in a text, by its place among the texts of the index, with
    /// its range; the same one perhaps several times.
    ///
    /// With `endsWithNumber` a needle that ends in a digit and goes on with one is another, longer
    /// name, and not given.
    func search(
        _ text: [UInt8], endsWithNumber: Bool, _ visit: (_ needle: Int, _ range: Range<Int>) -> Void
    ) {
        text.withUnsafeBytes { text in
            if !order.isEmpty { searchLong(text, endsWithNumber, visit) }
            if !shorts.isEmpty { searchShort(text, visit) }
        }
    }

    /// Whether a needle may stand in a text, as it is.
    func holdsAny(_ text: UnsafeRawBufferPointer) -> Bool {
        var isFound = false
        if !order.isEmpty { searchLong(text, false) { _, _ in isFound = true } }
        if !isFound, !shorts.isEmpty { searchShort(text) { _, _ in isFound = true } }
        return isFound
    }

    private func searchLong(
        _ text: UnsafeRawBufferPointer, _ endsWithNumber: Bool, _ visit: (Int, Range<Int>) -> Void
    ) {
        guard text.count >= Self.freeLength, blocks.mayHold(text) else { return }
        arena.withUnsafeBytes { arena in
            filter.withUnsafeBufferPointer { filter in
                var start = 0
                let last = text.count - Self.freeLength
                while start <= last {
                    let head = text.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                    let bit = Self.bit(head, shift)
                    if filter[bit >> 6] & 1 << UInt64(bit & 63) != 0 {
                        take(text, start, arena, endsWithNumber, visit)
                    }
                    start += 1
                }
            }
        }
    }

    // Of the needles that are not above the text's rest, the last one begins with all those that
    // the rest begins with.
    private func take(
        _ text: UnsafeRawBufferPointer, _ start: Int, _ arena: UnsafeRawBufferPointer,
        _ endsWithNumber: Bool, _ visit: (Int, Range<Int>) -> Void
    ) {
        let rest = UnsafeRawBufferPointer(rebasing: text[start...])
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            let needle = UnsafeRawBufferPointer(
                rebasing: arena[offsets[middle]..<offsets[middle + 1]])
            let shared = Self.sharedLength(needle, rest)
            if shared < needle.count, shared == rest.count || needle[shared] > rest[shared] {
                high = middle
            } else {
                low = middle + 1
            }
        }
        guard low > 0 else { return }
        var place = low - 1
        let shared = Self.sharedLength(
            UnsafeRawBufferPointer(rebasing: arena[offsets[place]..<offsets[place + 1]]), rest)
        while place >= 0 {
            let length = offsets[place + 1] - offsets[place]
            if length <= shared {
                let goesOn =
                    endsWithNumber && length < rest.count && Self.isDigit(rest[length])
                    && Self.isDigit(rest[length - 1])
                if !goesOn { visit(Int(order[place]), start..<start + length) }
            }
            place = Int(parents[place])
        }
    }

    private func searchShort(_ text: UnsafeRawBufferPointer, _ visit: (Int, Range<Int>) -> Void) {
        for start in 0..<text.count where start == 0 || Delimiters.hold(text[start - 1]) {
            var packed: UInt64 = 0
            var length = 0
            for wanted in shortLengths where start + wanted <= text.count {
                while length < wanted {
                    packed |= UInt64(text[start + length]) << UInt64(8 * length)
                    length += 1
                }
                let end = start + wanted
                guard Delimiters.end(at: end, of: text) else { continue }
                if let needle = shorts[packed | UInt64(wanted) << 56] {
                    visit(needle, start..<end)
                }
            }
        }
    }
}

// MARK: - Building

extension NeedleIndex {
    private mutating func findParents() {
        var open: [Int] = []
        for place in order.indices {
            while let last = open.last, !begins(place, with: last) { open.removeLast() }
            parents.append(Int32(open.last ?? -1))
            open.append(place)
        }
    }

    private func begins(_ place: Int, with other: Int) -> Bool {
        let length = offsets[other + 1] - offsets[other]
        return offsets[place + 1] - offsets[place] >= length
            && arena.withUnsafeBytes { arena in
                Self.sharedLength(
                    UnsafeRawBufferPointer(rebasing: arena[offsets[place]..<offsets[place + 1]]),
                    UnsafeRawBufferPointer(rebasing: arena[offsets[other]..<offsets[other + 1]]))
                    == length
            }
    }

    // As a text's window is read: in the machine's own order.
    private func nativeHead(of place: Int) -> UInt64 {
        arena.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: offsets[place], as: UInt64.self)
        }
    }

    private static func bit(_ head: UInt64, _ shift: UInt64) -> Int {
        Int(truncatingIfNeeded: (head &* mixer) >> shift)
    }

    // The first eight bytes, in the order in which bytes are compared.
    private static func head(_ text: ArraySlice<UInt8>) -> UInt64 {
        text.prefix(freeLength).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A short text in one word: its bytes, and its length above them.
    static func packed(_ text: ArraySlice<UInt8>) -> UInt64 {
        var word = UInt64(text.count) << 56
        for (place, byte) in text.enumerated() { word |= UInt64(byte) << UInt64(8 * place) }
        return word
    }

    private static func precedes(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                let shared = sharedLength(one, other)
                if shared == one.count { return one.count < other.count }
                return shared < other.count && one[shared] < other[shared]
            }
        }
    }

    private static func sharedLength(
        _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer
    ) -> Int {
        let count = min(one.count, other.count)
        var place = 0
        while place + 8 <= count {
            let difference =
                UInt64(littleEndian: one.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                ^ UInt64(
                    littleEndian: other.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            if difference != 0 { return place + difference.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < count, one[place] == other[place] { place += 1 }
        return place
    }

    /// Whether a byte is an ASCII digit.
    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// The bytes between which a short key may stand: all but ASCII letters and digits, the
/// underscore, the hyphen and the full stop. Bytes beyond ASCII are such too.
enum Delimiters {
    private static let table: [Bool] = (0..<256).map { byte in
        let byte = UInt8(byte)
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            return false
        default: return ![UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
        }
    }

    /// Whether a byte is one.
    static func hold(_ byte: UInt8) -> Bool { table[Int(byte)] }

    /// Whether a name may end before a place of a text: at its end, before a delimiter, or before
    /// a full stop that ends a sentence.
    static func end(at place: Int, of text: UnsafeRawBufferPointer) -> Bool {
        guard place < text.count else { return true }
        if hold(text[place]) { return true }
        guard text[place] == UInt8(ascii: ".") else { return false }
        return place + 1 == text.count || hold(text[place + 1])
            || text[place + 1] == UInt8(ascii: ".")
    }
}
