import MooringDecisions
import MooringModel

/// What is guessed of one table as a model.
struct ModelGuess {
    /// The sample that it rests on.
    let sample: TableSample
    /// The columns that other things than keys are guessed of.
    let identity, version, changed, deleted: String?
    /// The fields whose values are files.
    private(set) var files: [FieldGuess] = []
    /// The fields that look like keys, or hold few: for a person to look at.
    private(set) var doubtful: [FieldGuess] = []
    /// How many text fields were looked at.
    private(set) var lookedAt: [FieldGuess] = []

    /// Guesses about a table.
    init(_ sample: TableSample, in folder: ObjectFolder) async {
        self.sample = sample
        identity = Self.identity(sample, folder)
        version = Self.column(["_version", "version"], of: sample) { value in
            if case .integer = value { return true }
            return false
        }
        changed = Self.column(
            [
                "_lastChangedAt", "lastChangedAt", "updatedAt", "updated_at", "modifiedAt",
                "modified_at", "lastModified", "last_modified", "changedAt", "changed_at",
            ], of: sample
        ) { ChangeTimeForm.read($0) != nil }
        deleted = Self.column(
            ["_deleted", "deleted", "isDeleted", "is_deleted", "deletedAt", "deleted_at"],
            of: sample
        ) { _ in true }
        guard !sample.id.isEmpty else { return }
        for column in sample.columns where column != identity && !taken.contains(column) {
            guard
                let guess = await FieldGuess(
                    column: column, of: sample, identity: identity, in: folder)
            else { continue }
            lookedAt.append(guess)
            if guess.isCertain, guess.canBeNamed {
                files.append(guess)
            } else if guess.found > 0 || guess.looksLikeKeys {
                doubtful.append(guess)
            }
        }
    }

    private var taken: [String] { [version, changed, deleted].compactMap { $0 } }

    // The first of the names that the table has and whose values are what they should be.
    private static func column(
        _ names: [String], of sample: TableSample, where fits: (FieldValue) -> Bool
    ) -> String? {
        for name in names {
            guard
                let column = sample.columns.first(where: {
                    $0.lowercased() == name.lowercased()
                })
            else { continue }
            let values = sample.values(of: column).filter { !$0.isMissing }
            if values.allSatisfy(fits) { return column }
        }
        return nil
    }

    // Most of an identity's values are names of folders below `private/` or `protected/`.
    private static func identity(_ sample: TableSample, _ folder: ObjectFolder) -> String? {
        let names = folder.identities.values.reduce(into: Set<[UInt8]>()) { $0.formUnion($1) }
        guard !names.isEmpty else { return nil }
        var best: (column: String, count: Int)?
        for column in sample.columns {
            let values = sample.values(of: column).filter { !$0.isMissing }.compactMap(\.bytes)
            let count = values.count { names.contains($0) }
            if count * 2 >= values.count, count > best?.count ?? 0 { best = (column, count) }
        }
        return best?.column
    }
}
