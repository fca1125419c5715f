import MooringDecisions
import MooringModel
import MooringReconcile

/// What the join leaves over: the border between reconcile and confirm. Nothing is done on account
/// of a bare difference.
struct Candidates {
    /// How both sides were read.
    var observations: Observations
    /// What records reference, and what was listed of that.
    let join: Reconciler
    /// Objects that no record references, ignored ones left out.
    let orphans: [OrphanCandidate]
    /// References without an object.
    let dangling: [DanglingCandidate]
    /// Which of them lie below a prefix that vanished.
    let vanished: VanishedReferences
    /// What lies in quarantine, with its bucket's number.
    let quarantined: [(bucket: Int, object: QuarantinedObject)]
    /// The places of the runs that put it there, in the ledger's order.
    let order: [RunID: Int64]

    /// Where symbolic links lead.
    var links: LinkTargets { observations.links }
    /// The open uploads of each bucket by key, in the configuration's order of buckets.
    var uploads: [[ObjectKey: [OpenUpload]]] { observations.uploads }
    /// The keys of what seems to lie in a quarantine that this ledger does not know, by bucket.
    var heldElsewhere: [Set<ObjectKey>] { observations.heldElsewhere }
    /// What pass A keeps of records alone: relations and copies.
    var rows: RowScan { observations.rows }
    /// Which fields hold no key as they are mapped.
    var forms: FieldForms { observations.forms }
}
