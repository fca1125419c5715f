import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// What the counts of a run are compared with, place by place.
struct UsualCounts {
    private let job: Job
    private let now: Instant
    private var counts: [Key: [PlaceCount]] = [:]
    private var taken: [Key: [(number: Int64, count: Int)]] = [:]
    /// Objects and references of the last complete run of an earlier version, by bucket and source,
    /// where no count of this version stands yet.
    private(set) var earlier: (objects: [String: Int], references: [String: Int]) = ([:], [:])

    private struct Key: Hashable {
        let kind: PlaceCount.Kind
        let place: String
    }

    /// The usual counts at these places of a run, before which this was counted.
    ///
    /// A field that was counted in another store or under another mapping alone is compared with
    /// the newest of those counts, until a run under its own stands.
    init(
        _ job: Job, _ before: [PlaceCount], at now: Instant,
        _ places: [(kind: PlaceCount.Kind, place: GuardedPlace)]
    ) throws {
        self.job = job
        self.now = now
        var prints: [Key: String] = [:]
        for (kind, place) in places {
            prints[Key(kind: kind, place: place.text)] =
                switch kind {
                case .texts: job.configuration.textsFingerprint(of: place.text).text
                case .rows: ""
                case .objects, .references: job.configuration.fingerprint(of: place)
                }
        }
        var first = Int64.max
        var standing: Set<Key> = []
        var elsewhere: [Key: PlaceCount] = [:]
        for count in before {
            let key = Key(kind: count.kind, place: count.place)
            if !count.isRefused { standing.insert(key) }
            guard let print = prints[key] else { continue }
            if print == count.fingerprint {
                counts[key, default: []].append(count)
                first = min(first, count.journal)
            } else if Self.compares(count, with: print), !count.isRefused,
                count.sequence > elsewhere[key]?.sequence ?? -1
            {
                elsewhere[key] = count
            }
        }
        for (key, count) in elsewhere
        where (counts[key] ?? []).allSatisfy(\.isRefused) {
            counts[key, default: []].append(count)
            first = min(first, count.journal)
        }
        if first < .max {
            for entry in try job.ledger.journal(after: first) { take(entry) }
        }
        let bare = places.filter {
            [.objects, .references].contains($0.kind)
                && !standing.contains(Key(kind: $0.kind, place: $0.place.text))
        }
        if !bare.isEmpty { try readEarlier(bare.map(\.place)) }
    }

    // Whether a count under another fingerprint is one to compare with. What a person said in
    // other words of texts and buckets begins anew.
    private static func compares(_ count: PlaceCount, with print: String) -> Bool {
        switch count.kind {
        case .references: true
        case .texts: TextsFingerprint(count.fingerprint)?.words == TextsFingerprint(print)?.words
        case .objects, .rows: false
        }
    }

    /// The count that a place is compared with; nil where no earlier run counts.
    func value(_ kind: PlaceCount.Kind, _ place: GuardedPlace) -> Int? {
        let key = Key(kind: kind, place: place.text)
        let taken = taken[key] ?? []
        return UsualCount.value(
            of: (counts[key] ?? []).map { count in
                UsualCount.Count(
                    sequence: count.sequence, at: count.at, count: count.count,
                    isRefused: count.isRefused, isAccepted: count.isAccepted,
                    takenSince: taken.reduce(0) {
                        $0 + ($1.number > count.journal ? $1.count : 0)
                    })
            }, now: now)
    }

    /// Whether a count of none was accepted at a bucket, and none came since.
    func isRetired(_ bucket: String) -> Bool {
        let key = Key(kind: .objects, place: GuardedPlace.bucket(bucket).text)
        let standing = (counts[key] ?? []).filter { !$0.isRefused }
            .sorted { $0.sequence < $1.sequence }
        guard let begin = standing.lastIndex(where: \.isAccepted) else { return false }
        return standing[begin...].allSatisfy { $0.count == 0 }
    }

    private mutating func take(_ entry: JournalEntry) {
        for change in OwnChange.changes(entry, models: job.models) {
            taken[Key(kind: change.kind, place: change.place.text), default: []]
                .append((entry.number, change.count))
        }
    }

    // Before a place has a count by place that stands, the last summary of an earlier version
    // still says something: a first run that was refused is none. A source's is one number
    // of all its fields, so that a field that was mapped since takes no part of it.
    private mutating func readEarlier(_ bare: [GuardedPlace]) throws {
        let last = try job.ledger.lastCompleteAudit(of: Pipeline.auditCommands) { run in
            run.fields.isEmpty
                && !run.guards.contains { $0.isOne(of: AcceptableGuard.drops) && $0.refused }
        }
        guard let last else { return }
        let places = Set(bare)
        for bucket in last.buckets where places.contains(.bucket(bucket.name)) {
            earlier.objects[bucket.name] = bucket.objects
        }
        for source in last.records {
            let own = job.fieldPlaces.filter { $0.source == source.name }.map(\.place)
            let refused = own.contains {
                counts[Key(kind: .references, place: $0.text)] != nil && places.contains($0)
            }
            guard own.allSatisfy(places.contains) || refused else { continue }
            earlier.references[source.name] = source.references
        }
    }
}

/// What an act of Mooring's own changes in a count.
enum OwnChange {
    /// The changes that a journal entry made, positive where it took away.
    static func changes(
        _ entry: JournalEntry, models: [SourceModel]
    ) -> [(kind: PlaceCount.Kind, place: GuardedPlace, count: Int)] {
        // What was erased on request tells no record any more, and its bucket all the same.
        guard entry.outcome == .done else { return [] }
        let step = entry.step
        let sign = entry.undoes == nil ? 1 : -1
        switch step.strategy {
        case .quarantine, .delete:
            // What went from quarantine was no longer listed.
            guard step.precondition.quarantinedBy == nil, let bucket = step.bucket else {
                return []
            }
            return [(.objects, .bucket(bucket), sign)]
        case .restore:
            guard let bucket = step.bucket else { return [] }
            let hidesAgain = step.precondition.basis.marker != nil && entry.undoes != nil
            return [(.objects, .bucket(bucket), hidesAgain ? 1 : -1)]
        case .nullify: return references(step.record, sign)
        case .relink: return references(step.record, -sign)
        case .deleteRecord: return rows(step.record, sign, models)
        case .requery where entry.change?.act == .delete: return rows(step.record, sign, models)
        case .requery where entry.change?.act == .insert: return rows(step.record, -1, models)
        default: return []
        }
    }

    private static func references(
        _ record: RecordPlace?, _ count: Int
    ) -> [(kind: PlaceCount.Kind, place: GuardedPlace, count: Int)] {
        guard let identity = record?.identity, let field = record?.field else { return [] }
        return [
            (
                .references,
                .field(source: identity.source, model: identity.model, field: field), count
            )
        ]
    }

    // A row that went for what one field held is known to have held that; of any other, each field
    // is taken to have held one key.
    private static func rows(
        _ record: RecordPlace?, _ count: Int, _ models: [SourceModel]
    ) -> [(kind: PlaceCount.Kind, place: GuardedPlace, count: Int)] {
        guard let identity = record?.identity,
            let model = models.first(where: {
                $0.source == identity.source && $0.mapping.model == identity.model
            })
        else { return [] }
        let files = model.mapping.files
        let own = files.filter { $0.field == record?.field }
        let place = GuardedPlace.model(source: model.source, model: model.mapping.model)
        return [(.rows, place, count)]
            + (own.isEmpty ? files : own).map { file in
                (
                    .references,
                    .field(source: model.source, model: model.mapping.model, field: file.field),
                    count
                )
            }
    }
}
