package import MooringDecisions
package import MooringModel

/// A simulated auditor: what a run holds in memory, and what its ledger keeps over a crash.
package struct Auditor: Sendable {
    /// Where a run stands.
    package enum Phase: UInt8, Sendable {
        case idle, resuming, passA, listing, quarantineListing, passB, heads, acting
    }

    /// Which of several auditors.
    package let number: Int8
    /// Where its run stands.
    package var phase = Phase.idle
    /// The next record, page or act of the phase.
    package var cursor = 0
    /// Counts its runs; the runs of two auditors never have the same number.
    package var run: Int32
    /// When the run began.
    package var startedAt: Tick = 0
    /// The earlier of the moments at which records and objects began to be read.
    package var moment: Tick = 0
    /// When the listing began.
    package var listedAt: Tick = 0
    /// When pass B began, or the scan where there is none; 0 before.
    package var lookedAt: Tick = 0
    /// What the run saw of each key.
    package var keys: [KeyNote]
    /// What the run saw of each record.
    package var records: [RecordNote]
    /// What the run saw in quarantine.
    package var heldSeen: [HeldObject] = []
    /// What the run is going to do.
    package var acts: [Act] = []
    /// The act under way.
    package var active: ActiveAct?
    /// What the ledger keeps.
    package var ledger: SimulatedLedger

    /// An auditor with an empty ledger.
    package init(number: Int8, keys: Int, records: Int) {
        self.number = number
        run = Int32(number)
        self.keys = Array(repeating: KeyNote(), count: keys)
        self.records = Array(repeating: RecordNote(), count: records)
        ledger = SimulatedLedger(keys: keys, records: records)
    }
}

/// What a run saw of a key.
package struct KeyNote: Hashable, Sendable {
    /// A record held it in pass A or B.
    package var isReferenced = false
    /// The object that was listed.
    package var listed: SimulatedObject?
    /// A look after the listing found an object that was not listed.
    package var isPresent = false
    /// The truth, for the checker: a record referenced it when the listing ended.
    package var wasReferenced = false

    /// Nothing seen yet.
    package init() {}
}

/// What a run saw of a record.
package struct RecordNote: Hashable, Sendable {
    /// In pass A.
    package var inPassA: SimulatedRecord?
    /// In pass B.
    package var inPassB: SimulatedRecord?

    /// Nothing seen yet.
    package init() {}

    /// What was seen last.
    package var latest: SimulatedRecord? { inPassB ?? inPassA }
}

/// The durable memory of a simulated auditor.
package struct SimulatedLedger: Sendable {
    /// Sightings and the first sight of each key's object.
    package var keys: [KeyMemory]
    /// First sights of each record's version, or of its absence.
    package var records: [RecordMemory]
    /// Sightings of dangling references.
    package var dangling: [DanglingMemory] = []
    /// What complete runs saw of each object in quarantine.
    package var watched: [WatchedMemory] = []
    /// Intents without an outcome.
    package var journal: [ActiveAct] = []

    /// An empty ledger.
    init(keys: Int, records: Int) {
        self.keys = Array(repeating: KeyMemory(), count: keys)
        self.records = Array(repeating: RecordMemory(), count: records)
    }
}

/// The ledger's memory of a key's object; a serial of 0 stands for none.
package struct KeyMemory: Hashable, Sendable {
    /// The version that was sighted settled, since when, and in how many runs.
    package var sighted: Int32 = 0
    package var sightedAt: Tick = 0
    package var runs = 0
    /// The version that was first seen, and when.
    package var seen: Int32 = 0
    package var seenAt: Tick = 0
}

/// The ledger's memory of a record: which version (-1: its absence) was first seen when.
package struct RecordMemory: Hashable, Sendable {
    /// The version, or -1.
    package var version: Int32 = 0
    /// When it was first seen.
    package var seenAt: Tick = 0
    /// Whether it was there when some run looked.
    package var wasSeen = false
}

/// The ledger's memory of a dangling reference.
package struct DanglingMemory: Hashable, Sendable {
    /// The record that holds it.
    package var record: Int16
    /// The key that it holds.
    package var key: Int16
    /// The version of the record that was sighted.
    package var version: Int32
    /// When it was sighted first.
    package var sightedAt: Tick
    /// In how many runs.
    package var runs: Int
    /// The last of them.
    package var run: Int32
}

/// The ledger's memory of an object in quarantine: complete runs that saw no reference to it.
package struct WatchedMemory: Hashable, Sendable {
    /// The key it had.
    package var key: Int16
    /// The run that took it.
    package var run: Int32
    /// How many complete runs saw no reference.
    package var cleanRuns: Int
    /// When the first of them ended.
    package var firstCleanAt: Tick
    /// The looks of these runs.
    package var looks = CleanLooks()
}

/// Why an orphan may be removed: into quarantine, or for good.
package enum RemovalProof: Hashable, Sendable {
    case quarantine(ReversibleProof)
    case deletion(IrreversibleProof)

    /// The proof that a finding has; nil while it waits for one.
    init?(_ proofs: Proofs, deletes: Bool) {
        if deletes {
            guard let proof = IrreversibleProof(proofs) else { return nil }
            self = .deletion(proof)
        } else {
            guard let proof = ReversibleProof(proofs) else { return nil }
            self = .quarantine(proof)
        }
    }

    /// The product's protocol for a removal with this proof.
    func removal(of expected: ObjectVersion) -> OrphanRemoval {
        switch self {
        case .quarantine(let proof): OrphanRemoval(expected: expected, proof: proof)
        case .deletion(let proof): OrphanRemoval(expected: expected, deleting: proof)
        }
    }
}

/// One thing that a run decided to do.
package enum Act: Hashable, Sendable {
    case remove(key: Int, SimulatedObject, RemovalProof)
    case null(record: Int, key: Int, ReversibleProof)
    case restore(HeldObject)
    case sweep(HeldObject, IrreversibleProof)

    /// The key concerned.
    var key: Int {
        switch self {
        case .remove(let key, _, _), .null(_, let key, _): key
        case .restore(let held), .sweep(let held, _): Int(held.key)
        }
    }
}

/// An act under way, or left open by a crash: the product's machine, and what it did so far.
package struct ActiveAct: Sendable {
    /// The product's protocol for the act.
    package enum Machine: Sendable {
        case removal(OrphanRemoval, OrphanRemoval.Move)
        case nulling(SandwichWrite, SandwichWrite.Move)
        case move(QuarantineMove, QuarantineMove.Move)
    }

    /// What is done.
    package var act: Act
    /// How it is done, and the next move.
    package var machine: Machine
    /// The run whose quarantine is used.
    package var run: Int32
    /// When that run began.
    package var runStartedAt: Tick
    /// Whether the journal holds an intent of it.
    package var isIntended = false
    /// Whether the copy of a move in two steps is made.
    package var isCopied = false
    /// The truth, for the checker: the act should find a reason to stop when it first looks.
    package var shouldStop = false
    /// How often its owners were read.
    package var ownerReads = 0
    /// Whether a fault made what was done uncertain.
    package var isUncertain = false
    /// The truth, for the checker: another step gave back what this one had moved.
    package var isGivenBack = false
    /// The record's version before the null write.
    package var versionBefore: Int32 = 0
    /// What was done to the stores, for the checker.
    package var done = Deeds()
    /// Faults met, so that two states that differ in the attempts left are two.
    package var faults = 0

    /// What an act did to the stores.
    package struct Deeds: Hashable, Sendable {
        /// Objects moved away.
        package var moved = 0
        /// Objects given back.
        package var restored = 0
        /// Objects removed from quarantine.
        package var swept = 0
        /// References nulled.
        package var nulled = 0
        /// References put back.
        package var putBack = 0
    }
}
