import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel

/// Whether a run may prove anything of what lies in quarantine: another configuration, or another
/// ledger, may have put it there for records that this run never reads.
struct HeldProof {
    /// Why this run's looks at an object say nothing.
    enum Lack: Hashable, Sendable {
        /// Its ledger knows nothing of the run that put it there.
        case unknownRun
        /// Its key lies under none of the bucket's prefixes.
        case otherPrefix
        /// A source that the run read which put it there is none of this run's.
        case source(String, RunID)

        /// What its sweep waits for.
        var proof: String {
            switch self {
            case .unknownRun: "a run that this ledger knows"
            case .otherPrefix: "a configuration whose prefixes cover its key"
            case .source(let name, let run):
                "a scan of records '\(name)' in the store that run \(run.text) read"
            }
        }

        /// Whether another configuration on this ledger may prove it all the same.
        var isAnothers: Bool { self != .unknownRun }
    }

    private let job: Job
    private var unread: [RunID: String] = [:]

    /// What is known of the runs that put objects into quarantine.
    init(_ job: Job, _ runs: [RunID]) throws {
        self.job = job
        let own = job.configuration.sourceStores
        for run in Set(runs) {
            let sources = try job.ledger.sources(readBy: run)
            unread[run] = sources.keys.sorted().first { name in
                guard let store = own[name], let read = sources[name] else { return true }
                return read.map { $0 != store } ?? false
            }
        }
    }

    /// Why the run proves nothing of an object, by the journal about its key; nil when it may.
    func lack(
        _ bucket: String, _ object: QuarantinedObject, _ journal: [JournalEntry]
    ) -> Lack? {
        guard journal.contains(where: { Self.tells($0, of: object) }) else { return .unknownRun }
        let mapping = job.bucketMappings.first { $0.name == bucket }
        guard mapping?.prefixes.contains(where: { object.key.hasPrefix($0.bytes) }) == true else {
            return .otherPrefix
        }
        return unread[object.run].map { .source($0, object.run) }
    }

    // A sweep of it, or a restore, tells nothing of how it came there.
    private static func tells(_ entry: JournalEntry, of object: QuarantinedObject) -> Bool {
        guard entry.quarantineRun == object.run, entry.undoes == nil else { return false }
        return entry.step.strategy == .quarantine
            || entry.step.strategy == .delete && entry.step.precondition.quarantinedBy == nil
    }
}
