/// A needle that stands in a value.
struct FoundNeedle: Hashable {
    /// The needle's number.
    let needle: Int
    /// Whether it is the whole value, or a whole element of a flat list.
    let isWhole: Bool
    /// The buckets in which a longer name is meant wherever it stands, and not this one.
    var displaced: Set<Int> = []
}

/// Finds the needles in one value, in every form of it, and leaves to longer names what is theirs.
struct ValueSearch {
    /// The needles, all of which are looked for at once.
    let index: NeedleIndex
    /// The length of the shortest needle; a shorter value holds none.
    let shortest: Int
    /// Whether a needle is an identifier of a record and nothing else.
    let isBare: (Int) -> Bool
    /// Whether a needle is only the end of paths.
    var isEnd: (Int) -> Bool = { _ in false }
    /// The forms to look into.
    let forms: TextForms
    /// The buckets in which a needle stands for a key.
    let buckets: (Int) -> [Int]
    /// Whether a text is the key of a listed object of a bucket, so that what stands inside it
    /// counts for that there.
    let isListed: (ArraySlice<UInt8>, _ bucket: Int) -> Bool
    /// Whether a text is looked at by itself, so that it is none here, nor what stands inside it.
    var isOwn: (ArraySlice<UInt8>) -> Bool = { _ in false }
    /// Whether the value is stored as bytes, which need not be a text.
    var isBinary = false
    /// Whether a text begins with a name of a bucket, so that the rest of it is a key there.
    var namesBucket: (ArraySlice<UInt8>, _ bucket: Int) -> Bool = { _, _ in false }
    /// Whether records hold an object's key as that text, without its level and identity.
    var holds: (_ key: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool = { _, _ in true }
    /// Whether the value is a mapped field's, so that what a comma divides stands alone too.
    var isField = false
    /// Whether the value is a key that a reference misses, so that its folders are its own.
    var isKey = false

    // A name around a hit begins and ends so many delimiters away at most, and no key is longer
    // than this.
    private static let starts = 12
    private static let ends = 6
    private static let longest = 1_024

    /// The needles in a value; each once, as a whole where it is that in any form.
    func needles(in value: [UInt8]) -> [FoundNeedle] {
        guard value.count >= shortest else { return [] }
        let isText = !isBinary && Self.isText(value)
        var found: [Int: FoundNeedle] = [:]
        forms.each(of: value) { text in
            var hits: [Hit] = []
            index.search(text, endsWithNumber: isText) { needle, range in
                guard !isEnd(needle) || PathEnds.standsAlone(range, in: text, isKey: isKey)
                else { return }
                hits.append(Hit(needle: needle, range: range))
            }
            guard !hits.isEmpty else { return }
            let shape = WholeValue(text)
            for hit in outermost(hits, of: text, shape) {
                let isWhole =
                    shape.isWhole(hit.range, of: text)
                    || isField && shape.isElement(hit.range, of: text)
                let before = found[hit.needle]
                if let before, before.displaced.isEmpty, before.isWhole || !isWhole { continue }
                let own = buckets(hit.needle)
                guard let inside = displaced(hit, of: text, own) else { continue }
                let elsewhere = hit.displaced.union(inside)
                if elsewhere.count < own.count {
                    found[hit.needle] = FoundNeedle(
                        needle: hit.needle, isWhole: isWhole || before?.isWhole == true,
                        displaced: before.map { $0.displaced.intersection(elsewhere) }
                            ?? elsewhere)
                }
            }
        }
        return Array(found.values)
    }

    // What holds control characters, or is no UTF-8, is no text: there a digit behind a key may be
    // anything.
    private static func isText(_ value: [UInt8]) -> Bool {
        var isASCII = true
        for byte in value {
            if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { return false }
            if byte >= 0x80 { isASCII = false }
        }
        return isASCII || String(validating: value, as: UTF8.self) != nil
    }

    private struct Hit {
        let needle: Int
        let range: Range<Int>
        var displaced: Set<Int> = []
    }

    // A hit inside a longer one counts for that in the buckets of both, unless the longer is an
    // identifier inside a text, or begins with the bucket's name.
    private func outermost(
        _ hits: [Hit], of text: [UInt8], _ shape: WholeValue
    ) -> [Hit] {
        guard hits.count > 1 else { return hits }
        let ordered = hits.sorted { one, other in
            one.range.lowerBound == other.range.lowerBound
                ? one.range.upperBound > other.range.upperBound
                : one.range.lowerBound < other.range.lowerBound
        }
        var ends: [Int: Range<Int>] = [:]
        return ordered.compactMap { hit in
            let own = buckets(hit.needle)
            var hit = hit
            hit.displaced = Set(
                own.filter { bucket in
                    guard let longer = ends[bucket], hit.range.upperBound <= longer.upperBound
                    else { return false }
                    return !isTail(hit.range, of: longer, text)
                })
            guard hit.displaced.count < own.count else { return nil }
            if !isEnd(hit.needle), !isBare(hit.needle) || shape.isWhole(hit.range, of: text) {
                for bucket in own
                where !hit.displaced.contains(bucket) && !namesBucket(text[hit.range], bucket) {
                    ends[bucket] = hit.range
                }
            }
            return hit
        }
    }

    // Whether a longer path ends in a hit that it is not held as: what stands before the hit may be
    // a host or the folder of the bucket itself, and a copy or a mirror may lie at the whole of it.
    private func isTail(_ range: Range<Int>, of longer: Range<Int>, _ text: [UInt8]) -> Bool {
        range.upperBound == longer.upperBound && range.lowerBound > longer.lowerBound
            && text[range.lowerBound - 1] == UInt8(ascii: "/")
            && !holds(text[longer], text[range])
    }

    // The buckets in which a longer name around it, whose tail it is not, is a listed object's key,
    // or of an end of paths it is that itself; nil where it, or a longer name, is looked at by
    // itself.
    private func displaced(_ hit: Hit, of text: [UInt8], _ buckets: [Int]) -> Set<Int>? {
        let (range, isEnd) = (hit.range, isEnd(hit.needle))
        var displaced: Set<Int> = []
        let ends = borders(behind: range.upperBound, of: text)
        for start in borders(before: range.lowerBound, of: text) {
            for end in ends where end - start <= Self.longest {
                let name = text[start..<end]
                if isOwn(name) { return nil }
                guard isEnd || start..<end != range && !isTail(range, of: start..<end, text)
                else { continue }
                for bucket in buckets
                where !displaced.contains(bucket) && isListed(name, bucket)
                    && !namesBucket(name, bucket)
                {
                    displaced.insert(bucket)
                }
            }
        }
        return displaced
    }

    private func borders(before place: Int, of text: [UInt8]) -> [Int] {
        var borders = [place]
        var start = place
        while start > 0, borders.count < Self.starts, place - start < Self.longest {
            start -= 1
            if start == 0 || Delimiters.hold(text[start - 1]) { borders.append(start) }
        }
        return borders
    }

    private func borders(behind place: Int, of text: [UInt8]) -> [Int] {
        var borders = [place]
        var end = place
        while end < text.count, borders.count < Self.ends, end - place < Self.longest {
            end += 1
            if end == text.count || Delimiters.hold(text[end]) { borders.append(end) }
        }
        return borders
    }
}

/// What stands alone in a value: the whole of it, without blanks and quotes around it, an element
/// of a flat list, or the key of an S3Object.
struct WholeValue {
    private let isFlatList: Bool
    private let namesBucket: Bool

    /// The shape of a value.
    init(_ text: [UInt8]) {
        let trimmed = Self.trimmed(text)
        let (first, last) = (trimmed.first, trimmed.last)
        // JSON's and PostgreSQL's lists; what has other brackets inside is more than a list.
        isFlatList =
            (first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
                || first == UInt8(ascii: "{") && last == UInt8(ascii: "}"))
            && !trimmed.dropFirst().dropLast().contains { "[]{}".utf8.contains($0) }
        let isObject = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        namesBucket = isObject && Self.holds(Array("\"bucket\"".utf8), text)
    }

    /// Whether a range of the text is the whole value, or a whole element of a flat list.
    func isWhole(_ range: Range<Int>, of text: [UInt8]) -> Bool {
        let start = Self.opening(before: range.lowerBound, of: text)
        let end = Self.closing(behind: range.upperBound, of: text)
        if start == 0, end == text.count { return true }
        guard start > 0, end < text.count else { return false }
        return isFlatList && "[{,".utf8.contains(text[start - 1]) && "]},".utf8.contains(text[end])
            || namesBucket && Self.isKeyMember(start, of: text)
    }

    /// Whether a range of the text is what commas and their like divide, less a query.
    func isElement(_ range: Range<Int>, of text: [UInt8]) -> Bool {
        let start = Self.opening(before: range.lowerBound, of: text)
        let end = Self.closing(behind: range.upperBound, of: text)
        return (start == 0 || ",;|".utf8.contains(text[start - 1]))
            && (end == text.count || ",;|?#".utf8.contains(text[end]))
    }

    /// A value without blanks at its ends.
    static func trimmed(_ value: [UInt8]) -> ArraySlice<UInt8> {
        guard let first = value.firstIndex(where: { $0 > 0x20 }),
            let last = value.lastIndex(where: { $0 > 0x20 })
        else { return [] }
        return value[first...last]
    }

    // Back over one quote and any blanks.
    private static func opening(before place: Int, of text: [UInt8]) -> Int {
        var place = place
        if place > 0, isQuote(text[place - 1]) { place -= 1 }
        while place > 0, text[place - 1] <= 0x20 { place -= 1 }
        return place
    }

    private static func closing(behind place: Int, of text: [UInt8]) -> Int {
        var place = place
        if place < text.count, isQuote(text[place]) { place += 1 }
        while place < text.count, text[place] <= 0x20 { place += 1 }
        return place
    }

    private static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    // `"key": ` before it.
    private static func isKeyMember(_ start: Int, of text: [UInt8]) -> Bool {
        guard text[start - 1] == UInt8(ascii: ":") else { return false }
        var end = start - 1
        while end > 0, text[end - 1] <= 0x20 { end -= 1 }
        return text[..<end].suffix(5).elementsEqual("\"key\"".utf8)
    }

    private static func holds(_ name: [UInt8], _ text: [UInt8]) -> Bool {
        text.indices.contains { text[$0] == name[0] && text[$0...].starts(with: name) }
    }
}
