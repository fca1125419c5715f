import Glibc

/// Walks through the XML of one page of a listing without a copy, as strict as `XMLScanner`.
///
/// It holds a pointer into the page, which has to outlive it. The page has no control characters
/// and is valid UTF-8: `check` says so, once, before the walk.
struct PageScanner {
    /// A piece of the page, which is not copied.
    typealias Piece = UnsafeBufferPointer<UInt8>

    private let page: Piece
    private var position = 0

    /// A walk from a page's first byte; throws when the page holds what XML 1.0 has no room for.
    init(_ page: Piece) throws(XMLScanner.Fault) {
        self.page = page
        try Self.check(page)
    }

    /// A fault at the place that was reached.
    func fault(_ reason: String) -> XMLScanner.Fault {
        XMLScanner.Fault(reason: reason, offset: position)
    }

    /// Opens the document's root, whatever comes before it that means nothing; its name.
    mutating func openRoot() throws(XMLScanner.Fault) -> Piece {
        if page.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        guard let tag = try nextTag() else { throw fault("closes an element that is not open") }
        guard !tag.isEmpty else { throw fault("is an empty element") }
        return tag.name
    }

    /// An element's beginning.
    struct Tag {
        /// The element's name.
        let name: Piece
        /// Whether it is closed at once.
        let isEmpty: Bool
    }

    /// The next element inside the one that is open; nil where that one is closed instead.
    mutating func nextTag() throws(XMLScanner.Fault) -> Tag? {
        while true {
            skipBlanks()
            guard position + 1 < page.count else { throw fault("ends within an element") }
            guard page[position] == UInt8(ascii: "<") else {
                throw fault("holds text between its elements")
            }
            switch page[position + 1] {
            case UInt8(ascii: "/"): return nil
            case UInt8(ascii: "?"): try skip(behind: "?>")
            case UInt8(ascii: "!"):
                guard page[position...].starts(with: "<!--".utf8) else {
                    throw fault("holds a document type or a CDATA section")
                }
                try skip(behind: "-->")
            default: return try openTag()
            }
        }
    }

    /// The text of an element that holds no other, up to and behind its closing tag; entities as
    /// they stand.
    mutating func text(of tag: Tag) throws(XMLScanner.Fault) -> Piece {
        guard !tag.isEmpty else { return Piece(rebasing: page[position..<position]) }
        let start = position
        guard let base = page.baseAddress,
            let found = memchr(base + start, Int32(UInt8(ascii: "<")), page.count - start)
        else { throw fault("ends within an element") }
        position = UnsafeRawPointer(found) - UnsafeRawPointer(base)
        let text = Piece(rebasing: page[start..<position])
        try close(tag.name)
        return text
    }

    /// The text of the element that comes next where it is written as here, its tag given as it
    /// stands, and holds nothing but text; nil, and nothing is passed, in any other case.
    @inline(__always)
    mutating func leaf(_ tag: StaticString) -> Piece? {
        let (count, start) = (tag.utf8CodeUnitCount, position + tag.utf8CodeUnitCount)
        guard let base = page.baseAddress, start < page.count,
            memcmp(base + position, tag.utf8Start, count) == 0,
            let end = Self.bracket(base, from: start, to: page.count)
        else { return nil }
        // The closing tag is one byte longer.
        guard end + count < page.count, base[end + 1] == UInt8(ascii: "/"),
            memcmp(base + end + 2, tag.utf8Start + 1, count - 1) == 0
        else { return nil }
        position = end + count + 1
        return Piece(rebasing: page[start..<end])
    }

    // The place of the next angle bracket. Most texts end within sixteen bytes.
    @inline(__always)
    private static func bracket(
        _ base: UnsafePointer<UInt8>, from start: Int, to end: Int
    ) -> Int? {
        let (ones, brackets): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x3C3C_3C3C_3C3C_3C3C)
        var index = start
        while index + 8 <= end, index < start + 16 {
            let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self).littleEndian
            let others = word ^ brackets
            // The top bit of each byte that is one, and perhaps of some behind the first.
            let found = (others &- ones) & ~others & (ones << 7)
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        return memchr(base + index, Int32(UInt8(ascii: "<")), end - index).map {
            UnsafeRawPointer($0) - UnsafeRawPointer(base)
        }
    }

    /// Passes a tag where it comes next, as it stands.
    @inline(__always)
    mutating func take(_ tag: StaticString) -> Bool {
        let count = tag.utf8CodeUnitCount
        guard let base = page.baseAddress, position + count <= page.count,
            memcmp(base + position, tag.utf8Start, count) == 0
        else { return false }
        position += count
        return true
    }

    /// The second byte of what comes next, be it blanks; nil at the end.
    var initial: UInt8? { position + 1 < page.count ? page[position + 1] : nil }

    /// Goes back to where the walk was.
    mutating func back(to other: PageScanner) { position = other.position }

    /// Passes an element with everything inside it.
    mutating func skip(_ tag: Tag, depth: Int = 0) throws(XMLScanner.Fault) {
        guard !tag.isEmpty else { return }
        guard depth < 32 else { throw fault("is nested too deep") }
        skipText()
        while position + 1 < page.count, page[position + 1] != UInt8(ascii: "/") {
            guard let inner = try nextTag() else { break }
            try skip(inner, depth: depth + 1)
            skipText()
        }
        try close(tag.name)
    }

    /// Passes the closing tag of a name, which has to come next.
    mutating func close(_ name: Piece) throws(XMLScanner.Fault) {
        let end = position + 2 + name.count
        guard end < page.count, page[position] == UInt8(ascii: "<"),
            page[position + 1] == UInt8(ascii: "/"),
            Self.equal(Piece(rebasing: page[(position + 2)..<end]), name)
        else { throw fault("closes an element that is not open") }
        position = end
        skipBlanks()
        guard position < page.count, page[position] == UInt8(ascii: ">") else {
            throw fault("closes an element that is not open")
        }
        position += 1
    }

    /// Makes sure that nothing but blanks and comments is left.
    mutating func end() throws(XMLScanner.Fault) {
        while true {
            skipBlanks()
            if position == page.count { return }
            if page[position...].starts(with: "<!--".utf8) {
                try skip(behind: "-->")
            } else if page[position...].starts(with: "<?".utf8) {
                try skip(behind: "?>")
            } else {
                throw fault("goes on behind its root")
            }
        }
    }

    private mutating func openTag() throws(XMLScanner.Fault) -> Tag {
        let start = position + 1
        var index = start
        while index < page.count, !Self.endsName(page[index]) { index += 1 }
        let name = Piece(rebasing: page[start..<index])
        guard !name.isEmpty else { throw fault("has an empty name") }
        var quote: UInt8 = 0
        while index < page.count {
            let byte = page[index]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                position = index + 1
                return Tag(name: name, isEmpty: page[index - 1] == UInt8(ascii: "/"))
            } else if byte == UInt8(ascii: "<") {
                break
            }
            index += 1
        }
        throw fault("ends within a tag")
    }

    private mutating func skip(behind end: StaticString) throws(XMLScanner.Fault) {
        let count = end.utf8CodeUnitCount
        while let base = page.baseAddress, position + count <= page.count {
            if memcmp(base + position, end.utf8Start, count) == 0 {
                position += count
                return
            }
            position += 1
        }
        throw fault("ends within a comment")
    }

    private mutating func skipBlanks() {
        while position < page.count, page[position] <= 0x20 { position += 1 }
    }

    private mutating func skipText() {
        while position < page.count, page[position] != UInt8(ascii: "<") { position += 1 }
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "<")
    }

    /// Whether two pieces hold the same bytes.
    static func equal(_ left: Piece, _ right: Piece) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return memcmp(first, second, left.count) == 0
    }

    /// Whether a piece is this text.
    static func equal(_ left: Piece, _ right: StaticString) -> Bool {
        guard left.count == right.utf8CodeUnitCount else { return false }
        guard let first = left.baseAddress else { return true }
        return memcmp(first, right.utf8Start, left.count) == 0
    }

    /// Throws where a page holds a control character, a noncharacter or what is no UTF-8.
    private static func check(_ page: Piece) throws(XMLScanner.Fault) {
        typealias Words = SIMD4<UInt64>
        let blanks = Words(repeating: 0x2020_2020_2020_2020)
        var (highest, index) = (UInt8(0), 0)
        while let base = page.baseAddress, index + 32 <= page.count {
            let words = UnsafeRawPointer(base + index).loadUnaligned(as: Words.self)
            // The top bit of a byte stands where that byte is no ASCII, or lies below a blank: less
            // a blank it wraps round. A wrap may mark the next byte too, which is only looked at.
            let found = words | (words &- blanks)
            if (found[0] | found[1] | found[2] | found[3]) & 0x8080_8080_8080_8080 != 0 {
                highest = max(highest, try checkEach(page, index..<(index + 32)))
            }
            index += 32
        }
        highest = max(highest, try checkEach(page, index..<page.count))
        guard highest > 0x7F else { return }
        guard String(validating: page, as: UTF8.self) != nil else {
            throw XMLScanner.Fault(reason: "is not UTF-8", offset: 0)
        }
        for index in page.indices.dropLast(2)
        where page[index] == 0xEF && page[index + 1] == 0xBF && page[index + 2] >= 0xBE {
            throw XMLScanner.Fault(reason: "holds a noncharacter", offset: index)
        }
    }

    private static func checkEach(
        _ page: Piece, _ range: Range<Int>
    ) throws(XMLScanner.Fault) -> UInt8 {
        var highest = UInt8(0)
        for index in range {
            let byte = page[index]
            highest = max(highest, byte)
            if byte < 0x20, byte != 0x0A, byte != 0x0D, byte != 0x09 {
                throw XMLScanner.Fault(reason: "holds a control character", offset: index)
            }
        }
        return highest
    }
}
