import MooringModel

/// References that fingerprints matched with listed objects, as far as anything is told of them.
struct MatchedReferences: Sendable {
    /// How many there are, by model and field.
    var listed: [[Int]]
    /// The same by bucket.
    var byBucket: [Int]
    // How their values look, by model and field: a bit for each form.
    private var formBits: [[UInt64]]

    /// None yet.
    init(_ models: [SourceModel], buckets: Int) {
        listed = models.map { $0.mapping.files.map { _ in 0 } }
        formBits = listed.map { $0.map { _ in 0 } }
        byBucket = Array(repeating: 0, count: buckets)
    }

    /// None, of the same models and buckets as others.
    init(like other: Self) {
        self = other
        for model in listed.indices {
            for field in listed[model].indices {
                (listed[model][field], formBits[model][field]) = (0, 0)
            }
        }
        for bucket in byBucket.indices { byBucket[bucket] = 0 }
    }

    /// Takes note of one; of its value where its first place is there.
    mutating func note(
        _ model: Int, _ field: Int, bucket: Int, _ value: UnsafeBufferPointer<UInt8>?
    ) {
        listed[model][field] += 1
        byBucket[bucket] += 1
        guard let value else { return }
        formBits[model][field] |= 1 << UInt64(ValueForm(value).number)
    }

    /// Takes note of how the values of references look that were matched elsewhere, by the numbers
    /// of their forms.
    mutating func note(forms: Set<Int>, _ model: Int, _ field: Int) {
        for number in forms { formBits[model][field] |= 1 << UInt64(number) }
    }

    /// Adds those of the same models and buckets that were found elsewhere.
    mutating func add(_ others: Self) {
        for model in listed.indices {
            for field in listed[model].indices {
                listed[model][field] += others.listed[model][field]
                formBits[model][field] |= others.formBits[model][field]
            }
        }
        for bucket in byBucket.indices { byBucket[bucket] += others.byBucket[bucket] }
    }

    /// How the values look.
    var forms: [ModelFileField: Set<ValueForm>] {
        var forms: [ModelFileField: Set<ValueForm>] = [:]
        for (model, fields) in formBits.enumerated() {
            for (field, bits) in fields.enumerated() where bits != 0 {
                let numbers = (0..<ValueForm.count).filter { bits >> UInt64($0) & 1 != 0 }
                forms[ModelFileField(model: model, field: field)] = Set(
                    numbers.map(ValueForm.init(number:)))
            }
        }
        return forms
    }
}
