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
                id: RecordID(
                    joined: name.id, parts: models[name.model].mapping.id.count))
        }
        return (owners, !keys.ownersCutOff.isEmpty)
    }
}
