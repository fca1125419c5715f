import Glibc
import MooringModel

/// One page of a listing, decoded.
struct ListingPage<Item: ListingItem>: Sendable {
    /// What was listed, in the page's order.
    let items: Item.Listed
    /// The common prefixes, in the page's order; none unless a delimiter was asked for.
    let prefixes: [[UInt8]]
    /// Whether the page says that there is more.
    let isTruncated: Bool
    /// The token for the next page; nil where there is none.
    let token: [UInt8]?
    /// What the page showed of how the store writes keys.
    let encoding: KeyEncoding
}

/// What came of reading an answer.
enum PageReading<Item: ListingItem> {
    case page(ListingPage<Item>)
    /// The store does not say what this text means, and there are several readings of it: the
    /// longest key first.
    case ambiguous(
        text: [UInt8], isSaid: Bool, keys: [(reading: KeyEncoding.Reading, key: [UInt8])])
}

/// Reads answers to one listing of a bucket.
struct PageReader<Item: ListingItem>: Sendable {
    /// The bucket's own name; nil where it was asked by another name, so that the page's says
    /// nothing.
    let bucket: String?

    /// Reads an answer to a request below a prefix; `known` is what earlier pages showed. Throws
    /// `PageFault`.
    func read(
        _ body: [UInt8], prefix: [UInt8], known: KeyEncoding
    ) throws(PageFault) -> PageReading<Item> {
        let result = body.withUnsafeBufferPointer {
            bytes -> Result<PageReading<Item>, PageFault> in
            do throws(PageFault) {
                let raw = try RawPage(bytes, Item.layout)
                return .success(try read(raw, prefix: prefix, known: known))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func read(
        _ raw: RawPage, prefix: [UInt8], known: KeyEncoding
    ) throws(PageFault) -> PageReading<Item> {
        try checkEcho(raw, prefix: prefix)
        let saysURL = raw.head["EncodingType"]
        var rule = EncodingRule(isSaid: saysURL != nil, known: known)
        // What is found of a page that turns out odd is not looked at.
        var texts: [KeyText] = []
        texts.reserveCapacity(raw.elements.count)
        for element in raw.elements {
            let text = try KeyText(element.key)
            rule.note(text)
            texts.append(text)
        }
        let prefixes = try raw.prefixes.map { (piece) throws(PageFault) in try KeyText(piece) }
        if let saysURL, !PageScanner.equal(saysURL, "url") {
            throw PageFault.odd("names an encoding that nobody asked for")
        }
        for text in prefixes { rule.note(text) }
        switch try rule.decision() {
        case .ambiguous(let text, let isSaid, let keys):
            return .ambiguous(text: text, isSaid: isSaid, keys: keys)
        case .reading(let reading):
            return .page(
                ListingPage(
                    items: try items(raw.elements, texts, reading),
                    prefixes: try prefixes.map { (text) throws(PageFault) in
                        try text.key(reading)
                    },
                    isTruncated: try truncation(raw), token: try token(raw),
                    encoding: rule.seen))
        }
    }

    private func items(
        _ elements: [RawPage.Element], _ texts: [KeyText], _ reading: KeyEncoding.Reading
    ) throws(PageFault) -> Item.Listed {
        var (longest, bytes) = (0, 0)
        for element in elements {
            let count = element.key?.count ?? 0
            longest = max(longest, count)
            bytes += count + (element.etag?.count ?? 0)
        }
        var items = Item.Listed(room: elements.count, bytes: bytes)
        var room = [UInt8](repeating: 0, count: longest)
        try room.withUnsafeMutableBufferPointer { (room) throws(PageFault) in
            for (place, element) in elements.enumerated() {
                let count = try texts[place].write(reading, to: room)
                try items.add(element, key: UnsafeBufferPointer(rebasing: room[..<count]))
            }
        }
        return items
    }

    private func checkEcho(_ raw: RawPage, prefix: [UInt8]) throws(PageFault) {
        if let bucket, let name = raw.head["Name"] ?? raw.head["Bucket"] {
            guard try PageText.string(name) == bucket else {
                throw .odd("is about another bucket")
            }
        }
        guard let echo = raw.head["Prefix"] else { return }
        // Stores do not agree on whether the echo is encoded.
        let text = try KeyText(echo)
        guard text.means(prefix) else { throw .odd("is about another prefix") }
    }

    private func truncation(_ raw: RawPage) throws(PageFault) -> Bool {
        if let text = raw.head["IsTruncated"] { return try RawPage.truth(text) }
        // rclone lists all uploads at once and says nothing of it.
        if Item.layout == .uploads { return false }
        throw .odd("does not say whether there is more")
    }

    private func token(_ raw: RawPage) throws(PageFault) -> [UInt8]? {
        guard let text = raw.head["NextContinuationToken"], !text.isEmpty else { return nil }
        return try PageText.decoded(text)
    }
}

/// What texts in a page mean.
enum PageText {
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

    /// The same as text.
    static func string(_ piece: RawPage.Piece) throws(PageFault) -> String {
        guard let base = piece.baseAddress, memchr(base, 0x26, piece.count) != nil else {
            return String(decoding: piece, as: UTF8.self)
        }
        return String(decoding: try decoded(piece), as: UTF8.self)
    }

    /// An ETag without its quotes where it holds no entities beside them; nil of any other.
    static func plainETag(_ piece: RawPage.Piece) -> RawPage.Piece? {
        guard let inner = quoted(piece), let base = inner.baseAddress,
            memchr(base, 0x26, inner.count) == nil
        else { return nil }
        return inner
    }

    /// An ETag without its quotes.
    static func unquoted(_ piece: RawPage.Piece) throws(PageFault) -> String {
        if let inner = quoted(piece) { return try string(inner) }
        let text = try string(piece)
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return text }
        return String(text.dropFirst().dropLast())
    }

    // What stands between quotes, as they stand or as entities.
    private static func quoted(_ piece: RawPage.Piece) -> RawPage.Piece? {
        let quote = UInt8(ascii: "\"")
        if piece.count >= 2, piece[0] == quote, piece[piece.count - 1] == quote {
            return .init(rebasing: piece[1..<(piece.count - 1)])
        }
        let entity: StaticString = "&quot;"
        if piece.count >= 12, let base = piece.baseAddress,
            memcmp(base, entity.utf8Start, 6) == 0,
            memcmp(base + piece.count - 6, entity.utf8Start, 6) == 0
        {
            return .init(rebasing: piece[6..<(piece.count - 6)])
        }
        return nil
    }
}
