import MooringDecisions
import MooringModel
import MooringReconcile

/// Looks at every object that a record names which is to be removed: with the record the last
/// reference to one that is there may go.
struct RemovalLook {
    private let context: RecordContext

    /// A look at what a step's record names.
    init(_ context: RecordContext) {
        self.context = context
    }

    /// As judged where no object is there that the record references, through any model of its
    /// table, but for those references that were looked at before; and none whose key stands
    /// anywhere else in the row.
    func look(
        _ reading: RecordReading, besides isKnown: (StoredReference) -> Bool = { _ in false }
    ) async -> LookAnswer {
        let own = await look(
            at: reading.references.filter { !isKnown($0) }, context.mapping, reading)
        guard own == .asJudged else { return own }
        let rows: [[FieldValue]]
        do {
            rows = try await context.rows()
        } catch {
            return .unknown("the record could not be read: \(error)")
        }
        // Another row than the one that is removed makes the step stale, whatever it holds.
        guard let row = rows.first else { return .asJudged }
        var readings = [reading]
        let mappings = context.job.models.filter {
            $0.source == context.identity.source && $0.mapping.table == context.mapping.table
        }.map(\.mapping)
        for mapping in mappings where mapping.model != context.mapping.model {
            // Of a model that reads no record here the columns are searched all the same.
            guard
                let other = RecordReader(mapping: mapping, columns: context.columns)?.read(row)
            else { continue }
            let answer = await look(at: other.references, mapping, other)
            guard answer == .asJudged else { return answer }
            readings.append(other)
        }
        return await RowTextLook(context: context, mappings: mappings, readings: readings)
            .look(row)
    }

    private func look(
        at references: [StoredReference], _ mapping: ModelMapping, _ reading: RecordReading
    ) async -> LookAnswer {
        if reading.unusable.contains(where: \.hidesReferences) {
            return .otherwise("a field of the record cannot be read, and may hold other keys")
        }
        for other in references {
            let field = mapping.files[other.field]
            let meant = context.job.meaning.places(
                of: other, in: field, identity: reading.identity)
            guard let key = meant.onlyKey,
                let bucket = meant.bucket.map({ context.job.buckets[$0] })
            else {
                return .otherwise("the record holds another key, which may mean several objects")
            }
            switch await bucket.lookForAbsence(of: key) {
            case .asJudged: continue
            case .otherwise:
                return .otherwise("the record references another object, which is there")
            case .unknown(let reason): return .unknown(reason)
            }
        }
        return .asJudged
    }
}
