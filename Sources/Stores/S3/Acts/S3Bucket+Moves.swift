package import MooringModel
import Synchronization

extension S3Bucket {
    /// Moves by copy and conditional deletion, or hides the version under a delete marker where
    /// the bucket keeps versions. Taken up again behind an interruption, it finds its own copy or
    /// note and goes on. What has no version id of its own, or an excluded key, is copied.
    package func quarantine(
        _ key: ObjectKey, expecting version: ObjectVersion, run: RunID
    ) async throws -> MoveOutcome {
        let spot = try Spot(key, run, in: self)
        return try await act {
            let findings = try await self.trial.findings()
            guard let source = try await self.own.facts(key) else {
                return .stale("not moved: there is no such object")
            }
            if let difference = version.difference(to: source.version) {
                return .stale(difference)
            }
            // Which way it goes, only the id tells that the look found.
            if findings.capabilities.concerning(key, source.version).versioning == .enabled {
                return try await self.hide(spot, source, findings)
            }
            return try await self.copyAway(spot, source, findings)
        }
    }

    /// Copies the object back and removes its copy, or removes the delete marker. Where the store
    /// knows no act that replaces nothing, it looks first, and a write in between is lost.
    package func restore(
        _ key: ObjectKey, run: RunID, expecting version: ObjectVersion
    ) async throws -> MoveOutcome {
        let spot = try Spot(key, run, in: self)
        return try await act {
            let findings = try await self.trial.findings()
            switch try await self.content(of: spot) {
            case .nothing: return .stale(Self.nothingHeld)
            case .note(let note, let facts) where note.marker == nil:
                // Its deletion may have come late, and hide what was uploaded since.
                try await self.settle(spot, note, facts, findings)
                guard case .note(let settled, _) = try await self.content(of: spot) else {
                    return .stale(Self.taken)
                }
                return try await self.uncover(spot, settled, expecting: version)
            case .note(let note, _):
                return try await self.uncover(spot, note, expecting: version)
            case .copy(let facts):
                return try await self.copyBack(spot, facts, expecting: version, findings)
            }
        }
    }

    /// Removes the copy; or the noted version, with what is older down to somebody else's delete
    /// marker, then the marker, then the note. What was interrupted is gone on with.
    package func sweep(
        _ key: ObjectKey, run: RunID, expecting version: ObjectVersion
    ) async throws -> MoveOutcome {
        let spot = try Spot(key, run, in: self)
        return try await act {
            let findings = try await self.trial.findings()
            switch try await self.content(of: spot) {
            case .nothing: return .stale(Self.nothingHeld)
            case .note(let note, let facts):
                return try await self.removeNoted(
                    spot, note, facts, findings, expecting: version)
            case .copy(let facts):
                guard self.accepts(facts.version, expecting: version, at: spot) else {
                    return .stale("another version lies in quarantine")
                }
                return try await self.removeCopy(spot, facts, findings)
            }
        }
    }

    /// Finishes or takes back what the note of an interrupted move is about.
    package func finishMove(_ key: ObjectKey, run: RunID) async throws {
        guard Spot.place(of: key, run, in: self) != nil else { return }
        let spot = try Spot(key, run, in: self)
        guard try await own.versioning() != .never else { return }
        _ = try await act {
            guard case .note(let note, let facts) = try await self.content(of: spot) else {
                return .done
            }
            try await self.settle(spot, note, facts, try await self.trial.findings())
            return .done
        }
    }

    /// What lies at a place in quarantine.
    enum HeldContent {
        case nothing
        case note(QuarantineNote, ObjectFacts)
        case copy(ObjectFacts)
    }

    /// Looks at a place in quarantine.
    func content(of spot: Spot) async throws -> HeldContent {
        guard let facts = try await held.facts(spot.place) else { return .nothing }
        guard facts.isNote, facts.version.size <= QuarantineNote.limit,
            try await own.versioning() != .never
        else { return .copy(facts) }
        guard let (facts, bytes) = try await held.content(spot.place) else { return .nothing }
        return QuarantineNote(bytes, key: spot.key).map { .note($0, facts) } ?? .copy(facts)
    }

    /// The version that would be there again; nil when there is none.
    func heldVersion(_ spot: Spot) async throws -> ObjectVersion? {
        switch try await content(of: spot) {
        case .nothing: return nil
        case .copy(let facts): return facts.version.withoutID
        case .note(let note, _):
            switch note.state(in: try await own.stack(of: spot.key)) {
            case .newest, .gone: return nil
            case .hidden: return note.version
            case .covered: return note.marker == nil ? nil : note.version
            }
        }
    }

    /// Whether what lies in quarantine is what somebody expects: it itself, or what it was made
    /// of.
    func accepts(
        _ found: ObjectVersion, expecting version: ObjectVersion, at spot: Spot
    ) -> Bool {
        let found = found.withoutID
        if found == version.withoutID { return true }
        if found.size == version.size, found.etag == version.etag { return true }
        return moved.withLock { $0[spot.place] }
            .map { $0.original == version && $0.copy == found } ?? false
    }

    /// Why there is nothing to restore or to sweep.
    static let nothingHeld = "no such object lies in quarantine"

    /// Carries an act out to its end once it has begun: a cancellation comes before it or after.
    private func act(
        _ body: @escaping @Sendable () async throws -> MoveOutcome
    ) async throws -> MoveOutcome {
        try Task.checkCancellation()
        return try await Task { try await body() }.value
    }
}

extension ObjectVersion {
    /// What tells a found version from this one, in words; nil when this one means it.
    func difference(to found: ObjectVersion) -> String? {
        if means(found) { return nil }
        if found.size != size { return "changed: holds \(found.size) bytes, not \(size)" }
        if found.lastModified != lastModified {
            return "changed: was written at \(found.lastModified.iso8601), not at "
                + lastModified.iso8601
        }
        return found.etag == etag
            ? "changed: is another version of the same content" : "changed: holds something else"
    }
}
