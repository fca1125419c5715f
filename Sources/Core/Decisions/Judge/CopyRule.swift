package import MooringModel

/// What one side says of a record that has copies: enough to tell which side is behind.
package struct CopyState: Hashable, Sendable {
    /// The version; nil when there is none.
    package var version: Int64?
    /// The last change; nil when it does not tell.
    package var changed: ChangeTime?
    /// A hash of what its mapped columns mean, of those that all sides map.
    package var content: UInt64
    /// Whether it is marked as deleted.
    package var isTombstone: Bool

    /// What one row says.
    package init(version: Int64?, changed: ChangeTime?, content: UInt64, isTombstone: Bool) {
        self.version = version
        self.changed = changed
        self.content = content
        self.isTombstone = isTombstone
    }

    /// Two rows with one id are one record: as new as the newer of them, deleted when both are.
    package func merging(_ other: CopyState) -> CopyState {
        CopyState(
            version: [version, other.version].compactMap { $0 }.max(),
            changed: [changed, other.changed].compactMap { $0 }.max(),
            content: content &+ other.content,
            isTombstone: isTombstone && other.isTombstone)
    }
}

/// Says whether a copy of a record is behind the record.
package enum CopyRule {
    /// How two sides compare.
    package enum Order: Hashable, Sendable {
        case same, behind, ahead
    }

    /// The copy's place: by the versions; without them by the change times, in the milliseconds
    /// that both sides can hold; without those, whatever differs is behind.
    ///
    /// Where the two times are told in different ways, one with its zone and one without, or as a
    /// date alone, a copy is behind only where no reading of the two makes it the later one.
    package static func order(of copy: CopyState, to authority: CopyState) -> Order {
        if let own = copy.version, let other = authority.version {
            return own == other ? .same : own < other ? .behind : .ahead
        }
        if let own = copy.changed, let other = authority.changed {
            guard own.isToldLike(other) else {
                if copy.content == authority.content { return .same }
                let isBehind = milliseconds(own.latest) < milliseconds(other.earliest)
                return isBehind ? .behind : .ahead
            }
            let (copied, original) = (milliseconds(own.written), milliseconds(other.written))
            return copied == original ? .same : copied < original ? .behind : .ahead
        }
        return copy.content == authority.content ? .same : .behind
    }

    /// Why a copy is stale; nil when it is not. A copy that is ahead holds a write that was not
    /// sent yet, and one that is marked as deleted has no findings of its own.
    package static func cause(of copy: CopyState, authority: CopyState?) -> FindingCause? {
        guard !copy.isTombstone else { return nil }
        guard let authority else { return .deletedUpstream }
        let order = order(of: copy, to: authority)
        if authority.isTombstone { return order == .ahead ? nil : .deletedUpstream }
        return order == .behind ? .behind : nil
    }

    /// Whether a copy tells of a change behind its authority's, or may: it can hold a write that
    /// was not sent yet, though its version was the authority's once and is behind by now.
    package static func mayHoldUnsent(_ copy: CopyState, authority: CopyState?) -> Bool {
        guard let own = copy.changed, let other = authority?.changed else { return false }
        return own.isToldLike(other)
            ? milliseconds(own.written) > milliseconds(other.written)
            : milliseconds(own.latest) >= milliseconds(other.earliest)
    }

    private static func milliseconds(_ instant: Instant) -> Int64 {
        // Rounded down on both sides of 1970.
        let (whole, rest) = instant.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest < 0 ? whole - 1 : whole
    }
}

/// What is known of a stale copy.
package struct CopyFacts: Hashable, Sendable {
    /// How the record fares at the authority.
    package enum Authority: Hashable, Sendable {
        /// It is there, or a tombstone; since its effective change, or our first sight of it, and
        /// the copy's where that is later.
        case changed(Instant)
        /// There is no such record, since our first sight of that; the copy's own effective
        /// change, or our first sight, stands beside it.
        case absent(since: Instant, copyChanged: Instant)
        /// However it fares: the device has a write of its own that it has not sent yet.
        case awaiting(PendingWrite)
    }

    /// Why it is stale.
    package var cause: FindingCause
    /// How the record stands at the authority.
    package var authority: Authority
    /// Whether the authority has a record that is spelt like the one it lacks.
    package var isSpeltAlike = false
    /// Whether the copy tells of a later change than its authority.
    package var mayHoldUnsent = false

    /// Facts about a copy.
    package init(cause: FindingCause, authority: Authority) {
        self.cause = cause
        self.authority = authority
    }
}

/// Judges stale copies. Pure, as `OrphanJudge`.
package struct CopyJudge: Sendable {
    private let race: RaceModel
    private let now: Instant

    /// A judge under the race model of the copy's source, at the moment when both were read.
    package init(race: RaceModel, now: Instant) {
        self.race = race
        self.now = now
    }

    /// Judges one copy: a device may hold it for the stale window, also where stores refuse to
    /// take it back; a record that the authority never had may still be sent.
    package func judge(_ facts: CopyFacts) -> RowJudgement {
        let holding =
            max(race.bounds.staleWindow, race.bounds.offlineWindow) + race.clock
        var judgement = RowJudgement(
            verdict: .settled, cause: facts.cause, explanation: nil, proofs: nil)
        var workflow = RowWorkflow.synchronise
        let until: Instant
        switch facts.authority {
        case .awaiting:
            // As long as the outbox holds it, whatever the windows are.
            judgement.verdict = .explained
            judgement.explanation = RowWorkflow.writeOffline.explanation(
                until: OutboxRule(race: race, now: now).sentUntil)
            return judgement
        case .changed(let changed): until = changed + holding
        case .absent(let since, let copyChanged):
            let sent = copyChanged + race.uploadWindow + holding
            if sent > now { workflow = .createOffline }
            until = max(since + holding, sent)
        }
        if until > now {
            judgement.verdict = .explained
            judgement.explanation = workflow.explanation(until: until)
        }
        // To the database the two may be one record; and no window ends that a write was not sent.
        if facts.isSpeltAlike || facts.mayHoldUnsent {
            (judgement.verdict, judgement.explanation) = (.undecided, nil)
        }
        return judgement
    }
}

extension ChangeTime {
    // Of one form, so that what stands there can be compared as it stands.
    fileprivate func isToldLike(_ other: ChangeTime) -> Bool {
        isZoned == other.isZoned && precision == other.precision
    }
}
