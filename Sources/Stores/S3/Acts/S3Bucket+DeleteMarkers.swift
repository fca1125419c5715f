import MooringAWS
import MooringModel

/// Moves by delete marker, where the bucket keeps versions: nothing is copied, and nothing is lost
/// whoever writes meanwhile. A note in quarantine, written first, says which version is meant.
extension S3Bucket {
    /// Hides an object's newest version, as it was just seen, under a delete marker.
    func hide(
        _ spot: Spot, _ source: ObjectFacts, _ findings: TrialFindings
    ) async throws -> MoveOutcome {
        guard let note = QuarantineNote(key: spot.key, version: source.version) else {
            throw StoreError(
                place: spot.key.text, reason: "HeadObject told no version id", isRefusal: true)
        }
        // What ListObjectVersions does not tell apart could not be brought to light again.
        switch note.state(in: try await own.stack(of: spot.key)) {
        case .newest: break
        case .covered, .hidden: return .stale("changed since it was listed")
        case .gone:
            throw StoreError(
                place: spot.key.text,
                reason: "ListObjectVersions does not list the version that HeadObject told, so "
                    + "that a delete marker could not be taken off it again",
                hint: "the object stays; where the store writes this key otherwise in listings, "
                    + "move it by hand",
                isRefusal: true)
        }
        guard let tag = try await write(note, spot, findings) else {
            return .stale("not moved: the place in quarantine is taken")
        }
        do {
            return try await mark(spot, note, tag, findings)
        } catch let error as StoreError {
            throw error.unsettled
        }
    }

    // The ETag of the note; nil where something else lies in its place. Its own note, from before
    // an interruption, is as good as a new one. Nobody but Mooring writes there, so that a look
    // does where the store ignores conditions, as Ceph does in a bucket that keeps versions.
    private func write(
        _ note: QuarantineNote, _ spot: Spot, _ findings: TrialFindings
    ) async throws -> String? {
        let isConditional = findings.capabilities.conditionalWrite.isHonoured
        if isConditional {
            let written = try await held.put(
                spot.place, note.content,
                headers: QuarantineNote.headers + [("if-none-match", "*")])
            if case .done(let etag) = written { return etag }
        }
        switch try await content(of: spot) {
        case .note(let found, let facts):
            return found.version == note.version && found.marker == nil
                ? facts.version.etag : nil
        case .copy: return nil
        case .nothing: break
        }
        let written = try await held.put(
            spot.place, note.content, headers: QuarantineNote.headers)
        guard case .done(let etag) = written else { return nil }
        return etag
    }

    private func mark(
        _ spot: Spot, _ note: QuarantineNote, _ tag: String, _ findings: TrialFindings
    ) async throws -> MoveOutcome {
        let isConditional = findings.capabilities.conditionalDelete.isHonoured
        if !isConditional {
            guard try await own.facts(spot.key)?.version == note.version else {
                return try await lookBelow(
                    spot, note, tag, .none("changed since it was listed"), findings)
            }
        }
        let answer: DeletionAnswer
        do {
            let response = try await own.delete(
                spot.key, ifMatch: isConditional ? note.version.etag : nil)
            answer = read(response, of: spot)
        } catch let error as StoreError where !error.isRefusal {
            answer = .lost(error)
        }
        return try await lookBelow(spot, note, tag, answer, findings)
    }

    /// What the store said of a deletion. Something on the way may have sent it twice, and then
    /// this is the answer to the second, behind one that was carried out.
    private enum DeletionAnswer {
        /// The id of the marker that it made.
        case marker(String)
        /// It made none; why, in words.
        case none(String)
        case lost(StoreError)
        case refused(StoreError)

        var made: String? {
            guard case .marker(let id) = self else { return nil }
            return id
        }

        var words: String {
            switch self {
            case .marker: "its delete marker is not listed"
            case .none(let words): words
            case .lost(let error), .refused(let error): error.reason
            }
        }
    }

    private func read(_ response: AWSResponse, of spot: Spot) -> DeletionAnswer {
        let call = BucketCalls.deletion(spot.key)
        switch response.status {
        case 200..<300:
            if response["x-amz-delete-marker"] == "true", let id = response["x-amz-version-id"] {
                return .marker(id)
            }
            return .lost(
                StoreError(
                    place: spot.key.text,
                    reason: "the store said that it was deleted, and named no delete marker"))
        case 404: return .none("deleted by somebody else meanwhile")
        case 412: return .none("changed at the last moment")
        default:
            let refusal = own.refusal(call, response)
            return response.status != 409 && refusal.isRefusal ? .refused(refusal) : .lost(refusal)
        }
    }

    // Only what lies below the markers tells what they hide, whatever the store answered.
    private func lookBelow(
        _ spot: Spot, _ note: QuarantineNote, _ tag: String, _ answer: DeletionAnswer,
        _ findings: TrialFindings
    ) async throws -> MoveOutcome {
        let stack = try await stack(behind: answer, spot, note)
        let state = note.state(in: stack)
        switch state {
        case .gone: throw vanished(spot, note, answer.words)
        case .hidden(let marker) where stack[0]?.isMarker == true || answer.made == marker:
            return try await complete(spot, note, tag, marker: marker, findings)
        case .newest:
            switch answer {
            // It may still be carried out, and hide whatever is there then: the note stays.
            case .lost(let error): throw error
            // A listing that lags, or somebody who removed it at once.
            case .marker: throw unlisted(spot)
            case .refused(let refusal):
                try await held.removeAll(spot.place)
                throw refusal
            case .none: try await held.removeAll(spot.place)
            }
        // An object is at the key; what was below it would be an old version anyway.
        case .hidden: try await held.removeAll(spot.place)
        case .covered:
            try await lift(spot, note, stack, try await noteFacts(spot), findings)
            if case .lost(let error) = answer { throw error }
            try await held.removeAll(spot.place)
        }
        return .stale(state == .newest ? answer.words : "changed at the last moment")
    }

    // Our marker goes where it does not lie right above the noted version: a deletion that was
    // sent twice made two, or another version came at the last moment and is hidden by it.
    private func stack(
        behind answer: DeletionAnswer, _ spot: Spot, _ note: QuarantineNote
    ) async throws -> VersionStack {
        let stack = try await own.stack(of: spot.key)
        guard answer.made == nil || !stack.entries.isEmpty else {
            throw StoreError(
                place: spot.key.text, reason: "ListObjectVersions does not list its versions")
        }
        guard let made = answer.made, stack.index(of: made) != nil,
            note.state(in: stack) != .hidden(marker: made)
        else { return stack }
        try await own.removeVersion(spot.key, made)
        let left = try await own.stack(of: spot.key)
        guard left.index(of: made) == nil else { throw stillHidden(spot) }
        return left
    }

    private func unlisted(_ spot: Spot) -> StoreError {
        StoreError(
            place: spot.key.text,
            reason: "ListObjectVersions does not list the delete marker that was just made")
    }

    private func stillHidden(_ spot: Spot) -> StoreError {
        StoreError(
            place: spot.key.text,
            reason: "the store said that a delete marker was removed, and it is still there")
    }

    private func noteFacts(_ spot: Spot) async throws -> ObjectFacts {
        guard let facts = try await held.facts(spot.place) else {
            throw StoreError(place: spot.key.text, reason: "its note in quarantine is gone")
        }
        return facts
    }

    private func vanished(
        _ spot: Spot, _ note: QuarantineNote, _ reason: String
    ) -> StoreError {
        StoreError(
            place: spot.key.text,
            reason: "\(reason); the bucket does not keep its version \(note.id) any more, and the "
                + "note about it stays in quarantine",
            hint: "find out what removes versions from this bucket")
    }

    private func complete(
        _ spot: Spot, _ note: QuarantineNote, _ tag: String, marker: String,
        _ findings: TrialFindings
    ) async throws -> MoveOutcome {
        var note = note
        note.marker = marker
        let written = try await held.put(
            spot.place, note.content,
            headers: QuarantineNote.headers
                + (findings.capabilities.conditionalWrite.isHonoured
                    ? [findings.ifMatch(tag)] : []))
        guard case .done = written else {
            throw StoreError(
                place: spot.key.text, reason: "its note in quarantine was changed by somebody")
        }
        return .done
    }

    /// Finishes what the note of an interrupted move is about, or takes it back: a newer version
    /// that a marker of ours may hide comes to light again.
    func settle(
        _ spot: Spot, _ note: QuarantineNote, _ facts: ObjectFacts, _ findings: TrialFindings
    ) async throws {
        let stack = try await own.stack(of: spot.key)
        switch note.state(in: stack) {
        case .newest:
            // Restored, and the note is left over; or a deletion on its way, which it waits for.
            if note.marker != nil { try await held.removeAll(spot.place) }
        case .hidden(let marker):
            guard note.marker == nil else { return }
            _ = try await complete(spot, note, facts.version.etag, marker: marker, findings)
        case .covered:
            guard note.marker == nil else { return }
            try await lift(spot, note, stack, facts, findings)
            try await held.removeAll(spot.place)
        case .gone:
            // Only a sweep removes a version, and only of a note that names its marker.
            guard note.marker != nil else { return }
            try await clearMarker(spot, note, stack, BatchRemover.Trust(findings))
            try await held.removeAll(spot.place)
        }
    }

    // Removes markers of ours from a newer version; one deletion may have been carried out twice.
    private func lift(
        _ spot: Spot, _ note: QuarantineNote, _ stack: VersionStack, _ facts: ObjectFacts,
        _ findings: TrialFindings
    ) async throws {
        let markers = stack.entries.prefix { $0.isMarker }
        let ours = markers.filter {
            mayBeOurs($0, over: stack[markers.count], note, facts, findings)
        }
        guard !ours.isEmpty else { return }
        for marker in ours { try await own.removeVersion(spot.key, marker.id) }
        let left = try await own.stack(of: spot.key)
        guard ours.allSatisfy({ left.index(of: $0.id) == nil }) else { throw stillHidden(spot) }
    }

    // A conditional deletion hides only what has the same content. In doubt the marker goes: an
    // object too many is harmless.
    private func mayBeOurs(
        _ marker: VersionStack.Entry, over hidden: VersionStack.Entry?, _ note: QuarantineNote,
        _ facts: ObjectFacts, _ findings: TrialFindings
    ) -> Bool {
        guard let hidden, !hidden.isMarker, marker.writtenAt >= facts.version.lastModified else {
            return false
        }
        return !findings.capabilities.conditionalDelete.isHonoured
            || hidden.etag == note.version.etag
    }

    // Behind an interrupted sweep: without a version below it, our marker hides nothing.
    private func clearMarker(
        _ spot: Spot, _ note: QuarantineNote, _ stack: VersionStack,
        _ trust: BatchRemover.Trust
    ) async throws {
        guard let marker = note.marker, let place = stack.index(of: marker) else { return }
        guard place > 0 || stack[1]?.isMarker != false else { return }
        try await ownRemover.removeVersion(spot.key, marker, trust)
    }

    /// Removes our marker, so that the noted version is there again.
    func uncover(
        _ spot: Spot, _ note: QuarantineNote, expecting version: ObjectVersion
    ) async throws -> MoveOutcome {
        guard note.isAbout(version) else {
            return .stale("another version lies in quarantine")
        }
        let stack = try await own.stack(of: spot.key)
        guard let index = stack.index(of: note.id) else {
            return .stale("the version that was moved is not kept any more")
        }
        guard index > 0, let top = stack[0] else {
            try await held.removeAll(spot.place)
            return .done
        }
        guard top.isMarker else { return .stale(Self.taken) }
        guard index == 1, note.marker == nil || note.marker == top.id else {
            return .stale("not moved: somebody else deleted what has its key again")
        }
        try await own.removeVersion(spot.key, top.id)
        do {
            guard try await own.stack(of: spot.key).index(of: note.id) == 0 else {
                return .stale(Self.taken)
            }
            try await held.removeAll(spot.place)
            return .done
        } catch let error as StoreError {
            throw error.unsettled
        }
    }

    /// Removes the noted version for good, what is older first, and our marker last, so that
    /// nothing older comes to light.
    func removeNoted(
        _ spot: Spot, _ note: QuarantineNote, _ facts: ObjectFacts, _ findings: TrialFindings,
        expecting version: ObjectVersion
    ) async throws -> MoveOutcome {
        guard note.isAbout(version) else {
            return .stale("another version lies in quarantine")
        }
        let trust = BatchRemover.Trust(findings)
        let stack = try await own.stack(of: spot.key)
        guard let index = stack.index(of: note.id) else {
            try await clearMarker(spot, note, stack, trust)
            _ = try await clear(spot.place, facts.version.etag, trust)
            return .done
        }
        guard index > 0 else {
            _ = try await clear(spot.place, facts.version.etag, trust)
            return .stale("the object is at its key again")
        }
        guard note.marker != nil else {
            try await settle(spot, note, facts, findings)
            return .stale("an interrupted move had to be finished first; the next sweep removes it")
        }
        // Its own marker lies no longer above it: it was given back, and what hides it now is
        // somebody else's, or a later run's, whose own note says so.
        guard stack[index - 1]?.id == note.marker else {
            _ = try await clear(spot.place, facts.version.etag, trust)
            return .stale("it was given back since; only its note was left")
        }
        let older = stack.entries[(index + 1)...].prefix { !$0.isMarker }
        do {
            for entry in older.reversed() {
                try await ownRemover.removeVersion(spot.key, entry.id, trust)
            }
            try await ownRemover.removeVersion(spot.key, note.id, trust)
            let left = try await own.stack(of: spot.key)
            guard left.index(of: note.id) == nil else {
                throw StoreError(
                    place: spot.key.text,
                    reason: "the store said that a version was deleted, and it is still there")
            }
            try await clearMarker(spot, note, left, trust)
            _ = try await clear(spot.place, facts.version.etag, trust)
            return .done
        } catch let error as StoreError {
            throw error.unsettled
        }
    }
}
