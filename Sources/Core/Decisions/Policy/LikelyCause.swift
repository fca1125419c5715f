import MooringModel

/// What is most likely wrong where a share is too large: the mistakes that were seen to end in it.
struct LikelyCause {
    private let facts: GuardFacts

    /// Causes that these numbers tell.
    init(_ facts: GuardFacts) { self.facts = facts }

    /// The cause in words; nil where the numbers do not tell.
    func cause(of acts: GuardFacts.Acts) -> String? {
        if acts.takesAllOfMoved {
            return "every row of \(acts.share.place.text) would go, and its store or the one that "
                + "it copies was another before: is it the right one?"
        }
        switch acts.share.place {
        case .bucket(let name):
            guard let bucket = facts.buckets.first(where: { $0.name == name }) else { return nil }
            return removals(bucket, acts.planned)
        case .field: return changes(acts.share.place)
        case .source, .model: return nil
        }
    }

    private func removals(_ bucket: GuardFacts.Bucket, _ planned: Int) -> String? {
        if bucket.listed == 0 {
            return "no key of bucket '\(bucket.name)' is referenced: is it another app's bucket, "
                + "or are the records another environment's?"
        }
        if bucket.strangers * 2 >= planned {
            return "\(bucket.strangers) of \(planned) lie under identities that no record knows: "
                + "are the records another environment's?"
        }
        return facts.fields.first { field in
            field.buckets.contains(bucket.name) && isHalved(field.references, field.usual)
        }.map { "\($0.place.text) lost half of its references: is it the right store?" }
    }

    private func changes(_ place: GuardedPlace) -> String? {
        guard let field = facts.fields.first(where: { $0.place == place }) else { return nil }
        let lost = facts.buckets.first {
            field.buckets.contains($0.name) && isHalved($0.objects, $0.usual)
        }
        if let lost {
            return "bucket '\(lost.name)' lost half of its objects: is it the right one?"
        }
        guard field.listed == 0 else { return nil }
        return "none of its \(field.references) values is the key of an object: is "
            + "\(place.text) a field of keys, and is its level right?"
    }

    // These are words alone: they tell of fewer than refuse by themselves.
    private func isHalved(_ now: Int, _ before: Int?) -> Bool {
        before.map { $0 - now > ShareGuard.always && now * 2 <= $0 } ?? false
    }
}
