package import MooringModel

extension FindingKind {
    /// What the kind is, in one sentence.
    var meaning: String {
        switch self {
        case .orphan: "An object that no record references."
        case .dangling: "A reference whose object is absent."
        case .shared: "One object that several records reference."
        case .invalidKey:
            "A stored key that no object can have, or that Mooring will not follow."
        case .emptyObject: "A referenced object that is zero bytes long."
        case .exposed:
            "An object under a more open level than its record's visibility allows."
        case .abandonedUpload: "A multipart upload still open after the upload window."
        case .danglingRelation: "A relation to a record that does not exist."
        case .staleCopy: "A replica's row that is behind its authority."
        case .unmappedReference:
            "An attribute that the configuration does not name holds keys of candidate orphans."
        case .mappingError:
            "One rewrite of keys explains a mass of findings: the mapping is wrong, not the data."
        }
    }

    /// What a reader does about the kind.
    var advice: String {
        switch self {
        case .orphan:
            "Settled ones may be planned: they go to quarantine and come back by 'mooring undo'."
        case .dangling:
            "Settled ones may be nulled by a plan; look for a lost object in a backup first."
        case .shared: "Nothing to repair: removing one record's file would break the others."
        case .invalidKey: "Correct the record in the app; no strategy changes it."
        case .emptyObject: "Upload the file again from the device or a backup."
        case .exposed: "Move the object under the right level in the app, then change the key."
        case .abandonedUpload: "Abort it, or let a lifecycle rule of the bucket do so."
        case .danglingRelation: "Delete the child or null the relation; the policy can do either."
        case .staleCopy: "Let the replica synchronise; a requery refreshes a row."
        case .unmappedReference: "Add the attribute to 'files' in mooring.yaml and audit again."
        case .mappingError:
            "Nothing is repaired while it stands. Correct what the guard names and audit again."
        }
    }
}

extension FindingCause {
    /// What the cause says, in one sentence.
    var meaning: String {
        switch self {
        case .unassociated: "The owner exists, its key is null and it has not changed since."
        case .cleared: "The owner's key was nulled later, on purpose."
        case .superseded: "The owner holds another key."
        case .detached: "The owner's list lacks this key and holds its siblings."
        case .lostUpdate: "Two devices appended to one list, and this key dropped out."
        case .ownerless: "The record that the key names does not exist."
        case .unknownIdentity: "No record knows the identity that the object lies under."
        case .unattributed: "No key template fits, so no owner can be named."
        case .missing: "No object has the key."
        case .deleted: "A delete marker hides the object, which can be recovered."
        case .quarantined: "The object lies in quarantine; the next run restores it."
        case .misplaced: "The object lies under another level, identity or bucket."
        case .twin: "An object has the same key in another Unicode, percent or case form."
        case .foreign: "The record names a bucket that is not configured."
        case .vanished: "Nearly everything below its prefix is gone at once."
        case .missingParent: "No record has the identifier."
        case .tombstonedParent: "The record with the identifier is marked as deleted."
        case .joinEnd: "One end of a join row does not exist."
        case .behind: "The replica has an older version."
        case .pending: "The replica's outbox still holds a write of the row."
        case .deletedUpstream: "The authority has deleted the record."
        case .prefix: "The keys differ by a prefix."
        case .encoding: "The keys differ by percent-encoding."
        case .unicode: "The keys differ by their Unicode form."
        case .case: "The keys differ by upper and lower case."
        case .slash: "The keys differ by a slash."
        case .url: "The records hold URLs instead of keys."
        }
    }
}

extension Verdict {
    /// What the verdict says, in one sentence.
    var meaning: String {
        switch self {
        case .settled: "No workflow within the bounds leads to this state."
        case .explained: "A device in flight may still be the reason."
        case .undecided: "A doubt is left, which the evidence names."
        }
    }
}

extension FindingKind {
    /// All kinds in the order of every page: a mapping error on top, since it puts everything
    /// below it in doubt, then by name. Files for programs are sorted by name throughout.
    package static var reportOrder: [FindingKind] {
        [.mappingError]
            + allCases.filter { $0 != .mappingError }.sorted { $0.rawValue < $1.rawValue }
    }
}
