import MooringDecisions
import MooringModel
import MooringReconcile

extension OwnerReader {
    /// Whether what an object was made from is there, or one of its own possible owners references
    /// it now, or what is made from it: then the object lives with it.
    func sourceAnswer(
        _ key: ObjectKey, bucket name: String, owners: [RecordIdentity]
    ) async -> OwnersAnswer {
        guard let number = job.buckets.firstIndex(where: { $0.name == name }) else {
            return .unreferenced
        }
        let sources = DerivedKey.sources(
            of: key, patterns: job.bucketMappings[number].derived)
        for source in sources {
            switch await job.buckets[number].head(source) {
            case .present: return .sourceLives
            case .unknown(let reason):
                return .unknown("the object it is derived from: \(reason)")
            case .absent: break
            }
            switch await ownersAnswer(source, number) {
            case .unreferenced: break
            case .referenced, .sourceLives: return .sourceLives
            case .unknown(let reason): return .unknown("the object it is derived from: \(reason)")
            }
        }
        let products = DerivedKey.products(
            of: key, patterns: job.bucketMappings[number].derived)
        for product in products {
            switch await ownersAnswer(product, number, beside: owners) {
            case .unreferenced: break
            case .referenced, .sourceLives: return .referenced
            case .unknown(let reason):
                return .unknown("an object that is derived from it: \(reason)")
            }
        }
        return .unreferenced
    }

    // Whether one of the records that a key names as its owners references it now, or one of those
    // beside.
    private func ownersAnswer(
        _ key: ObjectKey, _ bucket: Int, beside: [RecordIdentity] = []
    ) async -> OwnersAnswer {
        let (owners, isCutOff) = KeyOwners.identities(
            of: WantedKey(bucket: bucket, key: key), models: job.models,
            buckets: job.bucketMappings, resolver: job.resolver)
        if isCutOff { return .unknown("it names too many owners") }
        return await answer(
            beside + owners.filter { !beside.contains($0) }, bucket: job.buckets[bucket].name,
            key: key)
    }
}
