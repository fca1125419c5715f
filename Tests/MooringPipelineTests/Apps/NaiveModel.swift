import MooringModel

/// What an app's values mean, by rules that share no code with the program's decisions.
struct NaiveModel {
    /// Where a value's object lies: at one key, or under whatever identity.
    enum Place: Hashable {
        case exact([UInt8])
        case open(head: [UInt8], tail: [UInt8])

        func holds(_ key: [UInt8]) -> Bool {
            switch self {
            case .exact(let exact): return key == exact
            case .open(let head, let tail):
                guard key.count > head.count + tail.count, key.starts(with: head),
                    key.suffix(tail.count).elementsEqual(tail)
                else { return false }
                return !key[head.count..<(key.count - tail.count)].contains(47)
            }
        }
    }

    /// One key that a record holds.
    struct Reference: CustomStringConvertible {
        let name: AppState.Name
        let field: AppField
        let value: [UInt8]
        /// The bucket's name as the record means it; nil where no such bucket is configured.
        let bucket: String?
        /// The bucket that a complex object names.
        let held: [UInt8]?
        let places: [Place]
        let isTombstone: Bool
        let isCopy: Bool

        /// Whether the value may mean just one object.
        var isOne: Bool {
            guard places.count == 1, case .exact = places[0], bucket != nil else { return false }
            return true
        }

        /// Whether the value is none that a key may have.
        var isInvalid: Bool {
            value.count > 1_024 || value[0] == 47 || value.contains { $0 < 32 || $0 == 127 }
        }

        var description: String {
            "\(name) \(field.column) \(String(decoding: value, as: UTF8.self).debugDescription)"
        }

        func means(_ place: AppState.Place) -> Bool {
            place.bucket == bucket && places.contains { $0.holds(place.key) }
        }
    }

    let models: [AppModel]
    let mentions: Set<[UInt8]>

    init(_ draft: DraftApp) {
        models = draft.models
        mentions = draft.mentions
    }

    func model(_ table: String) -> AppModel? { models.first { $0.name == table } }

    // MARK: References

    /// Every key that every mapped field of every row holds.
    func references(in state: AppState) -> [Reference] {
        state.rows.flatMap { row -> [Reference] in
            guard let model = model(row.table) else { return [] }
            return model.files.flatMap { field in
                Self.values(row.values[field.column] ?? .null, field).map { held in
                    Reference(
                        name: AppState.name(of: row), field: field, value: held.key,
                        bucket: Self.bucket(held.bucket, field), held: held.bucket,
                        places: Self.places(held.key, field.level, owner(of: row, model)),
                        isTombstone: isTombstone(row), isCopy: row.source == "phone")
                }
            }
        }
    }

    /// The keys in one field's value, with the bucket that each names.
    static func values(
        _ value: FieldValue, _ field: AppField
    ) -> [(key: [UInt8], bucket: [UInt8]?)] {
        guard let bytes = value.bytes, !bytes.isEmpty else { return [] }
        if !field.isList, !field.isComplex { return [(bytes, nil)] }
        // What is no JSON holds no key.
        guard let value = NaiveJSON(bytes) else { return [] }
        return (field.isList ? value.list ?? [] : [value]).compactMap { value in
            let key = field.isComplex ? value.members?["key"]?.text : value.text
            guard let key, !key.isEmpty else { return nil }
            return (key, field.isComplex ? value.members?["bucket"]?.text : nil)
        }
    }

    private static func bucket(_ held: [UInt8]?, _ field: AppField) -> String? {
        guard let held else { return field.bucket }
        return ["media", "archive"].first { held.elementsEqual($0.utf8) }
    }

    private static func places(_ key: [UInt8], _ level: String, _ owner: [UInt8]?) -> [Place] {
        func under(_ level: String) -> Place {
            let head = Array(level.utf8)
            guard let owner else { return .open(head: head, tail: [47] + key) }
            return .exact(head + owner + [47] + key)
        }
        switch level {
        case "guest": return [.exact(Array("public/".utf8) + key)]
        case "private": return [under("private/")]
        case "protected": return [under("protected/")]
        case "any":
            return [
                .exact(key), .exact(Array("public/".utf8) + key), under("private/"),
                under("protected/"),
            ]
        default: return [.exact(key)]
        }
    }

    private func owner(of row: DraftApp.Row, _ model: AppModel) -> [UInt8]? {
        model.hasIdentity ? row.values["owner"]?.bytes : nil
    }

    func isTombstone(_ row: DraftApp.Row) -> Bool {
        model(row.table)?.hasDeleted == true && row.values["deleted"] == .integer(1)
    }

    // MARK: What must stay

    /// Whether an object lies somewhere that the reference may mean.
    func isPresent(_ reference: Reference, in state: AppState) -> Bool {
        state.objects.keys.contains(where: reference.means)
    }

    /// Whether an object lies elsewhere that the reference may have meant: the same name under
    /// another level, identity or bucket, or in another spelling.
    func isElsewhere(_ reference: Reference, in state: AppState) -> Bool {
        state.objects.keys.contains { claims(reference, $0) }
    }

    /// Whether a reference whose own object is missing may mean this one.
    func claims(_ reference: Reference, _ place: AppState.Place) -> Bool {
        Self.claims(reference.value, place.key)
    }

    /// Whether a value may be another spelling of a key, under whatever level.
    static func claims(_ value: [UInt8], _ key: [UInt8]) -> Bool {
        rests(of: key).contains { areTwins(Array($0), value) }
    }

    /// Whether one value may mean both keys, or one was made from the other.
    static func mayShareValue(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        other.suffix(one.count).elementsEqual(one)
            || rests(of: one).contains { claims(Array($0), other) }
    }

    /// Whether nothing may remove an object: a record or a text holds its key, a record without
    /// its own object may mean it, the object it was made from is there, or nobody is to touch it.
    func isProtected(
        _ place: AppState.Place, in state: AppState, _ references: [Reference]
    ) -> Bool {
        if mentions.contains(place.key) { return true }
        if place.bucket == "media" {
            if place.key.starts(with: "static/".utf8) { return true }
            let thumbs = Array("thumbs/".utf8)
            if place.key.starts(with: thumbs) {
                let source = AppState.Place(
                    bucket: "media", key: Array(place.key[thumbs.count...]))
                if state.objects[source] != nil { return true }
            }
        }
        return references.contains { reference in
            reference.means(place)
                // What no key can be is reported as that, and claims no other spelling of it.
                || !reference.isTombstone && !reference.isInvalid
                    && !isPresent(reference, in: state) && claims(reference, place)
        }
    }

    /// Whether a relation's parent is there.
    func hasParent(_ value: [UInt8], _ relation: AppRelation, in state: AppState) -> Bool {
        state.rows.contains { row in
            row.source == "app" && row.table == relation.parent && !isTombstone(row)
                && Array(AppState.name(of: row).id.joined(separator: [47])) == value
        }
    }

    // MARK: Spellings

    // What a record may hold to mean a key, under some level or at the root.
    private static func rests(of key: [UInt8]) -> [ArraySlice<UInt8>] {
        var rests = [key[...]]
        if key.starts(with: "public/".utf8) { rests.append(key[7...]) }
        for head in ["private/", "protected/"] where key.starts(with: head.utf8) {
            let rest = key[head.utf8.count...]
            guard let slash = rest.firstIndex(of: 47), slash > rest.startIndex else { continue }
            rests.append(rest[(slash + 1)...])
        }
        return rests
    }

    /// Whether two keys are one but for percent-encoding, Unicode form and case.
    static func areTwins(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        if one == other { return true }
        guard let one = String(validating: decoded(one), as: UTF8.self),
            let other = String(validating: decoded(other), as: UTF8.self)
        else { return false }
        return one.lowercased() == other.lowercased()
    }

    private static func decoded(_ key: [UInt8]) -> [UInt8] {
        var key = key
        for _ in 0..<3 {
            var next: [UInt8] = []
            var index = 0
            while index < key.count {
                if key[index] == 37, index + 2 < key.count,
                    let byte = UInt8(
                        String(decoding: key[(index + 1)...(index + 2)], as: UTF8.self), radix: 16),
                    key[index + 1] != 43
                {
                    next.append(byte)
                    index += 3
                } else {
                    next.append(key[index])
                    index += 1
                }
            }
            if next == key { break }
            key = next
        }
        return key
    }
}
