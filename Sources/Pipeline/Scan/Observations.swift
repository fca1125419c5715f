import MooringDecisions
import MooringModel
import MooringReconcile

/// What the scan of both sides observed: the border between scan and reconcile. The join is
/// made of it already: of both sides only what is left over is held.
struct Observations {
    /// The join, which holds what records reference and what was listed of that.
    var join: Reconciler
    /// What pass A keeps of records alone: relations and copies.
    var rows: RowScan
    /// Which fields hold no key as they are mapped.
    var forms: FieldForms
    /// How each source and bucket was read.
    var records: [RunSummary.Records] = []
    var buckets: [RunSummary.Objects] = []
    /// What each source told at first.
    var firstReadings: [FirstReading] = []
    /// How many objects of each bucket the guards count: those that are ignored are no part.
    var judgedObjects: [JudgedObjects] = []
    /// Listed objects that no record references, ignored ones left out.
    var orphans: [OrphanCandidate] = []
    /// What lies in quarantine, with its bucket's number.
    var quarantined: [(bucket: Int, object: QuarantinedObject)] = []
    /// The open uploads of each bucket, by key, and what kept their listing from its end.
    var uploads: [[ObjectKey: [OpenUpload]]]
    var uploadProblems: [[ScanProblem]]
    /// Where symbolic links lead.
    var links: LinkTargets
    /// The keys of what seems to lie in a quarantine that this ledger does not know, by bucket.
    var heldElsewhere: [Set<ObjectKey>] = []
    /// The moments that absence is judged by, for each source and bucket.
    var recordMoments: [Instant] = []
    var objectMoments: [Instant] = []

    /// The buckets whose listing goes on from an earlier run's.
    var resumedBuckets: [String] = []
    /// The buckets that say that they keep versions.
    var versioned: Set<String> = []
    /// What keeps each source from serving repairs, by its name.
    var limits: [String: RecordLimits] = [:]
    /// What the scans have to say that is no problem.
    var notes: [String] = []

    /// When the scan of both sides began; nil where there was nothing to scan.
    var beganAt: Instant? { (recordMoments + objectMoments).min() }

    /// The sources that were not read to their end, in pass A or, once it is over, in pass B.
    var incompleteRecords: [String] { records.incomplete }
    /// The buckets that were not listed to their end.
    var incompleteBuckets: [String] { buckets.incomplete }
    /// The sources and buckets that were not read to their end, by name.
    var incompleteSides: [String] { incompleteRecords + incompleteBuckets }
}

extension Observations {
    /// Notes what kept sources, by name, from their end: each counts as not read to it from now on.
    mutating func note(_ problems: [String: String]) {
        for place in records.indices {
            guard let problem = problems[records[place].name] else { continue }
            records[place].scan.add(problem: problem)
        }
    }

    /// Notes what is wrong with listings, by the bucket's name: each counts as incomplete from now
    /// on.
    mutating func note(listings problems: [String: String]) {
        for place in buckets.indices {
            guard let problem = problems[buckets[place].name] else { continue }
            buckets[place].scan.add(problem: problem)
        }
    }

    /// Notes whether what lies in scratch could not be read: references and objects that nothing
    /// was told of then passed for matched, of whatever source they are. Whoever asked the join
    /// calls it behind the last question, since each may be the first that scratch does not answer.
    mutating func noteScratch(_ job: Job) {
        guard let reason = join.scratchFailure else { return }
        let problems = records.map {
            ($0.name, ScanProblem.scratchLost($0.name, job.scratch, reason).text)
        }
        note(Dictionary(problems, uniquingKeysWith: { first, _ in first }))
    }
}

/// What of a bucket's listing the guards compare.
struct JudgedObjects {
    /// Objects that may be judged: covered and not ignored.
    var count = 0
    /// Ignored objects that records refer to: where they lie, the bucket is the right one.
    var ignoredReferenced = 0
}

extension Observations {
    /// Takes over the orphans that are judged, and gives how many these are; of those that are
    /// ignored the keys are noted.
    mutating func keep(
        _ orphans: [OrphanCandidate], besides isIgnored: (ListedObject) -> Bool
    ) -> Int {
        let before = self.orphans.count
        for orphan in orphans {
            if isIgnored(orphan.object) {
                join.ignored.insert(orphan.object.key, bucket: orphan.bucket)
            } else {
                self.orphans.append(orphan)
            }
        }
        return self.orphans.count - before
    }

    /// Passes over the orphans of a bucket that are listed once more, and gives how many objects of
    /// it were, referenced ones too.
    mutating func passOverRepeated(in bucket: Int) -> Int {
        var seen: Set<ObjectKey> = []
        let before = orphans.count
        orphans.removeAll { $0.bucket == bucket && !seen.insert($0.object.key).inserted }
        return before - orphans.count + join.repeatedObjects[bucket]
    }

    /// Whether the source's answers may lead to a repair.
    func serves(_ source: (any RecordSource)?) -> Bool {
        guard let source, source.isLive else { return false }
        return limits[source.name]?.proofs == nil
    }

    /// Whether the source's records may be written.
    func writes(_ source: (any RecordSource)?) -> Bool {
        guard let source else { return false }
        return serves(source) && limits[source.name]?.writes == nil
    }
}
