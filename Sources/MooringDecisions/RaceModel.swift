package import MooringModel

/// The waits that the race model derives from its bounds: the one place where they are added up.
package struct RaceModel: Hashable, Sendable {
    /// The bounds as configured.
    package let bounds: RaceBounds
    /// The clock difference that was measured between the stores and this machine (C), without
    /// its sign.
    package let clock: Duration

    /// A model of these bounds under a measured clock difference.
    package init(bounds: RaceBounds, clock: Duration = .zero) {
        self.bounds = bounds
        self.clock = max(clock, .zero - clock)
    }

    /// U: from the moment an object is visible to its association; W where devices have outboxes.
    package var uploadWindow: Duration { max(bounds.uploadWindow, bounds.offlineWindow) }

    /// S: how long an old copy may be written back. Optimistic concurrency refuses old copies, so
    /// it is zero there; automerge brings old list elements back, so it is not.
    package var staleWindow: Duration {
        bounds.conflicts == .optimistic ? .zero : max(bounds.staleWindow, bounds.offlineWindow)
    }

    /// G = U + S + C.
    package var grace: Duration { uploadWindow + staleWindow + clock }

    /// S + U: how long after its last change an owner counts as settled.
    package var ownerSettling: Duration { uploadWindow + staleWindow + clock }
}
