import MooringModel

/// Tells which steps of a plan may be carried out at once.
enum StepGroup {
    /// How many of the first steps stand in nobody's way: acts on objects of one bucket, each on
    /// another key, all of them giving back or none of them. A write to a record stands alone.
    static func prefix(of steps: some Collection<PlanStep>) -> Int {
        guard let first = steps.first, first.actsOnObject else { return min(steps.count, 1) }
        var keys: Set<ObjectKey> = []
        return steps.prefix { step in
            guard step.actsOnObject, step.bucket == first.bucket, let key = step.key,
                (step.strategy == .restore) == (first.strategy == .restore)
            else { return false }
            return keys.insert(key).inserted
        }.count
    }
}

extension PlanStep {
    /// Whether it changes an object, or an upload, and no record.
    fileprivate var actsOnObject: Bool {
        [.object, .upload].contains(strategy.traits.subject) && bucket != nil
    }
}
