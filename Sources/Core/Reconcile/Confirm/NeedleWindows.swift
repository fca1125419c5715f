/// Of each needle eight bytes by which it is looked up in texts: such as few others hold, and that
/// begin with one of as few bytes as will do. Each place of a text where one of these stands costs
/// a look.
struct NeedleWindows {
    // Bytes, as bits.
    private struct Bytes {
        var bits = SIMD4<UInt64>()

        func holds(_ byte: UInt8) -> Bool { bits[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }

        mutating func insert(_ byte: UInt8) { bits[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

        func forEach(_ body: (Int) -> Void) {
            for word in 0..<4 {
                var rest = bits[word]
                while rest != 0 {
                    body(word << 6 + rest.trailingZeroBitCount)
                    rest &= rest - 1
                }
            }
        }
    }

    private static let span = NeedleIndex.freeLength
    private let texts: [ArraySlice<UInt8>]
    // Counted by a hash, so that many needles take no more room than few.
    private var holders = [UInt8](repeating: 0, count: 1 << 24)

    /// Those of the texts that are long enough.
    init(_ texts: some Sequence<ArraySlice<UInt8>>) {
        self.texts = texts.filter { $0.count >= Self.span }
        for text in self.texts {
            for window in Self.windows(text) where holders[place(window)] < .max {
                holders[place(window)] += 1
            }
        }
    }

    /// Each text with the place of its eight bytes. Digits tell more than letters, and what stands
    /// behind more than what stands before.
    var places: [(text: ArraySlice<UInt8>, place: Int)] {
        let first = firstBytes
        return texts.map { text in
            let most = 4 * few(of: text)
            let best = Self.windows(text).enumerated()
                .filter {
                    first.holds($0.element[$0.element.startIndex]) && count($0.element) <= most
                }
                .min { one, other in
                    (count(one.element), -Self.digits(one.element), -one.offset)
                        < (count(other.element), -Self.digits(other.element), -other.offset)
                }
            return (text, best?.offset ?? 0)
        }
    }

    // Bytes of which each text has one that begins a window that few hold: always the one that most
    // of the rest have, and of such the one that stands in texts the least. A text for which that
    // is a little more than few asks for no byte of its own.
    private var firstBytes: Bytes {
        var stand = [Int](repeating: 0, count: 256)
        var rest = texts.map { text in
            let few = few(of: text)
            var (best, fair) = (Bytes(), Bytes())
            for window in Self.windows(text) {
                stand[Int(window[window.startIndex])] += 1
                let first = window[window.startIndex]
                if count(window) <= few { best.insert(first) }
                if count(window) <= 4 * few { fair.insert(first) }
            }
            return (best: best, fair: fair)
        }
        var chosen = Bytes()
        while !rest.isEmpty {
            var having = [Int](repeating: 0, count: 256)
            for bytes in rest { bytes.best.forEach { having[$0] += 1 } }
            let best = (0..<256).max { (having[$0], -stand[$0]) < (having[$1], -stand[$1]) } ?? 0
            chosen.insert(UInt8(best))
            rest.removeAll { $0.fair.holds(UInt8(best)) }
        }
        return chosen
    }

    // How many may hold a window that a text is looked up by, at best.
    private func few(of text: ArraySlice<UInt8>) -> Int {
        max(4, 2 * (Self.windows(text).lazy.map(count).min() ?? 0))
    }

    private func count(_ window: ArraySlice<UInt8>) -> Int { Int(holders[place(window)]) }

    private func place(_ window: ArraySlice<UInt8>) -> Int {
        let hash = window.reduce(NameFilter.seed, NameFilter.step)
        return Int(truncatingIfNeeded: hash ^ hash >> 24) & (holders.count - 1)
    }

    private static func windows(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        (text.startIndex...text.endIndex - span).map { text[$0..<$0 + span] }
    }

    private static func digits(_ window: ArraySlice<UInt8>) -> Int {
        window.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
