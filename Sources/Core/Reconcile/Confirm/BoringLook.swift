import MooringModel

/// Looks at a part of a batch's rows, beside others that look at its other parts: it changes
/// nothing, and what it found is put together when all have ended.
struct BoringLook {
    /// What tells of a row that nothing is found in it.
    let plain: PlainConfirm
    /// How the one model reads the rows; nil where none does.
    let rows: PlainConfirm.Rows?
    /// Whether texts are searched for wanted keys.
    let searchesText: Bool
    /// Whether objects that the rows reference are compared with what is missing.
    let comparesReferenced: Bool
    /// Whether the rows are those that the join read.
    let readsAsBefore: Bool
    /// Counts of nothing.
    let counts: ReferenceCounts

    /// What a part of the rows said.
    struct Answer {
        /// Of each row whether nothing is found in it.
        var isBoring: [Bool] = []
        /// What was counted in those.
        var counts: ReferenceCounts
        /// Objects that they reference, and that may tell of what is missing; one may stand here
        /// several times.
        var offers: [OfferedObject] = []
    }

    /// Looks at those rows of a slab that have these numbers.
    func run(_ part: Range<Int>, of slab: SlabRows) -> Answer {
        var answer = Answer(counts: counts)
        guard let rows else {
            answer.isBoring = part.map { !searchesText || plain.isBoring(slab[$0], slab.bytes) }
            return answer
        }
        answer.isBoring.reserveCapacity(part.count)
        PlainRow.lend(together) { look(part, of: slab, rows, &answer, $0) }
        return answer
    }

    private func look(
        _ part: Range<Int>, of slab: SlabRows, _ rows: PlainConfirm.Rows,
        _ answer: inout Answer, _ read: UnsafeMutableBufferPointer<PlainRow>
    ) {
        var telling = plain.telling
        let isBoring = UnsafeMutableBufferPointer<Bool>.allocate(capacity: together)
        defer { isBoring.deallocate() }
        for start in stride(from: part.lowerBound, to: part.upperBound, by: together) {
            let places = 0..<min(together, part.upperBound - start)
            // The times of records that nothing is found in tell nothing more than they did.
            for place in places {
                isBoring[place] = rows.plain.read(
                    slab[start + place], slab.bytes, into: &read[place], readsChange: false)
            }
            // In a loop of their own, as `BatchRows` does it.
            for place in places where isBoring[place] {
                isBoring[place] = plain.look(&read[place], slab.bytes, asBefore: readsAsBefore)
            }
            for place in places where isBoring[place] {
                isBoring[place] = plain.isBoring(
                    slab[start + place], slab.bytes, rows, read[place],
                    searchesText: searchesText)
                guard isBoring[place] else { continue }
                answer.counts.add(plain: read[place], model: rows.model)
                guard comparesReferenced else { continue }
                telling.note(rows.plain, read[place], number: place, slab.bytes)
            }
            telling.end(rows.plain, read, slab.bytes) { answer.offers.append($0) }
            answer.isBoring.append(contentsOf: isBoring[places])
        }
    }

    private var together: Int { BatchRows.together }
}
