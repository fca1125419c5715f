/// One look at everything that may reference an object: a confirm scan, from its first record to
/// its last.
package struct CleanLook: Hashable, Sendable {
    /// When the first record was read.
    package let from: Instant
    /// When the last record was read.
    package let until: Instant

    /// A look that took so long; one whose times are the wrong way round is taken by the later.
    package init(from: Instant, until: Instant) {
        self.from = from
        self.until = max(from, until)
    }

    /// A look at one instant.
    package init(at instant: Instant) {
        self.init(from: instant, until: instant)
    }
}

/// The looks that saw no reference to an object in quarantine, as far as any of them can still
/// matter to its sweep.
///
/// Any look may be taken for the beginning: what counts from it on is the time that passed, and
/// the longest gap between looks, in which a reference may have stood unseen. A gap is counted from
/// the first record of one look to the last of the next, the longest that it can be for any record.
///
/// A beginning is left out where an earlier one is as good whatever gaps follow. Each that stays
/// has less than half the gap of the one before, so that hourly runs of a month leave a few; more
/// than `most` are never kept. Leaving one out only makes a sweep wait.
package struct CleanLooks: Hashable, Sendable {
    /// A look that may be taken for the beginning.
    package struct Beginning: Hashable, Sendable {
        /// When it ended.
        package let at: Instant
        /// The longest gap between looks from it on; zero where none followed.
        package let gap: Duration

        /// A beginning.
        package init(at: Instant, gap: Duration) {
            self.at = at
            self.gap = gap
        }
    }

    /// The most beginnings that are kept.
    package static let most = 32
    /// The gaps by which two beginnings are compared: two of three copies wait for one each. What
    /// is left out by this is needed by no shorter chain either.
    private static let gaps = 2

    /// The beginnings, from the earliest to the latest; their gaps become shorter.
    package private(set) var beginnings: [Beginning] = []
    /// When the last look read its first record; of no meaning while there is no beginning.
    package private(set) var lastFrom = Instant.distantPast

    /// No looks.
    package init() {}

    /// Looks as they were kept before; nil where they are in no order that `add` can leave.
    package init?(beginnings: [Beginning], lastFrom: Instant) {
        guard beginnings.count <= Self.most else { return nil }
        for (one, next) in zip(beginnings, beginnings.dropFirst()) {
            guard one.at <= next.at, one.gap > next.gap else { return nil }
        }
        guard beginnings.allSatisfy({ $0.gap >= .zero }) else { return nil }
        self.beginnings = beginnings
        self.lastFrom = lastFrom
    }

    /// Whether there were none.
    package var isEmpty: Bool { beginnings.isEmpty }

    /// Adds a look behind all others. One that is not behind them tells that a clock went wrong:
    /// then nothing is known of the gaps before it, and it is the first.
    package mutating func add(_ look: CleanLook) {
        guard let newest = beginnings.last, look.from >= lastFrom, look.until >= newest.at else {
            beginnings = [Beginning(at: look.until, gap: .zero)]
            lastFrom = look.from
            return
        }
        var kept: [Beginning] = []
        for beginning in seen(by: look) + [Beginning(at: look.until, gap: .zero)] {
            if let other = kept.last,
                Self.readiness(other) <= Self.readiness(beginning) || other.gap <= beginning.gap
            {
                continue
            }
            kept.append(beginning)
        }
        // The newest stays, and so do the oldest, which wait the least.
        while kept.count > Self.most { kept.remove(at: kept.count - 2) }
        beginnings = kept
        lastFrom = look.from
    }

    /// The beginnings with the gap up to a look behind all of them; none where it is not behind.
    package func seen(by look: CleanLook) -> [Beginning] {
        guard look.from >= lastFrom else { return [] }
        let gap = look.until - lastFrom
        return beginnings.map { Beginning(at: $0.at, gap: max($0.gap, gap)) }
    }

    private static func readiness(_ beginning: Beginning) -> Instant {
        (0..<gaps).reduce(beginning.at) { sum, _ in sum + beginning.gap }
    }
}
