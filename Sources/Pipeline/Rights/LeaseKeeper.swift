import MooringConfiguration
import MooringDecisions
import MooringLedger
package import MooringModel
import MooringReporting
import MooringText
import Synchronization

/// Holds the leases of one process: takes them before anything is changed, and gives them back.
package final class LeaseKeeper: Sendable {
    private struct Held: Equatable {
        // The names of the bucket in which it lies; it was taken under the first.
        var names: [String]
        let found: FoundLease
    }

    /// The name of this machine, by which a ledger that was copied is told from the one it was.
    package let host: String
    private let held = Mutex<[Held]>([])
    // A lease that comes and goes faster than that belongs to somebody who is at work.
    private static let attempts = 5

    /// A keeper on a machine, which holds nothing yet.
    package init(host: String) {
        self.host = host
    }

    /// Takes the lease of each live bucket, in order; `own` says who takes it, and is asked once
    /// for each. Gives back what it took when one is refused.
    ///
    /// Throws `LeaseRefusal` when somebody else holds one and `takingOver` does not say that they
    /// are lost, and a `Refusal` where two names turn out to be one bucket and `areApart` does not
    /// say that each judges objects of its own. Returns sentences for people.
    package func take(
        _ buckets: [any ActingBucket], takingOver: Bool = false,
        areApart: (_ one: String, _ other: String) -> Bool, as own: () -> Lease
    ) async throws -> [String] {
        var sentences: [String] = []
        for bucket in buckets where bucket.isLive {
            // Whether a store can hold a lease shows when it is tried. Where the trial fails, so
            // does every act; the lease itself says why it could not be taken.
            if bucket.needsTrial { _ = try? await bucket.capabilities() }
            guard let store = bucket.leaseStore else {
                sentences.append(
                    "bucket \(bucket.name) can hold no lease, so nothing keeps another ledger "
                        + "from acting on it at once")
                continue
            }
            do {
                let lease = own()
                sentences += try await take(store, bucket.name, lease, takingOver) {
                    areApart($0, bucket.name)
                }
            } catch {
                _ = await giveBack(buckets)
                throw error
            }
        }
        return sentences
    }

    // The other names under which this process met the very lease that it finds now.
    private func names(of found: FoundLease?, besides bucket: String) -> [String] {
        held.withLock { held in
            held.first { $0.found == found }?.names.filter { $0 != bucket } ?? []
        }
    }

    private func take(
        _ store: any LeaseStore, _ bucket: String, _ own: Lease, _ takingOver: Bool,
        isApart: (_ other: String) -> Bool
    ) async throws -> [String] {
        for _ in 0..<Self.attempts {
            let found = try await store.readLease()
            if let other = names(of: found, besides: bucket).first(where: { !isApart($0) }) {
                throw Refusal.oneBucket(other, bucket)
            }
            let written: FoundLease?
            var sentences: [String] = []
            switch LeaseRule.decide(found, own: own, takingOver: takingOver) {
            case .ours: written = found
            case .create: written = try await store.createLease(own.content)
            case .takeOver(let old):
                sentences.append(Self.tell(takeover: old, bucket))
                written = try await store.replaceLease(old, with: own.content)
            case .refuse(let holder): throw LeaseRefusal(bucket: bucket, holder: holder)
            }
            if let written {
                // Two names of one bucket have one lease, which is taken and given back once.
                held.withLock { held in
                    guard let place = held.firstIndex(where: { $0.found == written }) else {
                        return held.append(Held(names: [bucket], found: written))
                    }
                    if !held[place].names.contains(bucket) { held[place].names.append(bucket) }
                }
                return sentences
            }
        }
        throw LeaseRefusal(bucket: bucket, holder: .unknown)
    }

    /// Gives back every lease it holds, the last one first. Returns what people have to know.
    ///
    /// One that cannot be given back stays: the next run of the same ledger takes it over.
    package func giveBack(_ buckets: [any ActingBucket]) async -> [String] {
        let leases = held.withLock { held in
            defer { held = [] }
            return Array(held.reversed())
        }
        var sentences: [String] = []
        for lease in leases {
            guard let name = lease.names.first,
                let store = buckets.first(where: { $0.name == name })?.leaseStore
            else { continue }
            do {
                guard try await !store.removeLease(lease.found) else { continue }
                sentences.append(
                    "the lease of bucket \(name) was taken over or removed while this "
                        + "command was at work: find out who did that")
            } catch {
                sentences.append(
                    "the lease of bucket \(name) could not be given back "
                        + "(\(VisibleText.ascii("\(error)"))); the next run of this ledger "
                        + "takes it over")
            }
        }
        return sentences
    }

    /// Leaves every lease where it is, for the next run of the same ledger. Returns the buckets.
    package func leave() -> [String] {
        held.withLock { held in
            defer { held = [] }
            return held.compactMap(\.names.first)
        }
    }

    private static func tell(takeover old: FoundLease, _ bucket: String) -> String {
        guard let lease = old.lease else {
            return "the lease of bucket \(bucket), which could not be read, was taken over"
        }
        return "the lease of bucket \(bucket) was taken over: \(LeaseText.holder(lease))"
    }
}

extension Job {
    /// Takes the lease of every live bucket for a run that may change something.
    package func takeLeases(
        for command: String, run: RunID, takingOver: Bool = false
    ) async throws -> [String] {
        let own = try lease(of: command, run: run)
        return try await leases.take(
            actingBuckets, takingOver: takingOver, areApart: judgeApart, as: { own(clock()) })
    }

    // Whether no object of one store is judged under both names.
    private func judgeApart(_ one: String, _ other: String) -> Bool {
        func mapping(_ name: String) -> BucketMapping? {
            bucketMappings.first { $0.name == name }
        }
        guard let first = mapping(one), let second = mapping(other) else { return false }
        return !first.prefixes.contains { second.judges($0.bytes) }
            && !second.prefixes.contains { first.judges($0.bytes) }
    }

    /// Gives every lease back, unless the journal holds an open intent: then only this ledger may
    /// go on, and the leases stay for its next run. Returns what people have to know.
    package func giveLeasesBack() async -> [String] {
        let open: Bool
        do {
            open = try !ledger.openIntents().isEmpty
        } catch {
            // A journal that cannot be read may hold one.
            open = true
        }
        guard open else { return await leases.giveBack(actingBuckets) }
        return leases.leave().map {
            "the lease of bucket \($0) stays, since what a step did is not known yet: run the "
                + "command again with this ledger"
        }
    }

    /// Who else holds a bucket's lease, in words; nil when nobody does, or this ledger itself.
    package func otherHolder(of bucket: any Bucket) async throws -> String? {
        guard let found = try await bucket.lease?.readLease() else { return nil }
        let own = Lease(
            ledger: try ledger.identity(), host: leases.host, path: ledger.resolvedPath,
            command: "", run: "", since: clock())
        guard LeaseRule.holder(of: found, for: own) != nil else { return nil }
        return found.lease.map(LeaseText.holder) ?? "somebody whose lease cannot be read"
    }

    /// The lease as this ledger's command writes it, by when it is taken.
    func lease(of command: String, run: RunID) throws -> (Instant) -> Lease {
        let (id, path, host) = (try ledger.identity(), ledger.resolvedPath, leases.host)
        return {
            Lease(
                ledger: id, host: host, path: path, command: command, run: run.text, since: $0)
        }
    }
}

extension Refusal {
    /// That two names are one bucket, so that each would take the other's objects for orphans.
    fileprivate static func oneBucket(_ one: String, _ other: String) -> Refusal {
        Refusal(
            .refused,
            found: "buckets '\(one.printable)' and '\(other.printable)' are one bucket: a lease "
                + "that was taken in the first lies in the second",
            refused: "every change",
            next: "name it once, or keep the two apart by 'prefixes' or 'ignore' in the "
                + "configuration, then run mooring audit")
    }
}
