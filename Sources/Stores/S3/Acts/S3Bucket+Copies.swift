import MooringAWS
import MooringModel
import Synchronization

/// Moves by copy and deletion, where the bucket keeps no versions.
extension S3Bucket {
    /// Copies an object, as it was just seen, into quarantine and removes it from its key.
    ///
    /// Whatever happens in between, the object is at its key or its copy lies in quarantine; the
    /// copy goes only when an object was seen at the key.
    func copyAway(
        _ spot: Spot, _ source: ObjectFacts, _ findings: TrialFindings
    ) async throws -> MoveOutcome {
        try refuseUncopyable(spot, source, findings.capabilities)
        var isCopied = false
        if let found = try await held.facts(spot.place) {
            guard try await isCopy(found, of: source, at: spot) else {
                return .stale("not moved: the place in quarantine is taken")
            }
            isCopied = true
        }
        do {
            if !isCopied {
                let copier = ObjectCopier(
                    source: own, target: held, findings: findings, limits: limits)
                switch try await copier.copy(
                    spot.key, source, to: spot.place, replacesNothing: false)
                {
                case .made: break
                case .taken: return .stale("not moved: the place in quarantine is taken")
                case .changed: return .stale("changed while it was copied")
                }
                isCopied = true
            }
            return try await removeSource(spot, source, findings)
        } catch let error as UndoneRefusal {
            throw error.refusal
        } catch let error as StoreError where isCopied {
            throw error.unsettled
        }
    }

    // A refusal behind which everything is as it was.
    private struct UndoneRefusal: Error {
        let refusal: StoreError
    }

    private func refuseUncopyable(
        _ spot: Spot, _ source: ObjectFacts, _ capabilities: StoreCapabilities
    ) throws {
        func refuse(_ reason: String, _ hint: String) -> StoreError {
            StoreError(place: spot.key.text, reason: reason, hint: hint, isRefusal: true)
        }
        if let archive = source.archive {
            throw refuse(
                "it lies in the archive \(archive), from which a copy in quarantine could not be "
                    + "given back at once",
                "copy it over itself into another storage class first, or keep it")
        }
        guard !source.isLocked else {
            throw refuse(
                "a legal hold or retention lies on it, which its copy would not have",
                "take the lock off first, or keep it")
        }
        guard capabilities.conditionalDelete.isHonoured || neverReused(spot.key) else {
            throw refuse(
                "the store has neither "
                    + (capabilities.versioning == .enabled
                        ? "a version of this object" : "versions")
                    + " nor conditional deletions, so that an upload at the last moment would be "
                    + "lost",
                "switch versioning on, or use keys with {uuid}, which are never used again")
        }
    }

    // Equal ETags are made of equal contents; a copy in parts says what it was made of.
    private func isCopy(
        _ found: ObjectFacts, of source: ObjectFacts, at spot: Spot
    ) async throws -> Bool {
        guard found.version.size == source.version.size else { return false }
        if found.version.etag == source.version.etag || found.sourceMark == source.mark {
            return true
        }
        if try await ObjectComparison(own, held).isProvenEqual(spot.key, spot.place) {
            return true
        }
        let made = S3Bucket.MovedCopy(
            original: source.version.withoutID, copy: found.version.withoutID)
        return moved.withLock { $0[spot.place] == made }
    }

    // From here on a copy lies in quarantine.
    private func removeSource(
        _ spot: Spot, _ source: ObjectFacts, _ findings: TrialFindings
    ) async throws -> MoveOutcome {
        guard let copy = try await held.facts(spot.place) else {
            throw StoreError(place: spot.key.text, reason: "its copy in quarantine is gone")
        }
        if let difference = try await ObjectComparison(own, held).difference(
            spot.key, source, spot.place, copy)
        {
            let reason = "its copy is not equal: \(difference)"
            guard try await own.facts(spot.key) != nil else {
                return .stale("\(reason); it stays in quarantine, since the object is gone")
            }
            return try await takeBack(spot, reason)
        }
        // Where the ETag is the same, it is known by that, and nothing piles up here.
        if copy.version.etag != source.version.etag {
            moved.withLock {
                $0[spot.place] = MovedCopy(
                    original: source.version.withoutID, copy: copy.version.withoutID)
            }
        }
        // Whoever removed it meanwhile, or late: its copy is the only one now.
        guard let again = try await own.facts(spot.key) else { return .done }
        if let difference = source.version.difference(to: again.version) {
            return try await takeBack(spot, difference)
        }
        let condition =
            findings.capabilities.conditionalDelete.isHonoured ? source.version.etag : nil
        let response = try await own.delete(spot.key, ifMatch: condition)
        guard (200..<300).contains(response.status) || response.status == 404 else {
            return try await lookBehind(
                spot, source, own.refusal(BucketCalls.deletion(spot.key), response),
                isConflict: [409, 412].contains(response.status))
        }
        // What the store says of a deletion and what it did are two things.
        if let found = try await own.facts(spot.key), found.version == source.version {
            throw StoreError(
                place: spot.key.text,
                reason: "the store said that it was deleted, and it is still there",
                hint: "its copy lies in quarantine; the next run tries again")
        }
        return .done
    }

    // A deletion that was not answered well may have been carried out: something on the way may
    // have sent it twice, and this is the second answer; or it will be, where no reason against it
    // is seen. Only another object at the key, or a plain refusal, says that the copy can go.
    private func lookBehind(
        _ spot: Spot, _ source: ObjectFacts, _ refusal: StoreError, isConflict: Bool
    ) async throws -> MoveOutcome {
        guard let found = try await own.facts(spot.key) else { return .done }
        // The same content, uploaded again, is what a deletion on its way would find as well.
        guard found.version.etag == source.version.etag else {
            return try await takeBack(spot, "changed at the last moment")
        }
        guard refusal.isRefusal, !isConflict else { throw refusal.unsettled }
        try await held.removeAll(spot.place)
        throw UndoneRefusal(refusal: refusal)
    }

    // The object was seen at its key, as whatever it is now: the copy is not needed. One that
    // cannot be removed does no harm there.
    private func takeBack(_ spot: Spot, _ reason: String) async throws -> MoveOutcome {
        do {
            try await held.removeAll(spot.place)
        } catch let error as StoreError {
            return .stale("\(reason); its copy stays in quarantine: \(error.reason)")
        }
        _ = moved.withLock { $0.removeValue(forKey: spot.place) }
        return .stale(reason)
    }

    /// Copies an object back to its key, never over what is there, and removes its copy.
    func copyBack(
        _ spot: Spot, _ copy: ObjectFacts, expecting version: ObjectVersion,
        _ findings: TrialFindings
    ) async throws -> MoveOutcome {
        guard accepts(copy.version, expecting: version, at: spot) else {
            return .stale("another version lies in quarantine")
        }
        if let found = try await own.facts(spot.key) {
            // Behind an interruption it may be there already; the same content is the same object.
            guard found.version.etag == copy.version.etag,
                found.version.size == copy.version.size
            else { return .stale(Self.taken) }
            return try await removeCopy(spot, copy, findings)
        }
        let copier = ObjectCopier(source: held, target: own, findings: findings, limits: limits)
        switch try await copier.copy(spot.place, copy, to: spot.key, replacesNothing: true) {
        case .made: break
        case .taken: return .stale(Self.taken)
        case .changed: return .stale("it changed in quarantine while it was copied")
        }
        do {
            guard let back = try await own.facts(spot.key) else {
                return .stale("put back, and removed by somebody else at once")
            }
            if let difference = try await ObjectComparison(held, own).difference(
                spot.place, copy, spot.key, back)
            {
                return .stale("\(Self.taken), and its copy stays in quarantine: \(difference)")
            }
            return try await removeCopy(spot, copy, findings)
        } catch let error as StoreError {
            throw error.unsettled
        }
    }

    /// What a restore finds where its place is taken.
    static let taken = "not moved: an object has this key again"

    /// Removes a copy from quarantine for good.
    func removeCopy(
        _ spot: Spot, _ copy: ObjectFacts, _ findings: TrialFindings
    ) async throws -> MoveOutcome {
        let trust = BatchRemover.Trust(findings)
        guard try await clear(spot.place, copy.version.etag, trust) == .removed else {
            return .stale("its copy in quarantine was changed by somebody")
        }
        if let found = try await held.facts(spot.place),
            found.version.withoutID == copy.version.withoutID
        {
            throw StoreError(
                place: spot.key.text,
                reason: "the store said that its copy was deleted, and it is still there")
        }
        _ = moved.withLock { $0.removeValue(forKey: spot.place) }
        return .done
    }

    /// Removes what Mooring itself wrote at a place in quarantine: with every version, the newest
    /// last, so that an interrupted removal leaves what it began with; or, where the quarantine's
    /// bucket never kept versions, as long as it has this ETag.
    func clear(
        _ place: ObjectKey, _ etag: String, _ trust: BatchRemover.Trust
    ) async throws -> BatchRemover.Ending {
        guard try await held.versioning() != .never else {
            return try await heldRemover.remove(BatchItem(key: place, etag: etag), trust)
        }
        for entry in try await held.stack(of: place).entries.reversed() {
            try await heldRemover.removeVersion(place, entry.id, trust)
        }
        return .removed
    }
}
