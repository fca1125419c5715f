/// Byte strings that are looked for in texts, all of them at once, in one pass over each text.
///
/// Long ones are found wherever they stand. Of most texts a filter of blocks tells that none does;
/// in others the first eight bytes of every window are looked up in a bitset, and only where that
/// says yes the sorted needles are searched, so that a pass grows with the text and hardly with the
/// number of needles. Short ones are found between delimiters
/// alone. It holds nothing of the texts.
struct NeedleIndex: Sendable {
    /// From so many bytes on a needle is found wherever it stands.
    static let freeLength = 8

    private static let mixer: UInt64 = 0x9E37_79B9_7F4A_7C15
    private let needles: ByteTable
    // The numbers of the long ones in the order of their bytes, with the first eight of these, and
    // the longest other one that each begins with.
    private var order: [Int32] = []
    private var heads: [UInt64] = []
    private var parents: [Int32] = []
    private var filter: [UInt64] = []
    private var shift: UInt64 = 0
    private var blocks = BlockFilter()
    // The short ones, their bytes and their length in one word.
    private var shorts: [UInt64: Int] = [:]
    private var shortLengths: [Int] = []

    /// An index of texts that are told by their numbers; an empty one is never found.
    init(_ needles: ByteTable) {
        self.needles = needles
        var long: [(head: UInt64, number: Int)] = []
        for (number, text) in needles.all.enumerated() {
            if text.count >= Self.freeLength {
                long.append((text.withUnsafeBytes(Self.head), number))
            } else if !text.isEmpty {
                shorts[Self.packed(text)] = number
            }
        }
        shortLengths = Set(shorts.keys.map { Int($0 >> 56) }).sorted()
        guard !long.isEmpty else { return }
        needles.withTexts { texts in
            long.sort { one, other in
                one.head == other.head
                    ? Self.precedes(texts[one.number], texts[other.number]) : one.head < other.head
            }
            order = long.map { Int32($0.number) }
            heads = long.map(\.head)
            findParents(texts)
            makeFilter()
            blocks = BlockFilter(order.map { texts[Int($0)] })
        }
    }

    /// An index of different texts, which are told by their places.
    init(_ texts: some Sequence<ArraySlice<UInt8>>) {
        var needles = ByteTable()
        for text in texts { _ = needles.insert(Array(text)) }
        self.init(needles)
    }

    private mutating func makeFilter() {
        var bits = 10
        while 1 << bits < order.count * 16, bits < 30 { bits += 1 }
        shift = UInt64(64 - bits)
        filter = Array(repeating: 0, count: (1 << bits) / 64)
        for head in heads {
            // As a text's window is read: in the machine's own order.
            let bit = Self.bit(UInt64(bigEndian: head), shift)
            filter[bit >> 6] |= 1 << UInt64(bit & 63)
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
        needles.withTexts { needles in
            filter.withUnsafeBufferPointer { filter in
                var start = 0
                let last = text.count - Self.freeLength
                while start <= last {
                    let head = text.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                    let bit = Self.bit(head, shift)
                    if filter[bit >> 6] & 1 << UInt64(bit & 63) != 0 {
                        take(text, start, needles, endsWithNumber, visit)
                    }
                    start += 1
                }
            }
        }
    }

    // Of the needles that are not above the text's rest, the last one begins with all those that
    // the rest begins with.
    private func take(
        _ text: UnsafeRawBufferPointer, _ start: Int, _ needles: ByteTable.Texts,
        _ endsWithNumber: Bool, _ visit: (Int, Range<Int>) -> Void
    ) {
        let rest = UnsafeRawBufferPointer(rebasing: text[start...])
        let head = Self.head(rest)
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if heads[middle] > head || heads[middle] == head && stands(middle, above: rest, needles)
            {
                high = middle
            } else {
                low = middle + 1
            }
        }
        guard low > 0 else { return }
        var place = low - 1
        let shared = Self.sharedLength(needles[Int(order[place])], rest)
        while place >= 0 {
            let length = needles[Int(order[place])].count
            if length <= shared {
                let goesOn =
                    endsWithNumber && length < rest.count && Self.isDigit(rest[length])
                    && Self.isDigit(rest[length - 1])
                if !goesOn { visit(Int(order[place]), start..<start + length) }
            }
            place = Int(parents[place])
        }
    }

    // Whether a needle is above a text: it is a longer one, or differs by a larger byte.
    private func stands(
        _ place: Int, above text: UnsafeRawBufferPointer, _ needles: ByteTable.Texts
    ) -> Bool {
        let needle = needles[Int(order[place])]
        let shared = Self.sharedLength(needle, text)
        return shared < needle.count && (shared == text.count || needle[shared] > text[shared])
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
    private mutating func findParents(_ needles: ByteTable.Texts) {
        var open: [Int] = []
        for place in order.indices {
            let text = needles[Int(order[place])]
            func begins(with other: Int) -> Bool {
                let other = needles[Int(order[other])]
                return text.count >= other.count && Self.sharedLength(text, other) == other.count
            }
            while let last = open.last, !begins(with: last) { open.removeLast() }
            parents.append(Int32(open.last ?? -1))
            open.append(place)
        }
    }

    private static func bit(_ head: UInt64, _ shift: UInt64) -> Int {
        Int(truncatingIfNeeded: (head &* mixer) >> shift)
    }

    // The first eight bytes, in the order in which bytes are compared.
    private static func head(_ text: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(bigEndian: text.loadUnaligned(as: UInt64.self))
    }

    /// A short text in one word: its bytes, and its length above them.
    static func packed(_ text: ArraySlice<UInt8>) -> UInt64 {
        var word = UInt64(text.count) << 56
        for (place, byte) in text.enumerated() { word |= UInt64(byte) << UInt64(8 * place) }
        return word
    }

    private static func precedes(
        _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer
    ) -> Bool {
        let shared = sharedLength(one, other)
        if shared == one.count { return one.count < other.count }
        return shared < other.count && one[shared] < other[shared]
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
