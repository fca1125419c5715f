/// Tells quickly of most texts that no needle stands in them, by a look at every eighth byte.
///
/// Of fifteen bytes that stand anywhere in a text, eight begin at a place that eight divides. So of
/// each needle fifteen bytes are taken which few others hold, and noted are the eight blocks of
/// eight bytes in them. Of shorter needles it is seven bytes, and four blocks of four.
struct BlockFilter: Sendable {
    private var eights = Blocks(width: 8)
    private var fours = Blocks(width: 4)

    /// A filter of nothing, which holds nothing.
    init() {}

    /// A filter of needles of at least seven bytes; others are passed over.
    init(_ needles: [UnsafeRawBufferPointer]) {
        eights.insert(needles.filter { $0.count >= 15 })
        fours.insert(needles.filter { (7..<15).contains($0.count) })
    }

    /// Whether one of the needles may stand in a text.
    func mayHold(_ text: UnsafeRawBufferPointer) -> Bool {
        eights.mayHold(text) || fours.mayHold(text)
    }
}

/// Blocks of one width as two bits each, both of one word, so that a block costs one look into
/// memory.
private struct Blocks: Sendable {
    /// Bytes of a block: four or eight.
    let width: Int
    private var bits: [UInt64] = []
    private var shift: UInt64 = 0

    private static let mixer: UInt64 = 0x9E37_79B9_7F4A_7C15
    // So many bits for each block, at most all together.
    private static let room = 16
    private static let mostBits = 30

    init(width: Int) {
        self.width = width
    }

    /// Notes the blocks of the rarest stretch of each needle.
    mutating func insert(_ needles: [UnsafeRawBufferPointer]) {
        guard !needles.isEmpty else { return }
        var count = 10
        while 1 << count < needles.count * width * Self.room, count < Self.mostBits { count += 1 }
        shift = UInt64(64 - count)
        bits = Array(repeating: 0, count: 1 << (count - 6))
        let census = BlockCensus(of: needles, width: width)
        for needle in needles {
            let start = census.rarestStretch(of: needle)
            for offset in start..<start + width {
                let (word, both) = place(needle.block(width, at: offset))
                bits[word] |= both
            }
        }
    }

    /// Whether a block that was noted stands at a place that the width divides.
    func mayHold(_ text: UnsafeRawBufferPointer) -> Bool {
        guard !bits.isEmpty else { return false }
        return bits.withUnsafeBufferPointer { bits in
            var place = 0
            while place + width <= text.count {
                let (word, both) = self.place(text.block(width, at: place))
                if bits[word] & both == both { return true }
                place += width
            }
            return false
        }
    }

    @inline(__always)
    private func place(_ block: UInt64) -> (word: Int, both: UInt64) {
        let mixed = block &* Self.mixer
        let bit = Int(truncatingIfNeeded: mixed >> shift)
        // The next bits below say which the second one is.
        return (bit >> 6, 1 << UInt64(bit & 63) | 1 << (mixed >> (shift - 6) & 63))
    }
}

/// How often blocks stand in needles, as far as some of these tell.
private struct BlockCensus {
    private let width: Int
    private var counts: [UInt32] = Array(repeating: 0, count: 1 << 16)

    // So many needles are asked, and so far apart are the stretches that are compared.
    private static let sample = 500
    private static let step = 2

    init(of needles: [UnsafeRawBufferPointer], width: Int) {
        self.width = width
        for number in stride(from: 0, to: needles.count, by: max(1, needles.count / Self.sample)) {
            for place in 0...needles[number].count - width {
                counts[Self.row(needles[number].block(width, at: place))] += 1
            }
        }
    }

    /// Where that stretch begins whose commonest block is the rarest; the last of several.
    func rarestStretch(of needle: UnsafeRawBufferPointer) -> Int {
        let last = needle.count - (2 * width - 1)
        var best = (start: last, count: UInt32.max)
        for start in stride(from: last, through: 0, by: -Self.step) {
            var most: UInt32 = 0
            for place in start..<start + width {
                most = max(most, counts[Self.row(needle.block(width, at: place))])
                if most >= best.count { break }
            }
            if most < best.count { best = (start, most) }
        }
        return best.start
    }

    private static func row(_ block: UInt64) -> Int {
        Int(truncatingIfNeeded: (block &* 0xD6E8_FEB8_6659_FD93) >> 48)
    }
}

extension UnsafeRawBufferPointer {
    // Four or eight bytes, in the machine's own order.
    @inline(__always)
    fileprivate func block(_ width: Int, at place: Int) -> UInt64 {
        width == 8
            ? loadUnaligned(fromByteOffset: place, as: UInt64.self)
            : UInt64(loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
}
