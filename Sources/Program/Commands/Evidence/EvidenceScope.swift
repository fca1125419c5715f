import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReconcile
import MooringReporting

/// What an archive of evidence is about: a run, or one object or record over all runs.
struct EvidenceScope {
    /// The run; of an object or record the one that acted on it last, or else found it last.
    let run: RunSummary
    /// The object or record, in words; nil of a whole run.
    let subject: String?
    /// The entries of the journal that belong to it.
    let journal: JournalScope

    // A finding in each of so many runs is more than any ledger keeps.
    private static let most = 100_000

    /// What a text names: a run first, else what the ledger tells of. Asks no store.
    init(_ text: String, _ session: Session, _ ledger: Ledger) throws {
        let isRun = try ledger.runs(limit: nil).contains { $0.id.text.hasPrefix(text) }
        if text == "latest" || isRun {
            run = try session.find(text, in: ledger)
            (subject, journal) = (nil, .run(run.id))
            return
        }
        let job = try session.job(ledger)
        let named = try SubjectSearch(SubjectLook(job: job)).remembered(text)
        let shown = "'" + VisibleText.ascii(text) + "'"
        guard let first = named.first else {
            throw CommandError(
                "\(shown) names no run, and nothing that the ledger tells of; mooring runs lists "
                    + "runs, and mooring explain looks in the stores too")
        }
        guard named.count == 1 else {
            throw CommandError(
                "\(shown) may name \(named.count) objects or records; mooring explain tells them "
                    + "apart, and the id of a finding names one")
        }
        switch first.what {
        case .object(let key):
            let bucket = job.buckets[key.bucket].name
            subject = "object \(VisibleText.ascii(key.key.bytes)) in \(bucket)"
            journal = .object(bucket: bucket, key: key.key)
        case .record(let record):
            subject =
                "record \(record.model)/\(VisibleText.ascii(record.id.joined)) in "
                + record.source
            journal = .record(record)
        }
        run = try Self.run(of: journal, ledger)
    }

    /// What runs found about the object or record, newest first; nothing of a whole run.
    func appearances(_ ledger: Ledger) throws -> [Appearance] {
        try Self.appearances(of: journal, ledger, Self.most)
    }

    private static func appearances(
        of scope: JournalScope, _ ledger: Ledger, _ limit: Int
    ) throws -> [Appearance] {
        switch scope {
        case .run: []
        case .object(let bucket, let key):
            try ledger.findings(about: bucket, key: key, limit: limit)
        case .record(let identity): try ledger.findings(about: identity, limit: limit)
        }
    }

    private static func run(of scope: JournalScope, _ ledger: Ledger) throws -> RunSummary {
        let entries: [JournalEntry] =
            switch scope {
            case .run(let run): try ledger.journal(run: run)
            case .object(let bucket, let key): try ledger.journal(about: bucket, key: key)
            case .record(let identity): try ledger.journal(about: identity)
            }
        let found = try appearances(of: scope, ledger, 1).map(\.run)
        // Of a run that was pruned nothing but its journal is left.
        for id in entries.reversed().map(\.run) + found {
            if let run = try ledger.run(id) { return run }
        }
        throw CommandError(
            "the runs that tell of it were pruned, and no report of any is left; mooring explain "
                + "tells what the journal has")
    }
}
