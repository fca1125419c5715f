import MooringDecisions
import MooringModel
import MooringReconcile

/// Asks what has arrived of the uploads that matter: those past the upload window, and those whose
/// key is a candidate's.
struct UploadLook {
    /// The stores.
    let job: Job
    /// What the scan of both sides left over.
    let candidates: Candidates

    /// The uploads by key, each with its parts; those that are not open any more are left out.
    func run() async throws -> [WantedKey: [UploadFacts]] {
        var found: [WantedKey: [UploadFacts]] = [:]
        guard candidates.uploads.contains(where: { !$0.isEmpty }) else { return found }
        // Without the clocks' difference more are looked at than the judge will report.
        let rule = UploadRule(race: job.objectRace(clock: .zero), now: job.judgedNow)
        for (number, uploads) in candidates.uploads.enumerated() {
            let bucket = job.buckets[number]
            guard !uploads.isEmpty, let store = bucket.uploads else { continue }
            let (keys, patterns) = candidates(of: number)
            let wanted = uploads.sorted { $0.key < $1.key }.flatMap { key, uploads in
                let isCandidate =
                    keys.contains(key) || patterns.contains { $0.matches(key) }
                return uploads.filter { isCandidate || rule.isReported($0) }
            }
            job.progress.begin(
                "looking at uploads of \(bucket.name)", .confirm, of: wanted.count)
            defer { job.progress.end() }
            try await OrderedWork(width: bucket.concurrency, interruption: job.interruption).run(
                wanted
            ) {
                await Self.look(at: $0, store)
            } tell: { facts in
                job.progress.advance(1)
                guard let facts else { return }
                found[WantedKey(bucket: number, key: facts.upload.key), default: []].append(facts)
            }
        }
        return found
    }

    private static func look(
        at upload: OpenUpload, _ store: any UploadReader
    ) async -> UploadFacts? {
        do {
            return try await store.parts(of: upload).map { UploadFacts(upload: upload, parts: $0) }
        } catch {
            return UploadFacts(upload: upload, parts: nil, doubt: "\(error)")
        }
    }

    private func candidates(of bucket: Int) -> (Set<ObjectKey>, [KeyPattern]) {
        var keys = Set(
            candidates.orphans.filter { $0.bucket == bucket }.map(\.object.key))
        var patterns: [KeyPattern] = []
        for candidate in candidates.dangling where candidate.bucket == bucket {
            for pattern in candidate.patterns {
                if case .exact(let key) = pattern {
                    keys.insert(key)
                } else {
                    patterns.append(pattern)
                }
            }
        }
        return (keys, patterns)
    }
}
