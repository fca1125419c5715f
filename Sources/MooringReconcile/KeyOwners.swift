package import MooringDecisions
package import MooringModel

/// Names the records that a key's templates make its owners.
package enum KeyOwners {
    /// The possible owners of an object, and whether there are more than are looked for. The parts
    /// of a composite identifier are cut at slashes.
    package static func identities(
        of key: WantedKey, models: [SourceModel], buckets: [BucketMapping],
        resolver: KeyResolver
    ) -> (owners: [RecordIdentity], isCutOff: Bool) {
        let keys = WantedKeys([key], models: models, buckets: buckets, resolver)
        let owners = keys.owners[0].map { name in
            RecordIdentity(
                source: models[name.model].source, model: models[name.model].mapping.model,
                id: models[name.model].mapping.identifier(name.id))
        }
        return (owners, !keys.ownersCutOff.isEmpty)
    }
}

extension ModelMapping {
    /// The identifier that a text stands for: its parts are cut at slashes where there are several.
    package func identifier(_ joined: [UInt8]) -> RecordID {
        guard id.count > 1 else { return RecordID(joined) }
        let parts = joined.split(
            separator: UInt8(ascii: "/"), maxSplits: id.count - 1,
            omittingEmptySubsequences: false)
        return RecordID(parts: parts.map(Array.init))
    }
}
