import MooringDecisions
package import MooringModel

/// Which models are children and which are parents in judged relations.
struct RelationTargets: Sendable {
    /// One relation of a model, with the number of the group in which its parents lie.
    struct Use: Sendable {
        /// The relation's number among the model's `relations`.
        let relation: Int
        /// The number of the group, in `groups`.
        let group: Int
    }

    /// The models in which a parent may lie, by group.
    private(set) var groups: [[Int]] = []
    /// The judged relations, by model.
    private(set) var uses: [[Use]]
    /// The groups in which a model's records are parents, by model.
    private(set) var parents: [[Int]]

    /// The targets among all models. A parent lies in its child's own source; where that has no
    /// such model, in any other that has it; where none has it, the relation is not judged. Copies
    /// of records are no children, since they are judged by their authority, and no parents.
    init(_ models: [SourceModel]) {
        uses = Array(repeating: [], count: models.count)
        parents = Array(repeating: [], count: models.count)
        let places = SourceModel.places(models)
        var numbers: [[Int]: Int] = [:]
        for (child, model) in models.enumerated() where model.authority == nil {
            for (relation, entry) in model.mapping.relations.enumerated() {
                let targets = SourceModel.targets(
                    places[entry.model] ?? [], from: model.source, among: models)
                guard !targets.isEmpty else { continue }
                let group = numbers[targets] ?? groups.count
                if group == groups.count {
                    numbers[targets] = group
                    groups.append(targets)
                    for target in targets { parents[target].append(group) }
                }
                uses[child].append(Use(relation: relation, group: group))
            }
        }
    }

    /// The bytes under which a parent is looked up in its group.
    static func key(_ group: Int, _ id: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: group >> 8), UInt8(truncatingIfNeeded: group)] + id
    }
}

extension SourceModel {
    /// The models in which the parents of a relation lie, for a child of a source; empty where
    /// none is configured.
    package static func targets(
        of relation: Relation, from source: String, among models: [SourceModel]
    ) -> [Int] {
        targets(places(models)[relation.model] ?? [], from: source, among: models)
    }

    fileprivate static func targets(
        _ all: [Int], from source: String, among models: [SourceModel]
    ) -> [Int] {
        let own = all.filter { models[$0].source == source }
        return own.isEmpty ? all : own
    }

    // The models that are no copies, by name.
    fileprivate static func places(_ models: [SourceModel]) -> [String: [Int]] {
        var places: [String: [Int]] = [:]
        for (number, model) in models.enumerated() where model.authority == nil {
            places[model.mapping.model, default: []].append(number)
        }
        return places
    }
}

/// Reads the rows of a batch as children and parents.
struct RelationRows {
    /// The reader of one model's rows.
    struct Reader {
        /// The model's number, over all sources.
        let model: Int
        /// Reads everything but references to files.
        let record: RecordReader
        /// Reads the relations that the batch has columns for.
        let relations: RelationReader
    }

    /// The readers of the models that lie in the batch's table and take part in a relation.
    static func readers(
        _ batch: RecordBatch, source: String, _ models: [SourceModel], _ targets: RelationTargets
    ) -> [Reader] {
        guard !targets.groups.isEmpty else { return [] }
        return models.indices.compactMap { model in
            var mapping = models[model].mapping
            guard models[model].source == source, mapping.table == batch.table,
                !targets.uses[model].isEmpty || !targets.parents[model].isEmpty
            else { return nil }
            mapping.files = []
            return RecordReader(mapping: mapping, columns: batch.columns).map {
                Reader(
                    model: model, record: $0,
                    relations: RelationReader(mapping.relations, columns: batch.columns))
            }
        }
    }
}

/// Pass A of relations: the identifiers of all possible parents and of all that children name, each
/// once and with one byte beside it. A child needs not be kept, since pass B reads it again.
struct RelationScan: Sendable {
    private struct Sight: OptionSet {
        let rawValue: UInt8
        static let live = Sight(rawValue: 1)
        static let named = Sight(rawValue: 2)
    }

    /// The models over all sources.
    let models: [SourceModel]
    /// Which of them are children and parents.
    let targets: RelationTargets
    /// What pass B looks for: the parents that a child names and that are not live.
    private(set) var missing = ByteTable()
    /// Of each group, whether of each of its models any parent was read, live or marked as deleted:
    /// where one of several is empty, its records may only be out of sight.
    var peopled: [Bool] { zip(targets.groups, filled).map { $0.count == $1.count } }
    // The models of each group that hold records.
    private var filled: [Set<Int>]
    private var ids = ByteTable()
    private var sights: [Sight] = []

    /// A scan over these models.
    init(models: [SourceModel]) {
        self.models = models
        targets = RelationTargets(models)
        filled = Array(repeating: [], count: targets.groups.count)
    }

    /// Whether a child names a parent that is not live.
    var hasCandidates: Bool { missing.count > 0 }

    /// Reads one batch of a source's rows.
    mutating func read(_ batch: RecordBatch, source: String) {
        let readers = RelationRows.readers(batch, source: source, models, targets)
        guard !readers.isEmpty else { return }
        for row in batch.rows {
            for reader in readers {
                guard let reading = reader.record.read(row) else { continue }
                for group in targets.parents[reader.model] { filled[group].insert(reader.model) }
                if reading.isTombstone { continue }
                for group in targets.parents[reader.model] {
                    note(group, reading.id.joined, .live)
                }
                guard !targets.uses[reader.model].isEmpty else { continue }
                let values = reader.relations.values(row)
                for use in targets.uses[reader.model] {
                    if let value = values[use.relation] { note(use.group, value, .named) }
                }
            }
        }
    }

    /// Ends the scan and lets go of everything but the parents that are missed.
    mutating func close() {
        for (number, sight) in sights.enumerated() where sight == .named {
            _ = missing.insert(Array(ids.bytes(number)))
        }
        ids = ByteTable()
        sights = []
    }

    private mutating func note(_ group: Int, _ id: [UInt8], _ sight: Sight) {
        let number = ids.insert(RelationTargets.key(group, id))
        if number == sights.count { sights.append([]) }
        sights[number].insert(sight)
    }
}
