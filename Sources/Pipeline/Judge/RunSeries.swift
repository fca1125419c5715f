import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

extension Job {
    /// The runs that see what this one sees.
    func series(of run: RunSummary) -> FindingSeries {
        let incomplete =
            run.records.filter { !$0.scan.complete }.map { "source \($0.name)" }
            + run.buckets.filter { !$0.scan.complete }.map { "bucket \($0.name)" }
        return FindingSeries(
            of: runScope, without: incomplete, isJudgedAsOf: asOf != nil,
            configuration: configuration.fingerprint)
    }
}

extension Judging {
    /// What the findings say of this run: how many references it read, and the moments up to which
    /// those wait that no earlier run counts for.
    var words: RunWords {
        var words = RunWords()
        words.sentences = [
            RunWords.Sentence(
                RunWords.references, OrphanJudge.unmeant(by: candidates.join.referenceCount))
        ]
        let graces = Set(
            [job.objectRace(clock: clock).grace]
                + job.records.map { job.race(source: $0.name, clock: clock).grace }
        ).sorted()
        for (number, bucket) in job.buckets.enumerated() {
            words.add(
                "orphan \(number)", orphanMoment(number), graces, kind: .orphan,
                bucket: bucket.name)
            words.add(
                "object \(number)", observations.objectMoments[number], graces,
                bucket: bucket.name)
        }
        for (number, moment) in observations.recordMoments.enumerated() {
            words.add("record \(number)", moment, graces)
        }
        return words
    }
}

extension RunWords {
    // The parts of one bucket have one name, so that names number them; and they tell the wait by
    // its rank, since the clock's difference is measured in each run.
    fileprivate mutating func add(
        _ name: String, _ moment: Instant, _ graces: [Duration], kind: FindingKind? = nil,
        bucket: String? = nil
    ) {
        moments.append(Moment("\(name) now", at: moment, kind: kind, bucket: bucket))
        for (rank, grace) in graces.enumerated() {
            moments.append(
                Moment("\(name) \(rank)", at: moment + grace, kind: kind, bucket: bucket))
        }
    }
}
