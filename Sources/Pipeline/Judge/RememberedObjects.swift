import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

// What pass B did not read, or read as a history, takes the power to remove for good.

extension JudgeStage {
    private static let irreversible: [Strategy] = [.delete, .deleteRecord, .tag]

    /// Holds back what cannot be undone: about objects that a history still names, and everywhere
    /// where tables of a source were left out; tells the sweep of the former.
    func holdBack(_ result: inout Result) {
        let remembered = confirmation.scan.remembered
        let orphans = Set(
            remembered.lazy.filter { $0 < confirmation.orphanCount }.map { number in
                let orphan = observations.orphans[number]
                return ObjectPlace(
                    bucket: job.buckets[orphan.bucket].name, key: orphan.object.key)
            })
        let unread = job.unreadSources
        for index in result.findings.indices {
            hold(&result.findings[index], orphans, unread)
        }
        result.watchedRemembered = observations.quarantined.indices.map {
            remembered.contains(confirmation.orphanCount + $0)
        }
    }

    private func hold(
        _ finding: inout Finding, _ remembered: Set<ObjectPlace>, _ unread: UnreadSources
    ) {
        let isRemembered =
            finding.kind == .orphan
            && finding.bucket.flatMap { bucket in
                finding.key.map { remembered.contains(ObjectPlace(bucket: bucket, key: $0)) }
            } == true
        if isRemembered {
            finding.evidence.append("what says what was ('notReferences') still names it")
        }
        guard let action = finding.action, Self.irreversible.contains(action) else { return }
        if isRemembered {
            finding.needs = ProofNeed(proof: "nothing in notReferences that names it", after: nil)
        } else if unread.areThere {
            finding.needs = ProofNeed(proof: "a source without unread tables", after: nil)
        }
    }
}

/// Whether tables are left out in words. What nobody reads may name any bucket, and any record.
struct UnreadSources {
    /// The buckets that they may reference: all of them, or none.
    let buckets: Set<String>

    /// Whether there are any.
    var areThere: Bool { !buckets.isEmpty }
}

extension Job {
    /// What is left out of pass B, in words.
    var unreadSources: UnreadSources {
        let isAny = configuration.records.contains { !$0.unread.isEmpty }
        return UnreadSources(buckets: isAny ? Set(buckets.map(\.name)) : [])
    }
}
