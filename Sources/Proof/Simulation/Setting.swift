package import MooringDecisions
package import MooringModel

/// Simulated time: whole ticks. A tick stands for one second of the product's clock.
package typealias Tick = Int32

/// What stays the same throughout one simulation: bounds, stores, protocol and what is checked.
package struct Setting: Sendable {
    /// How a bucket tells one version of an object from another.
    package enum Tag: Sendable {
        /// Every write has an ETag of its own, as a folder's files have.
        case everyWrite
        /// The same bytes have the same ETag, as in S3.
        case content
    }

    /// The race model's bounds, in seconds that stand for ticks.
    package var bounds = RaceBounds(
        uploadWindow: .seconds(2), staleWindow: .seconds(2), multipartWindow: .seconds(2),
        clockBound: .seconds(5))
    {
        didSet { derive() }
    }
    /// The clock difference (C) that the auditor counts with, in ticks.
    package var clock: Tick = 1 {
        didSet { derive() }
    }
    /// How far the stores' clocks are behind the auditor's, in ticks; less than C.
    package var skew: Tick = 0
    /// Whether devices write their copies back however old they are, which breaks the bounds.
    package var breaksBounds = false {
        didSet { derive() }
    }
    /// How long quarantine keeps, in ticks.
    package var retention: Tick = 0
    /// Whether orphans are deleted, by way of the quarantine and at once.
    package var deletes = false
    /// Whether nothing is nulled whatever the protocol says, where a scenario is about removals.
    package var leavesReferences = false
    /// Whether an exploration's clock stands still during a run, where a scenario is about the time
    /// between runs. Devices act all the same.
    package var hasQuickRuns = false
    /// Whether looks before a sweep are counted. Where a scenario is about something else they are
    /// taken as given, which the product never does: it waits longer than the auditor of such a
    /// world, whose moments need not all be told apart.
    package var countsLooks = false
    /// The longest chain of old copies that may not pass unseen. Worlds of one more are explored;
    /// with the product's own longest they are only too large to be explored in full.
    package var chain = 2
    /// What the auditor does.
    package var audit = AuditProtocol.full
    /// Whether an ETag names a write or a content.
    package var tag = Tag.everyWrite
    /// Whether a move is a copy and then a deletion, with room between the two.
    package var copiesAndDeletes = false
    /// Whether a write to an absent record creates it.
    package var upserts = true
    /// Records that the configuration does not map: only pass B reads them.
    package var unmapped: Set<Int> = []
    /// Records whose field has no key template, so that no key names them as owner.
    package var untemplated: Set<Int> = []
    /// Records whose field is a list.
    package var lists: Set<Int> = []
    /// Keys that the auditor looks at; nil for all.
    package var audited: Set<Int>?
    /// Objects of one page of the listing.
    package var page = 1
    /// How often auditors may crash in all.
    package var crashes = 0
    /// How often a request of the auditor may lose its answer, or be carried out late.
    package var faults = 0
    /// Whether only questions stay without an answer.
    package var onlyQuestionsFail = false
    /// Whether an exploration finds waits that are too short, for which it has to tell many more
    /// states apart.
    package var doubtsWaits = false
    /// What counts as a violation beside `lost` and `nulled`.
    package var strictness = Strictness()
    /// The workflows of devices; in an exhaustive simulation, one for each device.
    package var programs: [DeviceProgram] = []

    /// Checks that hold only where the scenario promises them.
    package struct Strictness: Sendable {
        /// An object that a record references lies in quarantine while no act is under way.
        package var missing = false
        /// An act went through though, since before it began, a record had referenced the object,
        /// or it was another version, or the object of a nulled reference had been there.
        package var disturbed = false
        /// An act began on an object that a record had referenced since the listing's end.
        package var overlooked = false

        /// None of them.
        package init() {}
    }

    /// The setting of the tables: U = S = 2, C = 1, so G = 5.
    package init() { derive() }

    // Derived once, since every step asks for them.

    /// The race model that the product derives from the bounds.
    package private(set) var race = RaceModel(bounds: RaceBounds())
    /// U in ticks.
    package private(set) var uploadWindow: Tick = 0
    /// How long a device may still write from its copy, in ticks: S, or without end where the
    /// store refuses late writes.
    package private(set) var copyWindow: Tick = 0
    /// M in ticks.
    package private(set) var multipartWindow: Tick = 0
    /// G in ticks.
    package private(set) var grace: Tick = 0

    // Devices go by the bounds alone: a race model that adds them up wrongly must not slow them
    // down with it.
    private mutating func derive() {
        race = RaceModel(bounds: bounds, clock: .seconds(Int64(clock)))
        let offline = Self.ticks(bounds.offlineWindow)
        uploadWindow = max(Self.ticks(bounds.uploadWindow), offline)
        let stale = max(Self.ticks(bounds.staleWindow), offline)
        let refusesCopies = bounds.conflicts == .optimistic
        copyWindow = refusesCopies || breaksBounds ? .max : stale
        multipartWindow = Self.ticks(bounds.multipartWindow)
        grace = uploadWindow + (refusesCopies ? 0 : stale) + clock
    }

    private static func ticks(_ duration: Duration) -> Tick { Tick(duration.components.seconds) }
}

/// Turns ticks into the product's moments.
package enum SimulatedClock {
    private static let epoch: Int64 = 1_700_000_000

    /// The moment of a tick.
    package static func instant(_ tick: Tick) -> Instant {
        Instant(seconds: epoch + Int64(tick))
    }
}
