package import MooringModel

/// The bounds on what devices may still do, and every wait that is derived from them: the one
/// place where they are added up.
///
/// - U, the upload window: until when an object may be associated; a change of its owner later
///   than that was made on purpose.
/// - S, the stale window: until when an old copy may be written back; zero where stores refuse
///   old copies.
/// - W, the offline window: U and S are never shorter, since an outbox is sent when its device
///   returns.
/// - M, the multipart window: until when an open upload may still get parts.
/// - C, the clock difference: is added to each wait, since two clocks are compared.
///
/// G = U + S + C is the longest way of a workflow: an object is associated at the end of U, a
/// device reads the record, and writes that copy back at the end of S. `PendingStep` adds the same
/// windows up along the catalogue of workflows, and a test holds the two together.
package struct RaceModel: Hashable, Sendable {
    /// The bounds as configured.
    package let bounds: RaceBounds
    /// C: the clock difference that was measured between the stores and this machine, without its
    /// sign; above the bound for it, nothing is changed at all.
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

    /// W: how long a device may stay offline with writes in its outbox; zero for apps that work
    /// online.
    package var offlineWindow: Duration { bounds.offlineWindow }

    /// M: how long an open multipart upload may still get parts. It ends before the object is
    /// visible, so no other wait holds it.
    package var multipartWindow: Duration { bounds.multipartWindow }

    /// G = U + S + C: how long a difference may still be explained.
    package var grace: Duration { uploadWindow + staleWindow + clock }

    /// S + U + C: how long after its last change an owner counts as settled.
    package var ownerSettling: Duration { uploadWindow + staleWindow + clock }
}
