import MooringDecisions
package import MooringModel
import MooringText

/// A key that the confirm scan looks for: a candidate orphan's, or one of an object in quarantine.
package struct WantedKey: Hashable, Sendable {
    /// The bucket's number, in the configuration's order.
    package let bucket: Int
    /// The key as the bucket has it, level and identity included.
    package let key: ObjectKey

    /// A key to look for.
    package init(bucket: Int, key: ObjectKey) {
        self.bucket = bucket
        self.key = key
    }
}

/// A record that a key template names as the possible owner of a wanted key.
package struct OwnerName: Hashable, Sendable {
    /// Which of the models, over all sources.
    package let model: Int
    /// Which of the model's `files` has the template.
    package let field: Int
    /// The identifier, its parts joined with `/`.
    package let id: [UInt8]
}

/// The needles of pass B: the texts under which wanted keys may stand in a record, and the owners
/// that they name.
struct WantedKeys {
    // Each text once.
    private var texts = ByteTable()
    // The first wanted key that each may mean with its bucket, and the others where there are some.
    private var firstNumbers: [Int32] = []
    private var firstBuckets: [Int32] = []
    private var otherNumbers: [Int: Few<Int>] = [:]
    private var otherBuckets: [Int: Few<Int>] = [:]
    // The models whose identifier a text is, where that makes it the key of a wanted object.
    private var namesakes: [Key: [Int]] = [:]
    // Of those, where it is less than the object's full key.
    private var bare: Set<Key> = []
    private var hasOtherMeaning: [Bool] = []
    // From this one on needles are ends of paths.
    private var firstEnd = 0
    /// Finds the texts in others.
    private(set) var index = NeedleIndex([])
    /// The possible owners of each wanted key.
    private(set) var owners: [[OwnerName]] = []
    /// The length of the shortest text; a shorter value holds none.
    private(set) var shortest = Int.max
    /// The wanted keys that name more owners than are looked for.
    private(set) var ownersCutOff: Set<Int> = []

    // A wanted key as one of its needles.
    private struct Key: Hashable {
        let number: Int
        let needle: Int

        init(_ number: Int, _ needle: Int) {
            self.number = number
            self.needle = needle
        }
    }

    /// The texts of these keys under these models.
    init(
        _ keys: [WantedKey], models: [SourceModel], buckets: [BucketMapping],
        _ resolver: KeyResolver
    ) {
        Cores.each(keys.count) { number in
            Self.named(keys[number], models, buckets, resolver)
        } take: { number, named in
            owners.append(named.owners)
            if named.isCutOff { ownersCutOff.insert(number) }
            for text in named.texts {
                add(
                    text.bytes, number, keys[number].bucket, namesakes: text.namesakes,
                    isFullKey: text.isFullKey)
            }
        }
        firstEnd = texts.count
        addEnds(of: keys, resolver)
        texts.trim()
        index = NeedleIndex(texts)
    }

    // Who a key names, and under which texts it may stand.
    private struct Named {
        let owners: [OwnerName]
        let isCutOff: Bool
        let texts: [(bytes: [UInt8], namesakes: [Int], isFullKey: Bool)]
    }

    private static func named(
        _ wanted: WantedKey, _ models: [SourceModel], _ buckets: [BucketMapping],
        _ resolver: KeyResolver
    ) -> Named {
        let readings = resolver.readings(of: wanted.key)
        let (owners, isCutOff) = owners(of: wanted, readings, models, buckets)
        return Named(
            owners: owners, isCutOff: isCutOff,
            texts: readings.filter { !$0.relative.isEmpty }.map { reading in
                (
                    bytes: reading.relative,
                    namesakes: namesakes(reading, owners, models).map(\.model),
                    isFullKey: reading.level == nil && reading.stored.isPlain
                )
            })
    }

    // What is a key's text itself means that one.
    private mutating func addEnds(of keys: [WantedKey], _ resolver: KeyResolver) {
        var found = ByteTable()
        var bearers: [(host: Int?, numbers: Few<Int>)] = []
        Cores.each(keys.count) { number -> [(end: ArraySlice<UInt8>, host: Int?)] in
            // A few at most: found among them faster than in a set.
            var ends: [ArraySlice<UInt8>] = []
            for name in resolver.names(of: keys[number].key) {
                ends += PathEnds.of(ObjectKey(name)).filter { end in
                    texts.number(of: end) == nil && !ends.contains(end)
                        && !owners[number].contains { $0.id[...] == end }
                }
            }
            guard !ends.isEmpty else { return [] }
            return hosts(of: ends, resolver.readings(of: keys[number].key))
        } take: { number, ends in
            for (end, host) in ends {
                let place = found.insert(Array(end))
                if place == bearers.count { bearers.append((host, Few())) }
                bearers[place].numbers.append(number)
            }
        }
        for (end, bearers) in zip(found.all, bearers) where bearers.numbers.count <= PathEnds.few {
            // Most are the end of a needle: there may be several for each key.
            let needle =
                bearers.host.map { texts.insert(endOf: $0, count: end.count) }
                ?? texts.insert(Array(end))
            for number in bearers.numbers {
                add(needle, end.count, number, keys[number].bucket)
                hasOtherMeaning[needle] = true
            }
        }
    }

    // The ends of a key, each with a needle that ends in it, where there is one.
    private func hosts(
        of ends: [ArraySlice<UInt8>], _ readings: [KeyReading]
    ) -> [(end: ArraySlice<UInt8>, host: Int?)] {
        ends.map { end in
            let host = readings.first { $0.relative.suffix(end.count).elementsEqual(end) }
            return (end, host.flatMap { texts.number(of: $0.relative) })
        }
    }

    // The owners whose identifier is all that is held of the key; none where another template tells
    // more of it.
    private static func namesakes(
        _ reading: KeyReading, _ owners: [OwnerName], _ models: [SourceModel]
    ) -> [OwnerName] {
        guard KeyTemplate.isIdentifier(reading.relative) else { return [] }
        let fitting = owners.filter { owner in
            let file = models[owner.model].mapping.files[owner.field]
            return file.covers(reading)
                && file.template?.owners(in: reading.relative).identifiers.contains(owner.id)
                    == true
        }
        return fitting.contains { $0.id != reading.relative } ? [] : fitting
    }

    private mutating func add(
        _ text: [UInt8], _ number: Int, _ bucket: Int, namesakes models: [Int], isFullKey: Bool
    ) {
        let needle = texts.insert(text)
        add(needle, text.count, number, bucket)
        if models.isEmpty || isFullKey { hasOtherMeaning[needle] = true }
        if !models.isEmpty { namesakes[Key(number, needle), default: []] += models }
        if !models.isEmpty, !isFullKey { bare.insert(Key(number, needle)) }
    }

    private mutating func add(_ needle: Int, _ length: Int, _ number: Int, _ bucket: Int) {
        if needle == firstNumbers.count {
            firstNumbers.append(Int32(number))
            firstBuckets.append(Int32(bucket))
            hasOtherMeaning.append(false)
            shortest = min(shortest, length)
        } else if otherNumbers[needle]?.last ?? Int(firstNumbers[needle]) != number {
            otherNumbers[needle, default: Few()].append(number)
        }
        if firstBuckets[needle] != bucket,
            otherBuckets[needle]?.contains(bucket) != true
        {
            otherBuckets[needle, default: Few()].append(bucket)
        }
    }

    /// Whether a wanted key may be the file that a missing reference means: not where each names
    /// its own record, and these are two.
    func mayBelong(
        _ number: Int, to candidate: DanglingCandidate, of models: [SourceModel]
    ) -> Bool {
        let id = candidate.place.identity.id.joined
        let file = models[candidate.model].mapping.files[candidate.field]
        let namesItself = file.template?.owners(in: candidate.value).identifiers.contains(id)
        return namesItself != true || owners[number].isEmpty
            || owners[number].contains { $0.model == candidate.model && $0.id == id }
    }

    /// A text that stands for more wanted keys is a common one, as `avatar.png` is.
    static let commonLimit = 32

    /// The needle that a text is; nil when it is none, or only the end of a path.
    func needle(of text: ArraySlice<UInt8>) -> Int? {
        texts.number(of: text).flatMap { isEnd($0) ? nil : $0 }
    }

    /// The texts of all needles.
    var allTexts: some RandomAccessCollection<ArraySlice<UInt8>> { texts.all }

    /// Whether a needle is only the end of paths, which means a key where it stands alone.
    func isEnd(_ needle: Int) -> Bool { needle >= firstEnd }

    /// The text of a needle.
    func text(of needle: Int) -> ArraySlice<UInt8> { texts.bytes(needle) }

    /// Whether a needle stands for very many wanted keys.
    func isCommon(_ needle: Int) -> Bool {
        (otherNumbers[needle]?.count ?? 0) >= Self.commonLimit
    }

    /// The wanted keys that a needle may mean.
    func numbers(of needle: Int) -> Few<Int> {
        let first = CollectionOfOne(Int(firstNumbers[needle]))
        guard let others = otherNumbers[needle] else { return Few(first) }
        return Few(first + Array(others))
    }

    /// The buckets in which a needle stands for wanted keys.
    func buckets(of needle: Int) -> [Int] {
        [Int(firstBuckets[needle])] + (otherBuckets.isEmpty ? Few() : otherBuckets[needle] ?? Few())
    }

    /// The wanted keys that a text may mean as a whole.
    func numbers(for text: ArraySlice<UInt8>) -> Few<Int> {
        needle(of: text).map(numbers(of:)) ?? Few()
    }

    /// Whether a needle is nothing but identifiers of records, which mean a key only where they
    /// stand alone.
    func isBare(_ needle: Int) -> Bool { !hasOtherMeaning[needle] }

    /// The models whose record's identifier a needle is, where that makes it a wanted object's
    /// key; empty where it is more than that.
    func namesakes(of number: Int, as needle: Int) -> [Int] {
        namesakes.isEmpty ? [] : namesakes[Key(number, needle)] ?? []
    }

    /// Whether a needle means a wanted key only where it stands alone: it is an identifier of a
    /// record, and not the object's full key, which an address may well end in.
    func isBare(_ number: Int, as needle: Int) -> Bool {
        !bare.isEmpty && bare.contains(Key(number, needle))
    }

    // What has fewer slashes than a composite identifier names none of its records.
    private static func names(_ id: [UInt8], _ mapping: ModelMapping) -> Bool {
        !id.isEmpty && id.count { $0 == UInt8(ascii: "/") } >= mapping.id.count - 1
    }

    /// The records that a key names as its owners, and whether there are more than are looked for.
    static func owners(
        of wanted: WantedKey, _ readings: [KeyReading], _ models: [SourceModel],
        _ buckets: [BucketMapping]
    ) -> ([OwnerName], isCutOff: Bool) {
        var owners: [OwnerName] = []
        var isCutOff = false
        for (model, source) in models.enumerated() {
            for (field, file) in source.mapping.files.enumerated() {
                guard let template = file.template, template.namesOwner,
                    file.bucket == nil || file.bucket == buckets[wanted.bucket].name
                else { continue }
                for reading in readings where file.covers(reading) {
                    let match = template.owners(in: reading.relative)
                    isCutOff = isCutOff || match.isCutOff
                    for id in match.identifiers where names(id, source.mapping) {
                        let owner = OwnerName(model: model, field: field, id: id)
                        if owners.contains(owner) { continue }
                        if owners.count < KeyTemplate.ownerLimit {
                            owners.append(owner)
                        } else {
                            isCutOff = true
                        }
                    }
                }
            }
        }
        return (owners, isCutOff)
    }
}

extension KeyTemplate {
    /// Whether a record's identifier may be all that a key of the template is.
    package var takesBareIdentifier: Bool {
        parts.contains(.id) && parts.allSatisfy { $0 == .id || $0 == .any }
    }
}
