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
    private var bareIdentifiers: Set<Bare> = []
    /// The possible owners of each wanted key.
    private(set) var owners: [[OwnerName]] = []
    /// The lengths of all texts.
    private(set) var lengths = 0...0
    /// The wanted keys that name more owners than are looked for.
    private(set) var ownersCutOff: Set<Int> = []

    private struct Bare: Hashable {
        let number: Int
        let text: ArraySlice<UInt8>
    }

    /// The texts of these keys under these models.
    init(
        _ keys: [WantedKey], models: [SourceModel], buckets: [BucketMapping],
        _ resolver: KeyResolver
    ) {
        var shortest = Int.max
        var longest = 0
        for (number, wanted) in keys.enumerated() {
            let readings = resolver.readings(of: wanted.key)
            let (owners, isCutOff) = Self.owners(of: wanted, readings, models, buckets)
            self.owners.append(owners)
            if isCutOff { ownersCutOff.insert(number) }
            for reading in readings where !reading.relative.isEmpty {
                let text = reading.relative[...]
                if reading.level != nil, owners.contains(where: { $0.id == reading.relative }) {
                    bareIdentifiers.insert(Bare(number: number, text: text))
                }
                if numbersByText[text]?.last != number {
                    numbersByText[text, default: []].append(number)
                }
                shortest = min(shortest, text.count)
                longest = max(longest, text.count)
            }
        }
        if longest > 0 { lengths = shortest...longest }
    }

    /// A text that stands for more wanted keys is a common one, as `avatar.png` is.
    static let commonLimit = 32

    /// Whether a text stands for very many wanted keys.
    func isCommon(_ text: ArraySlice<UInt8>) -> Bool {
        numbers(for: text).count > Self.commonLimit
    }

    /// The wanted keys that a text may mean in a field that holds keys.
    func numbers(for text: ArraySlice<UInt8>) -> [Int] { numbersByText[text] ?? [] }

    /// The wanted keys that a text may mean in an attribute that nobody mapped. A bare identifier
    /// stands in every related record and is no key there, unless it is the whole key.
    func numbers(forUnmapped text: ArraySlice<UInt8>) -> [Int] {
        guard let numbers = numbersByText[text] else { return [] }
        if bareIdentifiers.isEmpty { return numbers }
        return numbers.filter { !bareIdentifiers.contains(Bare(number: $0, text: text)) }
    }

    // What has fewer slashes than a composite identifier names none of its records.
    private static func names(_ id: [UInt8], _ mapping: ModelMapping) -> Bool {
        !id.isEmpty && id.count { $0 == UInt8(ascii: "/") } >= mapping.id.count - 1
    }

    private static func owners(
        of wanted: WantedKey, _ readings: [KeyReading], _ models: [SourceModel],
        _ buckets: [BucketMapping]
    ) -> ([OwnerName], isCutOff: Bool) {
        var owners: [OwnerName] = []
        var isCutOff = false
        for (model, source) in models.enumerated() {
            for (field, file) in source.mapping.files.enumerated() {
                guard let template = file.template, template.namesOwner,
                    file.bucket == nil || file.bucket == buckets[wanted.bucket].name
                else { continue }
                for reading in readings where file.level.covers(reading.level) {
                    let match = template.owners(in: reading.relative)
                    isCutOff = isCutOff || match.isCutOff
                    for id in match.identifiers where names(id, source.mapping) {
                        let owner = OwnerName(model: model, field: field, id: id)
                        if owners.contains(owner) { continue }
                        if owners.count < KeyTemplate.ownerLimit {
                            owners.append(owner)
                        } else {
                            isCutOff = true
                        }
                    }
                }
            }
        }
        return (owners, isCutOff)
    }
}
