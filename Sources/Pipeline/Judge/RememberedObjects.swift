import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

// What pass B did not read, or read as a history, takes the power to remove for good.

extension Judging {
    /// Holds back what cannot be undone: about objects that a history still names, and everywhere
    /// where tables of a source were left out.
    func withhold(_ judged: inout Judged) {
        let remembered = Set(
            confirmed.orphans.filter(\.answer.isRemembered).map { orphan in
                ObjectPlace(
                    bucket: job.buckets[orphan.candidate.bucket].name,
                    key: orphan.candidate.object.key)
            })
        for index in judged.findings.indices {
            let finding = judged.findings[index]
            if finding.kind == .orphan, finding.objectPlace.map(remembered.contains) == true {
                judged.findings[index].withholdRemembered()
            } else if job.unreadSources.areThere {
                judged.findings[index].withholdIrreversible("a source without unread tables")
            }
        }
    }
}

/// Whether tables are left out in words. What nobody reads may name any bucket, and any record.
struct UnreadSources {
    /// The buckets that they may reference: all of them, or none.
    let buckets: Set<String>

    /// Whether any table is left out in words.
    var areThere: Bool { !buckets.isEmpty }
}

extension Job {
    /// What is left out of pass B, in words.
    var unreadSources: UnreadSources {
        let isAny = configuration.records.contains { !$0.unread.isEmpty }
        return UnreadSources(buckets: isAny ? Set(buckets.map(\.name)) : [])
    }
}
