import MooringModel

/// What a grouped page says of the folders in a folder.
struct FolderGroups<Item: ListingItem> {
    /// The objects that lie right in the folder.
    private(set) var items: Item.Listed
    /// What lies below each folder in it, in order.
    private(set) var ranges: [KeyRange]
    /// What the page does not reach.
    private(set) var rest: KeyRange
    private var covered: KeyRange

    /// What a page that begins behind a key says about a range; nil where it is no page as S3 makes
    /// it.
    init?(
        _ page: ListingPage<Item>, in range: KeyRange, of folder: [UInt8], behind start: [UInt8]?
    ) {
        let slash = UInt8(ascii: "/")
        var last: [UInt8]?
        for place in 0..<page.items.count {
            let key = page.items.key(place).bytes
            guard key.begins(with: folder), !key[folder.count...].contains(slash),
                last?.precedes(key) ?? true
            else { return nil }
            last = key
        }
        var lastFolder: [UInt8]?
        for inner in page.prefixes {
            guard inner.begins(with: folder), inner.count > folder.count,
                inner[folder.count...].firstIndex(of: slash) == inner.count - 1,
                lastFolder?.precedes(inner) ?? true
            else { return nil }
            lastFolder = inner
        }
        // What lies before that key belongs to another order than that of bytes, in which more may
        // lie where nobody looks.
        if let start {
            // They ascend.
            guard page.items.firstKey.map(start.precedes) ?? true,
                page.prefixes.allSatisfy({ KeyRange.end(of: $0).map(start.precedes) ?? true })
            else { return nil }
        }
        var end = range.to
        if page.isTruncated {
            let reached = [last.map(KeyRange.behind), lastFolder.flatMap(KeyRange.end)]
                .compactMap { $0 }.max { $0.precedes($1) }
            guard let reached, range.from.precedes(reached) else { return nil }
            if !range.isBehind(reached) { end = reached }
        }
        covered = KeyRange(from: range.from, to: end)
        rest = end.map { KeyRange(from: $0, to: range.to) } ?? KeyRange(from: [0], to: [])
        let covered = covered
        items = page.items.keeping { covered.contains($0.bytes) }
        ranges = page.prefixes.compactMap { prefix in
            let whole = KeyRange(prefix: prefix)
            guard let stop = whole.to, !covered.isBehind(whole.from) else { return nil }
            let begin = covered.contains(whole.from) ? whole.from : covered.from
            let part = KeyRange(from: begin, to: covered.isBehind(stop) ? covered.to : stop)
            return part.isEmpty ? nil : part
        }
    }

    /// Keeps the first folders only, and what lies before their end.
    mutating func keep(_ count: Int) {
        guard count < ranges.count, let end = ranges[count - 1].to else { return }
        ranges.removeSubrange(count...)
        let tail = KeyRange(from: end, to: rest.isEmpty ? covered.to : rest.to)
        covered.to = end
        rest = tail
        let covered = covered
        items = items.keeping { covered.contains($0.bytes) }
    }

    /// What lies in none of the folders, and is listed by the page itself.
    var gaps: [KeyRange] {
        var ledger = RangeLedger()
        for range in ranges { ledger.close(range) }
        return ledger.gaps(in: [covered])
    }
}
