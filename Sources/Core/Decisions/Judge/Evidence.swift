package import MooringModel

/// One thing that led to a judgement. The judge only names it; it becomes a sentence where a
/// finding is made.
package enum Evidence: Hashable, Sendable {
    /// When the store says that the object was written.
    case lastModified(Instant)
    /// When a run first saw an object that a multipart upload may have hidden until then.
    case multipartFirstSeen(Instant)
    /// When a run first saw an object whose own time cannot be believed.
    case firstSeen(Instant)
    /// No template names an owner.
    case noTemplateFits
    case ownerIsAbsent, ownerIsTombstone
    case ownerHoldsAnother
    /// The owner's list holds so many other keys.
    case ownerListsOthers(Int)
    /// The owner holds nothing, unchanged since then; nil when it does not tell.
    case ownerHoldsNothing(since: Instant?)
    /// The owner holds nothing since a change then, long after the object's birth.
    case ownerCleared(at: Instant)
    /// The owner's list lacks it and holds this key, which another device appended at once.
    case ownerListsRival(ListedSibling)
    /// The identity under which it lies, which no record knows.
    case identityUnknownToRecords([UInt8])
    case notListed
    /// A look after the listing found no object.
    case lookFoundNothing
    /// The record changed then, within the windows, or long before.
    case recordChanged(at: Instant), recordUnchanged(since: Instant)
    case recordTellsNoChange
    /// The name of a bucket that nobody configured.
    case bucketUnknown(String)
    /// The run in whose quarantine the object lies.
    case inQuarantine(RunID)
    /// What speaks against the difference; it stands as it is.
    case doubt(String)
    /// The reference may mean so many keys.
    case severalKeys(Int)
    case identityUnknown
    /// An object that the reference may mean.
    case meant(MeantObject)
    /// So many more objects that it may mean.
    case meantBeside(Int)
    /// A look at the object gave no answer, for this reason.
    case lookUnanswered(String)
    /// A look after the listing found the object.
    case lookFoundObject
    /// Which crash points leave a difference in this state, called so.
    case left(DifferenceState, FindingCause, shape: FieldShape?)
    /// A write in a device's outbox that names the key.
    case inOutbox(PendingWrite)
    /// An open upload of the key.
    case uploadOpen(UploadFacts)
    /// The delete marker that hides the object.
    case deleted(Deletion)
    /// A step that may still come, with its own end.
    case mayStillCome(Explanation)

    /// The evidence as a sentence without its full stop; foreign bytes in it are quoted.
    package var text: String {
        switch self {
        case .lastModified(let at): "last modified \(at.iso8601)"
        case .multipartFirstSeen(let at): "a multipart object first seen \(at.iso8601)"
        case .firstSeen(let at): "that time cannot be believed; first seen \(at.iso8601)"
        case .noTemplateFits, .ownerIsAbsent, .ownerIsTombstone, .ownerHoldsAnother,
            .ownerListsOthers, .ownerHoldsNothing, .ownerCleared, .ownerListsRival:
            ownerText
        case .identityUnknownToRecords(let identity):
            "no record knows the identity \(Quoted.text(identity)) under which it lies"
        case .meant(let object): Self.text(of: object)
        case .meantBeside(let count): "\(count) more objects may be meant"
        case .notListed: "no such object was listed"
        case .lookFoundNothing: "a look after the listing found no such object"
        case .recordChanged(let at): "its record changed at \(at.iso8601)"
        case .recordUnchanged(let since): "its record is unchanged since \(since.iso8601)"
        case .recordTellsNoChange: "its record does not tell when it changed"
        case .bucketUnknown(let name): "no bucket named '\(name)' is configured"
        case .inQuarantine(let run): "the object lies in quarantine since run \(run.text)"
        case .doubt(let doubt): doubt
        case .severalKeys(let count): "its level is not known, so it may mean \(count) keys"
        case .identityUnknown: "the identity under which it lies is not known"
        case .lookUnanswered(let reason): "a look at the object gave no answer: \(reason)"
        case .lookFoundObject: "a look after the listing found the object"
        case .left(let state, let cause, let shape):
            CrashSentences.text(leaving: state, cause, shape: shape)
        case .inOutbox(let write): Self.text(of: write)
        case .uploadOpen(let facts): Self.text(of: facts)
        case .deleted(let deletion):
            "a delete marker hides the object since \(deletion.at.iso8601), by whom is not known; "
                + "the version below can be restored"
        case .mayStillCome(let step):
            "\(step.workflow): \(step.step) may still come until \(step.until.iso8601)"
        }
    }

    private var ownerText: String {
        switch self {
        case .ownerIsAbsent: "its owner does not exist"
        case .ownerIsTombstone: "its owner is marked as deleted"
        case .ownerHoldsAnother: "its owner holds another key"
        case .ownerListsOthers(let count):
            "its owner's list lacks it and holds \(count) others"
        case .ownerHoldsNothing(nil):
            "its owner holds no key, and no change time tells since when"
        case .ownerHoldsNothing(.some(let since)):
            "its owner holds no key, unchanged since \(since.iso8601)"
        case .ownerCleared(let at): "its owner holds no key since a change at \(at.iso8601)"
        case .ownerListsRival(let sibling):
            "its owner's list lacks it and holds \(Quoted.key(sibling.key)), which was uploaded at "
                + "\(sibling.birth.iso8601): of two appends at once the later write kept one"
        default: "no key template fits this key"
        }
    }

    /// One open upload: when it was begun, and what has arrived of it.
    private static func text(of write: PendingWrite) -> String {
        let made = write.madeAt.map { " made \($0.iso8601)" } ?? ""
        return "the outbox of \(Quoted.text(Array(write.device.utf8))) holds a write of "
            + "\(Quoted.text(Array(write.model.utf8)))\(made) that was not sent yet"
    }

    private static func text(of facts: UploadFacts) -> String {
        let begun = "an upload of this key is open since \(facts.upload.begunAt.iso8601)"
        if let doubt = facts.doubt { return "\(begun); its parts are not known: \(doubt)" }
        guard let parts = facts.parts, parts.count > 0 else { return begun + ", without a part" }
        return begun + ", with \(Measure.count(parts.count, "part")) of "
            + "\(Measure.bytes(parts.bytes)), the newest of \(facts.newestAt.iso8601)"
    }

    private static func text(of object: MeantObject) -> String {
        let key = Quoted.key(object.key)
        let held = object.quarantinedBy.map { "in quarantine since run \($0.text)" }
        var place = "its twin \(key) " + (held.map { "lies \($0)" } ?? "is there")
        if object.difference != .twin {
            place = "\(key) lies "
            if object.difference == .bucket { place += "in the bucket '\(object.bucket)', " }
            place += object.level.map { "under level '\($0)'" } ?? "at the root"
            if let identity = object.identity {
                place += " and the identity \(Quoted.text(identity))"
            }
            if !object.isSpelledAlike { place += ", spelled another way" }
            if let held { place += ", \(held)" }
        }
        return object.isTaken ? place + ", and another reference means it, or may" : place
    }
}

/// What is said of the crash points that leave a difference.
private enum CrashSentences {
    private struct Difference: Hashable {
        let state: DifferenceState
        let cause: FindingCause
        let shape: FieldShape?
    }

    // A run may say one of them of each of a million findings: they are made once, and held once.
    private static let sentences: [Difference: String] = {
        var all: [Difference: String] = [:]
        for shape in FieldShape.allCases + [nil] {
            for state in DifferenceState.allCases {
                for cause in FindingCause.allCases {
                    let points = WorkflowCatalogue.crashPoints(leaving: state, cause, shape: shape)
                    guard !points.isEmpty else { continue }
                    all[Difference(state: state, cause: cause, shape: shape)] = text(of: points)
                }
            }
        }
        return all
    }()

    static func text(
        leaving state: DifferenceState, _ cause: FindingCause, shape: FieldShape?
    ) -> String {
        sentences[Difference(state: state, cause: cause, shape: shape)] ?? text(of: [])
    }

    // The first few are those that fit best, and a sentence with all of them would hide that.
    private static func text(of points: [CrashPoint]) -> String {
        let shown = points.prefix(3).map { point in
            switch point.maker {
            case .itself: "'\(point.workflow)' after its step '\(point.step)'"
            case .crash: "'\(point.workflow)' that ends with its step '\(point.step)'"
            case .rival: "another device's write during '\(point.workflow)'"
            }
        }
        return "left by " + shown.joined(separator: ", or by ")
    }
}
