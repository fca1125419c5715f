import MooringDecisions
import MooringModel
import MooringReconcile

/// Looks where links lead now, in every folder, before objects go that were judged a while ago: a
/// tool may have made one file of two since, and left a link in the other's place.
struct LinkLook {
    /// The stores.
    let job: Job
    /// What is refused where a folder cannot be read to its end, such as `plan ID`.
    let refused: String

    /// What keeps the objects of some steps, by the steps' ids.
    func holding(_ steps: [PlanStep]) async throws -> [String: String] {
        let folders = job.buckets.indices.filter { job.buckets[$0].holdsLinks }
        let asked = steps.filter { step in
            folders.contains { job.buckets[$0].name == step.bucket }
        }
        guard !asked.isEmpty else { return [:] }
        var links = LinkTargets(job.buckets.map(\.name))
        for number in folders {
            job.progress.begin("listing the links of \(job.buckets[number].name)")
            defer { job.progress.end() }
            try await list(number, into: &links)
        }
        var reasons: [String: String] = [:]
        for step in asked {
            guard let number = folders.first(where: { job.buckets[$0].name == step.bucket }),
                let key = step.key, links.target(of: key, bucket: number) != nil
            else { continue }
            reasons[step.id] = "a link leads to the object now"
        }
        return reasons
    }

    private func list(_ number: Int, into links: inout LinkTargets) async throws {
        let bucket = job.buckets[number]
        let listing = try await bucket.list { batch in
            try job.interruption.check()
            for object in batch where object.isLink {
                links.add(object, bucket: number, isReferenced: false)
            }
        }
        let held = try await bucket.listQuarantine { batch in
            try job.interruption.check()
            for object in batch { links.add(object, bucket: number) }
        }
        let problems = listing.problems + held.problems.filter { !$0.isOutside }
        guard let problem = problems.first else { return }
        throw Refusal(
            .incomplete,
            found: "the links of bucket '\(bucket.name)' could not be listed again: "
                + problem.text,
            refused: refused, next: "mend it, then run the same command again")
    }
}
