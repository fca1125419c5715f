import MooringModel

/// What a listing shows of a quarantine that this ledger does not know: another ledger's, or one of
/// its own from before it remembered them. Its objects are nobody's orphans, and references that
/// mean them are not missing their files.
struct ForeignQuarantine {
    /// The keys that objects there had, as far as they are left out on purpose.
    private(set) var keys: Set<ObjectKey> = []

    private let mapping: BucketMapping
    private var first: ObjectKey?
    private var count = 0

    /// What the listing of a bucket shows.
    init(_ mapping: BucketMapping) {
        self.mapping = mapping
    }

    /// The objects of a batch that lie in no such place.
    mutating func others(_ batch: [ListedObject]) -> [ListedObject] {
        batch.filter { object in
            guard let original = object.key.behindRun, !mapping.isQuarantined(object.key) else {
                return true
            }
            if mapping.covers(object.key),
                !mapping.ignore.contains(where: { $0.matches(object.key) })
            {
                first = first ?? object.key
                count += 1
            } else {
                keys.insert(original)
            }
            return false
        }
    }

    /// What keeps the bucket from being complete.
    var problems: [ScanProblem] {
        guard let first else { return [] }
        let others = count > 1 ? " (and \(count - 1) more)" : ""
        return [
            ScanProblem(
                place: first.text + others,
                reason: "lies in a folder that is named like a run of Mooring, and in no "
                    + "quarantine that this ledger knows; if it is one, set 'quarantine' to the "
                    + "prefix before that folder, run mooring audit once, and set it back: it is "
                    + "remembered then; if it is none, name it under 'ignore'")
        ]
    }
}
