package import MooringModel

/// What earlier runs know of a finding.
package struct FindingHistory: Hashable, Sendable {
    /// When the first run saw it.
    package var firstSeen: Instant
    /// How many runs recorded it.
    package var runs: Int
    /// The complete runs that judged it settled, without a break up to now; nil when there is none.
    package var sighting: Sighting?

    /// A history.
    package init(firstSeen: Instant, runs: Int, sighting: Sighting? = nil) {
        self.firstSeen = firstSeen
        self.runs = runs
        self.sighting = sighting
    }
}

/// Complete runs that judged a finding settled while it was about the same version.
package struct Sighting: Hashable, Sendable {
    /// The object or record version that was judged.
    package var token: String
    /// When the first of the runs judged it.
    package var firstAt: Instant
    /// When the last of them did.
    package var lastAt: Instant
    /// How many runs did; of those that were held back alone, 0.
    package var runs: Int
    /// Further runs that count once a share is accepted; nil where there are none.
    package var heldBack: HeldBack?

    /// Runs whose repair of the place was refused for a share, and for nothing else.
    package struct HeldBack: Hashable, Sendable {
        /// When the first of them judged it.
        package var firstAt: Instant
        /// How many there are.
        package var runs: Int
        /// The largest of the shares, which an acceptance has to cover.
        package var share: Double
    }

    /// A sighting.
    package init(
        token: String, firstAt: Instant, lastAt: Instant, runs: Int, heldBack: HeldBack? = nil
    ) {
        self.token = token
        self.firstAt = firstAt
        self.lastAt = lastAt
        self.runs = runs
        self.heldBack = heldBack
    }
}

/// What a run's sighting of a finding is worth.
package enum SightingWorth: Hashable, Sendable {
    /// It counts, and so do earlier ones that were held back for at most the accepted share.
    case counts(accepted: Double?)
    /// It counts once a share as large is accepted.
    case heldBack(share: Double)
    /// Nothing: a guard refused at the place. Earlier ones stay as they are.
    case nothing
}

/// Which findings of a run are wanted; the conditions hold together.
package struct FindingFilter: Hashable, Sendable {
    /// The kinds; none means all.
    package var kinds: Set<FindingKind>
    /// The verdicts; none means all.
    package var verdicts: Set<Verdict>
    /// The bytes that the key begins with; none fits findings without a key, too.
    package var keyPrefix: [UInt8]

    /// A filter; the default lets everything through.
    package init(
        kinds: Set<FindingKind> = [], verdicts: Set<Verdict> = [], keyPrefix: [UInt8] = []
    ) {
        self.kinds = kinds
        self.verdicts = verdicts
        self.keyPrefix = keyPrefix
    }
}

/// A finding as one run recorded it.
package struct Appearance: Hashable, Sendable {
    /// The run that recorded it.
    package let run: RunID
    /// The finding as that run saw it.
    package let finding: Finding

    /// A finding in a run.
    package init(run: RunID, finding: Finding) {
        self.run = run
        self.finding = finding
    }
}
