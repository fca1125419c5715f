import MooringDecisions
import MooringModel

/// Which models are copies of which, and how the rows of both are compared.
struct CopyPairs: Sendable {
    /// The model that a model copies; nil where it copies none that is configured.
    let authorities: [Int?]
    /// The mappings of the models that take part, each with only those fields that an authority
    /// and all its copies have, in one order.
    private let mappings: [ModelMapping?]

    /// The pairs among all models.
    init(_ models: [SourceModel]) {
        var places: [String: [String: Int]] = [:]
        for (number, model) in models.enumerated() where model.authority == nil {
            places[model.source, default: [:]][model.mapping.model] = number
        }
        let authorities = models.map { model in
            model.authority.flatMap { places[$0]?[model.mapping.model] }
        }
        var members: [Int: [Int]] = [:]
        for (copy, authority) in authorities.enumerated() {
            if let authority { members[authority, default: [authority]].append(copy) }
        }
        var mappings: [ModelMapping?] = Array(repeating: nil, count: models.count)
        for group in members.values {
            let all = group.map { models[$0].mapping }
            for member in group { mappings[member] = Self.common(models[member].mapping, all) }
        }
        self.authorities = authorities
        self.mappings = mappings
    }

    /// Whether no model is a copy.
    var isEmpty: Bool { mappings.allSatisfy { $0 == nil } }

    /// Reads the rows of one model.
    struct Reader {
        /// The model's number, over all sources.
        let model: Int
        fileprivate let record: RecordReader
        fileprivate let relations: RelationReader
    }

    /// The readers of the models that lie in the batch's table and have copies or are some.
    func readers(_ batch: RecordBatch, source: String, _ models: [SourceModel]) -> [Reader] {
        models.indices.compactMap { model in
            guard models[model].source == source, let mapping = mappings[model],
                mapping.table == batch.table
            else { return nil }
            return RecordReader(mapping: mapping, columns: batch.columns).map {
                Reader(
                    model: model, record: $0,
                    relations: RelationReader(mapping.relations, columns: batch.columns))
            }
        }
    }

    private static func common(_ mapping: ModelMapping, _ all: [ModelMapping]) -> ModelMapping {
        var common = mapping
        common.files = mapping.files.filter { file in
            all.allSatisfy { $0.files.contains { $0.field == file.field } }
        }.sorted { $0.field < $1.field }
        common.relations = mapping.relations.filter { relation in
            all.allSatisfy { $0.relations.contains { $0.field == relation.field } }
        }.sorted { $0.field < $1.field }
        if !all.allSatisfy({ $0.identity != nil }) { common.identity = nil }
        return common
    }
}

extension CopyPairs.Reader {
    /// One row as it is compared; nil when it names no record.
    func read(_ row: [FieldValue]) -> (reading: RecordReading, state: CopyState)? {
        guard let reading = record.read(row) else { return nil }
        // What the values mean is hashed, not how a store writes them: one side may hold a list as
        // a text and the other as a nested value.
        var hasher = Hasher()
        hasher.combine(reading.identity)
        hasher.combine(reading.references)
        hasher.combine(reading.unusable)
        hasher.combine(relations.values(row))
        let state = CopyState(
            version: reading.version, changed: reading.changed,
            content: UInt64(bitPattern: Int64(hasher.finalize())),
            isTombstone: reading.isTombstone)
        return (reading, state)
    }
}

/// Pass A of copies: what both sides say of each record, in some 100 bytes and the identifier. It
/// is kept for models that have copies only.
struct CopyScan: Sendable {
    private struct CopyRow {
        let number: UInt32
        let model: UInt16
        let state: CopyState
    }

    /// The models over all sources.
    let models: [SourceModel]
    /// Which of them are copies.
    let pairs: CopyPairs
    /// What pass B looks at: copies that seem to be behind, as model and identifier.
    private(set) var candidates = ByteTable()
    private var ids = ByteTable()
    private var authorities: [CopyState?] = []
    private var copies: [CopyRow] = []
    private let isUsed: Bool

    /// A scan over these models.
    init(models: [SourceModel]) {
        self.models = models
        pairs = CopyPairs(models)
        isUsed = !pairs.isEmpty
    }

    /// Whether a copy seems to be behind.
    var hasCandidates: Bool { candidates.count > 0 }

    /// Reads one batch of a source's rows.
    mutating func read(_ batch: RecordBatch, source: String) {
        guard isUsed else { return }
        let readers = pairs.readers(batch, source: source, models)
        for row in batch.rows {
            for reader in readers {
                guard let (reading, state) = reader.read(row) else { continue }
                let authority = pairs.authorities[reader.model]
                let number = ids.insert(
                    RecordIDCoding.encode(reading.id, model: authority ?? reader.model))
                if number == authorities.count { authorities.append(nil) }
                if authority == nil {
                    authorities[number] = authorities[number]?.merging(state) ?? state
                } else {
                    copies.append(
                        CopyRow(
                            number: UInt32(number), model: UInt16(reader.model), state: state))
                }
            }
        }
    }

    /// Ends the scan and lets go of everything but the copies that seem to be behind.
    mutating func close() {
        for copy in copies
        where CopyRule.cause(of: copy.state, authority: authorities[Int(copy.number)]) != nil {
            let id = RecordIDCoding.decode(ids.bytes(Int(copy.number)))
            _ = candidates.insert(RecordIDCoding.encode(id, model: Int(copy.model)))
        }
        ids = ByteTable()
        authorities = []
        copies = []
    }
}
