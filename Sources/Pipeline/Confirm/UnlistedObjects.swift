import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

/// Objects that a look finds, and that a listing left out though they were there before it began.
///
/// A store that lists in another order than it says, or loses names, has left out others as well,
/// of which nobody looks: what its listing lacks proves nothing.
struct UnlistedObjects {
    /// What the stage works with.
    let job: Job
    /// How both sides were read.
    let observations: Observations

    /// One sentence for each bucket with such an object, by its name.
    func problems(
        _ dangling: [DanglingCandidate], _ looks: [Int: MissingObjectLook]
    ) -> [String: String] {
        var counts: [Int: Int] = [:]
        for (number, look) in looks {
            guard let bucket = dangling[number].bucket, job.buckets[bucket].answersLooks,
                !job.buckets[bucket].isFolder,
                // It may lag behind its own moment, and everything that it lacks is looked at.
                !job.buckets[bucket].isListedByInventory,
                case .exact(let key)? = dangling[number].patterns.first,
                case .present(let version) = look.head, isUnlisted(key, version, bucket)
            else { continue }
            counts[bucket, default: 0] += 1
        }
        return Dictionary(
            uniqueKeysWithValues: counts.map { bucket, count in
                (
                    job.buckets[bucket].name,
                    "the listing left out \(Measure.count(count, "object")) that HEAD finds, "
                        + "written before it began: what it lacks proves nothing"
                )
            })
    }

    // HEAD tells whole seconds, cut off, of the store's own clock. An upload in parts has the time
    // of its begin, and what a store takes for another key may be listed under that one.
    private func isUnlisted(_ key: ObjectKey, _ version: ObjectVersion, _ bucket: Int) -> Bool {
        let uncertainty = job.configuration.race.clockBound + .seconds(1)
        let begin = observations.objectMoments[bucket] - uncertainty
        return version.lastModified < begin && !version.isMultipart
            && job.bucketMappings[bucket].covers(key) && Self.isPlain(key)
    }

    /// Whether no store is known to take the key for another one.
    static func isPlain(_ key: ObjectKey) -> Bool {
        key.bytes.allSatisfy { byte in
            let lower = byte | 0x20
            return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || "-_./ :@(),=".utf8.contains(byte)
        }
            && key.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .allSatisfy { !$0.allSatisfy { $0 == UInt8(ascii: ".") } }
    }
}
