import MooringModel

/// Which stretches of the key space were listed: the proof that a listing has no gap and gave
/// nothing twice.
package struct RangeLedger: Sendable {
    /// The stretches that were listed, in order; none touches the next.
    package private(set) var listed: [KeyRange] = []
    /// Whether a stretch was listed twice, which never happens.
    package private(set) var hasOverlap = false

    /// Nothing listed yet.
    package init() {}

    /// Notes that everything in a stretch was listed.
    package mutating func close(_ range: KeyRange) {
        guard !range.isEmpty else { return }
        var (low, high) = (0, listed.count)
        while low < high {
            let middle = (low + high) / 2
            if listed[middle].from.precedes(range.from) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        var merged = range
        if low > 0 {
            let before = listed[low - 1]
            guard let end = before.to, !range.from.precedes(end) else {
                hasOverlap = true
                return
            }
            if end == range.from {
                merged.from = before.from
                listed.remove(at: low - 1)
                low -= 1
            }
        }
        if low < listed.count {
            let after = listed[low]
            guard let end = range.to, !after.from.precedes(end) else {
                hasOverlap = true
                listed.insert(merged, at: low)
                return
            }
            if end == after.from {
                merged.to = after.to
                listed.remove(at: low)
            }
        }
        listed.insert(merged, at: low)
    }

    /// Whether a key lies in a stretch that was listed.
    package func holds(_ key: [UInt8]) -> Bool { listed.contains { $0.contains(key) } }

    /// What of these tiles was not listed, in order.
    package func gaps(in tiles: [KeyRange]) -> [KeyRange] {
        tiles.flatMap { tile in
            var rest: KeyRange? = tile
            var gaps: [KeyRange] = []
            for known in listed {
                guard let open = rest else { break }
                if let end = known.to, !open.from.precedes(end) { continue }
                if open.isBehind(known.from) { break }
                let head = KeyRange(from: open.from, to: known.from)
                if !head.isEmpty { gaps.append(head) }
                rest = known.to.map { KeyRange(from: $0, to: open.to) }
                if rest?.isEmpty == true { rest = nil }
            }
            if let rest, !rest.isEmpty { gaps.append(rest) }
            return gaps
        }
    }
}
