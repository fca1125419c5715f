import MooringDecisions
import MooringModel
import MooringReconcile

/// A look at a missing object, and at what hides it where its bucket keeps versions.
struct MissingObjectLook: Sendable {
    /// What lies at the key.
    var head: HeadAnswer
    /// The delete marker that hides the object; nil where none does.
    var deletion: Deletion?
    /// Why that could not be seen; nil where it could.
    var doubt: String?

    /// Looks at a key, and at its delete marker where nothing lies there; an error becomes the
    /// doubt.
    static func look(at key: ObjectKey, in bucket: any Bucket) async -> MissingObjectLook {
        var look = MissingObjectLook(head: await bucket.head(key))
        guard look.head == .absent, let versions = bucket.versions else { return look }
        do {
            look.deletion = try await versions.deletion(of: key)
        } catch {
            look.doubt = "whether somebody deleted the object could not be seen: \(error)"
        }
        return look
    }

    /// The looks at the objects of dangling references that stand, by their number; none where a
    /// reference may mean several keys, or its bucket cannot be asked.
    static func look(
        at dangling: [DanglingCandidate], _ scan: ConfirmScan, _ job: Job
    ) async throws -> [Int: MissingObjectLook] {
        var looks: [Int: MissingObjectLook] = [:]
        for (number, bucket) in job.buckets.enumerated() where bucket.answersLooks {
            let wanted = dangling.indices.compactMap { index -> (Int, ObjectKey)? in
                guard scan.standing[index] != nil, dangling[index].bucket == number,
                    dangling[index].patterns.count == 1,
                    case .exact(let key) = dangling[index].patterns[0]
                else { return nil }
                return (index, key)
            }
            job.progress.begin(
                "looking at missing objects of \(bucket.name)", .confirm, of: wanted.count)
            defer { job.progress.end() }
            try await OrderedWork(width: bucket.concurrency, interruption: job.interruption).run(
                wanted
            ) { index, key in
                (index, await look(at: key, in: bucket))
            } tell: { index, look in
                looks[index] = look
                job.progress.advance(1)
            }
        }
        return looks
    }
}
