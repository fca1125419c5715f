package import MooringModel

/// The findings that an app is known to have, so that `check` fails for others alone.
///
/// It is a list of debts: each passes while its kind is the same and its cause is no worse, until
/// the whole list or the entry expires. An accepted one needs a reason.
package struct FindingBaseline: Hashable, Sendable {
    /// One known finding.
    package struct Entry: Hashable, Sendable {
        /// The finding's id, which is the same in every run.
        package let id: String
        /// The finding's kind and cause as they were.
        package let kind: FindingKind
        package let cause: FindingCause?
        /// What it is about, for people who read the list; printable.
        package var about: String
        /// The bytes of the object; 0 where there is none.
        package var bytes: Int64 = 0
        /// Whether somebody decided that it may stay; a debt otherwise.
        package var isAccepted = false
        /// Why it may stay.
        package var reason: String?
        /// When it passes no longer; nil where the list says it.
        package var until: Instant?

        /// A debt.
        package init(id: String, kind: FindingKind, cause: FindingCause?, about: String) {
            (self.id, self.kind, self.cause, self.about) = (id, kind, cause, about)
        }
    }

    /// What the list says of a finding.
    package enum Answer: String, Hashable, Sendable, CaseIterable {
        case debt, accepted, expired, worse, unreasoned, unknown

        /// Whether the finding passes.
        package var passes: Bool { self == .debt || self == .accepted }
    }

    /// When the whole list passes no longer; nil for never.
    package let expires: Instant?
    private let entries: [String: Entry]

    /// A list, whose entries have ids of their own; of two with one id the first counts.
    package init(_ entries: [Entry], expires: Instant?) {
        self.expires = expires
        self.entries = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
    }

    /// What it says of a finding at a moment.
    package func answer(to finding: Finding, at now: Instant) -> Answer {
        guard let entry = entries[finding.id], entry.kind == finding.kind else { return .unknown }
        if let end = entry.until ?? expires, end <= now { return .expired }
        // A line that names no cause knows none.
        if entry.cause == nil, finding.cause != nil { return .worse }
        if finding.cause.rank > entry.cause.rank { return .worse }
        guard entry.isAccepted else { return .debt }
        return entry.reason?.contains { !$0.isWhitespace } == true ? .accepted : .unreasoned
    }

    /// The entry of a finding's id; nil where there is none.
    package func entry(_ id: String) -> Entry? { entries[id] }

    /// The entries of findings that a complete run did not make, by their ids.
    package func healed(besides found: Set<String>) -> [Entry] {
        entries.values.filter { !found.contains($0.id) }.sorted { $0.id < $1.id }
    }

    /// How many entries there are.
    package var count: Int { entries.count }
}

extension FindingCause? {
    /// How bad a cause is beside others of its kind: 0 where what is missing can be had back or
    /// was meant, 1 for the ordinary loss, 2 where more than one thing went.
    var rank: Int {
        switch self {
        case .deleted, .quarantined, .misplaced, .twin, .cleared, .superseded, .pending,
            .tombstonedParent:
            0
        case .vanished, .lostUpdate, .deletedUpstream: 2
        default: 1
        }
    }
}

// MARK: - Which runs may be one

extension FindingBaseline {
    /// Why a run can be no baseline: what it did not see would come back as new, and what a store
    /// lost would be taken for debt.
    package enum Obstacle: Hashable, Sendable {
        /// A side was not read to its end.
        case incomplete
        /// It was judged as of another moment.
        case judgedAsOf
        /// This guard refused, since a store lost something or is another one.
        case loss(RunSummary.Guard)
    }

    /// Why the findings of a run can be no baseline; nil where they can.
    package static func obstacle(of run: RunSummary) -> Obstacle? {
        guard run.isCompleteScan else { return .incomplete }
        guard !run.isJudgedAsOf else { return .judgedAsOf }
        let loss = run.guards.first {
            $0.refused && ($0.isOne(of: AcceptableGuard.drops) || $0.name == IdentityRule.name)
        }
        return loss.map(Obstacle.loss)
    }
}
