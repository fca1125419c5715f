import MooringModel

/// What a listing shows of another bucket in the same folder, and of a quarantine that this ledger
/// does not know: another ledger's, or one of its own from before it remembered them. Its objects
/// are nobody's orphans, and references that mean them are not missing their files.
struct ForeignQuarantine {
    /// The keys that objects there had, as far as they are left out on purpose.
    private(set) var keys: Set<ObjectKey> = []

    private let mapping: BucketMapping
    private let holdsFolders: Bool
    private var first: ObjectKey?
    private var count = 0
    private var bucketBelow: ObjectKey?

    /// What the listing of a bucket shows; in one of folders another bucket may lie.
    init(_ mapping: BucketMapping, holdsFolders: Bool = false) {
        self.mapping = mapping
        self.holdsFolders = holdsFolders
    }

    /// The objects of a batch that lie in no such place.
    mutating func others(_ batch: [ListedObject]) -> [ListedObject] {
        batch.filter { object in
            // Its marker or its lease tells: nothing else has that name.
            if holdsFolders, OwnKey.endsKey(object.key), !mapping.isQuarantined(object.key) {
                if isJudged(object.key) { bucketBelow = bucketBelow ?? object.key }
                return false
            }
            guard let original = object.key.behindRun, !mapping.isQuarantined(object.key) else {
                return true
            }
            if isJudged(object.key) {
                first = first ?? object.key
                count += 1
            } else {
                keys.insert(original)
            }
            return false
        }
    }

    private func isJudged(_ key: ObjectKey) -> Bool {
        mapping.judges(key)
    }

    /// What keeps the bucket from being complete.
    var problems: [ScanProblem] { sharedFolder + unknownQuarantine }

    private var sharedFolder: [ScanProblem] {
        guard let bucketBelow else { return [] }
        return [
            ScanProblem(
                place: bucketBelow.text,
                reason: "another bucket of Mooring lies here, and its objects are not this "
                    + "bucket's; name what lies in its folder under 'ignore', as FOLDER/**, or "
                    + "move it; if no configuration names it any more, remove this file")
        ]
    }

    private var unknownQuarantine: [ScanProblem] {
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
