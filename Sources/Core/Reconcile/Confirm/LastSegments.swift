import MooringModel

/// Compares an object's last path segment with what a record holds, in any spelling: another
/// prefix, an extension on one side only, no dashes, zero-width characters, another case.
struct LastSegments {
    private var names: Set<String> = []
    private var stems: Set<String> = []
    private var values: [[UInt8]] = []
    private let forms: TextForms

    /// Nothing that a record holds yet.
    init(forms: TextForms) {
        self.forms = forms
    }

    /// Whether nothing was added.
    var isEmpty: Bool { values.isEmpty }

    /// Adds a value that the record holds; an empty one is left out.
    mutating func add(_ value: [UInt8]) {
        guard !value.isEmpty else { return }
        values.append(value)
        var found: [String] = []
        forms.each(of: value) { form in
            for part in [form[...]] + form.split(whereSeparator: Self.divides) {
                found.append(String(decoding: part, as: UTF8.self))
            }
        }
        for name in found {
            names.insert(FileName.squashed(name))
            if let stem = FileName.stem(of: name) { stems.insert(FileName.squashed(stem)) }
        }
    }

    /// Which of these keys' last segments stand in the record, by their places; of each key all of
    /// its names are given.
    func held(_ keys: [[[UInt8]]]) -> [Int] {
        let segments = keys.map { $0.map(Self.segment) }
        var found = Set(keys.indices.filter { segments[$0].contains(where: isNamed) })
        // A long one is found wherever it stands.
        var places: [ArraySlice<UInt8>: [Int]] = [:]
        for (place, own) in segments.enumerated() {
            for segment in own where segment.count > Self.shortest {
                places[segment, default: []].append(place)
            }
        }
        let texts = Array(places.keys)
        let index = NeedleIndex(texts)
        guard !index.isEmpty else { return found.sorted() }
        for value in values {
            forms.each(of: value) { form in
                index.search(form, endsWithNumber: true) { needle, range in
                    // What is more of a name than an extension is another name.
                    let isWhole = range.lowerBound == 0 || Self.divides(form[range.lowerBound - 1])
                    if isWhole { found.formUnion(places[texts[needle]] ?? []) }
                }
            }
        }
        return found.sorted()
    }

    private static let shortest = NeedleIndex.freeLength

    private func isNamed(_ segment: ArraySlice<UInt8>) -> Bool {
        let name = String(decoding: segment, as: UTF8.self)
        let squashed = FileName.squashed(name)
        guard !squashed.isEmpty else { return false }
        if names.contains(squashed) { return true }
        guard let stem = FileName.stem(of: name) else { return stems.contains(squashed) }
        return names.contains(FileName.squashed(stem))
    }

    private static func segment(_ key: [UInt8]) -> ArraySlice<UInt8> {
        var bytes = key[...]
        while bytes.last == UInt8(ascii: "/") { bytes = bytes.dropLast() }
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? bytes.startIndex
        return bytes[start...]
    }

    private static func divides(_ byte: UInt8) -> Bool {
        byte < 0x20 || "/:=?&#\"'<>,;|\\".utf8.contains(byte)
    }
}
