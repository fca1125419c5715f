import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel

/// Sources and file fields that earlier runs counted beside buckets that are still configured, and
/// that the configuration no longer names: what they alone reference would be taken for orphans.
struct AbsentSources {
    private let job: Job
    private let now: Instant
    private let names: Set<String>
    // Names of sources that are or were configured.
    private let known: Set<String>
    // What was counted beside buckets that are still configured.
    private let shared: [PlaceCount]
    // The runs that counted it, and when they say they began.
    private let runs: [Int64: Instant]

    // Counts of a source that is not configured are kept under its name, and under no store.
    private static let fingerprint = "absent"

    /// The absent sources and fields of a run, before which this was counted.
    init(_ job: Job, _ before: [PlaceCount], at now: Instant) {
        self.job = job
        self.now = now
        let names = Set(job.configuration.records.map(\.name))
        let runs = Self.sharedRuns(job, before)
        self.names = names
        self.runs = runs
        known = names.union(before.filter { $0.kind == .texts }.map(\.place))
        shared = before.filter {
            [.references, .texts].contains($0.kind) && runs[$0.sequence] != nil
        }
    }

    /// The sources, by name, with what they held: those that the newest run or one of the last 7
    /// days counted, and whose absence nobody accepted since; of a source that is configured, what
    /// has no field any more.
    var found: [GuardFacts.Absence] {
        let places = Set(job.fieldPlaces.map(\.place.text))
        var sources: [String: [PlaceCount]] = [:]
        for count in shared {
            let source = source(of: count.place)
            if names.contains(source) {
                guard count.kind == .references, !places.contains(count.place) else { continue }
            }
            sources[source, default: []].append(count)
        }
        return sources.sorted { $0.key < $1.key }.compactMap { source, counts in
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

    /// What a run keeps of an absent source, so that its absence is accepted once.
    static func count(
        _ absence: GuardFacts.Absence, _ guards: [RunSummary.Guard]
    ) -> PlaceCount {
        let own = guards.filter { $0.acceptable == .referenceDrop && $0.place == absence.source }
        return PlaceCount(
            kind: .references, place: absence.source, fingerprint: fingerprint, count: 0,
            isRefused: own.contains(where: \.refused),
            isAccepted: guards.isAccepted(.referenceDrop, absence.source))
    }

    private static func sharedRuns(_ job: Job, _ before: [PlaceCount]) -> [Int64: Instant] {
        let places = job.configuration.buckets.map { GuardedPlace.bucket($0.name) }
        let names = Set(places.map(\.text))
        let prints = Set(places.map(job.configuration.fingerprint))
        let counts = before.filter {
            $0.kind == .objects && (names.contains($0.place) || prints.contains($0.fingerprint))
        }
        return Dictionary(
            counts.map { ($0.sequence, $0.at) }, uniquingKeysWith: { first, _ in first })
    }

    // What the absent places of a source held when each was last counted.
    private func held(_ counts: [PlaceCount]) -> Int {
        let absences = counts.filter { $0.fingerprint == Self.fingerprint }
        let fields = counts.filter { $0.fingerprint != Self.fingerprint }
        // What is read under another name by now is not absent.
        let read = Set(
            job.fieldPlaces.map { job.configuration.fingerprint(of: $0.place) }
                + names.map { job.configuration.textsFingerprint(of: $0).text })
        return Dictionary(grouping: fields, by: \.place).values.reduce(0) { sum, counts in
            let standing = counts.filter { !$0.isRefused }
            guard let newest = standing.max(by: { $0.sequence < $1.sequence }),
                !read.contains(newest.fingerprint)
            else { return sum }
            let own = counts.filter { $0.fingerprint == newest.fingerprint }
            return sum + held(own, absences.filter { $0.sequence > newest.sequence })
        }
    }

    // What a place held; none where its absence was accepted since, or was none of the days before
    // it was missed first.
    private func held(_ counts: [PlaceCount], _ absences: [PlaceCount]) -> Int {
        let row = absences.min { $0.sequence < $1.sequence }
        let earlier = runs.filter { $0.key < row?.sequence ?? .max }
        guard absences.allSatisfy(\.isRefused),
            let newest = earlier.max(by: { $0.key < $1.key }),
            let last = counts.map(\.sequence).max()
        else { return 0 }
        let begin = min(newest.value, now) - UsualCount.window
        guard earlier.contains(where: { $0.key <= last && $0.value >= begin }) else { return 0 }
        // While its absence is refused, waiting makes no loss smaller.
        return UsualCount.value(
            of: counts.map {
                UsualCount.Count(
                    sequence: $0.sequence, at: $0.at, count: $0.count, isRefused: $0.isRefused,
                    isAccepted: $0.isAccepted, takenSince: 0)
            }, now: min(row?.at ?? now, now)) ?? 0
    }
}
