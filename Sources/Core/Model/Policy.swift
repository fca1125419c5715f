/// The bounds of the race model as the configuration gives them.
package struct RaceBounds: Hashable, Sendable {
    /// How a store settles concurrent writes.
    package enum Conflicts: String, Hashable, Sendable, CaseIterable {
        case none, optimistic, automerge, lambda
    }

    /// The longest time from an object's becoming visible to its association (U); 1 h.
    package var uploadWindow: Duration
    /// The longest time a device may still write back an old copy (S); 3 d.
    package var staleWindow: Duration
    /// The longest time a device stays offline (W); zero for apps that work online.
    package var offlineWindow: Duration
    /// How long an open multipart upload may still get parts (M); 7 d.
    package var multipartWindow: Duration
    /// The clock difference above which a run is refused; 5 min.
    package var clockBound: Duration
    /// How concurrent writes are settled; `none`.
    package var conflicts: Conflicts
    /// Whether a device may associate an existing object again; true.
    package var relinkPossible: Bool

    /// Bounds; the defaults are the preset `standard`.
    package init(
        uploadWindow: Duration = .hours(1), staleWindow: Duration = .days(3),
        offlineWindow: Duration = .zero, multipartWindow: Duration = .days(7),
        clockBound: Duration = .minutes(5), conflicts: Conflicts = .none,
        relinkPossible: Bool = true
    ) {
        self.uploadWindow = uploadWindow
        self.staleWindow = staleWindow
        self.offlineWindow = offlineWindow
        self.multipartWindow = multipartWindow
        self.clockBound = clockBound
        self.conflicts = conflicts
        self.relinkPossible = relinkPossible
    }

    /// The presets by name: `standard`, `offline` and `testing`.
    package static let presets: [String: RaceBounds] = [
        "standard": RaceBounds(),
        "offline": RaceBounds(
            uploadWindow: .days(30), staleWindow: .days(30), offlineWindow: .days(30)),
        "testing": RaceBounds(uploadWindow: .zero, staleWindow: .zero),
    ]
}

/// What the policy would do, by finding kind, with exceptions.
package struct RepairPolicy: Hashable, Sendable {
    /// An exception; all of its conditions must fit, and the last exception that fits wins.
    package struct Override: Hashable, Sendable {
        /// Conditions; nil fits everything.
        package var model: String?
        /// Fits findings of this cause.
        package var cause: FindingCause?
        /// Fits full keys with this prefix.
        package var prefix: ObjectKey?
        /// Fits findings of this record source.
        package var source: String?
        /// What is done instead, by kind.
        package var strategies: [FindingKind: Strategy]

        /// An exception.
        package init(
            model: String? = nil, cause: FindingCause? = nil, prefix: ObjectKey? = nil,
            source: String? = nil, strategies: [FindingKind: Strategy]
        ) {
            self.model = model
            self.cause = cause
            self.prefix = prefix
            self.source = source
            self.strategies = strategies
        }
    }

    /// Whether `run` changes the stores; false.
    package var apply: Bool
    /// What is done by kind; kinds that are not named are kept.
    package var strategies: [FindingKind: Strategy]
    /// Exceptions, in order.
    package var overrides: [Override]
    /// How long quarantine keeps; 30 d.
    package var retention: Duration

    /// What the configuration does where it says nothing.
    package static let defaultStrategies: [FindingKind: Strategy] = [
        .orphan: .quarantine, .dangling: .nullify, .abandonedUpload: .keep,
        .danglingRelation: .keep, .staleCopy: .requery,
    ]

    /// The exceptions that stand before the configuration's own: somebody may want these files.
    package static let defaultOverrides: [Override] = [
        Override(cause: .cleared, strategies: [.orphan: .keep]),
        Override(cause: .lostUpdate, strategies: [.orphan: .keep]),
    ]

    /// A policy with the defaults of the configuration.
    package init(
        apply: Bool = false, strategies: [FindingKind: Strategy] = Self.defaultStrategies,
        overrides: [Override] = Self.defaultOverrides, retention: Duration = .days(30)
    ) {
        self.apply = apply
        self.strategies = strategies
        self.overrides = overrides
        self.retention = retention
    }
}

/// The caps of one plan, each compared with a measured number before anything is changed.
package struct Limits: Hashable, Sendable {
    /// The largest share of a bucket's listed objects that may be removed in a day, 0 to 1; 0.01.
    package var orphanShare: Double
    /// The largest share of a field's references, or of a model's rows, that may be taken away in
    /// a day, 0 to 1; 0.01.
    package var recordShare: Double
    /// The most steps of a plan; 10,000.
    package var steps: Int
    /// The most bytes to be removed; 100 GiB.
    package var bytes: Int64
    /// The largest loss of a field's references against what is usual, 0 to 1; 0.2.
    package var referenceDrop: Double
    /// The largest loss of a bucket's objects against what is usual, 0 to 1; 0.2.
    package var objectDrop: Double
    /// How long a plan may be carried out; 24 h.
    package var planExpiry: Duration
    /// Limits of single places, which stand in place of the general ones.
    package var places: [GuardedPlace: PlaceLimits] = [:]

    /// Limits with the defaults of the configuration.
    package init(
        orphanShare: Double = 0.01, recordShare: Double = 0.01, steps: Int = 10_000,
        bytes: Int64 = 100 << 30, referenceDrop: Double = 0.2, objectDrop: Double = 0.2,
        planExpiry: Duration = .hours(24)
    ) {
        self.orphanShare = orphanShare
        self.recordShare = recordShare
        self.steps = steps
        self.bytes = bytes
        self.referenceDrop = referenceDrop
        self.objectDrop = objectDrop
        self.planExpiry = planExpiry
    }

    /// What holds at a place: its own limits, else those of what holds it, else the general ones.
    package func at(_ place: GuardedPlace) -> (
        orphanShare: Double, recordShare: Double, referenceDrop: Double, objectDrop: Double
    ) {
        var own = PlaceLimits()
        var next: GuardedPlace? = place
        while let here = next {
            own = own.over(places[here] ?? PlaceLimits())
            next = here.outer
        }
        return (
            own.orphanShare ?? orphanShare, own.recordShare ?? recordShare,
            own.referenceDrop ?? referenceDrop, own.objectDrop ?? objectDrop
        )
    }
}

/// A condition that `check` holds a run to, such as `dangling.settled == 0`.
package struct Gate: Hashable, Sendable {
    /// How the measured number is compared with the wanted one.
    package enum Comparison: String, Hashable, Sendable, CaseIterable {
        case equal = "=="
        case unequal = "!="
        case less = "<"
        case atMost = "<="
        case greater = ">"
        case atLeast = ">="
    }

    /// The gate as it was written.
    package let text: String
    /// Whether only findings that no earlier run saw are counted.
    package let newOnly: Bool
    /// The kind counted.
    package let kind: FindingKind
    /// The verdict counted; nil counts all.
    package let verdict: Verdict?
    /// Whether bytes are added up instead of findings.
    package let countsBytes: Bool
    /// The comparison, with the measured number on its left.
    package let comparison: Comparison
    /// The number on the right-hand side, of a gate that compares no share.
    package var value: Int64
    /// The share on the right-hand side, from 0 to 1; nil of any other gate.
    package var share: Double?

    /// A gate.
    package init(
        text: String, newOnly: Bool, kind: FindingKind, verdict: Verdict?, countsBytes: Bool,
        comparison: Comparison, value: Int64
    ) {
        self.text = text
        self.newOnly = newOnly
        self.kind = kind
        self.verdict = verdict
        self.countsBytes = countsBytes
        self.comparison = comparison
        self.value = value
    }
}

extension FindingKind {
    /// What findings of a kind are a part of, as far as runs count it.
    package enum Whole: Hashable, Sendable {
        case objects, references, records
    }

    /// What findings of the kind are a share of; nil where they are part of nothing that is
    /// counted.
    package var whole: Whole? {
        switch self {
        case .orphan, .shared, .exposed, .emptyObject: .objects
        case .dangling, .invalidKey: .references
        case .danglingRelation, .staleCopy: .records
        case .abandonedUpload, .unmappedReference, .mappingError: nil
        }
    }
}
