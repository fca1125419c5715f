import MooringDecisions
import MooringModel

/// What a confirm scan knows of missing references before it reads anything, but for what the
/// owners of the wanted keys tell: it is made while those are found.
struct MissingIndexes {
    /// The numbers of the wanted keys.
    private(set) var wantedNumbers: [WantedKey: [Int]] = [:]
    /// The numbers of the missing references.
    private(set) var danglingNumbers: [DanglingPlace: Int] = [:]
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
        for (number, key) in wanted.enumerated() {
            wantedNumbers[key, default: []].append(number)
        }
        for (number, candidate) in dangling.enumerated() {
            danglingNumbers[DanglingPlace(candidate)] = number
        }
        let missing = MissingValues(dangling)
        spellings = SpellingIndex(missing, wanted, resolver: resolver, forms: forms)
        meanings = MeaningIndex(missing, resolver: resolver, buckets: buckets)
        for (number, key) in wanted.enumerated() { meanings.add(wanted: number, key) }
        enclosed = EnclosedKeys(dangling.map(\.value), forms: forms, resolver: resolver)
    }
}
