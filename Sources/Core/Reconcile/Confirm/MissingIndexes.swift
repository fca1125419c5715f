import MooringDecisions
import MooringModel

/// What a confirm scan knows of missing references before it reads anything, but for what the
/// owners of the wanted keys tell: it is made while those are found.
struct MissingIndexes {
    /// The numbers of the wanted keys.
    let wantedNumbers: WantedNumbers
    /// The numbers of the missing references.
    let danglingNumbers: DanglingNumbers
    /// What they may spell in another way; not yet settled.
    let spellings: SpellingIndex
    /// What they may mean beside their own objects.
    private(set) var meanings: MeaningIndex
    /// Which of them hold keys inside.
    let enclosed: EnclosedKeys

    /// Those of these references and keys.
    init(
        _ dangling: [DanglingCandidate], _ wanted: [WantedKey], buckets: [BucketMapping],
        resolver: KeyResolver, forms: TextForms
    ) {
        wantedNumbers = WantedNumbers(wanted)
        danglingNumbers = DanglingNumbers(dangling)
        let missing = MissingValues(dangling)
        spellings = SpellingIndex(missing, wanted, resolver: resolver, forms: forms)
        meanings = MeaningIndex(missing, resolver: resolver, buckets: buckets)
        for (number, key) in wanted.enumerated() { meanings.add(wanted: number, key) }
        enclosed = EnclosedKeys(dangling.map(\.value), forms: forms, resolver: resolver)
    }
}

/// The numbers of wanted keys, by the keys.
struct WantedNumbers: Sendable {
    private let wanted: [WantedKey]
    private let numbers: HashedNumbers

    /// Those of these keys, in their order.
    init(_ wanted: [WantedKey]) {
        self.wanted = wanted
        numbers = HashedNumbers(wanted.enumerated().lazy.map { (ValueHash($1), $0) })
    }

    /// Whether nothing is wanted.
    var isEmpty: Bool { wanted.isEmpty }

    /// The numbers of a key; none where it is not wanted.
    subscript(key: WantedKey) -> [Int] {
        wanted.isEmpty ? [] : numbers[ValueHash(key)].filter { wanted[$0] == key }
    }
}

/// The numbers of missing references, by where they stand.
struct DanglingNumbers: Sendable {
    private let dangling: [DanglingCandidate]
    private let numbers: HashedNumbers

    /// Those of these references, in their order.
    init(_ dangling: [DanglingCandidate]) {
        self.dangling = dangling
        numbers = HashedNumbers(
            dangling.enumerated().lazy.map { (ValueHash(DanglingPlace($1)), $0) })
    }

    /// The number of the last reference that stands at a place; nil where none is missing there.
    subscript(place: DanglingPlace) -> Int? {
        dangling.isEmpty
            ? nil : numbers[ValueHash(place)].last { DanglingPlace(dangling[$0]) == place }
    }
}
