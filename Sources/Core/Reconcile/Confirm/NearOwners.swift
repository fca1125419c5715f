package import MooringModel

/// Finds records whose identifiers are spelt like those that keys name as owners, children as
/// parents or copies as their own, but not as these spell them: in another letter case, with
/// white space around them, as a UUID with and without its dashes, or as a number with leading
/// zeros or a fraction of none. A database that compares such
/// identifiers as equal tells the app that they are one record.
struct NearOwners {
    private var wanted: Set<OwnerName> = []
    private var found: [OwnerName: RecordID] = [:]

    /// Looks for records spelt like this name of a record alone.
    mutating func want(_ name: OwnerName) { wanted.insert(Self.folded(name)) }

    /// Looks for records of a model that are spelt like this identifier.
    mutating func want(_ id: [UInt8], model: Int) {
        want(OwnerName(model: model, field: -1, id: id))
    }

    /// Takes note of a record of a model.
    mutating func read(_ id: RecordID, model: Int) {
        guard !wanted.isEmpty else { return }
        let name = Self.folded(OwnerName(model: model, field: -1, id: id.joined))
        if wanted.contains(name), found[name] == nil { found[name] = id }
    }

    /// A record spelt like this name of a record alone, or as it is; nil where none was read.
    func record(like name: OwnerName) -> RecordID? { found[Self.folded(name)] }

    /// A record of one of these models that is spelt like this identifier; nil where none was
    /// read.
    func record(like id: [UInt8], in numbers: [Int], of models: [SourceModel]) -> RecordIdentity? {
        for number in numbers {
            guard let found = record(like: OwnerName(model: number, field: -1, id: id)) else {
                continue
            }
            let model = models[number]
            return RecordIdentity(source: model.source, model: model.mapping.model, id: found)
        }
        return nil
    }

    /// Looks for records of a model whose identifiers stand in this value between delimiters.
    mutating func want(inside value: [UInt8], model: Int) {
        for id in Self.parts(of: value) { want(id, model: model) }
    }

    /// A record of one of these models whose identifier stands in this value; nil where none was
    /// read.
    func record(
        inside value: [UInt8], in numbers: [Int], of models: [SourceModel]
    ) -> RecordIdentity? {
        for id in Self.parts(of: value) {
            if let found = record(like: id, in: numbers, of: models) { return found }
        }
        return nil
    }

    // So many parts of a value are looked at, and so many together may be one identifier.
    private static let places = 64
    private static let together = 4

    // What stands between delimiters in a value, without the whole of it.
    private static func parts(of value: [UInt8]) -> [[UInt8]] {
        let parts = value.indices.split { Delimiters.hold(value[$0]) }.prefix(places)
        return parts.indices.flatMap { first in
            parts[first...].prefix(together).map { last in
                Array(value[parts[first].startIndex..<last.endIndex])
            }
        }.filter { $0 != value }
    }

    private static func folded(_ name: OwnerName) -> OwnerName {
        OwnerName(model: name.model, field: name.field, id: folded(name.id))
    }

    /// What every spelling of one identifier has in common.
    static func folded(_ id: [UInt8]) -> [UInt8] {
        let id = trimmed(id)
        let isASCII = id.allSatisfy { $0 < 0x80 }
        let lower =
            isASCII
            ? id.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            : Array(String(decoding: id, as: UTF8.self).uppercased().lowercased().utf8)
        let plain = lower.filter { !marks.contains($0) }
        let isUUID =
            plain.count == 32
            && plain.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return isUUID ? plain : number(lower) ?? lower
    }

    // A column of a fixed width pads with blanks, and a file from elsewhere ends lines with CR.
    private static func trimmed(_ id: [UInt8]) -> ArraySlice<UInt8> {
        guard let first = id.firstIndex(where: { $0 > 0x20 }),
            let last = id.lastIndex(where: { $0 > 0x20 })
        else { return id[...] }
        return id[first...last]
    }

    // The digits of a whole number, however wide it is written; nil where it is none.
    private static func number(_ id: [UInt8]) -> [UInt8]? {
        let parts = id.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, !whole.isEmpty,
            whole.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        if parts.count == 2, parts[1].isEmpty || !parts[1].allSatisfy({ $0 == 0x30 }) {
            return nil
        }
        let digits = whole.drop { $0 == 0x30 }
        return digits.isEmpty ? [0x30] : Array(digits)
    }

    // What a UUID is written with beside its digits: dashes, and braces around it.
    private static let marks: Set<UInt8> = [
        UInt8(ascii: "-"), UInt8(ascii: "{"), UInt8(ascii: "}"),
    ]
}

extension ConfirmScan {
    /// A record that is spelt like an owner which a wanted key names, where that one is absent; nil
    /// where there is none.
    package func nearOwner(of wanted: Int) -> RecordIdentity? {
        for name in wantedKeys.owners[wanted] where owner(name) == nil {
            guard let id = nearOwners.record(like: name.withoutField) else { continue }
            let model = models[name.model]
            return RecordIdentity(source: model.source, model: model.mapping.model, id: id)
        }
        return nil
    }
}
