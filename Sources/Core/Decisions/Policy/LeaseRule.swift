package import MooringModel

/// Decides who may act on a bucket by the lease that was found there.
package enum LeaseRule {
    /// What to do with the lease.
    package enum Decision: Hashable, Sendable {
        /// Nobody acts: write one's own.
        case create
        /// This very run holds it already.
        case ours
        /// Replace the one that was found, which nobody holds any more.
        case takeOver(FoundLease)
        /// Somebody else acts: change nothing.
        case refuse(Holder)
    }

    /// Who holds a lease that is not ours.
    package enum Holder: Hashable, Sendable {
        /// Another ledger, whose run may be acting now.
        case otherLedger(Lease)
        /// A ledger with our id in another place: one of the two is a copy.
        case copiedLedger(Lease)
        /// Somebody whose lease cannot be read.
        case unknown
    }

    /// What to do with the lease that was found, for a process that holds its own ledger's lock.
    ///
    /// A lease of the same ledger was left by a process that died: the lock says so. That holds
    /// for the same file on the same machine only, since a copy has a lock of its own. No lease
    /// ends by time. `takingOver` says that whoever else holds it is lost for good.
    package static func decide(
        _ found: FoundLease?, own: Lease, takingOver: Bool = false
    ) -> Decision {
        guard let found else { return .create }
        guard let holder = holder(of: found, for: own) else {
            return found.lease?.run == own.run ? .ours : .takeOver(found)
        }
        return takingOver ? .takeOver(found) : .refuse(holder)
    }

    /// Who else holds a lease; nil when it is our own ledger's.
    package static func holder(of found: FoundLease, for own: Lease) -> Holder? {
        guard let lease = found.lease else { return .unknown }
        guard lease.ledger == own.ledger else { return .otherLedger(lease) }
        guard lease.host == own.host, lease.path == own.path else { return .copiedLedger(lease) }
        return nil
    }
}
