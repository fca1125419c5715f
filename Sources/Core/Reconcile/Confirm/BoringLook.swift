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
        var offers: [(place: Fingerprint, key: ObjectKey, bucket: Int)] = []
    }

    /// Looks at the rows of a slab, of this width, that have these numbers.
    func run(
        _ part: Range<Int>, width: Int, _ bytes: UnsafeBufferPointer<UInt8>,
        _ cells: UnsafeBufferPointer<SlabCell>
    ) -> Answer {
        var answer = Answer(counts: counts)
        guard let rows else {
            answer.isBoring = part.map { !searchesText || plain.isBoring(cells[$0, width], bytes) }
            return answer
        }
        answer.isBoring.reserveCapacity(part.count)
        var key: [UInt8] = []
        var (read, isBoring) = (Array(repeating: PlainRow(), count: together), [Bool]())
        for start in stride(from: part.lowerBound, to: part.upperBound, by: together) {
            let numbers = start..<min(start + together, part.upperBound)
            isBoring.removeAll(keepingCapacity: true)
            for number in numbers {
                isBoring.append(
                    rows.plain.read(cells[number, width], bytes, into: &read[number - start]))
            }
            // In a loop of their own, as `BatchRows` does it.
            for place in isBoring.indices where isBoring[place] {
                isBoring[place] = plain.look(&read[place])
            }
            for place in isBoring.indices where isBoring[place] {
                isBoring[place] = plain.isBoring(
                    cells[start + place, width], bytes, rows, read[place],
                    searchesText: searchesText)
                guard isBoring[place] else { continue }
                answer.counts.add(plain: read[place], model: rows.model)
                guard comparesReferenced else { continue }
                plain.eachTelling(rows.plain, read[place], bytes, &key) { place, key, bucket in
                    answer.offers.append((place, ObjectKey(key), bucket))
                }
            }
            answer.isBoring += isBoring
        }
        return answer
    }

    private var together: Int { BatchRows.together }
}

extension UnsafeBufferPointer<SlabCell> {
    // The cells of one row of so many.
    fileprivate subscript(number: Int, width: Int) -> UnsafeBufferPointer<SlabCell> {
        UnsafeBufferPointer(rebasing: self[number * width..<(number + 1) * width])
    }
}
