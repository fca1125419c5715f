import MooringDecisions
import MooringModel
import MooringText

/// What a confirm scan knows of wanted keys and missing references before it reads anything. Two
/// cores make it, with about as much work for either.
struct ConfirmIndexes {
    /// The forms in which values spell keys.
    let forms: TextForms
    /// The texts under which wanted keys may stand.
    let keys: WantedKeys
    /// The numbers of the wanted keys.
    let wantedNumbers: WantedNumbers
    /// The numbers of the missing references.
    let danglingNumbers: DanglingNumbers
    /// What these may spell in another way.
    private(set) var spellings: SpellingIndex
    /// What they may mean beside their own objects.
    let meanings: MeaningIndex
    /// Which of them hold keys inside.
    let enclosed: EnclosedKeys

    /// Those of these references and keys.
    init(
        _ dangling: [DanglingCandidate], _ wanted: [WantedKey], models: [SourceModel],
        buckets: [BucketMapping], resolver: KeyResolver
    ) {
        let forms = TextForms(foldsPaths: buckets.contains(where: \.isFolder))
        let missing = MissingValues(dangling)
        let (one, other) = Cores.both {
            (
                keys: WantedKeys(wanted, models: models, buckets: buckets, resolver),
                meanings: MeaningIndex(missing, wanted, resolver: resolver, buckets: buckets),
                rewritten: RewrittenNames.pairs(dangling, wanted, resolver)
            )
        } and: {
            (
                wantedNumbers: WantedNumbers(wanted), danglingNumbers: DanglingNumbers(dangling),
                spellings: SpellingIndex(missing, wanted, resolver: resolver, forms: forms),
                enclosed: EnclosedKeys(dangling.map(\.value), forms: forms, resolver: resolver)
            )
        }
        self.forms = forms
        (keys, meanings) = (one.keys, one.meanings)
        (wantedNumbers, danglingNumbers) = (other.wantedNumbers, other.danglingNumbers)
        (spellings, enclosed) = (other.spellings, other.enclosed)
        spellings.add(one.rewritten)
        spellings.settle { one.keys.mayBelong($1, to: dangling[$0], of: models) }
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
