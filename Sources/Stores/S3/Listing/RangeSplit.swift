/// Where to cut a stretch of keys of which one page was seen, knowing nothing of its shape.
///
/// A cut is only a guess at where keys lie: whatever lies where, the parts tile the stretch, and
/// each is listed to its own end.
enum RangeSplit: Hashable, Sendable {
    /// Cut at these keys, in order.
    case cuts([[UInt8]])
    /// Cut behind the folder that the last key lies in, and ask which folders follow in this one.
    case folders(of: [UInt8], behind: [UInt8])

    /// A guess for a range listed as far as a key; nil where there is none.
    ///
    /// `anchor` is the first key that was seen, and `bytes` those that the keys are made of.
    static func guess(
        _ range: KeyRange, last: [UInt8], anchor: [UInt8], bytes: Set<UInt8>, asksFolders: Bool
    ) -> RangeSplit? {
        if asksFolders, let folders = folders(range, last: last) { return folders }
        var count = 0
        while count < anchor.count, count < last.count, anchor[count] == last[count] { count += 1 }
        guard count < last.count else { return nil }
        while count > 0, !KeyRange.isText(last[..<count]) { count -= 1 }
        let common = Array(last[..<count])
        var cuts: [[UInt8]] = []
        // Half of what may follow where the keys begin to differ.
        let following = bytes.filter { byte in
            byte > last[count] && range.contains(common + [byte]) && (0x22...0x7E).contains(byte)
        }.sorted()
        if !following.isEmpty { cuts.append(common + [following[following.count / 2]]) }
        // All that does not begin as the keys that were seen.
        if let end = KeyRange.end(of: common), range.contains(end), KeyRange.isText(end[...]) {
            cuts.append(end)
        }
        return cuts.isEmpty ? nil : .cuts(cuts)
    }

    // The outermost folder around the last key that ends inside the range, and the one around it.
    private static func folders(_ range: KeyRange, last: [UInt8]) -> RangeSplit? {
        let slash = UInt8(ascii: "/")
        let common = range.prefix
        var begin = (common.lastIndex(of: slash) ?? -1) + 1
        while let end = last[begin...].firstIndex(of: slash) {
            if let behind = KeyRange.end(of: Array(last[...end])), range.contains(behind) {
                return .folders(of: Array(last[..<begin]), behind: behind)
            }
            begin = end + 1
        }
        return nil
    }
}

/// How fast a store answers when it is asked folder by folder, and when it is not, at the same
/// time: what one request alone takes says nothing of many together.
struct FolderPace: Sendable {
    private struct Sample: Sendable {
        var (pages, keys, seconds) = (0, 0.0, 0.0)

        mutating func note(_ keys: Int, _ seconds: Double) {
            pages += 1
            self.keys += Double(keys)
            self.seconds += seconds
        }
    }

    private var whole = Sample()
    private var folders = Sample()

    /// Notes a page of keys of many folders.
    mutating func noteWhole(keys: Int, seconds: Double) { whole.note(keys, seconds) }

    /// Notes a folder that was listed by one page.
    mutating func noteFolder(keys: Int, seconds: Double) { folders.note(keys, seconds) }

    /// Whether folder by folder is the faster way; nil where that was not tried yet. Most stores
    /// take about as long for a short page as for a long one; some look at every key below the
    /// prefix for each page.
    var prefersFolders: Bool? {
        guard folders.pages >= 4, whole.pages >= 4 else { return nil }
        return folders.keys * whole.seconds > 1.25 * whole.keys * folders.seconds
    }
}
