import MooringDecisions
import MooringModel

/// Gives an orphan back to the record that its key names as its owner.
struct OrphanLinking: RecordAct {
    let context: RecordContext
    private let field: Int
    private let key: ObjectKey
    private let bucket: any Bucket
    private let expected: ObjectVersion

    /// The act of a step; nil where its field or bucket is not configured.
    init?(_ context: RecordContext) {
        guard let field = context.field, let key = context.step.key,
            let bucket = context.step.bucket.flatMap(context.job.bucket),
            let expected = context.step.precondition.object
        else { return nil }
        self.context = context
        self.field = field
        self.key = key
        self.bucket = bucket
        self.expected = expected
    }

    var otherwise: String {
        "the record holds a key by now, or its field cannot name where the object lies"
    }

    func change(
        _ reading: RecordReading, _ row: FieldChange.Row, at now: Instant
    ) -> RecordChange? {
        let file = context.mapping.files[field]
        let value = LinkingChange.value(
            naming: key, in: file, identity: reading.identity, context.job.resolver)
        guard let value, file.bucket == nil || file.bucket == bucket.name else { return nil }
        return LinkingChange.linking(
            value, field, of: reading.id, in: (context.mapping, row), at: now)
    }

    func look(_ reading: RecordReading?) async -> LookAnswer {
        await bucket.look(for: expected, of: key)
    }
}
