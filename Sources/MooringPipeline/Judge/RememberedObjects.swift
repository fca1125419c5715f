import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

// What pass B did not read, or read as a history, takes the power to remove for good.

extension JudgeStage {
    private static let irreversible: [Strategy] = [.delete, .deleteRecord, .tag]

    /// Holds back what cannot be undone: about objects that a history still names, and in buckets
    /// of a source of which tables were left out; tells the sweep of the former.
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
        } else if unread.cover(finding) {
            finding.needs = ProofNeed(proof: "a source without unread tables", after: nil)
        }
    }
}

/// The sources of which tables are left out in words, and the buckets that they may reference.
struct UnreadSources {
    /// The sources' names.
    let names: Set<String>
    /// The buckets' names.
    let buckets: Set<String>

    /// Whether a finding is about a record of one, or an object in such a bucket.
    func cover(_ finding: Finding) -> Bool {
        finding.bucket.map(buckets.contains) == true
            || finding.record.map { names.contains($0.identity.source) } == true
    }
}

extension Job {
    /// What is left out of pass B, in words.
    var unreadSources: UnreadSources {
        let sources = configuration.records.filter { !$0.unread.isEmpty }
        // What names its bucket itself, and what no model reads, may mean any.
        let all = buckets.map(\.name)
        let named = sources.flatMap { source -> [String] in
            let files = source.mapping.models.flatMap(\.files)
            return files.isEmpty || files.contains { $0.isComplex || $0.bucket == nil }
                ? all : files.compactMap(\.bucket)
        }
        return UnreadSources(names: Set(sources.map(\.name)), buckets: Set(named))
    }
}
