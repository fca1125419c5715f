import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel

/// Sources that earlier runs counted beside buckets that are still configured, and that the
/// configuration no longer names: what they alone reference would be taken for orphans.
struct AbsentSources {
    private let job: Job
    private let before: [PlaceCount]
    private let now: Instant
    private let names: Set<String>
    // Names of sources that are or were configured.
    private let known: Set<String>

    // Counts of a source that is not configured are kept under its name, and under no store.
    private static let fingerprint = "absent"

    /// The absent sources of a run, before which this was counted.
    init(_ job: Job, _ before: [PlaceCount], at now: Instant) {
        self.job = job
        self.before = before
        self.now = now
        names = Set(job.configuration.records.map(\.name))
        known = names.union(before.filter { $0.kind == .texts }.map(\.place))
    }

    /// The sources, by name, with what they held: those that the newest run or one of the last 7
    /// days counted, and whose absence nobody accepted since.
    var found: [GuardFacts.Absence] {
        let runs = sharedRuns
        guard let newest = runs.max(by: { $0.key < $1.key }) else { return [] }
        let begin = min(newest.value, now) - Baseline.window
        let first = runs.filter { $0.value >= begin }.keys.min() ?? newest.key
        let moved = moved(runs)
        let places = Set(job.fieldPlaces.map(\.place.text))
        var sources: [String: [PlaceCount]] = [:]
        for count in before
        where [.references, .texts].contains(count.kind) && runs[count.sequence] != nil {
            let source = source(of: count.place)
            if names.contains(source) {
                // Of a source that reads another store by now, what has no field any more.
                guard moved.contains(source), count.kind == .references,
                    !places.contains(count.place)
                else { continue }
            }
            sources[source, default: []].append(count)
        }
        return sources.sorted { $0.key < $1.key }.compactMap { source, counts in
            guard counts.contains(where: { $0.sequence >= first }) else { return nil }
            let references = held(counts)
            guard references > 0 else { return nil }
            return GuardFacts.Absence(
                source: source, references: references, isConfigured: names.contains(source))
        }
    }

    // The source of a place: the longest name that is known, since names may hold dots, or else
    // what stands before the first dot.
    private func source(of place: String) -> String {
        let own = known.filter { place == $0 || place.hasPrefix($0 + ".") }
        return own.max { $0.utf8.count < $1.utf8.count }
            ?? place.split(separator: ".", maxSplits: 1).first.map(String.init) ?? place
    }

    // The configured sources whose texts were counted in another store when they were last counted
    // under a mapping of which a field is gone.
    private func moved(_ runs: [Int64: Instant]) -> Set<String> {
        names.filter { name in
            let store = job.configuration.textsFingerprint(of: name).store
            return before.contains { count in
                count.kind == .texts && count.place == name && runs[count.sequence] != nil
                    && TextsFingerprint(count.fingerprint).map { $0.store != store } ?? false
            }
        }
    }

    /// What a run keeps of an absent source, so that its absence is accepted once.
    static func count(
        _ absence: GuardFacts.Absence, _ guards: [RunSummary.Guard]
    ) -> PlaceCount {
        let own = guards.filter { $0.name == "referenceDrop" && $0.place == absence.source }
        return PlaceCount(
            kind: .references, place: absence.source, fingerprint: fingerprint, count: 0,
            isRefused: own.contains(where: \.refused),
            isAccepted: guards.isAccepted("referenceDrop", absence.source))
    }

    // The runs that counted a bucket that is still configured, and when they say they began.
    private var sharedRuns: [Int64: Instant] {
        let places = job.configuration.buckets.map { Place.bucket($0.name) }
        let names = Set(places.map(\.text))
        let prints = Set(places.map(job.configuration.fingerprint))
        let counts = before.filter {
            $0.kind == .objects && (names.contains($0.place) || prints.contains($0.fingerprint))
        }
        return Dictionary(
            counts.map { ($0.sequence, $0.at) }, uniquingKeysWith: { first, _ in first })
    }

    // What a source held when it was last counted; none where its absence stands since.
    private func held(_ counts: [PlaceCount]) -> Int {
        let absences = counts.filter { $0.fingerprint == Self.fingerprint }
        let fields = counts.filter { $0.fingerprint != Self.fingerprint }
        guard let last = fields.filter({ !$0.isRefused }).map(\.sequence).max(),
            !absences.contains(where: { !$0.isRefused && $0.sequence > last })
        else { return 0 }
        // While its absence is refused, waiting makes no loss smaller.
        let row = absences.filter { $0.sequence > last }.min { $0.sequence < $1.sequence }
        let now = min(row?.at ?? now, now)
        // What is read under another name by now is not absent.
        let read = Set(
            job.fieldPlaces.map { job.configuration.fingerprint(of: $0.place) }
                + names.map { job.configuration.textsFingerprint(of: $0).text })
        return Dictionary(grouping: fields, by: \.place).values.reduce(0) { sum, counts in
            let standing = counts.filter { !$0.isRefused }
            guard let newest = standing.max(by: { $0.sequence < $1.sequence }),
                !read.contains(newest.fingerprint)
            else { return sum }
            let own = counts.filter { $0.fingerprint == newest.fingerprint }.map {
                Baseline.Count(
                    sequence: $0.sequence, at: $0.at, count: $0.count, isRefused: $0.isRefused,
                    isAccepted: $0.isAccepted, takenSince: 0)
            }
            return sum + (Baseline.value(of: own, now: now) ?? 0)
        }
    }
}
