import MooringModel

/// The device workflows (Docs/RACES.md), as data: the judge explains by them, the simulator runs
/// them.
///
/// Their order matters: of two that fit a state equally well, the first is named.
package enum WorkflowCatalogue {
    /// Every workflow.
    package static let all: [Workflow] = [
        create, createWithFiles, createWithComplexObject, addOrUpdate, sameKeyAgain,
        appendToList, replaceInList, clearTheAssociation, detachAndDelete, deleteBothFileFirst,
        deleteBothRecordFirst, read, writeBack, multipartUpload, backgroundUpload, signIn,
    ]

    /// The workflow of this name.
    package static func workflow(_ name: String) -> Workflow? { all.first { $0.name == name } }

    /// A record, then its file, then the association.
    package static let create = Workflow(
        "create", [.scalar],
        steps: [
            WorkflowStep("create record", .createRecord),
            WorkflowStep(
                "upload", .upload, opens: .upload,
                leaves: unassociated(.scalar, by: [.ownerHoldsNothing])),
            WorkflowStep("associate", .setKey),
        ])

    /// A record, then its files in parallel, then one association of all of them.
    package static let createWithFiles = Workflow(
        "create with files", [.list],
        steps: [
            WorkflowStep("create record", .createRecord),
            WorkflowStep(
                "upload", .uploadSeveral, opens: .upload,
                leaves: unassociated(.list, by: [.ownerHoldsNothing])),
            WorkflowStep("associate", .setKey),
        ])

    /// A file, then a record that holds it.
    package static let createWithComplexObject = Workflow(
        "create with complex object", [.complex],
        steps: [
            WorkflowStep(
                "upload", .upload, opens: .upload,
                leaves: unassociated(.complex, by: [.ownerIsAbsent])),
            WorkflowStep("create record", .createRecordWithKey),
        ])

    /// A new file in place of none or of another, which nobody removes.
    package static let addOrUpdate = Workflow(
        "add or update", [.scalar, .complex],
        steps: [
            WorkflowStep(
                "upload", .upload, opens: .upload,
                leaves: unassociated(.scalar, by: [.ownerHoldsAnother, .ownerHoldsNothing])),
            WorkflowStep(
                "associate", .setKey,
                leaves: [Residue(.ownerHoldsAnother, .superseded, by: .itself)]
            ),
        ])

    /// A new object at an old key, which the record may hold or not.
    package static let sameKeyAgain = Workflow(
        "same key again", [.scalar, .complex],
        steps: [
            WorkflowStep(
                "upload", .uploadAgain, opens: .upload,
                leaves: unassociated(.scalar, by: [.ownerHoldsAnother, .ownerHoldsNothing])),
            WorkflowStep("associate", .setKey),
        ])

    /// One more file; of two devices that append at once, one may lose its key. Where the list is
    /// null the documented code ends after the upload.
    package static let appendToList = Workflow(
        "append to list", [.list],
        steps: [
            WorkflowStep(
                "upload", .upload, opens: .upload,
                leaves: unassociated(.list, by: [.ownerListsOthers, .ownerHoldsNothing])
                    + [Residue(.ownerHoldsNothing, .unassociated, by: .itself)]),
            WorkflowStep(
                "read record", .readRecord,
                leaves: unassociated(.list, by: [.ownerListsOthers, .ownerHoldsNothing])),
            WorkflowStep(
                "associate", .appendToList,
                leaves: [
                    Residue(.ownerListsOthers, .lostUpdate, by: .rival, sign: .listHistory)
                ]),
        ])

    /// One more file, written with an old copy of the list: keys that others removed come back,
    /// keys that others added drop out.
    package static let replaceInList = Workflow(
        "replace in list", [.list],
        steps: [
            WorkflowStep("read record", .readRecord, opens: .stale),
            WorkflowStep(
                "upload", .upload, opens: .upload,
                leaves: unassociated(.list, by: [.ownerListsOthers, .ownerHoldsNothing])),
            WorkflowStep(
                "associate", .setFromCopy,
                leaves: [
                    Residue(.ownerListsOthers, .detached, by: .itself),
                    Residue(.objectIsAbsent, .missing, by: .itself),
                ]),
        ])

    /// The file stays without a reference, on purpose.
    package static let clearTheAssociation = Workflow(
        "clear the association", [.scalar, .list, .complex], beginsReferenced: true,
        steps: [WorkflowStep("clear", .setNull, leaves: cleared(by: .itself))])

    /// The reference goes first, then the file.
    package static let detachAndDelete = Workflow(
        "detach and delete", [.scalar, .list, .complex], beginsReferenced: true,
        steps: [
            WorkflowStep("clear", .setNull, opens: .upload, leaves: cleared(by: .crash)),
            WorkflowStep("remove", .remove),
        ])

    /// The file goes first, then the record.
    package static let deleteBothFileFirst = Workflow(
        "delete both, file first", [.scalar, .list, .complex], beginsReferenced: true,
        steps: [
            WorkflowStep("read record", .readRecord, opens: .stale),
            WorkflowStep(
                "remove", .remove, opens: .upload,
                leaves: [Residue(.objectIsAbsent, .missing, by: .crash)]),
            WorkflowStep("delete record", .deleteRecord),
        ])

    /// The record goes first, then the file; or the record alone, with those that go with it.
    package static let deleteBothRecordFirst = Workflow(
        "delete both, record first", [.scalar, .list, .complex], beginsReferenced: true,
        steps: [
            WorkflowStep(
                "delete record", .deleteRecord, opens: .upload,
                leaves: [
                    Residue(.ownerIsAbsent, .ownerless, by: .crash),
                    Residue(.ownerIsTombstone, .ownerless, by: .crash),
                    Residue(.ownerUnknown, .unattributed, by: .crash),
                ]),
            WorkflowStep("remove", .remove),
        ])

    /// A device looks at a file; nothing changes.
    package static let read = Workflow(
        "read", [.scalar, .list, .complex], beginsReferenced: true,
        steps: [
            WorkflowStep("read record", .readRecord, opens: .stale),
            WorkflowStep("download", .download),
        ])

    /// A device sends an old copy of the whole record, which may even create it again.
    package static let writeBack = Workflow(
        "write back", [.scalar, .list, .complex], beginsReferenced: true,
        steps: [
            WorkflowStep(
                "read record", .readRecord, opens: .stale,
                leaves: DifferenceState.orphans.map { Residue($0, cause(of: $0), by: .rival) }
                    + [Residue(.objectIsAbsent, .missing, by: .rival)]),
            WorkflowStep(
                "write back", .setFromCopy,
                leaves: [
                    Residue(.objectIsAbsent, .missing, by: .itself),
                    Residue(.ownerHoldsAnother, .superseded, by: .itself),
                    Residue(.ownerListsOthers, .detached, by: .itself),
                ]),
        ])

    /// Parts, for hours or days; then an object that looks as old as its first part.
    package static let multipartUpload = Workflow(
        "multipart upload", [.scalar, .list, .complex],
        steps: [
            WorkflowStep("upload parts", .uploadParts, opens: .multipart),
            WorkflowStep("complete", .complete, opens: .upload, leaves: fromAnyRecord),
            WorkflowStep("associate", .setKey),
        ])

    /// The upload ends while the app is suspended; the association waits until it is online.
    package static let backgroundUpload = Workflow(
        "background upload", [.scalar, .list, .complex],
        steps: [
            WorkflowStep("upload", .upload, opens: .upload, leaves: fromAnyRecord),
            WorkflowStep("keep in outbox", .keepInOutbox, leaves: fromAnyRecord),
            WorkflowStep("associate", .setKey),
        ])

    /// A guest signs in, or an app is installed again: its files lie under an identity that no
    /// record knows.
    package static let signIn = Workflow(
        "sign-in", [.scalar, .list, .complex], beginsReferenced: true,
        steps: [
            WorkflowStep(
                "change identity", .changeIdentity,
                leaves: [
                    Residue(.ownerUnknown, .unknownIdentity, by: .itself, sign: .identities),
                    Residue(.ownerIsAbsent, .unknownIdentity, by: .itself, sign: .identities),
                ])
        ])

    // MARK: Residues that several steps share

    // What an orphan in a state is called when nothing else is known of it.
    private static func cause(of state: DifferenceState) -> FindingCause {
        switch state {
        case .ownerHoldsNothing: .unassociated
        case .ownerHoldsAnother: .superseded
        case .ownerListsOthers: .detached
        case .ownerIsAbsent, .ownerIsTombstone: .ownerless
        case .ownerUnknown: .unattributed
        case .objectIsAbsent: .missing
        }
    }

    // After an upload a crash leaves an orphan in the states of `own`; the others are left when
    // another device writes or deletes the record meanwhile. Whether a template names the owner
    // is not the workflow's doing.
    private static func unassociated(
        _ shape: FieldShape, by own: Set<DifferenceState>
    ) -> [Residue] {
        DifferenceState.orphans.filter { $0.isPossible(for: shape) }.map {
            Residue(
                $0, cause(of: $0), by: own.contains($0) || $0 == .ownerUnknown ? .crash : .rival)
        }
    }

    private static let fromAnyRecord: [Residue] = DifferenceState.orphans.map {
        let isGone = $0 == .ownerIsAbsent || $0 == .ownerIsTombstone
        return Residue($0, cause(of: $0), by: isGone ? .rival : .crash)
    }

    private static func cleared(by maker: Residue.Maker) -> [Residue] {
        [
            Residue(.ownerHoldsNothing, .cleared, by: maker, sign: .laterChange),
            Residue(.ownerListsOthers, .detached, by: maker),
            Residue(.ownerUnknown, .unattributed, by: maker),
        ]
    }
}
