package import MooringModel

/// What is to be said of a plan's steps beside them: what cannot be taken back, which stores nobody
/// has tried, and the lifecycle rule that tagged objects wait for.
package struct PlanNotes {
    private let steps: [PlanStep]
    private let buckets: [any Bucket]
    private let known: KnownStores

    /// Notes on steps in these buckets.
    package init(_ steps: [PlanStep], _ buckets: [any Bucket], _ known: KnownStores) {
        self.steps = steps
        self.buckets = buckets
        self.known = known
    }

    /// The notes, one line each; the rule names the run that tags, which nobody knows before it.
    package func lines(run: RunID?) -> [String] {
        var lines: [String] = []
        let forGood = steps.count(where: \.isForGood)
        if forGood > 0 {
            lines.append("\(Measure.count(forGood, "step")) cannot be taken back once done")
        }
        // Whoever waits for steps there has to know that none will come.
        lines += buckets.filter(\.isOnlyLookedAt).map {
            "bucket \($0.name) is a directory bucket, for findings only: nothing in it is changed, "
                + "and no reference to what it lacks"
        }
        for bucket in buckets where steps.contains(where: { $0.bucket == bucket.name }) {
            if let untried = StoreSentences.untried(bucket, known) {
                lines.append("note: \(untried)")
            }
            let tagged = steps.filter { $0.strategy == .tag && $0.bucket == bucket.name }
            guard !tagged.isEmpty else { continue }
            lines += LifecycleRule.lines(for: bucket, run: run)
            let isKept = tagged.allSatisfy { step in
                step.key.map {
                    known.keepsVersions(bucket.name, $0, step.precondition.object)
                } ?? false
            }
            if !isKept {
                lines.append("what that rule removes cannot be taken back")
            }
        }
        return lines
    }
}

/// The lifecycle rule of a bucket that removes what a run tagged.
package enum LifecycleRule {
    /// The rule as JSON to paste, under a line that says what it is; none for a store without tags.
    package static func lines(for bucket: any Bucket, run: RunID?) -> [String] {
        guard let tags = bucket.tags else { return [] }
        let value = run?.text ?? "RUN"
        let rule = JSONValue.members([
            "Rules": .array([
                .members([
                    "ID": .string("mooring-\(value)"), "Status": .string("Enabled"),
                    "Filter": .members([
                        "Tag": .members([
                            "Key": .string(type(of: tags).tagName), "Value": .string(value),
                        ])
                    ]),
                    "Expiration": .members(["Days": .integer(1)]),
                ])
            ])
        ])
        let head = "to remove what is tagged in \(bucket.name), add this lifecycle rule"
        return [head + (run == nil ? " (RUN is the repair's run):" : ":")]
            + String(decoding: rule.prettyRendered, as: UTF8.self).split(separator: "\n")
            .map { "  \($0)" } + cautions
    }

    // S3 counts Days from an object's creation and acts at midnight UTC ("Setting lifecycle
    // configuration on a bucket", "Expiring objects", in the User Guide of S3).
    private static let cautions = [
        "run mooring just before you add it: that takes the tag off what is no orphan any more;",
        "Days counts from an object's upload, so the rule acts from the next midnight UTC on:",
        "while it stands run mooring daily, and take it out once the objects are gone",
    ]
}
