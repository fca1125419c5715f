/// Repair steps made from one run's settled findings: immutable, saved, hashed, and with an end.
package struct Plan: Hashable, Sendable {
    /// The plan's name.
    package var id: String
    /// The run whose findings it repairs.
    package var run: RunID
    /// The hash of the configuration it was made under.
    package var configuration: String
    /// When it was made.
    package var createdAt: Instant
    /// After this it is refused.
    package var expiresAt: Instant
    /// When the run's confirm scan ended. Who acts repeats that scan, unless the run that made the
    /// plan carries it out within the hour.
    package var confirmedAt: Instant
    /// Guards that were accepted in words, by name, with the value that was written.
    package var accepted: [String: String]
    /// The steps; some may have been taken out by hand.
    package var steps: [PlanStep]

    /// A plan.
    package init(
        id: String, run: RunID, configuration: String, createdAt: Instant, expiresAt: Instant,
        confirmedAt: Instant, accepted: [String: String], steps: [PlanStep]
    ) {
        self.id = id
        self.run = run
        self.configuration = configuration
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.confirmedAt = confirmedAt
        self.accepted = accepted
        self.steps = steps
    }
}

/// One repair of one finding.
package struct PlanStep: Hashable, Sendable {
    /// The step's name within its plan.
    package var id: String
    /// SHA-256 over everything else in the step, in hexadecimal.
    package var hash: String
    /// What is done.
    package var strategy: Strategy
    /// The finding's id.
    package var finding: String
    /// The bucket's name; nil of a step about records alone.
    package var bucket: String?
    /// The object's full key; of a step that writes a reference, the key that is missing. Nil of a
    /// step about records alone.
    package var key: ObjectKey?
    /// Where the object lies that a `repoint` makes the reference mean; nil of other steps.
    package var target: ObjectPlace?
    /// The record and field that hold the reference; of an orphan, its owner.
    package var record: RecordPlace?
    /// What must hold at the instant of acting.
    package var precondition: Precondition

    /// A step.
    package init(
        id: String, hash: String, strategy: Strategy, finding: String, bucket: String?,
        key: ObjectKey?, target: ObjectPlace? = nil, record: RecordPlace?,
        precondition: Precondition
    ) {
        self.id = id
        self.hash = hash
        self.strategy = strategy
        self.finding = finding
        self.bucket = bucket
        self.key = key
        self.target = target
        self.record = record
        self.precondition = precondition
    }

    /// Whether it takes back a deletion marker; any other restore gives back from quarantine.
    package var undeletes: Bool { strategy == .restore && precondition.basis.marker != nil }

    /// Whether the watch of every run carries it out, since it takes nothing away: it gives back
    /// from quarantine, or takes Mooring's own tag off.
    package var isOfWatch: Bool { strategy == .restore && !undeletes || strategy == .untag }
}

/// A key in a bucket.
package struct ObjectPlace: Hashable, Sendable {
    /// The bucket's name.
    package let bucket: String
    /// The object's full key.
    package let key: ObjectKey

    /// A place.
    package init(bucket: String, key: ObjectKey) {
        self.bucket = bucket
        self.key = key
    }
}

/// What must hold at the instant of acting; if it does not, the outcome is stale.
package struct Precondition: Hashable, Sendable {
    /// The object's version, for steps that move or remove an object, or make a record mean it.
    package var object: ObjectVersion?
    /// What must hold of the store beside the object.
    package var basis: StoreBasis
    /// The quarantine run in which the object lies, for steps that restore or sweep it.
    package var quarantinedBy: RunID?
    /// The records that may own the object; none of them may reference it.
    package var owners: [RecordIdentity]
    /// The key or list element that the field holds, for steps that write a record.
    package var value: [UInt8]?
    /// The record's version, where the mapping names one.
    package var recordVersion: Int64?
    /// One text for the record's whole row as the judgement saw it, where it has no version.
    package var rowToken: String?

    /// A precondition.
    package init(
        object: ObjectVersion? = nil, basis: StoreBasis = StoreBasis(),
        quarantinedBy: RunID? = nil, owners: [RecordIdentity] = [], value: [UInt8]? = nil,
        recordVersion: Int64? = nil, rowToken: String? = nil
    ) {
        self.object = object
        self.basis = basis
        self.quarantinedBy = quarantinedBy
        self.owners = owners
        self.value = value
        self.recordVersion = recordVersion
        self.rowToken = rowToken
    }

    /// Whether it tells the record's row from every later one.
    package var namesRow: Bool { recordVersion != nil || rowToken != nil }
}

/// How a step ended.
package enum StepOutcome: String, Hashable, Sendable, Codable, CaseIterable {
    /// Carried out.
    case done
    /// A precondition did not hold; nothing changed.
    case stale
    /// A store failed; the reason stands beside it.
    case failed
    /// Carried out and taken back at once, since the look afterwards found it wrong.
    case putBack = "put-back"
    /// Taken back later, by `undo`.
    case undone
    /// A requery found the finding gone.
    case healed
    /// A requery found the finding as it was.
    case confirmed
    /// A requery found something else than either.
    case changed
}

/// One step in the journal: the intent, written before acting, and the outcome, written after.
package struct JournalEntry: Hashable, Sendable {
    /// The entry's number in the ledger; 0 before it is written.
    package var number: Int64
    /// The run that acted, which need not be the one that made the plan.
    package var run: RunID
    /// The plan; nil for a sweep, an undo, and an entry that was told by the bucket alone.
    package var plan: String?
    /// The step as a whole: what is resumed or taken back needs no plan beside it.
    package var step: PlanStep
    /// When the intent was written.
    package var intendedAt: Instant
    /// The record write that the step makes: enough to finish or to take it back.
    package var change: RecordChange?
    /// The entry that this one takes back.
    package var undoes: Int64?
    /// How it ended; nil while only the intent stands.
    package var outcome: StepOutcome?
    /// Why, in words, where there is something to say.
    package var reason: String?
    /// When the outcome was written.
    package var endedAt: Instant?
    /// The run that took out of the entry what it said of a person's objects; nil of any other.
    package var erasedBy: RunID?

    /// An intent.
    package init(
        run: RunID, plan: String?, step: PlanStep, intendedAt: Instant,
        change: RecordChange? = nil, undoes: Int64? = nil
    ) {
        self.number = 0
        self.run = run
        self.plan = plan
        self.step = step
        self.intendedAt = intendedAt
        self.change = change
        self.undoes = undoes
    }
}
