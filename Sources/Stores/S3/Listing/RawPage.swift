import Glibc
import MooringModel
import MooringText

/// A page of a listing as it stands in the answer: its keys are not decoded yet.
struct RawPage {
    /// A piece of the answer, which is not copied.
    typealias Piece = PageScanner.Piece

    /// An element of the listing.
    struct Element {
        /// The key's text, entities as they stand.
        var key: Piece?
        /// The object's size in bytes; nil where the element has none.
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
            let listsObjects = layout == .objects
            while true {
                if listsObjects, scanner.take("<Contents>") {
                    elements.append(try Self.object(layout, &scanner))
                } else if let tag = try scanner.nextTag() {
                    try read(tag, layout, &scanner)
                } else {
                    break
                }
            }
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
            guard !tag.isEmpty else { throw PageFault.odd("lists an empty element") }
            var element = Element()
            element.isMarker = index == 1
            try Self.read(&element, layout, &scanner)
            try scanner.close(tag.name)
            elements.append(element)
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

    // Reads an object whose tag was passed.
    private static func object(
        _ layout: PageLayout, _ scanner: inout PageScanner
    ) throws -> Element {
        var element = Element()
        try readPlain(&element, &scanner)
        if scanner.take("</Contents>") { return element }
        let name: StaticString = "Contents"
        try read(&element, layout, &scanner)
        try scanner.close(Piece(start: name.utf8Start, count: name.utf8CodeUnitCount))
        return element
    }

    // Reads what stands in an object as S3 writes it, as far as it does; the rest is left.
    private static func readPlain(
        _ element: inout Element, _ scanner: inout PageScanner
    ) throws(PageFault) {
        while true {
            var isNew = true
            switch scanner.initial {
            case UInt8(ascii: "K"):
                guard let text = scanner.leaf("<Key>") else { return }
                isNew = element.key == nil
                element.key = text
            case UInt8(ascii: "L"):
                guard let text = scanner.leaf("<LastModified>") else { return }
                isNew = element.seconds == nil
                element.seconds = try seconds(text)
            case UInt8(ascii: "E"):
                guard let text = scanner.leaf("<ETag>") else { return }
                isNew = element.etag == nil
                element.etag = text
            case UInt8(ascii: "S"):
                if let text = scanner.leaf("<Size>") {
                    isNew = element.size == nil
                    element.size = try size(text)
                } else if scanner.leaf("<StorageClass>") == nil {
                    return
                }
            case UInt8(ascii: "C"):
                guard
                    scanner.leaf("<ChecksumAlgorithm>") ?? scanner.leaf("<ChecksumType>") != nil
                else { return }
            case UInt8(ascii: "O"):
                let before = scanner
                guard scanner.take("<Owner>") else { return }
                _ = scanner.leaf("<ID>")
                _ = scanner.leaf("<DisplayName>")
                guard scanner.take("</Owner>") else { return scanner.back(to: before) }
            default: return
            }
            guard isNew else { throw PageFault.odd("lists an element that says a thing twice") }
        }
    }

    private static func seconds(_ text: Piece) throws(PageFault) -> Int64 {
        if let time = CivilTime(iso8601: text), abs(time.seconds) < mostSeconds {
            return time.seconds
        }
        guard let time = Instant(iso8601: text) else {
            throw PageFault.odd("lists a time that is none")
        }
        return time.nanoseconds.floored(by: 1_000_000_000).quotient
    }

    // Every moment nearer to 1970 has nanoseconds in 64 bits.
    private static let mostSeconds = Int64.max / 1_000_000_000

    private static func size(_ text: Piece) throws(PageFault) -> Int64 {
        guard let size = number(text) else { throw PageFault.odd("lists a size that is none") }
        return size
    }

    // Reads what stands in an element, up to its closing tag.
    private static func read(
        _ element: inout Element, _ layout: PageLayout, _ scanner: inout PageScanner
    ) throws {
        while let inner = try scanner.nextTag() {
            let isNew: Bool
            if PageScanner.equal(inner.name, "Key") {
                isNew = element.key == nil
                element.key = try scanner.text(of: inner)
            } else if PageScanner.equal(inner.name, layout.time.text) {
                isNew = element.seconds == nil
                element.seconds = try seconds(try scanner.text(of: inner))
            } else if PageScanner.equal(inner.name, "Size") {
                isNew = element.size == nil
                element.size = try size(try scanner.text(of: inner))
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
