import MooringModel
import MooringText

/// The course of one segment over its pages: to its true end, or to the page that leads nowhere.
struct SegmentCourse {
    /// Where the next page begins; nil before the first.
    private(set) var start: [UInt8]?
    private var pages = 0
    // An earlier start, kept at every power of two: whoever runs in a circle meets it.
    private var kept: [UInt8]?
    private var keepAt = 1

    /// Takes the key at which a page says that it ended. False where it says none, on the last page
    /// alone; a page that leads back to an earlier one is a fault, since nothing would ever end it.
    mutating func advance(_ next: [UInt8]?) throws(ItemFault) -> Bool {
        guard let next else { return false }
        let place = Self.canonical(next)
        pages += 1
        guard place != kept, place != start.map(Self.canonical) else {
            throw ItemFault(
                reason: "names a LastEvaluatedKey for the second time, after \(pages) pages")
        }
        if pages == keepAt {
            kept = place
            keepAt *= 2
        }
        start = next
        return true
    }

    // One key may be written in several orders of its parts.
    private static func canonical(_ key: [UInt8]) -> [UInt8] {
        let typed = Array("{\"M\":".utf8) + key + [UInt8(ascii: "}")]
        return AttributeReader.value(of: typed)?.storedBytes ?? key
    }
}
