import MooringModel

/// A parallel listing as a pure state machine: questions out, answers in.
///
/// It keeps as many questions open as it may, by cutting stretches that turn out long while others
/// would wait, and it holds the proof that the parts tile the scope.
struct ListingCore<Item: ListingItem>: Sendable {
    /// How many questions are not answered yet.
    private(set) var open = 0
    /// The problems.
    private(set) var problems: [ScanProblem] = []
    /// The requests that were sent.
    private(set) var requests = 0
    /// How many of the problems are only that the store gave no answer.
    private(set) var unanswered = 0
    /// What has to be said of the listing and is no problem.
    private(set) var note: String?

    private let scope: ListingScope
    private let tiles: [KeyRange]
    private let place: String
    private let concurrency: Int
    private var stretches: [Int: RangeListing<Item>] = [:]
    private var waiting: [Int] = []
    private var nextNumber = 0
    private var ledger = RangeLedger()
    private var failed = RangeLedger()
    private var failedParts: [ListingCheckpoint.Part] = []
    private var encoding = KeyEncoding()
    private var pace = FolderPace()
    private var pages = 0
    private var smallPages = 0
    private var asksFolders: Bool

    /// A listing of a scope, or of what a checkpoint left open of it.
    init(
        _ scope: ListingScope, tiles: [KeyRange], place: String, concurrency: Int,
        resuming checkpoint: ListingCheckpoint? = nil
    ) {
        self.scope = scope
        self.tiles = tiles
        self.place = place
        self.concurrency = concurrency
        asksFolders = Item.layout == .objects
        guard let checkpoint else {
            for tile in tiles { add(RangeListing(tile)) }
            return
        }
        var rest = RangeLedger()
        for part in checkpoint.open {
            rest.close(part.range)
            add(RangeListing(part.range, marker: part.marker))
        }
        for range in rest.gaps(in: tiles) { ledger.close(range) }
    }

    private static var nothing: Item.Listed { Item.Listed(room: 0, bytes: 0) }

    /// What is not listed yet, failed parts among it.
    var checkpoint: ListingCheckpoint {
        ListingCheckpoint(
            call: Item.layout.call,
            open: (stretches.values.flatMap(openParts) + failedParts)
                .sorted { $0.range.from.precedes($1.range.from) })
    }

    private func openParts(of stretch: RangeListing<Item>) -> [ListingCheckpoint.Part] {
        if stretch.way != .tokens {
            return [ListingCheckpoint.Part(range: stretch.range, marker: stretch.marker)]
        }
        return ledger.gaps(in: [stretch.range]).map {
            ListingCheckpoint.Part(range: $0, marker: nil)
        }
    }

    /// The next question to ask now; nil where there is none before another answer.
    mutating func nextQuestion() -> PageQuestion? {
        guard open < concurrency else { return nil }
        guard let number = waiting.popLast(), let stretch = stretches[number] else { return nil }
        open += 1
        return stretch.question(number: number, encoding: encoding)
    }

    /// Takes an answer; what it gave, to be handed on.
    mutating func take(_ answer: PageSource<Item>.Answer) -> Item.Listed {
        open -= 1
        requests += answer.requests
        encoding.merge(answer.encoding)
        // A stretch that is not there any more was given up with all others.
        let number = answer.question.stretch
        guard var stretch = stretches[number] else { return Self.nothing }
        switch answer.result {
        case .failure(let failure):
            stretch.failures += 1
            stretch.dropToken()
            stretches[number] = stretch
            if failure.isTransient, stretch.failures < 3 {
                waiting.append(number)
            } else if case .folders = stretch.way {
                askKeys(number)
            } else {
                fail(number, failure.reason)
                if failure.isTransient { unanswered += 1 }
            }
            return Self.nothing
        case .success(let page):
            if case .folders(let folder) = stretch.way {
                return takeFolders(page, folder, number, answer)
            }
            do {
                let progress = try stretch.take(page, to: answer.question)
                return advance(stretch, number, progress, page, answer)
            } catch .ignoredMarker where stretch.way == .keys {
                startAgainByTokens()
            } catch {
                fail(number, "the answer \(error.text)")
            }
            return Self.nothing
        }
    }

    /// The problems at the end, with what the proof misses.
    func finalProblems() -> [ScanProblem] {
        var all = ledger
        for range in failed.listed { all.close(range) }
        let gaps = all.gaps(in: tiles)
        let hasOverlap = all.hasOverlap || ledger.hasOverlap
        guard hasOverlap || !gaps.isEmpty else { return problems }
        let lost = gaps.map { problem($0, "they were lost on the way; please report this") }
        return problems
            + (hasOverlap
                ? [problem(KeyRange(), "some were listed twice; please report this")] : lost)
    }

    private mutating func add(_ stretch: RangeListing<Item>) {
        guard !stretch.range.isEmpty else { return }
        stretches[nextNumber] = stretch
        waiting.append(nextNumber)
        nextNumber += 1
    }

    private mutating func fail(_ number: Int, _ reason: String) {
        guard let stretch = stretches.removeValue(forKey: number) else { return }
        for range in ledger.gaps(in: [stretch.range]) { failed.close(range) }
        failedParts += openParts(of: stretch)
        problems.append(problem(stretch.range, reason))
    }

    private func problem(_ range: KeyRange, _ reason: String) -> ScanProblem {
        ScanProblem(
            place: place,
            reason: "the keys \(range.text) could not be listed: \(Item.layout.call): \(reason)")
    }

    private mutating func advance(
        _ taken: RangeListing<Item>, _ number: Int, _ progress: RangeListing<Item>.Progress,
        _ page: ListingPage<Item>, _ answer: PageSource<Item>.Answer
    ) -> Item.Listed {
        var stretch = taken
        pages += 1
        var items = progress.items
        if stretch.way == .tokens {
            // Again from the beginning: what was given before is not given again.
            items = items.keeping { !ledger.holds($0.bytes) }
            for range in ledger.gaps(in: [progress.closed]) { ledger.close(range) }
        } else {
            ledger.close(progress.closed)
        }
        if stretch.isFolder, progress.isDone {
            pace.noteFolder(keys: page.items.count, seconds: answer.seconds)
        } else if !stretch.isFolder {
            pace.noteWhole(keys: page.items.count, seconds: answer.seconds)
            if !page.isTruncated, page.items.count < 100 { smallPages += 1 }
        }
        if progress.isDone {
            stretches[number] = nil
        } else {
            let isSlow = asksFolders && !stretch.isFolder && pace.prefersFolders == true
            if isHungry || isSlow, stretch.way == .keys { split(&stretch, progress.items) }
            stretches[number] = stretch
            waiting.append(number)
        }
        guard let first = items.firstKey, let last = items.lastKey,
            scope.mayHide(from: first, to: last)
        else { return items }
        return items.keeping { !scope.hides($0) }
    }
}

// How it is cut.
extension ListingCore {
    // Whether somebody would have nothing to do, and guesses were good so far.
    private var isHungry: Bool {
        waiting.isEmpty && open + 1 < concurrency && smallPages <= 16 + pages / 4
    }

    private mutating func split(_ stretch: inout RangeListing<Item>, _ items: Item.Listed) {
        guard let last = items.lastKey, let anchor = stretch.anchor else { return }
        var bytes: Set<UInt8> = []
        for place in stride(from: 0, to: items.count, by: 16) {
            bytes.formUnion(items.key(place).bytes)
        }
        let range = KeyRange(from: KeyRange.behind(last), to: stretch.range.to)
        let guess = RangeSplit.guess(
            range, last: last, anchor: anchor, bytes: bytes, asksFolders: asksFolders)
        switch guess {
        case nil: break
        case .cuts(let cuts):
            for (index, cut) in cuts.enumerated() {
                let end = index + 1 < cuts.count ? cuts[index + 1] : range.to
                add(RangeListing(KeyRange(from: cut, to: end), anchor: anchor))
            }
            stretch.cut(before: cuts[0])
        case .folders(let folder, let behind):
            var rest = KeyRange(from: behind, to: range.to)
            if let end = KeyRange.end(of: folder), rest.contains(end) {
                add(RangeListing(KeyRange(from: end, to: range.to), anchor: anchor))
                rest.to = end
            }
            add(RangeListing(rest, way: .folders(of: folder), anchor: anchor))
            stretch.cut(before: behind)
        }
    }

    // The folders that follow in a folder. Asked for by their own prefixes they are proven by the
    // grouped page: what it lists beside them is all that does not lie in one of them.
    private mutating func takeFolders(
        _ page: ListingPage<Item>, _ folder: [UInt8], _ number: Int,
        _ answer: PageSource<Item>.Answer
    ) -> Item.Listed {
        guard let stretch = stretches[number] else { return Self.nothing }
        let range = stretch.range
        guard
            let all = FolderGroups(
                page, in: range, of: folder, behind: answer.question.startAfter)
        else {
            askKeys(number)
            return Self.nothing
        }
        stretches[number] = nil
        pages += 1
        var groups = all
        let isFew = groups.ranges.count <= 8
        guard isFew || pace.prefersFolders != false else {
            cutInParts(range, at: groups.ranges.map(\.from), anchor: stretch.anchor)
            return Self.nothing
        }
        // Some folder by folder and the others not, to see which is faster.
        let isTrial = !isFew && pace.prefersFolders == nil
        if isTrial {
            pace = FolderPace()
            let cuts = groups.ranges.map(\.from)
            groups.keep(max(4, concurrency / 2))
            cutInParts(
                groups.rest, at: cuts.filter { groups.rest.contains($0) }, anchor: stretch.anchor)
        } else {
            add(RangeListing(groups.rest, way: .folders(of: folder), anchor: stretch.anchor))
        }
        for gap in groups.gaps { ledger.close(gap) }
        for range in groups.ranges.reversed() { add(RangeListing(range, isFolder: true)) }
        return groups.items.keeping { !scope.hides($0) }
    }

    // What does not answer by folders as S3 does is asked key by key.
    private mutating func askKeys(_ number: Int) {
        guard let stretch = stretches.removeValue(forKey: number) else { return }
        asksFolders = false
        add(RangeListing(stretch.range, anchor: stretch.anchor))
    }

    private mutating func cutInParts(_ range: KeyRange, at cuts: [[UInt8]], anchor: [UInt8]?) {
        let size = max(1, cuts.count / (2 * concurrency))
        var from = range.from
        for index in stride(from: size, to: cuts.count, by: size) {
            add(RangeListing(KeyRange(from: from, to: cuts[index]), anchor: anchor))
            from = cuts[index]
        }
        add(RangeListing(KeyRange(from: from, to: range.to), anchor: anchor))
    }

    // The store begins nowhere but at the beginning, or behind a token of its own.
    private mutating func startAgainByTokens() {
        stretches = [:]
        waiting = []
        failedParts = []
        note =
            "the store does not begin where it is asked to (start-after), so that it was listed "
            + "one page after the other"
        for tile in tiles { add(RangeListing(tile, way: .tokens)) }
    }
}
