import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// Has an engine leave out what can be no part of any finding: first what is plainly matched; then
/// all is taken back in that what is left speaks of, until that speaks of nothing more.
///
/// What is left is scanned and confirmed on trial, as the run will do it, and each place that the
/// join is asked about and does not know is asked of the engine.
struct NarrowStage {
    /// What the stage works with.
    let job: Job
    /// The engine.
    let narrowing: any Narrowing

    // What was taken back in speaks of a few more; those of others, and so on.
    private static let rounds = 24
    // After so many of them everything is read where little was left out: each costs an engine's
    // start, and that much less than one.
    private static let patience = 4
    private static let little = 100_000

    /// Gives both sides as the engine left them. Throws a refusal where an engine asks for more
    /// than ever ends, and what the engine throws.
    func run() async throws -> Narrowed {
        if let live = liveSide {
            throw Refusal(
                .incomplete, found: "'\(live)' is a live store, which changes while it is read",
                refused: "to leave anything out of it by engine \(narrowing.name)",
                next: "read a copy of it, or take --engine native")
        }
        job.progress.begin("leaving out what is matched, by \(narrowing.name)", nil)
        defer { job.progress.end() }
        var narrowed = try await narrowing.begin()
        var needs = NewNeeds()
        for round in 0..<Self.rounds {
            try job.interruption.check()
            if narrowed.isWhole { return narrowed }
            guard try await add(needsOf: narrowed, to: &needs) else {
                return try await whole(
                    "by this configuration any object may be what a missing reference means")
            }
            let more = needs.take()
            if more.isEmpty { return narrowed }
            if round >= Self.patience, narrowed.matched <= Self.little {
                return try await whole(
                    "after \(round + 1) stages that was \(narrowed.matched) records and objects, "
                        + "which are read sooner than asked for again")
            }
            narrowed = try await narrowing.widen(by: more)
        }
        throw Refusal(
            .incomplete,
            found: "engine \(narrowing.name) was asked \(Self.rounds) times, and what it gave "
                + "speaks of more still",
            refused: "a run by it", next: "take --engine native, and report this")
    }

    private func whole(_ reason: String) async throws -> Narrowed {
        let whole = try await narrowing.whole()
        return Narrowed(
            records: whole.records, buckets: whole.buckets,
            notes: whole.notes + ["engine \(narrowing.name) left nothing out: \(reason)"])
    }

    private var liveSide: String? {
        job.records.first { $0.isLive }?.name ?? job.buckets.first { $0.isLive }?.name
    }

    // False where everything is needed.
    private func add(needsOf narrowed: Narrowed, to needs: inout NewNeeds) async throws -> Bool {
        let job = job.over(narrowed, silently: true)
        let asked = AskedPlaces()
        let observations = try await ScanStage(job: job, asked: asked).run()
        let join = observations.join
        var dangling: [DanglingCandidate] = []
        join.dangling { dangling.append($0) }
        let candidates = Candidates(
            observations: observations, join: join, orphans: observations.orphans,
            dangling: dangling, vanished: VanishedReferences(),
            quarantined: observations.quarantined, order: [:])
        var pass = PassB(job, candidates)
        guard pass.scan.add(to: &needs) else { return false }
        join.add(to: &needs)
        addDerived(candidates, to: &needs)
        needs.insert(try vanished(dangling, join))
        let isIdle =
            pass.wanted.keys.isEmpty && dangling.isEmpty && !candidates.rows.hasCandidates
        if !isIdle { try await pass.run(job, candidates) }
        needs.insert(asked.needs)
        return true
    }

    // Objects are judged by whether others are referenced that they were made from.
    private func addDerived(_ candidates: Candidates, to needs: inout NewNeeds) {
        func add(_ key: ObjectKey, _ bucket: Int) {
            let patterns = job.bucketMappings[bucket].derived
            guard !patterns.isEmpty else { return }
            let kin =
                DerivedKey.sources(of: key, patterns: patterns)
                + DerivedKey.products(of: key, patterns: patterns)
            for other in kin { needs.insert(NarrowingNeed(.key, bucket, other.bytes)) }
        }
        for orphan in candidates.orphans { add(orphan.object.key, orphan.bucket) }
        for reference in candidates.dangling {
            guard let bucket = reference.bucket else { continue }
            for case .exact(let key) in reference.patterns { add(key, bucket) }
        }
    }

    private func vanished(
        _ dangling: [DanglingCandidate], _ join: Reconciler
    ) throws -> Set<NarrowingNeed> {
        var remembered: [VanishedPlace: Int] = [:]
        for (lost, missing) in try job.ledger.vanishedPrefixes() {
            guard let bucket = job.buckets.firstIndex(where: { $0.name == lost.bucket }) else {
                continue
            }
            remembered[VanishedPlace(bucket: bucket, head: lost.prefix)] = missing
        }
        var watched: Set<NarrowingNeed> = []
        for (number, bucket) in job.buckets.enumerated() {
            for held in try job.ledger.quarantineWatch(bucket: bucket.name) {
                watched.insert(NarrowingNeed(.key, number, held.object.key.bytes))
            }
        }
        var needs = VanishedPrefixSearch(
            levels: job.configuration.levels, buckets: job.bucketMappings
        ).needs(dangling, in: join, remembered: remembered)
        needs.formUnion(watched)
        // What was erased on request is told by hashes alone, which nobody else can look up.
        if try !job.ledger.erasures().isEmpty {
            for bucket in job.buckets.indices { needs.insert(NarrowingNeed(.head, bucket, [])) }
        }
        return needs
    }
}

extension Narrowed {
    // How many records and objects were left out.
    fileprivate var matched: Int {
        matchedRecords.values.reduce(0) { $0 + $1.records }
            + matchedObjects.values.reduce(0) { $0 + $1.objects }
    }
}
