package import MooringModel

/// What a count is compared with: the largest of the last 7 days, so that a slow drain does not
/// move it, less what Mooring itself took away since.
package enum UsualCount {
    /// One complete run's count in a place.
    package struct Count: Hashable, Sendable {
        /// The run's number in the ledger, which no clock moves.
        package let sequence: Int64
        /// When the run says it began.
        package let at: Instant
        /// What it counted there, such as a bucket's objects or a field's references.
        package let count: Int
        /// Whether the guard refused there, and nobody accepted it.
        package let isRefused: Bool
        /// Whether somebody accepted it: no count before it is compared any more.
        package let isAccepted: Bool
        /// What Mooring itself took away since; negative where it gave back more.
        package let takenSince: Int

        /// A count.
        package init(
            sequence: Int64, at: Instant, count: Int, isRefused: Bool, isAccepted: Bool,
            takenSince: Int
        ) {
            self.sequence = sequence
            self.at = at
            self.count = count
            self.isRefused = isRefused
            self.isAccepted = isAccepted
            self.takenSince = takenSince
        }
    }

    /// How far back it looks.
    package static let window = Duration.days(7)

    /// The count to compare with; nil where no run counts. What somebody accepted is where it
    /// begins anew. While the newest counts are refused ones, the days are reckoned back from the
    /// first of them: waiting makes no loss smaller.
    package static func value(of counts: [Count], now: Instant) -> Int? {
        let all = counts.sorted { $0.sequence < $1.sequence }
        let row = all[(all.lastIndex { !$0.isRefused }.map { $0 + 1 } ?? 0)...]
        let now = min(now, row.first?.at ?? now)
        let ordered = counts.filter { !$0.isRefused }.sorted { $0.sequence < $1.sequence }
        let begin = ordered.lastIndex(where: \.isAccepted) ?? 0
        let standing = ordered.dropFirst(begin)
        // A clock that was ahead says nothing: such a run is as old as the one behind it.
        var next = now
        var recent: [Count] = []
        for count in standing.reversed() {
            if count.at <= now { next = count.at }
            if next >= now - window { recent.append(count) }
        }
        let chosen = recent.isEmpty ? standing.suffix(1) : recent[...]
        return chosen.map { max(0, $0.count - $0.takenSince) }.max()
    }
}
