import MooringModel

/// A finding as its row holds it; made without the database, and so beside what is written.
struct StoredFinding: Sendable {
    /// What it is about, in one text that is the same in every run.
    let id: Blob
    /// The codes of its kind and verdict.
    let (kind, verdict): (String, String)
    /// Where it is in the order of reports; empty where it names none.
    let (bucket, key): (Blob, Blob)
    /// How many runs saw it, the recording one included.
    let runs: Int64
    /// When the first run saw it.
    let firstSeen: Instant
    /// Its JSON, with names in place of the run's words.
    let document: Blob
    /// By what it can be looked up beside its own key.
    let subjects: [Blob]

    /// A finding with these words of its run, the names of which are noted; seen first at `start`
    /// where it does not tell.
    private init(
        _ finding: Finding, _ words: RunWords, start: Instant, noting used: inout Set<String>
    ) {
        id = Blob(finding.id)
        (kind, verdict) = (finding.kind.rawValue, finding.verdict.rawValue)
        (bucket, key) = (Blob(finding.bucket ?? ""), Blob(finding.key?.bytes ?? []))
        runs = Int64(finding.runs)
        firstSeen = finding.firstSeen ?? start
        document = Blob(words.stored(finding, noting: &used).json(withOwners: true).rendered)
        subjects = finding.subjects.map(\.blob)
    }

    /// Findings, and the names of the words that they have of their run.
    typealias Several = (findings: [StoredFinding], used: Set<String>)

    /// Findings in their order. Made on one core: another one writes meanwhile, which takes longer.
    static func all(
        _ findings: some Sequence<Finding>, _ words: RunWords, start: Instant
    ) -> Several {
        var used: Set<String> = []
        let made = findings.map { StoredFinding($0, words, start: start, noting: &used) }
        return (made, used)
    }
}

extension Finding {
    /// Everything by which the finding can be looked up beside the columns of its own key: the keys
    /// that it may mean, and its records. An empty key stands here, since one without has it there.
    fileprivate var subjects: Set<Subject> {
        var subjects: Set<Subject> = []
        for key in candidates + (key?.bytes.isEmpty == true ? [ObjectKey([])] : []) {
            subjects.insert(.object(bucket: bucket ?? "", key: key))
        }
        for identity in ([record].compactMap { $0 } + records).map(\.identity) + owners {
            subjects.insert(.record(identity))
        }
        return subjects
    }
}
