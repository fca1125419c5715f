import MooringDecisions
import MooringModel

extension ConfirmScan {
    /// Adds what a row, or an object that it means, may hold that tells this scan something:
    /// whatever holds none of it is boring, as `PlainConfirm` has it. False where nothing can be
    /// said of that, so that everything has to be read.
    package func add(to needs: inout NewNeeds) -> Bool {
        for text in wantedKeys.allTexts {
            needs.insert(.value, Array(text))
            if text.count < NeedleIndex.freeLength { needs.insert(Self.short(text)) }
        }
        for (text, place) in NeedleWindows(wantedKeys.allTexts).places {
            needs.insert(NarrowingNeed(.text, place, Array(text)))
        }
        for name in ownerNames {
            for id in [name.id, NearOwners.folded(name.id)] where id.allSatisfy({ $0 < 0x80 }) {
                needs.insert(NarrowingNeed(.owner, name.model, Self.reduced(id)))
            }
        }
        guard !dangling.isEmpty else { return true }
        guard resolver.cutsAtSlashes else { return false }
        return dangling.allSatisfy { add($0, to: &needs) }
    }

    // A short needle stands between delimiters, so that its first run of others is one of the text.
    private static func short(_ text: ArraySlice<UInt8>) -> NarrowingNeed {
        guard let run = text.split(whereSeparator: Delimiters.hold).first else {
            return NarrowingNeed(.short, 0, Array(text))
        }
        return NarrowingNeed(.token, 0, Array(run))
    }

    // Letters in lower case and digits without zeros, as all spellings of an identifier have them.
    private static func reduced(_ id: [UInt8]) -> [UInt8] {
        id.compactMap { byte in
            let lower = byte | 0x20
            let isKept =
                byte > UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
                || lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
            return isKept ? lower : nil
        }
    }

    // False where any object may be what the reference means.
    private func add(_ candidate: DanglingCandidate, to needs: inout NewNeeds) -> Bool {
        needs.insert(.value, candidate.value)
        let keys = candidate.patterns.compactMap { pattern -> [UInt8]? in
            guard case .exact(let key) = pattern else { return nil }
            return key.bytes
        }
        let names =
            [candidate.value] + resolver.ownNames(of: candidate) + resolver.names(in: candidate)
            + keys
        for name in names {
            let form = TwinForm(name)
            guard !form.hasSingletons else { return false }
            needs.insert(.tail, Array(form.lastPart))
        }
        let paths =
            LoosePath.all(in: candidate.value, forms).union(keys.compactMap { LoosePath($0) })
        for name in paths.compactMap(\.plainName) {
            needs.insert(.name, Self.squashed(name))
        }
        forms.each(of: candidate.value) { addInside($0, to: &needs) }
        return true
    }

    // What stands between numbers is left out too; a name of nothing else is left as it is.
    private static func squashed(_ name: [UInt8]) -> [UInt8] {
        let isLetter = { (byte: UInt8) in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte < 0x80
        }
        guard name.contains(where: { isLetter($0) || NeedleIndex.isDigit($0) }) else { return name }
        return name.filter { $0 != UInt8(ascii: ".") }
    }

    // What a value may hold of a key: its last eight bytes, or a short name.
    private func addInside(_ text: [UInt8], to needs: inout NewNeeds) {
        let span = NeedleIndex.freeLength
        for start in text.indices.dropLast(span - 1) {
            needs.insert(.ending, Array(text[start..<start + span]))
        }
        text.withUnsafeBytes { bytes in
            for start in text.indices where start == 0 || Delimiters.hold(text[start - 1]) {
                for length in 1..<span where start + length <= text.count {
                    if Delimiters.end(at: start + length, of: bytes) {
                        needs.insert(.part, Array(text[start..<start + length]))
                    }
                }
            }
        }
    }
}
