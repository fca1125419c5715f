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

    /// Finds them; an acceptance that covers what is missing is kept for later runs, and so is
    /// what vanished.
    func find(
        _ dangling: [DanglingCandidate], _ observations: Observations,
        accepting acceptance: Acceptance
    ) async throws -> VanishedReferences {
        let erased = try await stillErased(observations)
        let accepted = try accept(observations, acceptance) { missingKeys(dangling, erased) }
        let known = try remembered()
        let search = VanishedPrefixSearch(
            levels: job.configuration.levels, buckets: job.bucketMappings)
        var count = search.count(dangling, in: observations.join, remembered: known) {
            bucket, key in
            let name = job.bucketMappings[bucket].name
            return erased.covers(key, name)
                || accepted.contains { $0.bucket == name && key.hasPrefix($0.prefix) }
        }
        try await countMatched(observations, search, &count)
        var found = search.collect(count)
        let more = found.gone.filter { place, count in known[place].map { $0 < count } ?? true }
        if job.asOf == nil, !more.isEmpty {
            try job.ledger.remember(
                vanished: Dictionary(
                    more.map { (lost($0.key), $0.value) }, uniquingKeysWith: { max($0, $1) }),
                in: run)
        }
        if !found.prefixes.isEmpty {
            let keys = missingKeys(dangling, erased)
            for number in found.prefixes.indices {
                found.prefixes[number].missing =
                    keys.count(below: found.prefixes[number].head).values.reduce(0, +)
            }
        }
        tell(&found)
        return found
    }

    // What fingerprints matched is had once more, until it can change nothing.
    private func countMatched(
        _ observations: Observations, _ search: VanishedPrefixSearch,
        _ count: inout VanishedCount
    ) async throws {
        guard count.isOpen else { return }
        try await eachMatched(observations) { bucket, patterns in
            search.add(patterns, bucket: bucket, to: &count)
        }
    }

    // Gives the places of the references that fingerprints matched until no more are wanted.
    private func eachMatched(
        _ observations: Observations,
        _ receive: (_ bucket: Int, _ patterns: [KeyPattern]) -> Bool
    ) async throws {
        struct Enough: Error {}
        do {
            for reading in observations.firstReadings {
                // What reads otherwise by now was told when the references were joined.
                _ = try await reading.replay(job) { batch in
                    let goesOn = observations.join.eachMatched(
                        in: batch, source: reading.source.name, receive)
                    if !goesOn { throw Enough() }
                }
            }
        } catch is Enough {}
    }

    private func tell(_ found: inout VanishedReferences) {
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
    }

    private func remembered() throws -> [VanishedPlace: Int] {
        var places: [VanishedPlace: Int] = [:]
        for (lost, count) in try job.ledger.vanishedPrefixes() {
            guard let bucket = job.buckets.firstIndex(where: { $0.name == lost.bucket }) else {
                continue
            }
            places[VanishedPlace(bucket: bucket, head: lost.prefix)] = count
        }
        return places
    }

    private func lost(_ place: VanishedPlace) -> LostPrefix {
        LostPrefix(bucket: job.buckets[place.bucket].name, prefix: place.head)
    }

    // What was accepted holds while no more is missing, and is lowered to what is missing still,
    // so that what vanishes below the same prefix later is a doubt again.
    private func accept(
        _ observations: Observations, _ acceptance: Acceptance,
        _ missing: () -> MissingKeys
    ) throws -> [LostPrefix] {
        // What was not read to its end seems to miss less than it does.
        let isWhole =
            job.asOf == nil && observations.incompleteSides.isEmpty
        var accepted: [LostPrefix] = []
        let known = try job.ledger.acceptedLosses()
        guard !known.isEmpty || !acceptance.losses.isEmpty else { return [] }
        let keys = missing()
        for (place, count) in known {
            let number = job.bucketMappings.firstIndex { $0.name == place.bucket }
            let missing = number.flatMap { keys.count(below: place.prefix)[$0] } ?? 0
            if missing <= count { accepted.append(place) }
            guard isWhole, missing < count else { continue }
            try job.ledger.lower(loss: missing, below: place)
        }
        for (prefix, count) in acceptance.losses {
            // One answer is about one loss: it covers what every bucket misses there, or none.
            let missing = keys.count(below: prefix)
            guard missing.values.reduce(0, +) <= count else { continue }
            for (bucket, count) in missing {
                let place = LostPrefix(bucket: job.bucketMappings[bucket].name, prefix: prefix)
                accepted.append(place)
                guard job.asOf == nil else { continue }
                try job.ledger.accept(loss: count, below: place, in: run, at: job.clock())
            }
        }
        return accepted
    }

    private func missingKeys(
        _ dangling: [DanglingCandidate], _ erased: ErasedKeys
    ) -> MissingKeys {
        MissingKeys(dangling) { erased.covers($1, job.bucketMappings[$0].name) }
    }

    /// Forgets which prefixes vanished where what was missing is back, accepted or erased; for a
    /// complete run that no guard refused.
    func forgetEnded(_ vanished: VanishedReferences) throws {
        let ended = vanished.ended
        guard job.asOf == nil, !ended.isEmpty else { return }
        try job.ledger.forget(vanished: Set(ended.map(lost)))
    }

    // Where there are objects again, the place is used again: what vanishes there later is a doubt.
    private func stillErased(_ observations: Observations) async throws -> ErasedKeys {
        let known = try job.ledger.erasures()
        guard !known.isEmpty else { return ErasedKeys([], job) }
        let erased = ErasedKeys(known, job)
        var used: Set<KnownErasure> = []
        func use(_ bucket: Int, _ patterns: [KeyPattern]) {
            for case .exact(let key) in patterns {
                used.formUnion(erased.covering(key, job.bucketMappings[bucket].name))
            }
        }
        observations.join.eachReference { bucket, patterns, _, isPresent in
            if isPresent { use(bucket, patterns) }
        }
        try await eachMatched(observations) { bucket, patterns in
            use(bucket, patterns)
            return true
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
