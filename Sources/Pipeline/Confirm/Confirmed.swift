import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

/// What both sides leave after pass B: the border between confirm and judge.
/// Each candidate carries what was found out about it.
struct Confirmed {
    /// What the join left over, and how both sides were read: pass B's problems stand there too.
    var candidates: Candidates
    /// The orphans that pass B found no record to hold.
    var orphans: [ConfirmedOrphan] = []
    /// Where texts that nobody mapped hold an orphan's key, which no mapped field references.
    var protections: [Protection] = []
    /// The orphans that a mapped field references after all.
    var referenced: Set<WantedKey> = []
    /// The dangling references that stand.
    var references: [ConfirmedReference] = []
    /// Every object in quarantine.
    var held: [ConfirmedHeld] = []
    /// The open uploads that matter, with their parts.
    var uploads: [WantedKey: [UploadFacts]]
    /// Pass B of records alone: relations and copies.
    var rows: RowConfirm
    /// What waits in devices' outboxes.
    var outboxes: OutboxScan
    /// Which fields hold no key as they are mapped, with the columns that pass B met.
    var forms: FieldForms
    /// What columns do not take that a nulling would write.
    var columns = NullableColumns()
    /// When it began to read the records again.
    let beganAt: Instant
    /// When it had read the last record.
    var endedAt: Instant

    /// The look that it was at what the records reference.
    var look: CleanLook { CleanLook(from: beganAt, until: endedAt) }

    /// The candidate orphans that a record needs, mapped or not.
    var needed: Set<WantedKey> { referenced.union(protections.map { WantedKey($0.candidate) }) }

    /// How many orphans the texts of each source protect; none where they were not searched.
    func protectedByTexts(_ job: Job) -> [(source: String, objects: Int)] {
        guard job.configuration.confirm != .never else { return [] }
        let named = Dictionary(grouping: protections, by: \.match.place.identity.source)
        return job.configuration.records.map { source in
            (source.name, Set((named[source.name] ?? []).map { WantedKey($0.candidate) }).count)
        }
    }
}

/// An orphan after pass B.
struct ConfirmedOrphan {
    /// The orphan as it was listed.
    let candidate: OrphanCandidate
    /// What pass B says of it.
    var answer: WantedAnswer
    /// The writes in devices' outboxes that name its key, in the order in which they may come.
    let waiting: [PendingWrite]
}

/// A text that nobody mapped and that holds an orphan's key.
struct Protection {
    /// The orphan whose key the text holds.
    let candidate: OrphanCandidate
    /// Where its key stands.
    let match: ConfirmScan.UnmappedMatch
}

/// A dangling reference that pass B met too.
struct ConfirmedReference {
    /// The reference as it was read first.
    let candidate: DanglingCandidate
    /// Its record as pass B read it.
    let seen: ConfirmScan.Standing
    /// Why its value may mean an object that is there; nil where nothing says so.
    let doubt: String?
    /// Why nearly everything beside it is gone at once; nil where it is not.
    let vanished: VanishedReferences.Position?
    /// What was seen of the object itself; nil where nobody could look.
    let look: MissingObjectLook?
    /// What it may mean beside its own object.
    let meaning: Meaning?

    /// Whether its object was there when somebody looked.
    var isPresent: Bool {
        if case .present = look?.head { return true }
        return false
    }
}

/// An object in quarantine after pass B.
struct ConfirmedHeld {
    /// The bucket's number, in the configuration's order.
    let bucket: Int
    /// The object, under the key that it had.
    let object: QuarantinedObject
    /// What pass B says of it.
    let answer: WantedAnswer
    /// Where texts that nobody mapped hold its key, in a lasting order.
    let texts: [ConfirmScan.UnmappedMatch]
    /// What lies again at its key; nil where nothing does, or nobody needs to know.
    let successor: Successor?
}

extension WantedKey {
    /// The key of a candidate orphan.
    init(_ candidate: OrphanCandidate) {
        self.init(bucket: candidate.bucket, key: candidate.object.key)
    }
}
