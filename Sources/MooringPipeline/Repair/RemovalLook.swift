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

    /// As judged where no object is there that the record references, but for those references
    /// that were looked at before.
    func look(
        _ reading: RecordReading, besides isKnown: (StoredReference) -> Bool = { _ in false }
    ) async -> LookAnswer {
        if reading.unusable.contains(where: \.hidesReferences) {
            return .otherwise("a field of the record cannot be read, and may hold other keys")
        }
        for other in reading.references where !isKnown(other) {
            let answer = await look(at: other, reading)
            guard answer == .asJudged else { return answer }
        }
        return await lookBesideMapping(reading.identity)
    }

    // Columns that nobody mapped may hold keys too: as the whole value, or as a URL's path.
    private func lookBesideMapping(_ identity: [UInt8]?) async -> LookAnswer {
        let rows: [[FieldValue]]
        do {
            rows = try await context.rows()
        } catch {
            return .unknown("the record could not be read: \(error)")
        }
        let mapped = Set(context.mapping.columns)
        // Another row than the one that is removed makes the step stale, whatever it holds.
        for (column, value) in zip(context.columns, rows.first ?? [])
        where !mapped.contains(column) {
            guard let bytes = value.bytes else { continue }
            for text in [bytes] + (StoredURL(bytes)?.keys ?? [])
            where KeyRule.fault(in: text) == nil {
                guard await !isThere(text, identity) else {
                    return .otherwise("a column that is not mapped names an object that is there")
                }
            }
        }
        return .asJudged
    }

    // A text that no object can have as its key is none.
    private func isThere(_ text: [UInt8], _ identity: [UInt8]?) async -> Bool {
        let patterns = context.job.resolver.patterns(value: text, level: .any, identity: identity)
        for bucket in context.job.buckets where bucket.isLive {
            for case .exact(let key) in patterns {
                if case .present = await bucket.head(key) { return true }
            }
        }
        return false
    }

    private func look(
        at other: StoredReference, _ reading: RecordReading
    ) async -> LookAnswer {
        let field = context.mapping.files[other.field]
        let patterns = context.job.resolver.patterns(
            value: other.value, level: field.level, identity: reading.identity)
        guard patterns.count == 1, case .exact(let key) = patterns[0],
            let bucket = context.job.bucketName(of: other, field: field)
                .flatMap(context.job.bucket)
        else { return .otherwise("the record holds another key, which may mean several objects") }
        let answer = await bucket.lookForAbsence(of: key)
        guard case .otherwise = answer else { return answer }
        return .otherwise("the record references another object, which is there")
    }
}
