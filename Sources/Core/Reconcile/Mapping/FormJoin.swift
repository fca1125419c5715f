import MooringModel

/// Joins references and objects by a form of their keys, and counts what becomes one.
///
/// A form that leaves an identity open counts only where one key of either side has it: under
/// different identities, one file name says nothing.
struct FormJoin {
    /// A form of a key in a bucket.
    struct Form {
        /// The bucket's number, in the configuration's order.
        let bucket: Int
        /// The bytes by which two keys are one.
        let bytes: [UInt8]
        /// Whether the form leaves an identity open.
        let isOpen: Bool

        fileprivate var tagged: [UInt8] {
            [
                UInt8(truncatingIfNeeded: bucket >> 8), UInt8(truncatingIfNeeded: bucket),
                isOpen ? 1 : 0,
            ] + bytes
        }
    }

    /// A file field of a model, by their numbers.
    struct FieldNumber: Hashable {
        /// The model's number over all sources, and the field's among its `files`.
        let model: Int
        let field: Int
    }

    private struct Count {
        var objects: UInt32 = 0
        var firstObject: UInt32 = 0
        var references: UInt32 = 0
        var firstReference: UInt32 = 0
        var hasOtherReference = false
        let isOpen: Bool
    }

    private var forms: [ValueHash: Int32] = [:]
    private var counts: [Count] = []
    /// The forms that references matched, in the order of their first reference.
    private var matched: [Int] = []
    /// References that matched, by model and field and by bucket.
    private(set) var fields: [FieldNumber: Int] = [:]
    private(set) var buckets: [Int: Int] = [:]

    /// Adds one object's form.
    mutating func add(object number: Int, _ form: Form) {
        let hash = ValueHash(form.tagged)
        let place = Int(forms[hash] ?? Int32(counts.count))
        if place == counts.count {
            forms[hash] = Int32(place)
            counts.append(Count(isOpen: form.isOpen))
        }
        // A key may be read under two levels and give one form.
        if counts[place].objects == 1, counts[place].firstObject == UInt32(number) { return }
        if counts[place].objects == 0 { counts[place].firstObject = UInt32(number) }
        counts[place].objects += 1
    }

    /// Matches one reference by the first of its forms that an object has. References with one
    /// `meant` key are one key.
    mutating func match(
        _ number: Int, _ reference: DanglingCandidate, _ form: Form,
        isSame: (_ other: Int) -> Bool
    ) -> Bool {
        guard let place = forms[ValueHash(form.tagged)].map(Int.init) else { return false }
        if counts[place].references == 0 {
            counts[place].firstReference = UInt32(number)
            matched.append(place)
        } else if form.isOpen, !isSame(Int(counts[place].firstReference)) {
            counts[place].hasOtherReference = true
        }
        counts[place].references += 1
        fields[FieldNumber(model: reference.model, field: reference.field), default: 0] += 1
        buckets[form.bucket, default: 0] += 1
        return true
    }

    /// Forgets the references, so that others can be matched with the same objects.
    mutating func clearReferences() {
        for place in matched {
            counts[place].references = 0
            counts[place].hasOtherReference = false
        }
        matched = []
        fields = [:]
        buckets = [:]
    }

    /// How many references and objects became one.
    var pairs: Int { matched.reduce(0) { $0 + pairs(at: $1) } }

    /// The first so many pairs, by the numbers of reference and object.
    func samples(_ limit: Int) -> [(reference: Int, object: Int)] {
        matched.lazy.filter { pairs(at: $0) > 0 }.prefix(limit).map {
            (Int(counts[$0].firstReference), Int(counts[$0].firstObject))
        }
    }

    private func pairs(at place: Int) -> Int {
        let count = counts[place]
        if count.isOpen { return count.objects == 1 && !count.hasOtherReference ? 1 : 0 }
        return Int(min(count.objects, count.references))
    }
}
