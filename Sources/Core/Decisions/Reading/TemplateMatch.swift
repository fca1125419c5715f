package import MooringModel

extension KeyTemplate {
    /// The most possible owners that one key may name; beyond it the rest are not looked for,
    /// and the judge calls the orphan undecided.
    package static let ownerLimit = 32

    /// Every identifier that the template may have been filled with to give this value, each once;
    /// empty when the value does not fit. Templates without `{id}` give one empty identifier.
    package func identifiers(in value: [UInt8]) -> [[UInt8]] { owners(in: value).identifiers }

    /// The same, and whether the search was given up before every way to cut the value was tried.
    package func owners(in value: [UInt8]) -> (identifiers: [[UInt8]], isCutOff: Bool) {
        var match = TemplateMatch(value: value)
        match.search(parts[...], at: 0, id: nil)
        return (match.found, match.isCutOff)
    }
}

/// Tries every way to cut a value into a template's parts, with the longest identifier first.
private struct TemplateMatch {
    let value: [UInt8]
    var found: [[UInt8]] = []
    var isCutOff = false
    private var seen: Set<[UInt8]> = []
    // Two wildcards side by side allow many cuts; this bounds the work for hostile keys.
    private var budget = 20_000

    init(value: [UInt8]) {
        self.value = value
    }

    mutating func search(_ parts: ArraySlice<KeyTemplate.Part>, at index: Int, id: Range<Int>?) {
        budget -= 1
        guard budget > 0, found.count < KeyTemplate.ownerLimit else {
            isCutOff = true
            return
        }
        guard let part = parts.first else {
            guard index == value.count else { return }
            let bytes = id.map { Array(value[$0]) } ?? []
            if seen.insert(bytes).inserted { found.append(bytes) }
            return
        }
        let rest = parts.dropFirst()
        switch part {
        case .literal(let literal):
            if value[index...].starts(with: literal) {
                search(rest, at: index + literal.count, id: id)
            }
        case .uuid:
            for length in [36, 32] where isUUID(at: index, length: length) {
                search(rest, at: index + length, id: id)
            }
        case .id:
            if let id {
                if value[index...].starts(with: value[id]) {
                    search(rest, at: index + id.count, id: id)
                }
                return
            }
            for end in candidateEnds(rest, from: index + 1) {
                search(rest, at: end, id: index..<end)
            }
        case .field:
            for end in candidateEnds(rest, from: index + 1) { search(rest, at: end, id: id) }
        case .any:
            for end in candidateEnds(rest, from: index) { search(rest, at: end, id: id) }
        }
    }

    // Where a part of free length may end: at the end of the value when it is the last one, else
    // wherever a literal that follows begins.
    private func candidateEnds(_ rest: ArraySlice<KeyTemplate.Part>, from first: Int) -> [Int] {
        guard first <= value.count else { return [] }
        guard let next = rest.first else { return [value.count] }
        return (first...value.count).reversed().filter { end in
            guard case .literal(let literal) = next else { return true }
            return value[end...].starts(with: literal)
        }
    }

    private func isUUID(at index: Int, length: Int) -> Bool {
        guard index + length <= value.count else { return false }
        return value[index..<index + length].enumerated().allSatisfy { offset, byte in
            if length == 36, [8, 13, 18, 23].contains(offset) { return byte == UInt8(ascii: "-") }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                return true
            default: return false
            }
        }
    }
}
