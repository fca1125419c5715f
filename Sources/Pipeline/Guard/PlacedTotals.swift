import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// What there is in each place of which acts take a share: objects, references or rows.
struct PlacedTotals {
    private let summary: RunSummary
    private let objects: [String: Int]
    private let rows: [String: Int]

    /// The totals of a run, with the objects of each bucket that are not ignored, and the records
    /// of each model by the model's place.
    init(_ summary: RunSummary, objects: [String: Int], rows: [String: Int]) {
        self.summary = summary
        self.objects = objects
        self.rows = rows
    }

    /// The totals of a run whose counts the ledger keeps.
    init(_ summary: RunSummary, _ ledger: Ledger) throws {
        let counts = try ledger.placeCounts(of: summary.id)
        func kept(_ kind: PlaceCount.Kind) -> [String: Int] {
            Dictionary(
                counts.filter { $0.kind == kind }.map { ($0.place, $0.count) },
                uniquingKeysWith: { first, _ in first })
        }
        self.init(summary, objects: kept(.objects), rows: kept(.rows))
    }

    /// The acts in every bucket and file field, and wherever else something is planned.
    func acts(
        _ planned: [PlacedShare: Int], of job: Job
    ) throws -> [GuardFacts.Acts] {
        let done = try job.recentActs()
        var shares = summary.buckets.map { PlacedShare(.orphanShare, .bucket($0.name)) }
        for model in job.models {
            shares += model.mapping.files.map { file in
                PlacedShare(
                    .recordShare,
                    .field(
                        source: model.source, model: model.mapping.model, field: file.field))
            }
        }
        let known = Set(shares)
        shares += planned.keys.filter { !known.contains($0) }.sorted { $0.place < $1.place }
        return try shares.map { share in
            var acts = GuardFacts.Acts(share: share)
            acts.planned = planned[share] ?? 0
            acts.done = done.free[share] ?? 0
            acts.accepted = done.accepted[share] ?? 0
            acts.total = total(share.place)
            // Rows go from a model as a whole, never from a field alone.
            if case .model(let source, _) = share.place, acts.planned > 0 {
                acts.takesAllOfMoved =
                    try acts.planned >= acts.total && wasElsewhere(source, job)
            }
            return acts
        }
    }

    // Whether a run counted a field of a source, or of the one that it copies, in another store or
    // under another mapping, and no guard spoke against it.
    private func wasElsewhere(_ source: String, _ job: Job) throws -> Bool {
        let authority = job.configuration.records.first { $0.name == source }?.replicaOf
        let prints = Dictionary(
            job.fieldPlaces.filter { [source, authority].contains($0.source) }
                .map { ($0.place.text, job.configuration.fingerprint(of: $0.place)) },
            uniquingKeysWith: { first, _ in first })
        return try job.ledger.placeCounts(before: summary.id).contains { count in
            count.kind == .references && !count.isRefused
                && prints[count.place].map { $0 != count.fingerprint } ?? false
        }
    }

    private func total(_ place: GuardedPlace) -> Int {
        switch place {
        case .bucket(let name):
            objects[name] ?? summary.buckets.first { $0.name == name }?.objects ?? 0
        case .source: 0
        case .model: rows[place.text] ?? 0
        case .field(let source, _, _):
            // A relation is no file field: its rows are what there is.
            summary.fields.first {
                "\($0.source).\($0.field)" == place.text && $0.source == source
            }?
            .references ?? place.outer.flatMap { rows[$0.text] } ?? 0
        }
    }
}
