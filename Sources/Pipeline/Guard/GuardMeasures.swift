import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// Measures what the guards compare, place by place.
struct GuardMeasures {
    /// What the stage works with.
    let job: Job
    /// The run that is measured.
    let run: RunID
    private let judged: [JudgedObjects]
    private let counts: (fields: ReferenceCounts, buckets: [BucketReferences])
    private let texts: [(source: String, objects: Int)]

    /// Measures of what was scanned and confirmed.
    init(job: Job, run: RunID, confirmed: Confirmed) {
        self.job = job
        self.run = run
        texts = confirmed.protectedByTexts(job)
        judged = confirmed.candidates.observations.judgedObjects
        counts = confirmed.candidates.join.referenceCounts()
    }

    /// The file fields as a report holds them.
    var fields: [RunSummary.Field] {
        job.fieldPlaces.map { field in
            let model = counts.fields.models[field.model]
            let own = model.fields[field.field]
            return RunSummary.Field(
                source: field.source, field: field.name, records: model.records, held: own.held,
                references: own.live, listed: own.listed, newestChange: model.newestChange)
        }
    }

    /// The numbers of the run, whose scans and fields are in its summary, and what to compare them
    /// with.
    func facts(_ summary: RunSummary, tally: Tally) throws -> GuardFacts {
        let places = job.fieldPlaces
        let (before, now) = (
            try job.ledger.placeCounts(before: run), job.judgedNow
        )
        let usuals = try UsualCounts(
            job, before, at: now,
            job.buckets.map { (.objects, .bucket($0.name)) }
                + places.map { (.references, $0.place) }
                + texts.map { (.texts, .source($0.source)) }
                + job.neededModels.map { (.rows, $0.place) })
        var facts = GuardFacts()
        facts.sides =
            summary.records.map {
                GuardFacts.Side(place: .source($0.name), isComplete: $0.scan.complete)
            }
            + summary.buckets.map {
                GuardFacts.Side(place: .bucket($0.name), isComplete: $0.scan.complete)
            }
        facts.buckets = summary.buckets.indices.map { number in
            let (listed, references) = (summary.buckets[number], counts.buckets[number])
            var bucket = GuardFacts.Bucket(name: listed.name)
            bucket.objects = judged[number].count
            bucket.ignoredReferenced = judged[number].ignoredReferenced
            bucket.isRetired = usuals.isRetired(listed.name)
            bucket.held = listed.quarantined
            bucket.references = references.references
            bucket.listed = references.listed
            bucket.strangers = tally.strangers[listed.name] ?? 0
            bucket.usual =
                usuals.value(.objects, .bucket(listed.name))
                ?? usuals.earlier.objects[listed.name].map {
                    // An earlier version counted what is ignored, too.
                    max(0, $0 - (listed.objects - judged[number].count))
                }
            return bucket
        }
        facts.fields = places.map { place in
            let model = counts.fields.models[place.model]
            var field = GuardFacts.Field(place: place.place)
            field.references = model.fields[place.field].references
            field.listed = model.fields[place.field].listed
            field.rows = model.records
            field.buckets = place.buckets
            field.usual = usuals.value(.references, place.place)
            return field
        }
        facts.absent = AbsentSources(job, before, at: now).found
        facts.texts = textFacts(usuals)
        facts.rows = rowFacts(usuals)
        facts.orphans = tally.counts[.orphan].map { $0.settled + $0.explained + $0.undecided } ?? 0
        facts.earlier = usuals.earlier.references
        facts.steps = tally.steps
        facts.bytesToRemove = tally.bytesToRemove
        facts.acts = try PlacedTotals(summary, objects: objects(summary), rows: rows)
            .acts(tally.acts, of: job)
        return facts
    }

    private func textFacts(_ usuals: UsualCounts) -> [GuardFacts.Texts] {
        texts.compactMap { source, objects in
            usuals.value(.texts, .source(source)).map {
                GuardFacts.Texts(source: source, objects: objects, usual: $0)
            }
        }
    }

    private func rowFacts(_ usuals: UsualCounts) -> [GuardFacts.Rows] {
        job.neededModels.compactMap { number, place in
            usuals.value(.rows, place).map {
                GuardFacts.Rows(
                    place: place, records: counts.fields.models[number].records, usual: $0)
            }
        }
    }

    /// What later runs compare theirs with: a place that a guard refused says nothing, and one
    /// that somebody accepted begins anew, as does a bucket in which there is still nothing.
    func placeCounts(
        _ summary: RunSummary, _ facts: GuardFacts, _ standing: PlaceStanding
    ) -> [PlaceCount] {
        let retired = Set(facts.buckets.filter { $0.isRetired && $0.objects == 0 }.map(\.name))
        var kept = zip(summary.buckets, judged).map { bucket, judged in
            count(
                .objects, .bucket(bucket.name), judged.count,
                isRefused: standing.blocks(bucket: bucket.name),
                isAccepted: retired.contains(bucket.name)
                    || summary.guards.isAccepted(.objectDrop, bucket.name))
        }
        for field in job.fieldPlaces {
            kept.append(
                count(
                    .references, field.place,
                    counts.fields.models[field.model].fields[field.field].references,
                    isRefused: standing.blocks(field: field.place),
                    isAccepted: [field.place.text, field.source].contains {
                        summary.guards.isAccepted(.referenceDrop, $0)
                    }))
        }
        kept += texts.map { count($0, $1, summary.guards, standing) }
        kept += facts.absent.map { AbsentSources.count($0, summary.guards) }
        for (model, own) in zip(job.models, counts.fields.models) {
            let place = model.place
            kept.append(
                PlaceCount(
                    kind: .rows, place: place.text, fingerprint: "", count: own.records,
                    isRefused: standing.blocks(model: place),
                    isAccepted: [place.text, model.source].contains {
                        summary.guards.isAccepted(.referenceDrop, $0)
                    }))
        }
        return kept
    }

    // What texts of a source name, which a guard on its fields speaks for too.
    private func count(
        _ source: String, _ objects: Int, _ guards: [RunSummary.Guard], _ standing: PlaceStanding
    ) -> PlaceCount {
        let fields = job.fieldPlaces.filter { $0.source == source }.map(\.place)
        return PlaceCount(
            kind: .texts, place: source,
            fingerprint: job.configuration.textsFingerprint(of: source).text, count: objects,
            isRefused: fields.contains { standing.blocks(field: $0) }
                || guards.contains {
                    $0.acceptable == .referenceDrop && $0.place == source && $0.refused
                },
            isAccepted: guards.isAccepted(.referenceDrop, source))
    }

    private func objects(_ summary: RunSummary) -> [String: Int] {
        Dictionary(
            zip(summary.buckets.map(\.name), judged.map(\.count)),
            uniquingKeysWith: { first, _ in first })
    }

    private var rows: [String: Int] {
        var rows: [String: Int] = [:]
        for (model, own) in zip(job.models, counts.fields.models) {
            rows[model.place.text] = own.records
        }
        return rows
    }

    private func count(
        _ kind: PlaceCount.Kind, _ place: GuardedPlace, _ number: Int, isRefused: Bool,
        isAccepted: Bool
    ) -> PlaceCount {
        PlaceCount(
            kind: kind, place: place.text, fingerprint: job.configuration.fingerprint(of: place),
            count: number, isRefused: isRefused, isAccepted: isAccepted)
    }
}

extension [RunSummary.Guard] {
    /// Whether a guard's refusal at a place was accepted in words.
    func isAccepted(_ asked: AcceptableGuard, _ place: String) -> Bool {
        contains { $0.acceptable == asked && $0.place == place && $0.accepted != nil }
    }
}

/// A file field with its place, and where it stands among the models.
struct FieldPlace {
    /// Which of the models, over all sources, and which of its `files`.
    let model: Int
    let field: Int
    /// The source's name in the configuration.
    let source: String
    /// The model and the field, such as `Song.coverArtKey`.
    let name: String
    /// The field, as guards and `--accept` name it.
    let place: GuardedPlace
    /// The names of the buckets that its references may mean.
    let buckets: [String]
}

extension SourceModel {
    /// The model, as guards and `--accept` name it.
    var place: GuardedPlace { .model(source: source, model: mapping.model) }
}

extension Job {
    /// The models without file fields by whose records a copy's rows or children of theirs go, with
    /// their numbers: nothing else tells that such a table is emptied.
    var neededModels: [(number: Int, place: GuardedPlace)] {
        let copied = Set(configuration.records.compactMap(\.replicaOf))
        let parents = Set(
            models.flatMap { model in
                model.mapping.relations.flatMap {
                    SourceModel.targets(of: $0, from: model.source, among: models)
                }
            })
        return models.enumerated().filter { number, model in
            model.mapping.files.isEmpty
                && (copied.contains(model.source) || parents.contains(number))
        }.map { ($0, $1.place) }
    }

    /// The file fields of all models, in their order.
    var fieldPlaces: [FieldPlace] {
        let names = configuration.buckets.map(\.name)
        return models.enumerated().flatMap { number, model in
            model.mapping.files.enumerated().map { place, file in
                FieldPlace(
                    model: number, field: place, source: model.source,
                    name: "\(model.mapping.model).\(file.field)",
                    place: .field(
                        source: model.source, model: model.mapping.model, field: file.field),
                    // A complex object names its bucket itself.
                    buckets: file.isComplex ? names : file.bucket.map { [$0] } ?? names)
            }
        }
    }
}
