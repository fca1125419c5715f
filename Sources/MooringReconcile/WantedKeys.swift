import MooringDecisions
package import MooringModel

/// A key that the confirm scan looks for: a candidate orphan's, or one of an object in quarantine.
package struct WantedKey: Hashable, Sendable {
    /// Which of the buckets.
    package let bucket: Int
    /// The full key.
    package let key: ObjectKey

    /// A key to look for.
    package init(bucket: Int, key: ObjectKey) {
        self.bucket = bucket
        self.key = key
    }
}

/// A record that a key template names as the possible owner of a wanted key.
package struct OwnerName: Hashable, Sendable {
    /// Which of the models, over all sources.
    package let model: Int
    /// Which of the model's `files` has the template.
    package let field: Int
    /// The identifier, its parts joined with `/`.
    package let id: [UInt8]
}

/// The texts under which wanted keys may stand in a record, and the owners that they name.
struct WantedKeys {
    private var numbersByText: [ArraySlice<UInt8>: [Int]] = [:]
    /// The possible owners of each wanted key.
    private(set) var owners: [[OwnerName]] = []
    /// The lengths of all texts.
    private(set) var lengths = 0...0
    /// Whether a wanted key names more owners than are looked for.
    private(set) var ownersCutOff: Set<Int> = []

    /// The texts of these keys under these models.
    init(
        _ keys: [WantedKey], models: [SourceModel], buckets: [BucketMapping],
        _ resolver: KeyResolver
    ) {
        var shortest = Int.max
        var longest = 0
        for (number, wanted) in keys.enumerated() {
            let readings = resolver.readings(of: wanted.key)
            let owners = Self.owners(of: wanted, readings, models, buckets)
            self.owners.append(owners)
            if owners.count >= KeyTemplate.ownerLimit { ownersCutOff.insert(number) }
            for reading in readings {
                // A bare identifier stands in every related record and is no key there, unless it
                // is the whole key.
                let isWhole = reading.level == nil
                if !isWhole, owners.contains(where: { $0.id == reading.relative }) { continue }
                guard !reading.relative.isEmpty else { continue }
                numbersByText[reading.relative[...], default: []].append(number)
                shortest = min(shortest, reading.relative.count)
                longest = max(longest, reading.relative.count)
            }
        }
        if longest > 0 { lengths = shortest...longest }
    }

    /// The wanted keys that a text may mean.
    func numbers(for text: ArraySlice<UInt8>) -> [Int] { numbersByText[text] ?? [] }

    private static func owners(
        of wanted: WantedKey, _ readings: [KeyReading], _ models: [SourceModel],
        _ buckets: [BucketMapping]
    ) -> [OwnerName] {
        var owners: [OwnerName] = []
        for (model, source) in models.enumerated() {
            for (field, file) in source.mapping.files.enumerated() {
                guard let template = file.template, template.namesOwner,
                    file.bucket == nil || file.bucket == buckets[wanted.bucket].name
                else { continue }
                for reading in readings where file.level.covers(reading.level) {
                    for id in template.identifiers(in: reading.relative) where !id.isEmpty {
                        let owner = OwnerName(model: model, field: field, id: id)
                        if owners.count < KeyTemplate.ownerLimit, !owners.contains(owner) {
                            owners.append(owner)
                        }
                    }
                }
            }
        }
        return owners
    }
}

extension LevelChoice {
    /// Whether a value of this choice may lie under a level; nil is the root.
    fileprivate func covers(_ level: String?) -> Bool {
        switch self {
        case .any: true
        case .root: level == nil
        case .named(let name): level == name
        }
    }
}
