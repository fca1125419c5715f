import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// Which places a run proves nothing of, since a guard refused there, and which of its sightings
/// wait for a share to be accepted.
struct PlaceStanding {
    private let job: Job
    private let acceptance: Acceptance
    private var buckets: [String: String] = [:]
    private var fields: [GuardedPlace: String] = [:]
    private var models: Set<GuardedPlace> = []
    private var shares: [PlacedShare: Double] = [:]

    /// The standing of each place under a run's answers, and what was accepted.
    init(_ job: Job, _ answers: [RunSummary.Guard], accepting acceptance: Acceptance) {
        self.job = job
        self.acceptance = acceptance
        let places = job.fieldPlaces
        let sources = Set(job.configuration.records.map(\.name))
        for answer in answers where answer.refused && !answer.isOne(of: AcceptableGuard.amounts) {
            if let kind = PlacedShare.Kind(rawValue: answer.name) {
                holdBack(kind, answer)
                continue
            }
            let proof = Self.proof(answer)
            for bucket in job.configuration.buckets
            where answer.place == nil || answer.place == bucket.name {
                buckets[bucket.name] = proof
            }
            // What a field lost says nothing of the objects that it may mean, either.
            let own = places.filter { field in
                answer.place.map { Self.lies(field.place, in: $0) } ?? true
            }
            for field in own {
                fields[field.place] = proof
                for bucket in field.buckets { buckets[bucket] = buckets[bucket] ?? proof }
            }
            let tables = job.models.map(\.place).filter { model in
                answer.place.map { Self.lies(model, in: $0) } ?? true
            }
            models.formUnion(tables)
            // What is no longer configured, and what texts named, may have been any object.
            let isWhole = answer.place.map(sources.contains) ?? false
            guard answer.acceptable == .referenceDrop, tables.isEmpty && own.isEmpty || isWhole
            else { continue }
            for bucket in job.configuration.buckets {
                buckets[bucket.name] = buckets[bucket.name] ?? proof
            }
        }
    }

    /// Whether a guard refused at a bucket, or at a field that may mean its objects.
    func blocks(bucket: String) -> Bool { buckets[bucket] != nil }

    /// Whether a guard refused at a file field, its model or its source.
    func blocks(field: GuardedPlace) -> Bool { fields[field] != nil }

    /// Whether a guard refused at a model or its source.
    func blocks(model: GuardedPlace) -> Bool { models.contains(model) }

    /// What a clean look at a bucket's quarantine lacks; nil where it lacks nothing.
    func missing(bucket: String) -> String? { buckets[bucket] }

    /// Whether a share alone refused at a bucket, so that this run's looks at its quarantine prove
    /// nothing, for or against.
    func passes(bucket: String) -> Bool {
        !blocks(bucket: bucket) && shares[PlacedShare(.orphanShare, .bucket(bucket))] != nil
    }

    /// Whether a sighting of a settled finding counts, is held back for a share, or is none.
    func worth(_ finding: Finding) -> SightingWorth {
        if isBlocked(finding) { return .nothing }
        let own = PlacedShare.bounding(
            finding.kind, bucket: finding.bucket, record: finding.record)
        if let share = own.compactMap({ shares[$0] }).max() { return .heldBack(share: share) }
        return .counts(
            accepted: own.compactMap { acceptance.number($0.kind.rawValue, at: $0.place.text) }
                .max())
    }

    private func isBlocked(_ finding: Finding) -> Bool {
        if let bucket = finding.bucket, buckets[bucket] != nil { return true }
        guard !fields.isEmpty || !models.isEmpty, let record = finding.record?.identity else {
            return false
        }
        // A row of a copy goes by what its authority lacks, and a child by what its parent's
        // table does.
        let authority = job.configuration.records.first { $0.name == record.source }?.replicaOf
        let parents = (job.mapping(record)?.relations ?? [])
            .filter { finding.kind == .danglingRelation && $0.field == finding.record?.field }
            .map(\.model)
        return (fields.keys.compactMap(\.outer) + models).contains { place in
            guard case .model(let source, let model) = place else { return false }
            let isOwn = [record.source, authority].contains(source) && model == record.model
            return isOwn || parents.contains(model)
        }
    }

    private mutating func holdBack(
        _ kind: PlacedShare.Kind, _ answer: RunSummary.Guard
    ) {
        guard let text = answer.place, let number = answer.number else { return }
        let all =
            kind == .orphanShare
            ? job.configuration.buckets.map { GuardedPlace.bucket($0.name) }
            : job.models.flatMap { model in
                let own = GuardedPlace.model(source: model.source, model: model.mapping.model)
                let names = model.mapping.files.map(\.field) + model.mapping.relations.map(\.field)
                return [own]
                    + names.map {
                        GuardedPlace.field(
                            source: model.source, model: model.mapping.model, field: $0)
                    }
            }
        for place in all where place.text == text { shares[PlacedShare(kind, place)] = number }
    }

    private static func lies(_ inner: GuardedPlace, in place: String) -> Bool {
        var here: GuardedPlace? = inner
        while let own = here {
            if own.text == place { return true }
            here = own.outer
        }
        return false
    }

    private static func proof(_ answer: RunSummary.Guard) -> String {
        switch answer.acceptable {
        case .referenceDrop: "a set of references that did not shrink"
        case .objectDrop: "a bucket that did not shrink"
        default:
            answer.name == MappingGuard.name
                ? MappingGuard.need.proof : "what the guard '\(answer.name)' refused"
        }
    }
}
