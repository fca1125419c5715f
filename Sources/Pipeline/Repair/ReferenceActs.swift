import MooringDecisions
import MooringModel
import MooringReconcile

// The acts on a reference whose object is missing.

/// A reference that a step speaks of.
struct StepReference: Sendable {
    /// The record that holds it, with its source and mapping.
    let context: RecordContext
    /// Which of the model's `files` holds it.
    let field: Int
    /// What the record holds.
    let value: [UInt8]
    /// The key that it means, which is missing.
    let key: ObjectKey
    /// The bucket's name; of a foreign reference, the name that the record holds.
    let bucket: String

    /// A step's reference; nil where the step names none.
    init?(_ context: RecordContext) {
        guard let value = context.step.precondition.value, let field = context.field,
            let key = context.step.key, let bucket = context.step.bucket
        else { return nil }
        self.context = context
        self.field = field
        self.value = value
        self.key = key
        self.bucket = bucket
    }

    /// The reference as the writes take it.
    var target: NullingChange.Target {
        NullingChange.Target(
            id: context.identity.id, field: field, value: value,
            bucketNames: context.job.bucketMappings.first { $0.name == bucket }?.names ?? [bucket])
    }

    /// Whether the record holds it still, and it can mean exactly this object.
    func stands(in reading: RecordReading) -> Bool {
        let file = context.mapping.files[field]
        let own = reading.references.filter { $0.field == field && $0.value == value }
        let meaning = context.job.meaning
        // The same key in another bucket is another object, which may well be there.
        return !own.isEmpty
            && own.allSatisfy { reference in
                let meant = meaning.places(of: reference, in: file, identity: reading.identity)
                return meant.bucket.map { context.job.buckets[$0].name } == bucket
                    && meant.onlyKey == key
            }
    }

    /// Looks whether its object is missing.
    func look() async -> LookAnswer {
        guard let bucket = context.job.bucket(bucket) else {
            return .unknown("its bucket is not configured")
        }
        return await bucket.lookForAbsence(of: key)
    }

    /// Looks whether its object is missing, and with it every other whose key the value holds: one
    /// that came behind the listing is meant by the app all the same.
    func lookForAll() async -> LookAnswer {
        let own = await look()
        guard own == .asJudged else { return own }
        let job = context.job
        let doubt = await NamedObjects(job: job).doubt(
            about: value, stored: context.mapping.files[field].stored,
            identity: job.resolver.identity(of: value, meaning: key)
        ) { $0.key != key || job.buckets[$0.bucket].name != bucket }
        return doubt.map { .otherwise($0) } ?? .asJudged
    }
}

extension Bucket {
    /// A look at an object that has to be missing.
    func lookForAbsence(of key: ObjectKey) async -> LookAnswer {
        switch await head(key) {
        case .absent: .asJudged
        case .present: .otherwise("the object is there")
        case .unknown(let reason): .unknown(reason)
        }
    }

    /// A look at an object that has to be there in this version.
    func look(for version: ObjectVersion, of key: ObjectKey) async -> LookAnswer {
        switch await head(key) {
        case .present(let found) where version.means(found): .asJudged
        case .present: .otherwise("the object is another version now")
        case .absent: .otherwise("the object is gone")
        case .unknown(let reason): .unknown(reason)
        }
    }
}

/// Nulls a reference whose object is missing.
struct ReferenceNulling: RecordAct {
    let context: RecordContext
    private let reference: StepReference

    /// The act of a step; nil where its bucket is not configured.
    init?(_ context: RecordContext) {
        guard let reference = StepReference(context), context.job.bucket(reference.bucket) != nil
        else { return nil }
        self.context = context
        self.reference = reference
    }

    var otherwise: String { "the record holds another key now" }

    func change(
        _ reading: RecordReading, _ row: FieldChange.Row, at now: Instant
    ) -> RecordChange? {
        guard reference.stands(in: reading) else { return nil }
        var target = reference.target
        target.id = reading.id
        return NullingChange.nulling(target, mapping: context.mapping, row: row, at: now)
    }

    func look(_ reading: RecordReading?) async -> LookAnswer { await reference.lookForAll() }
}

/// Makes a reference whose object is missing mean the one object that is there.
struct ReferenceRepointing: RecordAct {
    let context: RecordContext
    private let reference: StepReference
    private let target: ObjectPlace
    private let targetBucket: any Bucket
    private let expected: ObjectVersion

    /// The act of a step; nil where it names no target or the target's bucket is not configured.
    init?(_ context: RecordContext) {
        guard let reference = StepReference(context), let target = context.step.target,
            let bucket = context.job.bucket(target.bucket),
            let expected = context.step.precondition.object
        else { return nil }
        self.context = context
        self.reference = reference
        self.target = target
        self.targetBucket = bucket
        self.expected = expected
    }

    var otherwise: String {
        "the record holds another key now, or its field cannot name where the object lies"
    }

    func change(
        _ reading: RecordReading, _ row: FieldChange.Row, at now: Instant
    ) -> RecordChange? {
        let field = context.mapping.files[reference.field]
        guard isForeign ? holdsForeign(reading) : reference.stands(in: reading),
            let value = LinkingChange.value(
                naming: target.key, in: field, identity: reading.identity, context.job.resolver)
        else { return nil }
        let isElsewhere = target.bucket != reference.bucket
        if isElsewhere, !field.isComplex { return nil }
        // The app knows the store's own name; the configuration's is ours.
        let mapping = context.job.bucketMappings.first { $0.name == target.bucket }
        // Nobody knows which bucket a record would have to name for an access point.
        if isElsewhere, mapping?.accessPoint != nil { return nil }
        let name = mapping?.storeName
        let meaning = RepointingChange.Meaning(
            value: value, bucket: isElsewhere ? name ?? target.bucket : nil)
        return RepointingChange.repointing(
            reference.target, to: meaning, mapping: context.mapping, row: row, at: now)
    }

    func look(_ reading: RecordReading?) async -> LookAnswer {
        if !isForeign {
            let own = await reference.look()
            guard own == .asJudged else { return own }
        }
        return await targetBucket.look(for: expected, of: target.key)
    }

    // A reference to a bucket that nobody configured has no place of its own to look at.
    private var isForeign: Bool { context.job.bucket(reference.bucket) == nil }

    private func holdsForeign(_ reading: RecordReading) -> Bool {
        let own = reading.references.filter {
            $0.field == reference.field && $0.value == reference.value
        }
        return !own.isEmpty
            && own.allSatisfy { $0.bucket?.elementsEqual(reference.bucket.utf8) == true }
    }
}

/// Removes a record whose object is missing, where it references no other object that is there.
struct RecordRemoval: RecordAct {
    let context: RecordContext
    private let reference: StepReference

    /// The act of a step; nil where its bucket is not configured.
    init?(_ context: RecordContext) {
        guard let reference = StepReference(context), context.job.bucket(reference.bucket) != nil
        else { return nil }
        self.context = context
        self.reference = reference
    }

    var otherwise: String {
        "the record holds another key now, or cannot be marked as deleted"
    }

    func change(
        _ reading: RecordReading, _ row: FieldChange.Row, at now: Instant
    ) -> RecordChange? {
        guard reference.stands(in: reading) else { return nil }
        return RemovalChange.removing(reading.id, mapping: context.mapping, row: row, at: now)
    }

    func look(_ reading: RecordReading?) async -> LookAnswer {
        let own = await reference.lookForAll()
        guard own == .asJudged, let reading else { return own }
        return await RemovalLook(context).look(reading) {
            $0.field == reference.field && $0.value == reference.value
        }
    }
}
