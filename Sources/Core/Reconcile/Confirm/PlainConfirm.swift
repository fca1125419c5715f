import MooringDecisions
import MooringModel
import MooringText

/// Tells of most rows in place that the confirm scan finds nothing in them: their references mean
/// objects that are there, nobody waits for their records, and no text in them may hold a wanted
/// key. It errs to looking closer.
struct PlainConfirm: Sendable {
    private let fingerprints: Fingerprints
    // The places of wanted keys; the values of missing references and the texts of needles.
    private var wanted = NameFilter()
    private var values = NameFilter()
    // The records that are looked for, by what all spellings of an identifier have in common.
    private var owners = NameFilter()
    private let weights = Self.weights()
    // What tells of most objects that nothing missing may mean them; nil where nothing is missing.
    private let meanings: TailFilter?
    private let spellings: SpellingFilter?
    private let enclosed: EnclosedFilter
    private let index: NeedleIndex
    private let shortest: Int
    private let forms: TextForms

    // What a number is written with at most.
    private static let numberLength = 32
    private static let longestDecoded = 1 << 20
    private static let textTag: UInt64 = 1 << 63

    /// What is boring to a scan.
    init(_ scan: ConfirmScan, fingerprints: Fingerprints) {
        self.fingerprints = fingerprints
        index = scan.wantedKeys.index
        shortest = scan.wantedKeys.shortest
        forms = scan.forms
        meanings = scan.meanings.isEmpty ? nil : scan.meanings.filter
        (spellings, enclosed) = (scan.spellings.filter, scan.enclosed.filter)
        for key in scan.wanted {
            wanted.insert(
                hash: fingerprints.fingerprint(of: .exact(key.key), bucket: key.bucket).low)
        }
        for candidate in scan.dangling { add(value: candidate.value) }
        for text in scan.wantedKeys.allTexts { add(value: Array(text)) }
        for name in scan.ownerNames {
            // Beyond ASCII some letters are spelt like others within.
            for id in [name.id, NearOwners.folded(name.id)] {
                let hash = id.withUnsafeBufferPointer {
                    Self.reduced($0, UInt64(name.model), weights)
                }
                if let hash { owners.insert(hash: hash) }
            }
        }
    }

    private mutating func add(value: [UInt8]) {
        values.insert(hash: value.withUnsafeBufferPointer(text))
    }

    private func text(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        fingerprints.maker.make(bytes, tag: Self.textTag).low
    }

    // Letters in one case and digits without zeros, in any order: identifiers that are spelt alike
    // have the same of them. Nil beyond ASCII.
    private static func reduced(
        _ id: UnsafeBufferPointer<UInt8>, _ begun: UInt64, _ weights: [UInt64]
    ) -> UInt64? {
        weights.withUnsafeBufferPointer { weights in
            var (sum, all) = (begun, UInt8(0))
            for byte in id {
                sum &+= weights[Int(byte)]
                all |= byte
            }
            return all < 0x80 ? sum : nil
        }
    }

    // What each byte of an identifier adds; those that say nothing add zero.
    private static func weights() -> [UInt64] {
        (0...UInt8.max).map { byte in
            let lower = byte | 0x20
            let isKept =
                byte > UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
                || lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
            guard isKept else { return 0 }
            return FingerprintMaker.spread(UInt64(lower))
        }
    }

    /// The rows of a batch that can be looked at in place.
    func rows(
        _ mapping: ModelMapping, model: Int, columns: [String], meaning: ReferenceRule
    ) -> Rows {
        Rows(
            model: model,
            plain: PlainRows(
                mapping, columns: columns, names: meaning.names, resolver: meaning.resolver,
                maker: fingerprints.maker),
            keys: columns.map { column in
                mapping.files.contains { $0.column == column && !$0.isList }
            })
    }

    /// Rows as one model reads them.
    struct Rows {
        /// The model's number, over all sources.
        let model: Int
        /// Reads those rows that nothing is in doubt about.
        let plain: PlainRows
        /// Of each column whether it holds one key as a whole.
        let keys: [Bool]
    }
}

extension PlainConfirm {
    /// Tells of objects whether they may say anything of what is missing.
    var telling: TellingObjects {
        TellingObjects(
            TellingFilters(meanings: meanings, spellings: spellings, enclosed: enclosed))
    }

    /// Looks up what is known of the places of a row, which the join read or not; whether none of
    /// them is wanted, and none of its values is missed elsewhere.
    func look(
        _ row: inout PlainRow, _ bytes: UnsafeBufferPointer<UInt8>, asBefore: Bool
    ) -> Bool {
        var isWanted = false
        for reference in row.references.elements {
            let value = UnsafeBufferPointer(rebasing: bytes[reference.value])
            if values.mayHold(text(value)) { isWanted = true }
        }
        for place in row.slots.elements {
            row.marks.append(
                asBefore
                    ? fingerprints.table.marks(ofReferenced: place)
                    : fingerprints.table.marks(of: place))
            if wanted.mayHold(place.low) { isWanted = true }
        }
        return !isWanted
    }

    /// Whether nothing is found in a row, whose cells these are, and none of whose places is
    /// wanted.
    func isBoring(
        _ cells: UnsafeBufferPointer<SlabCell>, _ bytes: UnsafeBufferPointer<UInt8>,
        _ rows: Rows, _ row: borrowing PlainRow, searchesText: Bool
    ) -> Bool {
        guard arePresent(row), isBoring(rows.plain.id, cells, bytes, rows.model) else {
            return false
        }
        guard searchesText else { return true }
        for column in rows.keys.indices where !rows.keys[column] {
            if mayHoldNeedle(cells[column], bytes) { return false }
        }
        return true
    }

    /// Whether nothing is found in a row that no model reads.
    func isBoring(
        _ cells: UnsafeBufferPointer<SlabCell>, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        cells.allSatisfy { !mayHoldNeedle($0, bytes) }
    }

    // Whether all references' own objects are there.
    private func arePresent(_ row: borrowing PlainRow) -> Bool {
        for reference in row.references.elements {
            let marks = row.marks[reference.slots]
            guard marks.contains(where: { $0.contains(.present) }) else { return false }
        }
        return true
    }

    private func isBoring(
        _ id: [Int], _ cells: UnsafeBufferPointer<SlabCell>,
        _ bytes: UnsafeBufferPointer<UInt8>, _ model: Int
    ) -> Bool {
        guard !owners.isEmpty else { return true }
        var hash = UInt64(model)
        for column in id {
            let cell = cells[column]
            let part = UnsafeBufferPointer(rebasing: bytes[cell.range])
            guard let reduced = Self.reduced(part, hash, weights) else { return false }
            hash = reduced
        }
        return !owners.mayHold(hash)
    }

    private func mayHoldNeedle(
        _ cell: SlabCell, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        switch cell.kind {
        case .absent, .null: return false
        case .integer, .real: return shortest <= Self.numberLength
        case .attribute: return true
        case .text, .blob, .json:
            guard Int(cell.count) >= shortest else { return false }
            let text = UnsafeBufferPointer(rebasing: bytes[cell.range])
            guard Coding.mayChange(text, forms.foldsPaths) else {
                return index.holdsAny(UnsafeRawBufferPointer(text))
            }
            // Every core holds forms of a text of its own; of a very long one they are made once.
            guard text.count <= Self.longestDecoded else { return true }
            return forms.holds(Array(text)) { $0.withUnsafeBytes(index.holdsAny) }
        }
    }
}
