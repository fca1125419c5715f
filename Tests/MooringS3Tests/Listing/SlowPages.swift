import Glibc
import MooringModel

@testable import MooringS3

// Pages read the slow way, byte by byte and with values of their own: what the quick way gives, to
// the last byte.

/// What came of it.
enum SlowPageReading {
    case page(SlowPage)
    case ambiguous(
        text: [UInt8], isSaid: Bool, keys: [(reading: KeyEncoding.Reading, key: [UInt8])])
}

/// A page as single values.
struct SlowPage {
    let items: [ListedObject]
    let prefixes: [[UInt8]]
    let isTruncated: Bool
    let token: [UInt8]?
    let encoding: KeyEncoding
}

/// The slow way of `RawPage`: every element by its tags.
struct SlowRawPage {
    /// A piece of the answer, which is not copied.
    typealias Piece = PageScanner.Piece

    /// What was listed, in the page's order.
    private(set) var elements: [RawPage.Element] = []
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
            try SlowPageCheck.check(page)
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
    ) throws -> RawPage.Element {
        var element = RawPage.Element()
        element.isMarker = isMarker
        guard !tag.isEmpty else { throw PageFault.odd("lists an empty element") }
        while let inner = try scanner.nextTag() {
            let isNew: Bool
            if PageScanner.equal(inner.name, "Key") {
                isNew = element.key == nil
                element.key = try scanner.text(of: inner)
            } else if PageScanner.equal(inner.name, layout.time.text) {
                isNew = element.seconds == nil
                element.seconds = Instant(iso8601: try scanner.text(of: inner)).map {
                    let (seconds, rest) = $0.nanoseconds.quotientAndRemainder(
                        dividingBy: 1_000_000_000)
                    return rest < 0 ? seconds - 1 : seconds
                }
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
}

/// The slow way of `PageReader`: each key and each ETag as a value of its own.
struct SlowPageReader: Sendable {
    /// The bucket's own name; nil where it was asked by another name, so that the page's says
    /// nothing.
    let bucket: String?

    /// Reads an answer to a request below a prefix; `known` is what earlier pages showed. Throws
    /// `PageFault`.
    func read(
        _ body: [UInt8], prefix: [UInt8], known: KeyEncoding
    ) throws(PageFault) -> SlowPageReading {
        let result = body.withUnsafeBufferPointer {
            bytes -> Result<SlowPageReading, PageFault> in
            do throws(PageFault) {
                let raw = try SlowRawPage(bytes, ListedObject.layout)
                return .success(try read(raw, prefix: prefix, known: known))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func read(
        _ raw: SlowRawPage, prefix: [UInt8], known: KeyEncoding
    ) throws(PageFault) -> SlowPageReading {
        try checkEcho(raw, prefix: prefix)
        let texts = try raw.elements.map { (element) throws(PageFault) in
            try KeyText(element.key)
        }
        let prefixes = try raw.prefixes.map { (piece) throws(PageFault) in try KeyText(piece) }
        let saysURL = try raw.head["EncodingType"].map { (text) throws(PageFault) in
            guard PageScanner.equal(text, "url") else {
                throw PageFault.odd("names an encoding that nobody asked for")
            }
            return true
        }
        var rule = EncodingRule(isSaid: saysURL ?? false, known: known)
        for text in texts { rule.note(text) }
        for text in prefixes { rule.note(text) }
        switch try rule.decision() {
        case .ambiguous(let text, let isSaid, let keys):
            return .ambiguous(text: text, isSaid: isSaid, keys: keys)
        case .reading(let reading):
            var items: [ListedObject] = []
            items.reserveCapacity(texts.count)
            for (element, text) in zip(raw.elements, texts) {
                items.append(try item(element, key: try slowKey(text, reading)))
            }
            return .page(
                SlowPage(
                    items: items,
                    prefixes: try prefixes.map { (text) throws(PageFault) in
                        try slowKey(text, reading)
                    },
                    isTruncated: try truncation(raw), token: try token(raw),
                    encoding: rule.seen))
        }
    }

    private func item(
        _ element: RawPage.Element, key: [UInt8]
    ) throws(PageFault) -> ListedObject {
        var item = PageItem()
        guard let seconds = element.seconds else { throw .odd("lists an object without a time") }
        item.key = ObjectKey(key)
        item.time = Instant(seconds: seconds)
        item.isMarker = element.isMarker
        item.isNewest = element.isNewest ?? true
        item.id = try element.id.map { (id) throws(PageFault) in try Self.string(id) }
        if ListedObject.layout != .uploads, !element.isMarker {
            guard let size = element.size, let etag = element.etag else {
                throw .odd("lists an object without its size or its ETag")
            }
            item.size = size
            item.etag = try Self.unquoted(etag)
        }
        guard let known = ListedObject(item) else { throw .odd("lists an element without its id") }
        return known
    }

    private func slowKey(
        _ text: KeyText, _ reading: KeyEncoding.Reading
    ) throws(PageFault) -> [UInt8] {
        if reading == .literal, text.holdsReturn {
            throw .odd("lists a key with a carriage return, which XML does not keep")
        }
        guard let key = text.withBytes({ SlowPageCheck.key($0, reading) }) else {
            throw .odd("lists a key that is not encoded as the others are")
        }
        guard !key.isEmpty else { throw .odd("lists an empty key") }
        return key
    }

    private func checkEcho(_ raw: SlowRawPage, prefix: [UInt8]) throws(PageFault) {
        if let bucket, let name = raw.head["Name"] ?? raw.head["Bucket"] {
            guard try Self.string(name) == bucket else {
                throw .odd("is about another bucket")
            }
        }
        guard let echo = raw.head["Prefix"] else { return }
        // Stores do not agree on whether the echo is encoded.
        let text = try KeyText(echo)
        guard text.means(prefix) else { throw .odd("is about another prefix") }
    }

    private func truncation(_ raw: SlowRawPage) throws(PageFault) -> Bool {
        if let text = raw.head["IsTruncated"] { return try SlowRawPage.truth(text) }
        // rclone lists all uploads at once and says nothing of it.
        if ListedObject.layout == .uploads { return false }
        throw .odd("does not say whether there is more")
    }

    private func token(_ raw: SlowRawPage) throws(PageFault) -> [UInt8]? {
        guard let text = raw.head["NextContinuationToken"], !text.isEmpty else { return nil }
        return try Self.decoded(text)
    }

    /// The bytes that a piece means, entities decoded.
    static func decoded(_ piece: RawPage.Piece) throws(PageFault) -> [UInt8] {
        guard let base = piece.baseAddress, memchr(base, 0x26, piece.count) != nil else {
            return Array(piece)
        }
        do {
            return try XMLText.decode(ArraySlice(piece))
        } catch {
            throw .xml(error)
        }
    }

    private static func string(_ piece: RawPage.Piece) throws(PageFault) -> String {
        guard let base = piece.baseAddress, memchr(base, 0x26, piece.count) != nil else {
            return String(decoding: piece, as: UTF8.self)
        }
        return String(decoding: try decoded(piece), as: UTF8.self)
    }

    private static func unquoted(_ piece: RawPage.Piece) throws(PageFault) -> String {
        let quote = UInt8(ascii: "\"")
        if piece.count >= 2, piece[0] == quote, piece[piece.count - 1] == quote {
            return try string(.init(rebasing: piece[1..<(piece.count - 1)]))
        }
        let entity: StaticString = "&quot;"
        if piece.count >= 12, let base = piece.baseAddress,
            memcmp(base, entity.utf8Start, 6) == 0,
            memcmp(base + piece.count - 6, entity.utf8Start, 6) == 0
        {
            return try string(.init(rebasing: piece[6..<(piece.count - 6)]))
        }
        let text = try string(piece)
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
        return String(text.dropFirst().dropLast())
    }
}

/// What a page holds, byte by byte.
enum SlowPageCheck {
    /// Throws where XML has no room for it.
    static func check(_ page: PageScanner.Piece) throws(XMLScanner.Fault) {
        for (index, byte) in page.enumerated()
        where byte < 0x20 && byte != 0x0A && byte != 0x0D && byte != 0x09 {
            throw XMLScanner.Fault(reason: "holds a control character", offset: index)
        }
        guard String(validating: page, as: UTF8.self) != nil else {
            throw XMLScanner.Fault(reason: "is not UTF-8", offset: 0)
        }
        for index in page.indices.dropLast(2)
        where page[index] == 0xEF && page[index + 1] == 0xBF && page[index + 2] >= 0xBE {
            throw XMLScanner.Fault(reason: "holds a noncharacter", offset: index)
        }
    }

    /// The key that a text means under a reading; nil where the text cannot have that reading.
    static func key(_ text: UnsafeBufferPointer<UInt8>, _ reading: KeyEncoding.Reading) -> [UInt8]?
    {
        guard reading != .literal else { return Array(text) }
        var isValid = true
        let key = [UInt8](unsafeUninitializedCapacity: text.count) { output, count in
            var (read, written) = (0, 0)
            while read < text.count {
                var byte = text[read]
                if byte == UInt8(ascii: "%") {
                    guard read + 2 < text.count, let high = nibble(text[read + 1]),
                        let low = nibble(text[read + 2])
                    else {
                        isValid = false
                        break
                    }
                    byte = high << 4 | low
                    read += 2
                } else if byte == UInt8(ascii: "+"), reading == .form {
                    byte = 0x20
                } else if byte <= 0x20 || byte >= 0x7F {
                    // Who encodes anything encodes these.
                    isValid = false
                    break
                }
                output[written] = byte
                written += 1
                read += 1
            }
            count = written
        }
        return isValid ? key : nil
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
