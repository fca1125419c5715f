import MooringDecisions
import MooringModel
import MooringReconcile

extension OwnerReader {
    /// Whether what an object was made from is there, or one of its own possible owners references
    /// it now: then the object lives with it.
    func sourceAnswer(_ key: ObjectKey, bucket name: String) async -> OwnersAnswer {
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
            let (owners, isCutOff) = KeyOwners.identities(
                of: WantedKey(bucket: number, key: source), models: job.models,
                buckets: job.bucketMappings, resolver: job.resolver)
            if isCutOff {
                return .unknown("the object it is derived from names too many owners")
            }
            switch await answer(owners, bucket: name, key: source) {
            case .unreferenced: break
            case .referenced, .sourceLives: return .sourceLives
            case .unknown(let reason): return .unknown(reason)
            }
        }
        return .unreferenced
    }
}
