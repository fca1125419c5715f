/// An engine that leaves out of both sides what can be no part of any finding, before they are
/// read. It decides nothing: what it hands on is judged as if it were all there is, and it may hand
/// on too much, never too little.
package protocol Narrowing: Sendable {
    /// The engine's name, as the configuration spells it.
    var name: String { get }

    /// Leaves out what is plainly matched: rows all of whose references mean objects that nothing
    /// else speaks of, and these objects. Throws where a part of either side was not read.
    func begin() async throws -> Narrowed

    /// Takes back in what more of these texts speak of, beside what was handed on before: rows, and
    /// the objects that they mean. Throws as `begin` does.
    func widen(by needs: NarrowingNeeds) async throws -> Narrowed

    /// Both sides with nothing left out. Throws as `begin` does.
    func whole() async throws -> Narrowed

    /// Takes away what the engine kept for itself.
    func end() async
}

/// Both sides as an engine left them.
package struct Narrowed: Sendable {
    /// The sources to read in place of the configured ones, in their order.
    package let records: [any RecordSource]
    /// The buckets to read in place of the configured ones, in their order.
    package let buckets: [any Bucket]
    /// What was left out of each model, by its number over all sources.
    package let matchedRecords: [Int: MatchedRecords]
    /// What was left out of each bucket, by its number.
    package let matchedObjects: [Int: MatchedObjects]
    /// What has to be said of the engine's work, one sentence each.
    package let notes: [String]

    /// What is left, and what was left out.
    package init(
        records: [any RecordSource], buckets: [any Bucket],
        matchedRecords: [Int: MatchedRecords] = [:], matchedObjects: [Int: MatchedObjects] = [:],
        notes: [String] = []
    ) {
        (self.records, self.buckets) = (records, buckets)
        (self.matchedRecords, self.matchedObjects) = (matchedRecords, matchedObjects)
        self.notes = notes
    }

    /// Whether nothing was left out.
    package var isWhole: Bool { matchedRecords.isEmpty && matchedObjects.isEmpty }
}

/// Records of one model that are plainly matched: none is a tombstone, and the object of each of
/// their references is there.
package struct MatchedRecords: Hashable, Sendable {
    /// What they hold in one file field.
    package struct Field: Hashable, Sendable {
        /// References.
        package var references = 0
        /// Records that hold one.
        package var held = 0
        /// By its number, each form that the values have, as `ValueForm` numbers them.
        package var forms: Set<Int> = []

        /// No reference.
        package init() {}
    }

    /// How many there are.
    package var records = 0
    /// The newest change of any of them; nil where none tells.
    package var newestChange: Instant?
    /// The model's `files`, in their order.
    package var fields: [Field]
    /// The identities that they name.
    package var identities: Set<[UInt8]> = []
    /// The references in all fields, by the number of the bucket that they mean.
    package var buckets: [Int: Int] = [:]

    /// None of a model with so many file fields.
    package init(fields count: Int) {
        fields = Array(repeating: Field(), count: count)
    }
}

/// Objects of one bucket that are plainly matched: each is covered, not ignored, not empty, listed
/// once, and meant by one reference.
package struct MatchedObjects: Hashable, Sendable {
    /// How many there are.
    package var objects = 0
    /// Their bytes.
    package var bytes: Int64 = 0

    /// None.
    package init() {}
}

/// A text that what an engine left out may speak of.
package struct NarrowingNeed: Hashable, Sendable {
    /// What of a row or an object the text is compared with.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The whole key of an object of a bucket.
        case key
        /// The beginning of an object's key in a bucket; so many are enough as the need says.
        case head
        /// A value that a file field holds.
        case value
        /// The letters and digits, zeros left out, of a record's identifier in a model.
        case owner
        /// Anywhere in a text that is no file field of one key. The number is the place of eight of
        /// its bytes that few others hold.
        case text
        /// A run of letters, digits, `_`, `-` and full stops in such a text, as a whole.
        case token
        /// A few other bytes anywhere in such a text.
        case short
        /// The last part of an object's key in any bucket, in lower case.
        case tail
        /// The same without its ending and all that is no letter and no digit.
        case name
        /// The last eight bytes of an object's key.
        case ending
        /// A whole last part or more of an object's key, of less than eight bytes.
        case part
    }

    /// What it is compared with.
    package let kind: Kind
    /// The number of the bucket, or of the model over all sources, or a place in the text; 0 where
    /// it is any.
    package let number: Int
    /// The text.
    package let bytes: [UInt8]
    /// How many objects of a head are enough; nil where all are needed.
    package let enough: Int?

    /// A need.
    package init(_ kind: Kind, _ number: Int = 0, _ bytes: [UInt8], enough: Int? = nil) {
        (self.kind, self.number, self.bytes, self.enough) = (kind, number, bytes, enough)
    }
}

/// Why an engine gave no whole answer: a part of a side counts as not read then.
package struct NarrowingFailure: Error, Hashable, Sendable {
    /// What was found; no content of records.
    package let found: String
    /// What to run next.
    package let next: String

    /// A failure.
    package init(found: String, next: String) {
        (self.found, self.next) = (found, next)
    }
}
