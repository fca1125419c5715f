package import MooringModel

/// What a device does in one step. K is the key that the workflow is about.
package enum DeviceAct: String, Hashable, Sendable, CaseIterable {
    /// Creates the record, without a key.
    case createRecord
    /// Creates the record, which holds K from the start.
    case createRecordWithKey
    /// Reads the record; what was read is the device's copy from then on.
    case readRecord
    /// Puts an object at K, a key that was never used before.
    case upload
    /// Puts objects at several such keys, in parallel.
    case uploadSeveral
    /// Puts an object at K over what lies there.
    case uploadAgain
    /// Sends parts of an object, which nobody sees yet.
    case uploadParts
    /// Joins the parts: the object is seen from now on, as old as its upload's beginning.
    case complete
    /// Writes K, or all keys of a list, into the record's field.
    case setKey
    /// Adds K to the list that was read last.
    case appendToList
    /// Writes the device's copy over the whole record.
    case setFromCopy
    /// Empties the field, or takes K out of the list.
    case setNull
    /// Removes the object at K.
    case remove
    /// Removes the record, or makes it a tombstone.
    case deleteRecord
    /// Reads the object at K.
    case download
    /// Puts the write that comes next into the device's outbox, until it is online.
    case keepInOutbox
    /// Becomes another identity: later keys lie under it.
    case changeIdentity

    /// Whether it may make a record reference K, which ends an orphan.
    package var mayReference: Bool {
        switch self {
        case .createRecordWithKey, .setKey, .appendToList, .setFromCopy: true
        default: false
        }
    }

    /// Whether it may take the reference to K away, which ends a dangling reference.
    package var mayRelease: Bool {
        switch self {
        case .setFromCopy, .setNull, .deleteRecord: true
        default: false
        }
    }

    /// Whether an object becomes visible by it.
    package var makesVisible: Bool {
        switch self {
        case .upload, .uploadSeveral, .uploadAgain, .complete: true
        default: false
        }
    }
}

/// The windows of the race model; the race model says how long each is.
package enum Window: String, Hashable, Sendable, CaseIterable {
    /// U, from the moment at which an object is visible: its association is written within it.
    /// Between two other writes of one workflow it runs from the first of them.
    case upload
    /// S, from the moment at which a copy was read: it is written back within it.
    case stale
    /// M, from the beginning of a multipart upload: its last part is sent within it.
    case multipart
}

/// The forms in which a field holds keys; a list of complex objects is a list.
package enum FieldShape: Int, Hashable, Sendable, CaseIterable {
    case scalar, list, complex

    /// The shape of a field as it is mapped.
    package init(of field: FileField) {
        self = field.isList ? .list : field.isComplex ? .complex : .scalar
    }
}

/// A difference as the judge sees it, without its times.
package enum DifferenceState: Int, Hashable, Sendable, CaseIterable {
    /// An orphan whose owner's field is empty.
    case ownerHoldsNothing
    /// An orphan whose owner holds another key.
    case ownerHoldsAnother
    /// An orphan whose owner's list holds other keys.
    case ownerListsOthers
    /// An orphan whose owner does not exist.
    case ownerIsAbsent
    /// An orphan whose owner is a tombstone.
    case ownerIsTombstone
    /// An orphan whose owner no key template names.
    case ownerUnknown
    /// A reference whose object is absent.
    case objectIsAbsent

    /// The states of orphans.
    package static let orphans = allCases.filter { $0 != .objectIsAbsent }

    /// Whether a field of this shape can be in it.
    package func isPossible(for shape: FieldShape) -> Bool {
        switch self {
        case .ownerHoldsAnother: shape != .list
        case .ownerListsOthers: shape == .list
        default: true
        }
    }
}

/// A difference that a step leaves when nothing follows it.
package struct Residue: Hashable, Sendable {
    /// Who leaves it.
    package enum Maker: String, Hashable, Sendable {
        /// The device, when it stops after the step for good.
        case crash
        /// Another device, which writes the same record meanwhile.
        case rival
        /// The workflow itself, also when it ends as it should.
        case itself
    }

    /// What has to be known beside the state, for the cause to be told.
    package enum Sign: String, Hashable, Sendable {
        /// Nothing: the state alone tells.
        case none
        /// The owner changed later than the object's birth and U.
        case laterChange
        /// The times of two appends to one list, which show that they were made at once.
        case listHistory
        /// The object lies under an identity that no record knows.
        case identities
    }

    /// What the judge sees.
    package let state: DifferenceState
    /// The cause by which a finding of it is called.
    package let cause: FindingCause
    /// Who leaves it.
    package let maker: Maker
    /// What has to be known beside the state.
    package let sign: Sign

    /// A residue.
    package init(
        _ state: DifferenceState, _ cause: FindingCause, by maker: Maker, sign: Sign = .none
    ) {
        self.state = state
        self.cause = cause
        self.maker = maker
        self.sign = sign
    }
}

/// One step of a workflow.
package struct WorkflowStep: Hashable, Sendable {
    /// The name by which explanations call it.
    package let name: String
    /// What the device does.
    package let act: DeviceAct
    /// The window that begins with it and bounds the steps after it; nil when none does.
    package let opens: Window?
    /// What is left when nothing follows it; empty when both sides agree.
    package let leaves: [Residue]

    /// A step.
    package init(
        _ name: String, _ act: DeviceAct, opens: Window? = nil, leaves: [Residue] = []
    ) {
        self.name = name
        self.act = act
        self.opens = opens
        self.leaves = leaves
    }
}

/// What a device does to records and objects, step by step; each step can be its last.
package struct Workflow: Hashable, Sendable {
    /// The name by which explanations call it; stable.
    package let name: String
    /// The shapes of fields that it is run on.
    package let shapes: [FieldShape]
    /// Whether a record must have held K before it begins: the object was associated by then.
    package let beginsReferenced: Bool
    /// The steps in their order; a device may stop for good behind any of them.
    package let steps: [WorkflowStep]

    /// A workflow.
    package init(
        _ name: String, _ shapes: [FieldShape], beginsReferenced: Bool = false,
        steps: [WorkflowStep]
    ) {
        self.name = name
        self.shapes = shapes
        self.beginsReferenced = beginsReferenced
        self.steps = steps
    }
}
