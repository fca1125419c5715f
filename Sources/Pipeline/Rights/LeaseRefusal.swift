package import MooringDecisions
package import MooringModel
import MooringReporting

/// A stop since somebody else acts on a bucket: who it is, and what to do.
package struct LeaseRefusal: Error, Sendable, CustomStringConvertible {
    /// The bucket's name.
    package let bucket: String
    /// Who holds its lease, as far as that can be read.
    package let holder: LeaseRule.Holder

    /// A refusal.
    package init(bucket: String, holder: LeaseRule.Holder) {
        self.bucket = bucket
        self.holder = holder
    }

    /// What was found, what is refused, and what to run next.
    package var description: String {
        "\(found); refused: every change, and nothing was changed; next: \(next)"
    }

    private var found: String {
        switch holder {
        case .otherLedger(let lease):
            "bucket \(bucket) is held by another ledger: \(LeaseText.holder(lease))"
        case .copiedLedger(let lease):
            "bucket \(bucket) is held by a ledger with the id of this one in another place, so "
                + "that one of the two is a copy: \(LeaseText.holder(lease))"
        case .unknown:
            "bucket \(bucket) is held by somebody whose lease (\(Lease.key.text)) cannot be read"
        }
    }

    private var next: String {
        switch holder {
        case .otherLedger:
            "wait until that run ends, or run its command again there if it was killed; when that "
                + "ledger is lost for good: mooring ledger rebuild --take-over"
        case .copiedLedger:
            "use the ledger there, or, when nobody uses that one any more: mooring ledger rebuild "
                + "--take-over"
        case .unknown:
            "find out who wrote it; when nobody acts on the bucket any more: mooring ledger "
                + "rebuild --take-over"
        }
    }
}

/// A lease in words; its texts were written by somebody else and are shown as such.
package enum LeaseText {
    /// Who holds it: ledger, machine, file, command, run and since when.
    package static func holder(_ lease: Lease) -> String {
        "\(short(lease.command)), run \(short(lease.run)), since \(lease.since.iso8601), of ledger "
            + "\(short(lease.ledger)) (\(VisibleText.ascii(Array(lease.path.utf8), width: 200))) "
            + "on host \(short(lease.host))"
    }

    private static func short(_ text: String) -> String {
        VisibleText.ascii(Array(text.utf8), width: 64)
    }
}
