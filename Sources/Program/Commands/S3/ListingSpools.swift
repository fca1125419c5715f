import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import MooringS3

/// Where `audit` and `run` keep what they list of buckets until they are done: one file for each
/// bucket, beside the ledger.
///
/// Other commands list anew, each for a reason of its own: a sweep and an erasure remove for good,
/// a gate is decided by what is there now.
struct ListingSpools: Sendable {
    /// The commands that go on with a listing that was broken off.
    static let commands: Set<String> = ["audit", "run"]

    // As long as the search of all records before a repair may be old.
    private static let oldest = Duration.seconds(3_600)

    private let ledger: Ledger
    private let path: String
    private let configuration: String
    private let grace: Duration

    /// The spools beside a configuration's ledger.
    init(_ configuration: Configuration, _ ledger: Ledger) {
        self.ledger = ledger
        path = configuration.ledger
        self.configuration = configuration.fingerprint
        grace =
            configuration.records.map { RaceModel(bounds: $0.race, clock: .zero).grace }.min()
            ?? .zero
    }

    /// The spool of a bucket, by its name in the configuration.
    func place(of bucket: String) -> SpoolPlace {
        SpoolPlace(besides: path, bucket: bucket, oldest: min(Self.oldest, grace)) {
            // A ledger that cannot be read fails the run elsewhere; nothing is kept then.
            try? basis()
        }
    }

    // What Mooring itself did since, and what it saw whole, makes an earlier listing old.
    private func basis() throws -> String {
        let head = try ledger.journalHead()
        let last = try ledger.lastCompleteAudit(of: Pipeline.auditCommands)
        return "\(configuration) \(head.links) \(head.hash) \(last?.id.text ?? "none")"
    }
}
