import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// Finds the prefixes below which nearly everything vanished at once, without those that a deletion
/// request or a person in words explains.
struct VanishedStage {
    /// What the stage works with.
    let job: Job
    /// The run under which an acceptance is kept.
    let run: RunID

    private static let told = 10

    /// Finds them; an acceptance that covers what is missing is kept for later runs.
    func find(
        _ observations: Observations, accepting acceptance: Acceptance
    ) throws -> VanishedReferences {
        let erased = try stillErased(observations)
        guard !observations.dangling.isEmpty else { return VanishedReferences() }
        let accepted = try accept(observations, acceptance, erased)
        var found = VanishedPrefixSearch(
            levels: job.configuration.levels, buckets: job.bucketMappings
        ).find(observations.dangling, in: observations.reconciler) { bucket, key in
            erased.covers(key, job.bucketMappings[bucket].name)
                || accepted.contains { key.hasPrefix($0) }
        }
        if !found.prefixes.isEmpty {
            // No names here: a deletion request takes findings away, and not a run's sentences.
            let references = Measure.count(found.places.count, "dangling reference")
            found.notes.append(
                "\(references) below \(Measure.count(found.prefixes.count, "prefix")) stay "
                    + "undecided, cause vanished, since nearly everything there is gone at once: "
                    + "mooring findings --kind dangling tells where and how to accept it")
        }
        if !found.uncounted.isEmpty {
            found.notes.append(
                "\(Measure.count(found.uncounted.count, "dangling reference")) stay undecided, "
                    + "cause vanished, since more than "
                    + "\(VanishedPrefixSearch.prefixLimit) prefixes miss objects")
        }
        return found
    }

    // What was accepted holds while no more is missing.
    private func accept(
        _ observations: Observations, _ acceptance: Acceptance, _ erased: ErasedKeys
    ) throws -> [[UInt8]] {
        let known = try job.ledger.acceptedLosses().merging(acceptance.losses) { max($0, $1) }
        var heads: [[UInt8]] = []
        for (head, count) in known {
            let missing = missing(below: head, observations, erased)
            guard missing <= count else { continue }
            heads.append(head)
            guard job.asOf == nil, missing > 0, acceptance.losses[head] != nil else { continue }
            try job.ledger.accept(loss: count, below: head, in: run, at: job.clock())
        }
        return heads
    }

    /// Lowers what was accepted to what is missing still, so that what vanishes below the same
    /// prefix later is a doubt again; for a complete run that no guard refused.
    func settle(_ observations: Observations) throws {
        let accepted = try job.ledger.acceptedLosses()
        guard job.asOf == nil, !accepted.isEmpty else { return }
        let erased = ErasedKeys(try job.ledger.erasures(), job)
        for (head, count) in accepted {
            let missing = missing(below: head, observations, erased)
            guard missing < count else { continue }
            try job.ledger.lower(loss: missing, below: head)
        }
    }

    private func missing(
        below head: [UInt8], _ observations: Observations, _ erased: ErasedKeys
    ) -> Int {
        observations.dangling.count { candidate in
            guard let bucket = candidate.bucket else { return false }
            return candidate.patterns.contains { pattern in
                guard case .exact(let key) = pattern, key.hasPrefix(head) else { return false }
                return !erased.covers(key, job.bucketMappings[bucket].name)
            }
        }
    }

    // Where there are objects again, the place is used again: what vanishes there later is a doubt.
    private func stillErased(_ observations: Observations) throws -> ErasedKeys {
        let known = try job.ledger.erasures()
        guard !known.isEmpty else { return ErasedKeys([], job) }
        let erased = ErasedKeys(known, job)
        var used: Set<KnownErasure> = []
        observations.reconciler.eachReference { bucket, patterns, _, isPresent in
            guard isPresent else { return }
            for case .exact(let key) in patterns {
                used.formUnion(erased.covering(key, job.bucketMappings[bucket].name))
            }
        }
        for orphan in observations.orphans {
            used.formUnion(
                erased.covering(orphan.object.key, job.bucketMappings[orphan.bucket].name))
        }
        guard !used.isEmpty else { return erased }
        if job.asOf == nil { try job.ledger.forget(erasures: used) }
        return ErasedKeys(known.subtracting(used), job)
    }
}

/// The keys whose objects were erased on request, told by hashes alone.
private struct ErasedKeys {
    private let erasures: Set<KnownErasure>
    private let lengths: Set<Int>
    private let resolver: KeyResolver

    init(_ erasures: Set<KnownErasure>, _ job: Job) {
        self.erasures = erasures
        lengths = Set(erasures.filter { $0.request == "prefix" }.map(\.length))
        resolver = job.resolver
    }

    /// Whether a request that was carried out meant the key.
    func covers(_ key: ObjectKey, _ bucket: String) -> Bool { !covering(key, bucket).isEmpty }

    /// The requests that meant the key.
    func covering(_ key: ObjectKey, _ bucket: String) -> [KnownErasure] {
        guard !erasures.isEmpty else { return [] }
        let identities = Set(resolver.readings(of: key).compactMap(\.identity))
        return identities.flatMap { known("identity", $0, bucket) }
            + lengths.filter { $0 <= key.bytes.count }.flatMap { length in
                known("prefix", Array(key.bytes.prefix(length)), bucket)
            }
    }

    private func known(_ request: String, _ bytes: [UInt8], _ bucket: String) -> [KnownErasure] {
        let digest = FindingIdentity.sha256(bytes)
        return [nil, bucket].map {
            KnownErasure(bucket: $0, request: request, length: bytes.count, digest: digest)
        }.filter(erasures.contains)
    }
}
