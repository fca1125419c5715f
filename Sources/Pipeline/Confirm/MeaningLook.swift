import MooringDecisions
import MooringModel
import MooringReconcile

/// What a missing reference may mean elsewhere, as far as it is told.
struct Meaning {
    /// The objects, the closest first.
    var objects: [MeantObject] = []
    /// How many more there are at least.
    var beside = 0
    /// Why it is not known whether there are others; nil where it is.
    var doubt: String?
}

/// Finds the objects that missing references may mean: among the listed ones, and by looks at the
/// places that no listing read.
struct MeaningLook {
    /// The stores.
    let job: Job
    /// What the scan of both sides left over.
    let candidates: Candidates

    // So many places outside the listings are looked at for one reference.
    private static let probeLimit = 16
    // The identities that records know, as many as could be looked under at all; none where every
    // place was listed.
    private var identities: [[UInt8]] {
        everythingWasListed
            ? [] : candidates.join.knownIdentities(atMost: Self.probeLimit)
    }
    private var hasLiveBuckets: Bool { job.buckets.contains(where: \.isLive) }
    private var everythingWasListed: Bool {
        job.buckets.indices.allSatisfy { number in
            let mapping = job.bucketMappings[number]
            return !job.buckets[number].isLive
                || !job.buckets[number].isListedByInventory
                    && mapping.prefixes.contains(ObjectKey("")) && mapping.ignore.isEmpty
        }
    }

    /// What each dangling reference may mean that still stands, by its number.
    func run(_ pass: PassB) async throws -> [Int: Meaning] {
        var meanings: [Int: Meaning] = [:]
        let identities = identities
        job.progress.begin(
            "looking for what is elsewhere", .confirm, of: pass.scan.standing.count)
        defer { job.progress.end() }
        for (number, candidate) in candidates.dangling.enumerated()
        where pass.scan.standing[number] != nil {
            try job.interruption.check()
            defer { job.progress.advance(1) }
            let found = pass.scan.meant(by: number)
            var meaning = Meaning(
                objects: found.objects.map { object, wanted in
                    wanted.map { known(object, pass.wanted.member($0)) } ?? object
                }, beside: found.beside)
            for key in probes(of: candidate, identities) {
                let answer = await job.buckets[key.bucket].head(key.key)
                if case .unknown(let reason) = answer {
                    meaning.doubt =
                        "whether it lies elsewhere could not be seen: \(reason)"
                }
                guard case .present(let version) = answer,
                    var object = candidate.bucket == nil
                        ? MeantObject(
                            .bucket, bucket: job.buckets[key.bucket].name, key: key.key)
                        : pass.scan.meant(key, by: candidate),
                    !meaning.objects.contains(where: {
                        $0.key == object.key && $0.bucket == object.bucket
                    })
                else { continue }
                object.version = version
                meaning.objects.append(object)
            }
            if meaning.doubt == nil { meaning.doubt = await doubt(about: candidate) }
            guard !meaning.objects.isEmpty || meaning.doubt != nil else { continue }
            meaning.objects.sort(by: MeantObject.precedes)
            meanings[number] = await withVersion(meaning)
        }
        return marked(meanings, pass)
    }

    // What a reference looks for, as far as others may look for it too.
    private struct Claim: Hashable {
        let bucket: Int?
        let foreignBucket: String?
        let patterns: [KeyPattern]
    }

    // Tells of each object whether it is somebody's already. Only of what was listed it is known
    // that nobody references it.
    private func marked(_ meanings: [Int: Meaning], _ pass: PassB) -> [Int: Meaning] {
        var claims: [WantedKey: Set<Claim>] = [:]
        for (number, meaning) in meanings {
            let candidate = candidates.dangling[number]
            let claim = Claim(
                bucket: candidate.bucket, foreignBucket: candidate.foreignBucket,
                patterns: candidate.patterns)
            for object in meaning.objects {
                if let key = place(of: object) { claims[key, default: []].insert(claim) }
            }
        }
        var marked = meanings
        for (number, meaning) in meanings {
            // A reference to a bucket that nobody configured counts for every key that it holds.
            let isForeign = candidates.dangling[number].bucket == nil
            for (index, object) in meaning.objects.enumerated() where object.quarantinedBy == nil {
                guard let key = place(of: object) else { continue }
                let isFree = pass.scan.numbers(of: key).contains { wanted in
                    guard case .orphan = pass.wanted.member(wanted) else { return false }
                    return isForeign || !pass.scan.referenced.contains(wanted)
                }
                let isTaken = !isFree || (claims[key]?.count ?? 0) > 1
                marked[number]?.objects[index].isTaken = isTaken
            }
        }
        return marked
    }

    private func place(of object: MeantObject) -> WantedKey? {
        job.buckets.firstIndex { $0.name == object.bucket }.map {
            WantedKey(bucket: $0, key: object.key)
        }
    }

    // A key inside the value may be that of an object that no listing told of.
    private func doubt(about candidate: DanglingCandidate) async -> String? {
        guard candidate.bucket != nil else { return nil }
        // What cannot be looked at before the act is told of here.
        guard !everythingWasListed else {
            return NamedObjects.doubt(aboutLengthOf: candidate.value)
        }
        return await NamedObjects(job: job).doubt(
            about: candidate.value, stored: candidate.stored, identity: identity(of: candidate)
        ) { key in
            !job.listingTells(of: key.key, in: key.bucket)
        }
    }

    // The identity under which the missing object would lie, where its record tells.
    private func identity(of candidate: DanglingCandidate) -> [UInt8]? {
        candidate.patterns.lazy.compactMap { pattern -> [UInt8]? in
            guard case .exact(let key) = pattern else { return nil }
            return job.resolver.identity(of: candidate.value, meaning: key)
        }.first
    }

    // Of a wanted key the version is known: it was listed, or lies in quarantine.
    private func known(_ object: MeantObject, _ wanted: WantedObjects.Member) -> MeantObject {
        var object = object
        switch wanted {
        case .orphan(let place): object.version = candidates.orphans[place].object.version
        case .held(let place):
            let held = candidates.quarantined[place].object
            (object.version, object.quarantinedBy) = (held.version, held.run)
        }
        return object
    }

    // Only a single object is handed over, so that only its version is looked up.
    private func withVersion(_ meaning: Meaning) async -> Meaning {
        guard meaning.objects.count == 1, meaning.objects[0].version == nil,
            let bucket = job.bucket(meaning.objects[0].bucket), bucket.isLive,
            case .present(let version) = await bucket.head(meaning.objects[0].key)
        else { return meaning }
        var meaning = meaning
        meaning.objects[0].version = version
        return meaning
    }

    // A reference to a bucket that nobody configured may mean the same key in one that is.
    private func foreignProbes(of candidate: DanglingCandidate) -> [WantedKey] {
        let field = job.models[candidate.model].mapping.files[candidate.field]
        let patterns = job.resolver.patterns(
            value: candidate.value, level: field.level, identity: nil, stored: field.stored)
        let live = job.buckets.indices.filter { job.buckets[$0].isLive }
        let probes = live.flatMap { number in
            patterns.compactMap { pattern -> WantedKey? in
                guard case .exact(let key) = pattern,
                    !job.bucketMappings[number].isQuarantined(key)
                else { return nil }
                return WantedKey(bucket: number, key: key)
            }
        }
        return Array(probes.prefix(Self.probeLimit))
    }

    // The same value at the root, under every level and in every bucket, where the listing did not
    // look: outside a bucket's prefixes, among what is ignored, or behind an inventory's moment.
    private func probes(
        of candidate: DanglingCandidate, _ identities: [[UInt8]]
    ) -> [WantedKey] {
        guard hasLiveBuckets else { return [] }
        guard candidate.bucket != nil else { return foreignProbes(of: candidate) }
        let identity = identity(of: candidate)
        // Under its own identity first, then under the others that records know.
        let others = identities.filter { $0 != identity }
        // A listing is searched for other spellings; what came behind an inventory is not in it.
        let values =
            [candidate.value] + (job.hasInventory ? Spellings.others(of: candidate.value) : [])
        let patterns = values.flatMap { value in
            ([identity] + others).flatMap {
                job.resolver.everyPattern(of: value, identity: $0)
            }
        }
        var seen: Set<WantedKey> = []
        var probes: [WantedKey] = []
        for (number, bucket) in job.buckets.enumerated() where bucket.isLive {
            let mapping = job.bucketMappings[number]
            for case .exact(let key) in patterns where probes.count < Self.probeLimit {
                let isOwn = candidate.bucket == number && candidate.patterns.contains(.exact(key))
                if isOwn || job.listingTells(of: key, in: number) || mapping.isQuarantined(key) {
                    continue
                }
                let probe = WantedKey(bucket: number, key: key)
                if seen.insert(probe).inserted { probes.append(probe) }
            }
        }
        return probes
    }
}
