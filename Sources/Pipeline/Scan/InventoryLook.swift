import MooringDecisions
import MooringModel
import MooringReconcile

/// Looks by name at whatever of a bucket matters for a judgement, where an inventory lists it: an
/// inventory is days old, promises neither the newest objects nor the newest deletions, and may
/// have been told to leave some out.
///
/// Every candidate orphan has to be there still, in the version that was listed. Every object that
/// a record references and the inventory lacks counts as listed where it is there; one that it
/// lists and that is gone, as not listed, where a reference to it may mean an orphan instead.
/// Objects that are made from one another are looked for on both sides.
struct InventoryLook {
    /// The stores.
    let job: Job

    // What S3 may lack of so recent a time is no sign that it left things out.
    private static let delay = Duration.days(2)
    // So few may have come back under their old time, as what a marker hid.
    private static let tolerated = 10

    /// Looks at what matters of each bucket that an inventory lists.
    func run(_ observations: inout Observations) async throws {
        for (number, bucket) in job.buckets.enumerated() where bucket.isListedByInventory {
            try await confirmOrphans(number, &observations)
            try await findMissing(number, &observations)
        }
        try await GoneSince(job: job).run(&observations)
        let before = observations.orphans.count
        for (number, bucket) in job.buckets.enumerated() where bucket.isListedByInventory {
            try await findKin(number, &observations)
        }
        // What no inventory listed may be meant as well.
        try await GoneSince(job: job).run(&observations, behind: before)
    }

    /// The keys of what lies in a bucket's quarantine and no longer at its key: an inventory may
    /// list it still, and a reference to it would count as one whose object is there. None of a
    /// bucket that lists itself.
    func movedAway(_ number: Int) async throws -> Set<ObjectKey> {
        guard job.buckets[number].isListedByInventory else { return [] }
        var keys: Set<ObjectKey> = []
        // What keeps it from its end is told when it is listed behind the inventory.
        _ = try await job.buckets[number].listQuarantine { batch in
            try job.interruption.check()
            keys.formUnion(batch.map(\.key))
        }
        let held = Array(keys)
        for (key, head) in zip(held, try await heads(of: held, number)) {
            if case .present = head { keys.remove(key) }
        }
        return keys
    }

    // MARK: What was listed

    // An object that is gone is nobody's orphan, and one that was written since is no longer the
    // one that was listed.
    private func confirmOrphans(
        _ number: Int, _ observations: inout Observations
    ) async throws {
        let derived = job.bucketMappings[number].derived
        var (others, asked): ([OrphanCandidate], [OrphanCandidate]) = ([], [])
        for candidate in observations.orphans {
            // What lives with its source is told of by no finding.
            let isKept = DerivedKey.sources(of: candidate.object.key, patterns: derived)
                .contains { observations.join.isReferenced($0, bucket: number) }
            if candidate.bucket == number, !isKept {
                asked.append(candidate)
            } else {
                others.append(candidate)
            }
        }
        observations.orphans = others
        let heads = try await heads(of: asked.map(\.object.key), number)
        for (candidate, head) in zip(asked, heads) {
            guard let object = Self.object(candidate.object, head) else { continue }
            observations.orphans.append(OrphanCandidate(bucket: number, object: object))
        }
    }

    private static func object(_ listed: ListedObject, _ head: HeadAnswer) -> ListedObject? {
        let doubt: String?
        switch head {
        case .absent: return nil
        case .present(let found) where found.isListed(as: listed.version):
            return ListedObject(key: listed.key, version: found.asListed, doubt: listed.doubt)
        case .present: doubt = "it is another version now than its inventory lists"
        case .unknown(let reason): doubt = "it could not be looked at: \(reason)"
        }
        return ListedObject(key: listed.key, version: listed.version, doubt: doubt)
    }

    // MARK: What was not

    private func findMissing(
        _ number: Int, _ observations: inout Observations
    ) async throws {
        // Of a bucket that was not listed to its end nothing is said to be missing.
        guard observations.buckets[number].scan.complete else { return }
        let mapping = job.bucketMappings[number]
        let keys = observations.join.missingKeys(in: number).filter(mapping.covers)
        var (found, overlooked) = (0, 0)
        for (key, head) in zip(keys, try await heads(of: keys, number)) {
            guard case .present(let version) = head else { continue }
            let object = ListedObject(key: key, version: version.asListed)
            observations.join.found(object, bucket: number)
            found += 1
            let multipart = job.configuration.longestRace().multipartWindow
            let visible = version.lastModified + (version.isMultipart ? multipart : .zero)
            if visible + Self.delay <= observations.objectMoments[number] { overlooked += 1 }
        }
        let name = job.buckets[number].name
        if found > 0 {
            observations.notes.append(
                "bucket '\(name)': \(Measure.count(found, "object")) that records reference and "
                    + "its inventory lacks \(found == 1 ? "is" : "are") there")
        }
        guard overlooked >= Self.tolerated else { return }
        let problem = ScanProblem(
            place: name,
            reason: "its inventory lacks \(Measure.count(overlooked, "object")) that records "
                + "reference and that had been there for \(Self.delay.label) before it: it lists "
                + "a part of the bucket alone; name that part under 'prefixes', or take the "
                + "inventory without its filter")
        observations.buckets[number].scan.add(problem: problem.text)
    }

    // What is made from something needs it, and what something is made from may be asked for by it.
    private func findKin(_ number: Int, _ observations: inout Observations) async throws {
        let patterns = job.bucketMappings[number].derived
        guard !patterns.isEmpty else { return }
        var known = Set(
            observations.orphans.filter { $0.bucket == number }.map(\.object.key))
        var wanted: [ObjectKey] = []
        func want(_ keys: [ObjectKey]) {
            for key in keys where !observations.join.isReferenced(key, bucket: number) {
                if known.insert(key).inserted { wanted.append(key) }
            }
        }
        for key in known { want(DerivedKey.sources(of: key, patterns: patterns)) }
        for (bucket, object) in observations.quarantined where bucket == number {
            want(DerivedKey.sources(of: object.key, patterns: patterns))
        }
        for key in observations.join.missingKeys(in: number) {
            want(DerivedKey.sources(of: key, patterns: patterns))
            want(DerivedKey.products(of: key, patterns: patterns))
        }
        let mapping = job.bucketMappings[number]
        wanted.removeAll { !mapping.judges($0) }
        var unknown: Set<ObjectKey> = []
        for (key, head) in zip(wanted, try await heads(of: wanted, number)) {
            switch head {
            case .present(let version):
                observations.orphans.append(
                    OrphanCandidate(
                        bucket: number, object: ListedObject(key: key, version: version.asListed)))
            case .unknown: unknown.insert(key)
            case .absent: continue
            }
        }
        doubt(unknown, number, &observations)
    }

    // What is made from something that could not be looked at may live with it.
    private func doubt(
        _ sources: Set<ObjectKey>, _ number: Int, _ observations: inout Observations
    ) {
        guard !sources.isEmpty else { return }
        let patterns = job.bucketMappings[number].derived
        observations.orphans = observations.orphans.map { candidate in
            let object = candidate.object
            guard candidate.bucket == number, object.doubt == nil,
                DerivedKey.sources(of: object.key, patterns: patterns).contains(
                    where: sources.contains)
            else { return candidate }
            return OrphanCandidate(
                bucket: number,
                object: ListedObject(
                    key: object.key, version: object.version,
                    doubt: "what it is derived from could not be looked at"))
        }
    }

    /// What lies at keys of a bucket, in their order.
    func heads(of keys: [ObjectKey], _ number: Int) async throws -> [HeadAnswer] {
        let bucket = job.buckets[number]
        job.progress.begin(
            "looking at what the inventory of \(bucket.name) says", .objects, of: keys.count)
        defer { job.progress.end() }
        var heads: [HeadAnswer] = []
        heads.reserveCapacity(keys.count)
        try await OrderedWork(width: bucket.concurrency, interruption: job.interruption).run(keys) {
            await bucket.head($0)
        } tell: { head in
            heads.append(head)
            job.progress.advance(1)
        }
        return heads
    }
}

extension ObjectVersion {
    /// The same as a listing tells it and `VersionLook` completes it: with its id where it came in
    /// parts.
    fileprivate var asListed: ObjectVersion { isMultipart ? self : withoutID }

    /// Whether it is what an inventory lists, which may lack the ETag, and whose reader marks what
    /// came in parts by `-0` where no ETag says so. A look tells whole seconds.
    fileprivate func isListed(as listed: ObjectVersion) -> Bool {
        guard size == listed.size, lastModified.wholeSeconds == listed.lastModified.wholeSeconds
        else { return false }
        return etag == listed.etag || listed.etag.isEmpty || listed.etag == "-0"
    }
}

extension Instant {
    fileprivate var wholeSeconds: Int64 { nanoseconds / 1_000_000_000 }
}

extension ObjectBatch {
    /// The same without the objects of some keys.
    func without(_ keys: Set<ObjectKey>) -> ObjectBatch {
        guard !keys.isEmpty else { return self }
        let kept = objects.filter { !keys.contains($0.key) }
        return kept.count == count ? self : ObjectBatch(kept)
    }
}
