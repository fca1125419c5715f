import Glibc
import MooringModel

/// A page of a listing as it stands in the answer: its keys are not decoded yet.
struct RawPage {
    /// A piece of the answer, which is not copied.
    typealias Piece = PageScanner.Piece

    /// An element of the listing.
    struct Element {
        /// The key's text, entities as they stand.
        var key: Piece?
        /// Bytes.
        var size: Int64?
        /// The ETag's text.
        var etag: Piece?
        /// Seconds since the epoch.
        var seconds: Int64?
        /// The id's text.
        var id: Piece?
        /// What IsLatest says.
        var isNewest: Bool?
        /// Whether it is a delete marker.
        var isMarker = false
    }

    /// What was listed, in the page's order.
    private(set) var elements: [Element] = []
    /// The common prefixes' texts.
    private(set) var prefixes: [Piece] = []
    /// What the page says of itself, by the elements' names.
    private(set) var head: [String: Piece] = [:]

    private static let headNames: Set<String> = [
        "Name", "Bucket", "Prefix", "EncodingType", "IsTruncated", "NextContinuationToken",
    ]

    /// Reads an answer's text; throws `PageFault`.
    init(_ page: Piece, _ layout: PageLayout) throws(PageFault) {
        do {
            var scanner = try PageScanner(page)
            let root = try scanner.openRoot()
            guard PageScanner.equal(root, layout.root.text) else {
                throw PageFault.otherRoot(String(decoding: root, as: UTF8.self))
            }
            elements.reserveCapacity(1_000)
            while let tag = try scanner.nextTag() { try read(tag, layout, &scanner) }
            try scanner.close(root)
            try scanner.end()
        } catch let fault as XMLScanner.Fault {
            throw PageFault.xml(fault)
        } catch let fault as PageFault {
            throw fault
        } catch {
            throw PageFault.odd("cannot be read")
        }
    }

    private mutating func read(
        _ tag: PageScanner.Tag, _ layout: PageLayout, _ scanner: inout PageScanner
    ) throws {
        for (index, name) in layout.items.enumerated() where PageScanner.equal(tag.name, name.text)
        {
            elements.append(
                try Self.element(tag, isMarker: index == 1, layout, &scanner))
            return
        }
        if PageScanner.equal(tag.name, "CommonPrefixes") {
            guard !tag.isEmpty, let inner = try scanner.nextTag(),
                PageScanner.equal(inner.name, "Prefix")
            else { throw PageFault.odd("holds a common prefix without its text") }
            prefixes.append(try scanner.text(of: inner))
            guard try scanner.nextTag() == nil else {
                throw PageFault.odd("holds a common prefix with two texts")
            }
            return try scanner.close(tag.name)
        }
        let name = String(decoding: tag.name, as: UTF8.self)
        guard Self.headNames.contains(name) else { return try scanner.skip(tag) }
        guard head.updateValue(try scanner.text(of: tag), forKey: name) == nil else {
            throw PageFault.odd("says \(name) twice")
        }
    }

    private static func element(
        _ tag: PageScanner.Tag, isMarker: Bool, _ layout: PageLayout,
        _ scanner: inout PageScanner
    ) throws -> Element {
        var element = Element()
        element.isMarker = isMarker
        guard !tag.isEmpty else { throw PageFault.odd("lists an empty element") }
        while let inner = try scanner.nextTag() {
            let isNew: Bool
            if PageScanner.equal(inner.name, "Key") {
                isNew = element.key == nil
                element.key = try scanner.text(of: inner)
            } else if PageScanner.equal(inner.name, layout.time.text) {
                isNew = element.seconds == nil
                element.seconds = seconds(try scanner.text(of: inner))
                if element.seconds == nil { throw PageFault.odd("lists a time that is none") }
            } else if PageScanner.equal(inner.name, "Size") {
                isNew = element.size == nil
                element.size = number(try scanner.text(of: inner))
                if element.size == nil { throw PageFault.odd("lists a size that is none") }
            } else if PageScanner.equal(inner.name, "ETag") {
                isNew = element.etag == nil
                element.etag = try scanner.text(of: inner)
            } else if PageScanner.equal(inner.name, layout.id.text) {
                isNew = element.id == nil
                element.id = try scanner.text(of: inner)
            } else if PageScanner.equal(inner.name, "IsLatest") {
                isNew = element.isNewest == nil
                element.isNewest = try truth(try scanner.text(of: inner))
            } else {
                try scanner.skip(inner)
                isNew = true
            }
            guard isNew else { throw PageFault.odd("lists an element that says a thing twice") }
        }
        try scanner.close(tag.name)
        return element
    }

    /// What `true` and `false` mean; throws for all else.
    static func truth(_ text: Piece) throws(PageFault) -> Bool {
        if PageScanner.equal(text, "true") { return true }
        if PageScanner.equal(text, "false") { return false }
        throw PageFault.odd("says neither true nor false")
    }

    private static func number(_ text: Piece) -> Int64? {
        guard (1...18).contains(text.count) else { return nil }
        var value: Int64 = 0
        for byte in text {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - 48)
        }
        return value
    }

    // `2026-11-21T18:47:21.336Z`, the form that every store writes; any other is read the long way.
    private static func seconds(_ text: Piece) -> Int64? {
        if let known = SecondsText(text) { return known.seconds }
        guard let instant = Instant(iso8601: String(decoding: text, as: UTF8.self)) else {
            return nil
        }
        return instant.wholeSecond.nanoseconds / 1_000_000_000
    }
}

/// Why a page cannot be believed.
enum PageFault: Error, Hashable, Sendable {
    /// It is no XML that a strict parser takes.
    case xml(XMLScanner.Fault)
    /// It is another document, such as `Error`.
    case otherRoot(String)
    /// It says what no listing says.
    case odd(String)

    /// The fault in words that follow "the answer".
    var text: String {
        switch self {
        case .xml(let fault): "is no valid XML: it \(fault.reason) at byte \(fault.offset)"
        case .otherRoot(let name): "is no listing, but a document called \(name)"
        case .odd(let text): text
        }
    }
}

/// A time as stores write it, cut to its second.
private struct SecondsText {
    /// Seconds since the epoch.
    let seconds: Int64

    /// Reads `YYYY-MM-DDTHH:MM:SS[.fraction]Z`; nil where the text is anything else.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        guard text.count >= 20, text[text.count - 1] == UInt8(ascii: "Z"),
            text[4] == 0x2D, text[7] == 0x2D, text[10] == UInt8(ascii: "T"), text[13] == 0x3A,
            text[16] == 0x3A, text.count == 20 || text[19] == UInt8(ascii: ".")
        else { return nil }
        var isNumber = true
        func digits(_ range: Range<Int>) -> Int64 {
            var value: Int64 = 0
            for index in range {
                if !(48...57).contains(text[index]) { isNumber = false }
                value = value * 10 + Int64(text[index] & 15)
            }
            return value
        }
        let (year, month, day) = (digits(0..<4), digits(5..<7), digits(8..<10))
        let (hour, minute, second) = (digits(11..<13), digits(14..<16), digits(17..<19))
        if text.count > 20 { _ = digits(20..<(text.count - 1)) }
        // The 29th to 31st, which not every month has, and leap seconds go the long way.
        guard isNumber, text.count <= 30, (1970...2262).contains(year), (1...12).contains(month),
            (1...28).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        // Days since the epoch, with years that begin in March.
        let marched = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = marched * 365 + marched / 4 - marched / 100 + marched / 400 + dayOfYear - 719_468
        seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    }
}
