import MooringModel

/// A stretch of the key space that is being listed, page by page.
struct RangeListing<Item: ListingItem>: Sendable {
    /// How its keys are asked for.
    enum Way: Hashable, Sendable {
        /// All of them, one page after the other.
        case keys
        /// The folders in this one, to find out where to cut.
        case folders(of: [UInt8])
        /// All keys, by tokens only, since the store begins nowhere else.
        case tokens
    }

    /// What of it is not listed yet; `from` may be a key of which some versions were
    /// given and others not.
    private(set) var range: KeyRange
    /// Behind what the next page begins; nil where the range says it.
    private(set) var marker: ListingMarker?
    /// How its keys are asked for.
    private(set) var way: Way
    /// Whether it is all that lies below one folder, asked for by that folder's own prefix.
    let isFolder: Bool
    /// The first key that was listed of what this stretch was cut from, for a guess at where its
    /// keys begin to differ.
    var anchor: [UInt8]?
    /// How many pages were taken.
    private(set) var pages = 0
    /// How often in a row a question was not answered.
    var failures = 0
    private var prefix: [UInt8]
    private var token: [UInt8]?
    // The ids that were given of the marker's key, so that a store that goes in circles among the
    // versions of one key is noticed.
    private var given: Set<String> = []
    private var emptyPages = 0

    /// A stretch that nothing, or nothing behind the marker, was listed of.
    init(
        _ range: KeyRange, marker: ListingMarker? = nil, way: Way = .keys, isFolder: Bool = false,
        anchor: [UInt8]? = nil
    ) {
        self.range = range
        self.marker = marker
        self.way = way
        self.isFolder = isFolder
        self.anchor = anchor
        prefix = range.prefix
        if case .folders(let folder) = way { prefix = folder }
    }

    /// The question for the next page.
    func question(number: Int, encoding: KeyEncoding) -> PageQuestion {
        var isGrouped = false
        if case .folders = way { isGrouped = true }
        return PageQuestion(
            stretch: number, prefix: prefix,
            startAfter: way == .tokens ? nil : marker?.key ?? range.startAfter(below: prefix),
            id: marker?.id, token: token, isGrouped: isGrouped, encoding: encoding)
    }

    /// Forgets the token, so that the next question names a key.
    mutating func dropToken() { token = nil }

    /// Ends the stretch before a key, which lies in it.
    mutating func cut(before key: [UInt8]) {
        range.to = key
        guard way == .keys, range.prefix != prefix else { return }
        prefix = range.prefix
        token = nil
    }

    /// What a page brought.
    struct Progress {
        /// What of the page lies in the stretch, in order.
        let items: Item.Listed
        /// What the page proves to be listed.
        let closed: KeyRange
        /// Whether the stretch is listed to its end.
        let isDone: Bool
    }

    /// Takes a page that answers a question; throws `OrderFault` where it cannot be an answer.
    mutating func take(
        _ page: ListingPage<Item>, to question: PageQuestion
    ) throws(OrderFault) -> Progress {
        let listed = page.items
        // Several versions of one key stand together.
        guard listed.ascends(repeating: Item.layout.idMarker != nil) else {
            throw OrderFault.disorder
        }
        if anchor == nil { anchor = listed.firstKey }
        let begin = try firstPlace(listed, question)
        let end = listed.place(from: begin) { range.isBehind($0) }
        let items = listed.part(begin..<end)
        let isCut = end < listed.count
        pages += 1
        failures = 0
        if isCut || !page.isTruncated {
            let closed = range
            if let to = range.to { range.from = to }
            marker = nil
            return Progress(items: items, closed: closed, isDone: true)
        }
        let closed = try advance(page, isOutside: items.count == 0, question)
        return Progress(items: items, closed: closed, isDone: range.isEmpty)
    }

    // Goes on behind a page that is not the last; what it proves to be listed.
    private mutating func advance(
        _ page: ListingPage<Item>, isOutside: Bool, _ question: PageQuestion
    ) throws(OrderFault) -> KeyRange {
        if let next = page.token, next == question.token { throw OrderFault.repeatedToken }
        token = Item.layout.token == nil ? nil : page.token
        let before = range.from
        guard let last = page.items.lastKey else {
            emptyPages += 1
            guard token != nil, emptyPages < 100 else { throw OrderFault.noProgress }
            return KeyRange(from: before, to: before)
        }
        emptyPages = 0
        if way == .tokens, token == nil { throw OrderFault.noProgress }
        if last != marker?.key { given = [] }
        var place = page.items.count - 1
        let id = page.items.id(place)
        while place >= 0, let id = page.items.id(place), page.items.key(place).bytes == last {
            guard given.insert(id).inserted else { throw OrderFault.noProgress }
            place -= 1
        }
        marker = ListingMarker(key: last, id: id)
        if !isOutside { range.from = id == nil ? KeyRange.behind(last) : last }
        return KeyRange(from: before, to: range.from)
    }

    // Where the page's own part begins. A question names a key that lies a little before the range
    // where none lies right before it, and some stores begin with the marker's own key.
    private func firstPlace(
        _ items: Item.Listed, _ question: PageQuestion
    ) throws(OrderFault) -> Int {
        guard let first = items.firstKey else { return 0 }
        if let id = items.id(0), question.id == id, first == question.startAfter {
            throw OrderFault.noProgress
        }
        guard first.begins(with: question.prefix) else { throw OrderFault.disorder }
        if range.contains(first) || range.isBehind(first) { return 0 }
        if let behind = marker?.key ?? question.startAfter {
            let isInclusive = Item.layout.idMarker != nil
            guard behind.precedes(first) || (isInclusive && behind == first) else {
                throw question.token == nil ? OrderFault.ignoredMarker : .disorder
            }
        }
        return items.place(from: 0) { !$0.precedes(range.from) }
    }
}

/// Behind what a page begins.
struct ListingMarker: Hashable, Sendable {
    /// The key behind which it begins.
    let key: [UInt8]
    /// The version of it; nil for all of them.
    let id: String?
}

/// Why a page cannot follow the one before it.
enum OrderFault: Error, Hashable, Sendable {
    /// Its keys do not ascend, or do not lie where they were asked for.
    case disorder
    /// It says that there is more and brings nothing new.
    case noProgress
    /// Its token is the one that was sent.
    case repeatedToken
    /// It begins before the key that it was asked to begin behind.
    case ignoredMarker

    /// The fault in words that follow "the answer".
    var text: String {
        switch self {
        case .disorder: "does not list keys in the order of their bytes, as S3 does"
        case .noProgress: "says that there is more, and brings nothing new"
        case .repeatedToken: "says that there is more, with the token that it was asked with"
        case .ignoredMarker: "begins before the key that it was asked to begin behind"
        }
    }
}
