import MooringModel
import MooringText

/// What is asked of the plain rows of a batch, of its parts by several cores at once.
protocol PlainLook {
    /// What is found out about the rows of a part.
    associatedtype Answer

    /// Whether the times of the rows are read.
    var readsChange: Bool { get }

    /// An answer about no rows.
    func begin() -> Answer

    /// Looks up what is known of a row's places: of several rows in a row, before any is looked at.
    func lookUp(_ row: inout PlainRow)

    /// Looks at a row as one model reads it; false where it has to be read as a value of its own.
    func look(
        _ rows: ModelRows, _ row: borrowing PlainRow, _ bytes: UnsafeBufferPointer<UInt8>,
        _ answer: inout Answer
    ) -> Bool
}

/// How one model reads the rows of a batch.
struct ModelRows {
    /// The model's number, over all sources.
    let model: Int
    /// Reads those rows that nothing is in doubt about.
    let plain: PlainRows
}

/// The first look of the join: which places the rows reference.
struct FirstLook: PlainLook {
    /// Counts of nothing.
    let counts: ReferenceCounts
    /// By model, what a record that is no tombstone says of the places that it references.
    let said: [SlotMarks]

    var readsChange: Bool { true }

    /// What was read.
    struct Answer {
        /// What was counted.
        var counts: ReferenceCounts
        /// How many references there are.
        var references = 0
        /// The places that they may mean, each with what its record says as its marks.
        var places: [Fingerprint] = []
        /// The lower halves of these places, added up.
        var sum: UInt64 = 0
        /// The identities of the rows among the bytes.
        var identities: [Range<Int>] = []
        /// The heads behind which any identity may stand.
        var heads: Set<[UInt8]> = []
    }

    func begin() -> Answer { Answer(counts: counts) }

    func lookUp(_ row: inout PlainRow) {}

    func look(
        _ rows: ModelRows, _ row: borrowing PlainRow, _ bytes: UnsafeBufferPointer<UInt8>,
        _ answer: inout Answer
    ) -> Bool {
        answer.counts.add(plain: row, model: rows.model)
        answer.references += row.references.count
        for place in row.slots.elements {
            answer.sum &+= place.low
            answer.places.append(place.with(said[rows.model]))
        }
        if let range = row.identityRange {
            answer.identities.append(range)
        } else if row.meansAnyIdentity {
            answer.heads.formUnion(rows.plain.heads)
        }
        return true
    }
}

/// The second look of the join: which references were matched by the fingerprints of both sides.
struct SecondLook: PlainLook {
    /// The places of both sides.
    let table: SlotTable
    /// None that were matched.
    let none: MatchedReferences
    /// Whether unknown places are asked about, those of matched references too.
    let isWatched: Bool

    var readsChange: Bool { false }

    /// What was matched.
    struct Answer {
        /// The references.
        var matched: MatchedReferences
        /// How many they are.
        var references = 0
        /// The lower halves of their places, added up.
        var sum: UInt64 = 0
    }

    func begin() -> Answer { Answer(matched: none) }

    func lookUp(_ row: inout PlainRow) {
        for place in row.slots.elements { row.marks.append(table.marks(ofReferenced: place)) }
    }

    func look(
        _ rows: ModelRows, _ row: borrowing PlainRow, _ bytes: UnsafeBufferPointer<UInt8>,
        _ answer: inout Answer
    ) -> Bool {
        for reference in row.references.elements {
            let marks = row.marks[reference.slots]
            if Fingerprints.isOpen(marks, inList: reference.index >= 0) { return false }
            if isWatched, !marks.allSatisfy({ $0.contains(.present) }) { return false }
        }
        for reference in row.references.elements {
            let isFirst = row.marks[reference.slots.lowerBound].contains(.present)
            answer.matched.note(
                rows.model, reference.field, bucket: reference.bucket,
                isFirst ? UnsafeBufferPointer(rebasing: bytes[reference.value]) : nil)
        }
        answer.references += row.references.count
        for slot in row.slots.elements { answer.sum &+= slot.low }
        return true
    }
}
