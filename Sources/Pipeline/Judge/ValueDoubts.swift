import MooringModel
import MooringReconcile

/// Missing references that may stand for something else than a file of the bucket: a title in a
/// column of mixed values, a default picture among the app's own assets, a colour. Nothing tells
/// them from lost files but how they look beside the values whose files are there.
struct ValueDoubts {
    // Two records may well share a file that is lost.
    private static let many = 3

    private let forms: [ModelFileField: Set<ValueForm>]
    private let derived: DerivedObjects
    private var holders: [Holder: Int] = [:]

    private struct Holder: Hashable {
        let place: ModelFileField
        let value: [UInt8]
    }

    /// Those of a scan; `derived` tells of what was made of missing objects.
    init(_ candidates: Candidates, derived: DerivedObjects) {
        forms = candidates.dangling.isEmpty ? [:] : candidates.join.presentForms()
        self.derived = derived
        for candidate in candidates.dangling {
            holders[Self.holder(candidate), default: 0] += 1
        }
    }

    /// What speaks against calling a reference dangling, one sentence each. An object that is known
    /// to have been deleted was a file, however its key looks.
    func doubts(about candidate: DanglingCandidate, isDeleted: Bool) -> [String] {
        guard !candidate.isOnlyHeld, candidate.bucket != nil else { return [] }
        var doubts: [String] = []
        let holder = Self.holder(candidate)
        if !isDeleted, let present = forms[holder.place],
            !present.contains(ValueForm(candidate.value))
        {
            doubts.append(
                "it looks like none of the field's values whose objects are there: it may be no "
                    + "key")
        }
        let count = holders[holder, default: 0]
        if !isDeleted, count >= Self.many {
            doubts.append(
                "\(count) records hold this value: it may stand for something of the app, and not "
                    + "for a file of theirs")
        }
        if derived.isSource(candidate) {
            doubts.append("an object that is derived from it is there")
        }
        if derived.isProduct(candidate) {
            doubts.append("the object it is derived from is there, and no record references that")
        }
        return doubts
    }

    private static func holder(_ candidate: DanglingCandidate) -> Holder {
        Holder(
            place: ModelFileField(model: candidate.model, field: candidate.field),
            value: candidate.value)
    }
}
