import MooringDecisions
import MooringModel
package import MooringReconcile

extension SubjectLook {
    /// The objects that a text may name, one for each bucket that it may mean: its key as it
    /// stands, or what it means as an address or percent-encoded where an object lies there and
    /// none at the key as it stands.
    package func objects(named text: String) async -> [WantedKey] {
        let named = keys(named: text)
        var objects: [WantedKey] = []
        for number in job.buckets.indices {
            let keys = named.filter { $0.bucket == number }.map(\.key)
            if let key = await firstPresent(keys, in: number) ?? keys.first {
                objects.append(WantedKey(bucket: number, key: key))
            }
        }
        return objects
    }

    /// The keys that a text may spell, with the number of their bucket, in the order in which they
    /// are believed. No store is asked.
    package func keys(named text: String) -> [WantedKey] {
        spellings(of: Array(text.utf8)).flatMap { spelling in
            job.buckets.indices.filter { spelling.bucket == nil || spelling.bucket == $0 }
                .map { WantedKey(bucket: $0, key: spelling.key) }
        }
    }

    // In the order in which they are believed; an address that names a bucket means that one.
    private func spellings(of text: [UInt8]) -> [(key: ObjectKey, bucket: Int?)] {
        let whole = ValueReading(
            form: "a key", value: text, bucket: nil, fault: nil, level: .root)
        let paths = whole.paths(job.bucketMappings)
        let placed = paths.filter { $0.bucket != nil }
        // Such an address names its bucket, and one that nobody configured is none of ours; of
        // another address the host may be that of a network before any bucket.
        let isS3 = text.starts(with: Array("s3://".utf8))
        let known = placed.isEmpty ? (isS3 ? [] : paths) : placed
        guard known.isEmpty else {
            return known.map {
                (ObjectKey($0.value), $0.bucket.flatMap(job.meaning.names.number(named:)))
            }
        }
        let decoded = PercentCoding.decoded(text[...], plusIsBlank: false)
        let own = decoded == text ? [text] : [text, decoded]
        // Some write a key as they write a path.
        let inPath = own.filter { $0.first == UInt8(ascii: "/") }.map { Array($0.dropFirst()) }
        return (own + inPath).filter { !$0.isEmpty }.map { (ObjectKey($0), nil) }
    }

    private func firstPresent(_ keys: [ObjectKey], in bucket: Int) async -> ObjectKey? {
        guard keys.count > 1, job.buckets[bucket].isLive else { return nil }
        for key in keys {
            if case .present = await job.buckets[bucket].head(key) { return key }
        }
        return nil
    }
}
