import MooringDecisions
import MooringModel

/// Looks for a prefix that, taken from what references mean or put before it or exchanged, gives
/// the keys of objects.
///
/// A sample of the smaller side finds its neighbours on the other one by the longest common end;
/// what most of them differ by is then tried on everything.
struct PrefixSearch {
    /// Both sides, of which the smaller one is sampled.
    let references: [DanglingCandidate]
    let objects: [OrphanCandidate]
    /// Leaves identities open; nil compares keys as they are.
    let open: OpenKeys?
    /// Asks whether the search shall stop.
    let pause: SearchPause

    /// What the search found: the prefixes, and the join under them.
    struct Result {
        /// The two prefixes.
        let prefix: MappingRewrite.Prefix
        /// Everything that they make one.
        let join: FormJoin
    }

    private static let sampleSize = 256
    private static let trials = 8

    /// The prefixes that make most candidates one; nil when none does.
    func best() -> Result? {
        let proposals = proposals()
        guard !proposals.isEmpty else { return nil }
        var join = FormJoin()
        for (number, object) in objects.enumerated() {
            if pause.stops(at: number) { break }
            join.add(
                object: number,
                FormJoin.Form(
                    bucket: object.bucket, bytes: text(object.object.key), isOpen: open != nil))
        }
        var best: (result: Result, pairs: Int)?
        for proposal in proposals {
            join.clearReferences()
            match(proposal, &join)
            let pairs = join.pairs
            guard pairs > 0, pairs > best?.pairs ?? 0 else { continue }
            best = (Result(prefix: proposal, join: join), pairs)
            if pairs == min(references.count, objects.count) { break }
        }
        return best?.result
    }

    private func match(_ prefix: MappingRewrite.Prefix, _ join: inout FormJoin) {
        for (number, reference) in references.enumerated() {
            if pause.stops(at: number) { break }
            for pattern in reference.patterns {
                let text = text(pattern)
                guard let bucket = reference.bucket, text.starts(with: prefix.strip) else {
                    continue
                }
                let form = FormJoin.Form(
                    bucket: bucket, bytes: prefix.add + text[prefix.strip.count...],
                    isOpen: open != nil)
                let isMatched = join.match(number, reference, form) {
                    references[$0].patterns == reference.patterns
                }
                if isMatched { break }
            }
        }
    }

    private func text(_ key: ObjectKey) -> [UInt8] { open?.opened(key) ?? key.bytes }

    private func text(_ pattern: KeyPattern) -> [UInt8] {
        if let open, case .exact(let key) = pattern { return open.opened(key) }
        return pattern.shown.bytes
    }

    // MARK: Proposals

    // What references of one side and objects of the other differ by, the most frequent first.
    private func proposals() -> [MappingRewrite.Prefix] {
        let samplesReferences = references.count <= objects.count
        var generator = SampleNumbers(count: samplesReferences ? references.count : objects.count)
        var tree = SuffixTree()
        var sample: [[UInt8]] = []
        for number in generator.numbers(Self.sampleSize) {
            let texts =
                samplesReferences
                ? references[number].patterns.map { text($0) }
                : [text(objects[number].object.key)]
            for text in texts { tree.insert(text) }
            sample += texts
        }
        if samplesReferences {
            for (number, object) in objects.enumerated() {
                if pause.stops(at: number) { break }
                tree.visit(text(object.object.key), number: number)
            }
        } else {
            for (number, reference) in references.enumerated() {
                if pause.stops(at: number) { break }
                for pattern in reference.patterns { tree.visit(text(pattern), number: number) }
            }
        }
        var votes: [MappingRewrite.Prefix: Int] = [:]
        for text in sample {
            guard let (number, shared) = tree.nearest(text) else { continue }
            let others =
                samplesReferences
                ? [self.text(objects[number].object.key)]
                : references[number].patterns.map { self.text($0) }
            for other in others where other.suffix(shared).elementsEqual(text.suffix(shared)) {
                let (meant, key) = samplesReferences ? (text, other) : (other, text)
                for prefix in Self.prefixes(meant, key, shared: shared) {
                    votes[prefix, default: 0] += 1
                }
            }
        }
        // Half of the sample differs by one rewrite where there is one; chance differs by many.
        let least = max(1, sample.count / 16)
        return votes.filter { $0.value >= least && isRewrite($0.key) }
            .sorted { left, right in
                if left.value != right.value { return left.value > right.value }
                return left.key.precedes(right.key)
            }.prefix(Self.trials).map(\.key)
    }

    // Keys of one form that are not equal lie under different identities.
    private func isRewrite(_ prefix: MappingRewrite.Prefix) -> Bool {
        prefix.strip != prefix.add || open != nil
    }

    // The longest common end may reach into what differs by chance, as the last letters of two
    // folders' names; so it is cut at a slash too.
    private static func prefixes(
        _ meant: [UInt8], _ key: [UInt8], shared: Int
    ) -> [MappingRewrite.Prefix] {
        let raw = MappingRewrite.Prefix(
            strip: Array(meant.dropLast(shared)), add: Array(key.dropLast(shared)))
        let slash = UInt8(ascii: "/")
        guard raw.strip.last ?? slash != slash || raw.add.last ?? slash != slash,
            let cut = meant.suffix(shared).firstIndex(of: slash)
        else { return [raw] }
        let rest = meant.count - cut - 1
        guard rest > 0 else { return [raw] }
        return [
            raw,
            MappingRewrite.Prefix(
                strip: Array(meant.dropLast(rest)), add: Array(key.dropLast(rest))),
        ]
    }
}

extension MappingRewrite.Prefix {
    /// Whether it comes first among equals: at a slash, then the shorter, then by bytes.
    func precedes(_ other: MappingRewrite.Prefix) -> Bool {
        if endsAtSlash != other.endsAtSlash { return endsAtSlash }
        let (own, others) = (strip.count + add.count, other.strip.count + other.add.count)
        if own != others { return own < others }
        if strip != other.strip { return strip.lexicographicallyPrecedes(other.strip) }
        return add.lexicographicallyPrecedes(other.add)
    }

    /// Whether both sides are whole folders.
    private var endsAtSlash: Bool {
        let slash = UInt8(ascii: "/")
        return strip.last ?? slash == slash && add.last ?? slash == slash
    }

    /// Whether the two differ by slashes only.
    var differsBySlashes: Bool {
        let slash = UInt8(ascii: "/")
        return strip != add && strip.filter { $0 != slash } == add.filter { $0 != slash }
    }
}

/// The numbers of a sample, the same in every run: no order of the candidates hides from it.
struct SampleNumbers {
    private var state: UInt64 = 0x6D6F_6F72_696E_6721
    private let count: Int

    /// A sample of so many candidates.
    init(count: Int) {
        self.count = count
    }

    /// At most so many numbers; all of them, in order, where there are no more.
    mutating func numbers(_ limit: Int) -> [Int] {
        guard count > limit else { return Array(0..<count) }
        return (0..<limit).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(count))
        }
    }
}
