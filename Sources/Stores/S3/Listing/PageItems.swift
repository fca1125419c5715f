import Glibc
import MooringModel

/// What one page lists, in its order.
protocol PageItems: Sendable {
    /// What is listed.
    associatedtype Item: ListingItem

    /// Nothing, with room for so many whose keys and ETags take so many bytes.
    init(room count: Int, bytes: Int)

    /// How many there are.
    var count: Int { get }

    /// Adds what an element says, whose key is decoded to these bytes; throws where it says too
    /// little.
    mutating func add(
        _ element: RawPage.Element, key: UnsafeBufferPointer<UInt8>
    ) throws(PageFault)

    /// The key of one of them.
    func key(_ place: Int) -> ObjectKey

    /// The id of one of them beside its key; nil where keys stand alone.
    func id(_ place: Int) -> String?

    /// Whether keys ascend; the same one may come several times in a row where that is allowed.
    func ascends(repeating: Bool) -> Bool

    /// Those of a range.
    func part(_ range: Range<Int>) -> Self

    /// Those whose keys are kept.
    func keeping(_ isKept: (ObjectKey) -> Bool) -> Self
}

extension PageItems {
    /// The first one's key; nil where there is none.
    var firstKey: [UInt8]? { count == 0 ? nil : key(0).bytes }

    /// The last one's key; nil where there is none.
    var lastKey: [UInt8]? { count == 0 ? nil : key(count - 1).bytes }

    /// Where the keys from a place on begin to be past something, behind which all others are.
    func place(from begin: Int, _ isPast: ([UInt8]) -> Bool) -> Int {
        guard begin < count, isPast(key(count - 1).bytes) else { return count }
        var (low, high) = (begin, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if isPast(key(middle).bytes) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// Listed objects in one buffer, so that none costs an allocation.
struct ObjectPage: PageItems {
    typealias Item = ListedObject

    /// The objects.
    private(set) var slab = ObjectSlab()

    init(room count: Int, bytes: Int) { slab.reserve(objects: count, bytes: bytes) }

    private init(_ slab: ObjectSlab) { self.slab = slab }

    var count: Int { slab.count }

    mutating func add(
        _ element: RawPage.Element, key: UnsafeBufferPointer<UInt8>
    ) throws(PageFault) {
        guard let seconds = element.seconds else { throw .untimed }
        if let id = element.id { _ = try PageText.string(id) }
        guard let size = element.size, let etag = element.etag else { throw .unsized }
        let time = Instant(seconds: seconds)
        if let plain = PageText.plainETag(etag) {
            slab.append(key: key, etag: plain, size: size, lastModified: time)
            return
        }
        var text = try PageText.unquoted(etag)
        text.withUTF8 { slab.append(key: key, etag: $0, size: size, lastModified: time) }
    }

    func key(_ place: Int) -> ObjectKey { slab.key(place) }

    func id(_ place: Int) -> String? { nil }

    func ascends(repeating: Bool) -> Bool {
        slab.withEntries { bytes, entries in
            guard let base = bytes.baseAddress else { return true }
            for (entry, next) in zip(entries, entries.dropFirst()) {
                let (count, other) = (Int(entry.keyCount), Int(next.keyCount))
                var order = Int(
                    memcmp(
                        base + entry.key.lowerBound, base + next.key.lowerBound,
                        min(count, other)))
                if order == 0 { order = count - other }
                guard order < 0 || repeating && order == 0 else { return false }
            }
            return true
        }
    }

    func part(_ range: Range<Int>) -> ObjectPage {
        range == 0..<count ? self : ObjectPage(slab.part(range))
    }

    func keeping(_ isKept: (ObjectKey) -> Bool) -> ObjectPage {
        var kept = ObjectSlab()
        slab.withEntries { bytes, entries in
            for (place, entry) in entries.enumerated() where isKept(slab.key(place)) {
                let end = entry.key.upperBound
                kept.append(
                    key: .init(rebasing: bytes[entry.key]),
                    etag: .init(rebasing: bytes[end..<end + Int(entry.etagCount)]),
                    size: entry.size, lastModified: entry.lastModified)
            }
        }
        return ObjectPage(kept)
    }
}

extension Array: PageItems where Element: ListingItem {
    typealias Item = Element

    init(room count: Int, bytes: Int) {
        self = []
        reserveCapacity(count)
    }

    mutating func add(
        _ element: RawPage.Element, key: UnsafeBufferPointer<UInt8>
    ) throws(PageFault) {
        var item = PageItem()
        guard let seconds = element.seconds else { throw .untimed }
        item.key = ObjectKey(Array<UInt8>(key))
        item.time = Instant(seconds: seconds)
        item.isMarker = element.isMarker
        item.isNewest = element.isNewest ?? true
        item.id = try element.id.map { (id) throws(PageFault) in try PageText.string(id) }
        if Element.layout.listsContent, !element.isMarker {
            guard let size = element.size, let etag = element.etag else { throw .unsized }
            item.size = size
            item.etag = try PageText.unquoted(etag)
        }
        guard let known = Element(item) else { throw .odd("lists an element without its id") }
        append(known)
    }

    func key(_ place: Int) -> ObjectKey { self[place].key }

    func id(_ place: Int) -> String? { self[place].itemID }

    func ascends(repeating: Bool) -> Bool {
        zip(self, dropFirst()).allSatisfy { item, next in
            let (key, other) = (item.key.bytes, next.key.bytes)
            return key.precedes(other) || repeating && key == other
        }
    }

    func part(_ range: Range<Int>) -> [Element] { Array(self[range]) }

    func keeping(_ isKept: (ObjectKey) -> Bool) -> [Element] { filter { isKept($0.key) } }
}

extension PageFault {
    /// An element without a time.
    static let untimed = PageFault.odd("lists an object without a time")
    /// An element of an object without what every object has.
    static let unsized = PageFault.odd("lists an object without its size or its ETag")
}
