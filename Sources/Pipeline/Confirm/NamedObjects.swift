import MooringDecisions
import MooringModel
import MooringReconcile

/// Looks by name at the objects whose keys stand inside the value of a missing reference, where no
/// listing tells of them: it was not read there, or is older than they are.
struct NamedObjects {
    /// The stores.
    let job: Job

    // So many texts inside one value are looked for as keys, and so many looks taken.
    private static let textLimit = 256
    private static let lookLimit = 128
    private static let cutOff = "its value holds more texts than are looked for as keys"

    /// Why the value may mean another object, in words, of the keys that are wanted; nil where each
    /// look found nothing. What lies in quarantine is not there.
    func doubt(
        about value: [UInt8], stored: StoredLayout, identity: [UInt8]?,
        where isWanted: (WantedKey) -> Bool
    ) async -> String? {
        // By a layout the value itself is another key than its own.
        let (texts, isCutOff) = NamedKeys.texts(
            in: value, atMost: Self.textLimit,
            foldsPaths: job.bucketMappings.contains(where: \.isFolder),
            besides: stored.isPlain ? [value] : [])
        var seen: Set<WantedKey> = []
        for text in texts {
            let patterns = job.resolver.everyPattern(of: text, identity: identity)
            for key in keys(patterns)
            where isWanted(key) && !isBare(text, key.bucket) && seen.insert(key).inserted {
                guard seen.count <= Self.lookLimit else { return Self.cutOff }
                switch await job.buckets[key.bucket].head(key.key) {
                case .present: return "its value holds the key of an object that is there"
                case .absent, .folder: continue
                case .unknown(let reason):
                    return "whether its value holds another key could not be seen: \(reason)"
                }
            }
        }
        return isCutOff ? Self.cutOff : nil
    }

    /// Why not everything that a value may hold is looked at by name; nil where it is.
    static func doubt(aboutLengthOf value: [UInt8]) -> String? {
        NamedKeys.areMore(than: textLimit, in: value) ? cutOff : nil
    }

    // A record's identifier inside a longer text stands for the record, as in pass B.
    private func isBare(_ text: [UInt8], _ bucket: Int) -> Bool {
        guard KeyTemplate.isIdentifier(text) else { return false }
        return job.models.contains { model in
            model.mapping.files.contains { file in
                file.template?.takesBareIdentifier == true
                    && (file.bucket == nil || file.bucket == job.buckets[bucket].name)
            }
        }
    }

    private func keys(_ patterns: [KeyPattern]) -> [WantedKey] {
        job.buckets.indices.filter { job.buckets[$0].isLive }.flatMap { number in
            patterns.compactMap { pattern -> WantedKey? in
                guard case .exact(let key) = pattern, job.bucketMappings[number].mayHold(key)
                else { return nil }
                return WantedKey(bucket: number, key: key)
            }
        }
    }
}

extension KeyResolver {
    /// The identity under which a value means a key; nil where the key has none.
    func identity(of value: [UInt8], meaning key: ObjectKey) -> [UInt8]? {
        readings(of: key).first { $0.identity != nil && $0.relative == value }?.identity
    }
}
