import MooringDecisions
import MooringModel

/// Which objects missing references may mean beside the one at their own key: the same value under
/// another level, another identity or in another bucket, and twins.
///
/// Values are grouped by their twin form, so that it grows with the missing references and with
/// what was found for them, and never with their product.
struct MeaningIndex: Sendable {
    // A value group has no bucket: its objects may lie in any. A key group is one bucket's. A name
    // group is that of a value which holds level and identity itself: only objects that nobody
    // references count there, since others have the same name under their own identity.
    private struct Group: Hashable {
        let form: TwinForm
        let bucket: Int?
        var isName = false
        // Of a path that a folder takes for another one.
        var isPath = false
    }

    /// A place at which an object lies that somebody references.
    private struct Place: Hashable {
        let bucket: Int
        let key: ObjectKey
    }

    /// Of one name, the objects of so many other identities that records reference are told. More
    /// of them show that the name is a common one, as `avatar.png`, and tell nothing.
    static let commonName = 8
    /// How many objects are told of one reference.
    static let shownLimit = 32

    private let dangling: [DanglingCandidate]
    private let resolver: KeyResolver
    private let loose: LooseLevels
    /// Tells of most keys that they lie in no group.
    let filter: TailFilter
    private let folders: [Bool]
    // The groups' numbers by their hashes.
    private var numbers: [ValueHash: Int32] = [:]
    private var groupsOfDangling = NumberLists()
    // Most groups have nothing of what follows.
    private var groupsOfWanted: [Int: [Int]] = [:]
    private var wantedOfGroup: [Int: [Int]] = [:]
    private var referencedOfGroup: [Int: [Place]] = [:]
    private var identitiesOfGroup: [Int: [Place]] = [:]
    // The first missing reference of a group that was seen again; the highest number where none
    // was.
    private var claims: [Int32]

    /// An index of these references, and of these keys by their numbers.
    init(
        _ missing: MissingValues, _ wanted: [WantedKey], resolver: KeyResolver,
        buckets: [BucketMapping]
    ) {
        dangling = missing.dangling
        folders = buckets.map(\.isFolder)
        self.resolver = resolver
        loose = LooseLevels(resolver)
        var numbers: [ValueHash: Int32] = [:]
        var filter = TailFilter(resolver)
        for (candidate, form) in zip(dangling, missing.forms) {
            var own: [Int] = []
            func add(_ group: Group) {
                let hash = ValueHash(group)
                let number = Int(numbers[hash] ?? Int32(numbers.count))
                if number == numbers.count {
                    numbers[hash] = Int32(number)
                    filter.insert(group.form)
                }
                if !own.contains(number) { own.append(number) }
            }
            add(Group(form: form, bucket: nil))
            for name in resolver.ownNames(of: candidate) where name != candidate.value {
                add(Group(form: TwinForm(name), bucket: nil))
            }
            for name in resolver.names(in: candidate) {
                add(Group(form: TwinForm(name), bucket: nil, isName: true))
            }
            if let bucket = candidate.bucket {
                for case .exact(let key) in candidate.patterns {
                    let isValue = key.bytes == candidate.value
                    add(Group(form: isValue ? form : TwinForm(key.bytes), bucket: bucket))
                }
            }
            guard folders.contains(true) else {
                groupsOfDangling.append(own)
                continue
            }
            for name in resolver.ownNames(of: candidate) + resolver.names(in: candidate) {
                guard let path = PathForm.normal(name) else { continue }
                add(Group(form: TwinForm(path), bucket: nil, isPath: true))
            }
            for pattern in candidate.patterns {
                guard let path = PathForm.normal(pattern.shown.bytes) else { continue }
                add(Group(form: TwinForm(path), bucket: candidate.bucket, isPath: true))
            }
            groupsOfDangling.append(own)
        }
        self.numbers = numbers
        self.filter = filter
        claims = Array(repeating: .max, count: numbers.count)
        for (number, key) in wanted.enumerated() { add(wanted: number, key) }
    }

    /// Whether no reference is missing.
    var isEmpty: Bool { dangling.isEmpty }

    // Adds a wanted key: an orphan candidate's, or one in quarantine.
    private mutating func add(wanted number: Int, _ wanted: WantedKey) {
        let groups = groups(of: wanted.key, in: wanted.bucket, named: true)
        guard !groups.isEmpty else { return }
        groupsOfWanted[number] = groups.map(\.number)
        for group in groups { wantedOfGroup[group.number, default: []].append(number) }
    }

    /// Adds an object that records reference.
    mutating func add(referenced key: ObjectKey, bucket: Int) {
        for group in groups(of: key, in: bucket) {
            let place = Place(bucket: bucket, key: key)
            if !group.hasIdentity {
                if referencedOfGroup[group.number, default: []].count < Self.shownLimit {
                    referencedOfGroup[group.number, default: []].append(place)
                }
            } else if identitiesOfGroup[group.number, default: []].count <= Self.commonName {
                identitiesOfGroup[group.number, default: []].append(place)
            }
        }
    }

    /// Notes that a missing reference was seen again: what it may mean is protected.
    mutating func claim(_ number: Int) {
        // Of several the first by number, in whatever order pass B meets them.
        for group in groupsOfDangling[number] {
            claims[group] = min(claims[group], Int32(number))
        }
    }

    /// The groups of several missing references, to ask for all of them at once.
    func groups(ofMissing numbers: [Int]) -> Set<Int> {
        var groups: Set<Int> = []
        for number in numbers { groups.formUnion(groupsOfDangling[number]) }
        return groups
    }

    /// Whether a missing reference of these groups may mean a wanted key.
    func isMeant(_ wanted: Int, in groups: Set<Int>) -> Bool {
        !groups.isEmpty && groupsOfWanted[wanted]?.contains { groups.contains($0) } == true
    }

    /// Whether a missing reference of these groups may mean every wanted key that a text stands
    /// for: the text is its value, or a twin of it.
    func areAllMeant(by text: ArraySlice<UInt8>, in groups: Set<Int>) -> Bool {
        guard !groups.isEmpty,
            let number = numbers[ValueHash(Group(form: TwinForm(Array(text)), bucket: nil))]
        else { return false }
        return groups.contains(Int(number))
    }

    /// A missing reference that may mean a wanted key, and was seen again; nil when none was.
    func claimant(of wanted: Int) -> Int? {
        for group in groupsOfWanted[wanted] ?? [] {
            if claims[group] != .max { return Int(claims[group]) }
        }
        return nil
    }

    /// The wanted keys that one missing reference may mean, and the objects that others reference.
    func objects(of number: Int) -> (wanted: [Int], referenced: [WantedKey], isCutOff: Bool) {
        var wanted: [Int] = []
        var referenced: [WantedKey] = []
        var isCutOff = false
        for group in groupsOfDangling[number] {
            for other in wantedOfGroup[group] ?? [] {
                if wanted.count == Self.shownLimit {
                    isCutOff = true
                    break
                }
                if !wanted.contains(other) { wanted.append(other) }
            }
            let identities = identitiesOfGroup[group] ?? []
            let places =
                (referencedOfGroup[group] ?? [])
                + (identities.count <= Self.commonName ? identities : [])
            for place in places {
                let key = WantedKey(bucket: place.bucket, key: place.key)
                if !referenced.contains(key) { referenced.append(key) }
            }
        }
        return (wanted, referenced, isCutOff)
    }

    // The groups in which an object of this key lies; `hasIdentity` tells whether it is read there
    // under an identity, so that many others may have the same name.
    private func groups(
        of key: ObjectKey, in bucket: Int, named: Bool = false
    ) -> [(number: Int, hasIdentity: Bool)] {
        guard !isEmpty, key.bytes.withUnsafeBufferPointer(filter.mayHold) else { return [] }
        var found: [(number: Int, hasIdentity: Bool)] = []
        func add(_ group: Group, _ hasIdentity: Bool) {
            guard let number = numbers[ValueHash(group)].map(Int.init),
                !found.contains(where: { $0.number == number })
            else { return }
            found.append((number, hasIdentity))
        }
        func addReading(_ relative: [UInt8], _ hasIdentity: Bool) {
            let form = TwinForm(relative)
            add(Group(form: form, bucket: nil), hasIdentity)
            if folders[bucket] { add(Group(form: form, bucket: nil, isPath: true), hasIdentity) }
            if named { add(Group(form: form, bucket: nil, isName: true), false) }
        }
        let form = TwinForm(key.bytes)
        add(Group(form: form, bucket: bucket), false)
        if folders[bucket] { add(Group(form: form, bucket: bucket, isPath: true), false) }
        for reading in resolver.readings(of: key) where !reading.relative.isEmpty {
            addReading(reading.relative, reading.identity != nil)
        }
        for reading in loose.readings(of: key, form) {
            addReading(reading.relative, reading.hasIdentity)
        }
        return found
    }
}

extension KeyResolver {
    /// What a missing reference's object may be called wherever it lies: what the record holds, and
    /// what that becomes by its layout.
    func ownNames(of candidate: DanglingCandidate) -> [[UInt8]] {
        candidate.stored.isPlain
            ? [candidate.value] : [candidate.value, candidate.stored.key(of: candidate.value)]
    }

    /// The names under which a missing reference's object may lie elsewhere, where its value is a
    /// whole key that holds the level, and the identity, itself.
    func names(in candidate: DanglingCandidate) -> [[UInt8]] {
        let key = ObjectKey(candidate.value)
        guard candidate.patterns.contains(.exact(key)) else { return [] }
        return readings(of: key).filter { $0.level != nil && !$0.relative.isEmpty }.map(\.relative)
    }
}

/// Missing references, with the form of each one's value that all twins share.
struct MissingValues {
    /// The references.
    let dangling: [DanglingCandidate]
    /// The forms, in their order.
    let forms: [TwinForm]

    /// Those of these references.
    init(_ dangling: [DanglingCandidate]) {
        self.dangling = dangling
        forms = dangling.map { TwinForm($0.value) }
    }
}

/// Tells quickly of most keys that they are no twin of any value: their last path segment, in
/// lower case, is none of the values'.
struct TailFilter: Sendable {
    private var tails = NameFilter()
    // Where values are no ends of keys that begin behind a slash, or characters are one with
    // others, every key is looked at.
    private var isOff = false

    /// A filter of no values, which holds nothing.
    init() {}

    /// A filter of the forms of values that are read so.
    init(_ resolver: KeyResolver, _ forms: some Sequence<TwinForm> = []) {
        isOff = !resolver.cutsAtSlashes
        for form in forms { insert(form) }
    }

    /// Inserts the form of a value.
    mutating func insert(_ form: TwinForm) {
        if form.hasSingletons { isOff = true }
        let name = form.lastPart
        guard name.allSatisfy({ $0 < 0x80 }) else { return }
        tails.insert(hash: name.withUnsafeBufferPointer(NameFilter.hash(lowercasing:)))
    }

    /// Whether a key may be a twin of a value.
    func mayHold(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        glance(at: LastPart(of: key)).isYes(where: mayHold(hash:))
    }

    /// Whether a key whose end has this hash may be one.
    func mayHold(hash: UInt64) -> Bool { tails.mayHold(hash) }

    /// What tells it of a key: its last part.
    func glance(at part: LastPart) -> Glance {
        if isOff || part.followsForeign { return .yes }
        let name = part.bytes
        if ByteBlocks.hold(UInt8(ascii: "%"), or: UInt8(ascii: "+"), orForeignIn: name) {
            return .yes
        }
        return .hash(NameFilter.hash(lowercasing: name))
    }
}
