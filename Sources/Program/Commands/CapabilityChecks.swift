import Foundation
import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline

/// The doctor's lines on what a store can do: tried now, or as the ledger knows it.
struct CapabilityChecks {
    /// The configuration.
    let session: Session
    /// Whether the store may be tried out.
    let probes: Bool

    /// The lines on one bucket; none of a store that needs no trial.
    func checks(_ bucket: any Bucket) async -> [Check] {
        guard bucket.needsTrial else { return [] }
        let name = "store of \(bucket.name)"
        do {
            guard probes else {
                let known = try existingLedger()?
                    .capabilities(bucket: bucket.name, store: bucket.storeIdentity)
                guard let known else {
                    return [
                        Check(
                            name: name, result: .noted,
                            detail: "not tried; mooring doctor --probe tells what it can do")
                    ]
                }
                return lines(known.capabilities, bucket, "tried \(known.triedAt.iso8601)")
            }
            let found = try await bucket.tryOut()
            return lines(found, bucket, "tried now") + keep(found, bucket)
        } catch {
            return [Check(name: name, result: .failed, detail: "\(error)")]
        }
    }

    private func lines(
        _ store: StoreCapabilities, _ bucket: any Bucket, _ when: String
    ) -> [Check] {
        let name = "store of \(bucket.name)"
        let versions =
            store.versionsDoubt.map {
                "versions not kept, whatever the bucket says: \($0), \(when)"
            }
            ?? "versions \(store.versioning.rawValue), \(when)"
        let exceptions = store.unversioned.map {
            Check(
                name: name, result: .noted, detail: "no versions of the keys \($0.text)")
        }
        let trials: [(String, StoreCapabilities.Trial)] = [
            ("conditional delete", store.conditionalDelete),
            ("conditional delete in batches", store.conditionalBatch),
            ("conditional write", store.conditionalWrite),
            ("conditional copy", store.conditionalCopy),
            ("copy that replaces nothing", store.exclusiveCopy), ("tags", store.tagging),
            ("copy in parts", store.multipartCopy),
        ]
        return [
            Check(
                name: name, result: store.versionsDoubt == nil ? .passed : .noted,
                detail: versions)
        ] + exceptions
            + trials.map { trial, answer in
                Check(
                    name: name, result: answer.isHonoured ? .passed : .noted,
                    detail: "\(trial): \(answer.words)")
            }
            + StoreSentences.lacks(of: store, bucket.name, session.configuration.repair).map {
                Check(name: name, result: .noted, detail: $0)
            }
    }

    // Plans know from the ledger what a store can do; a ledger in use learns it from its own run.
    private func keep(_ store: StoreCapabilities, _ bucket: any Bucket) -> [Check] {
        do {
            guard try existingLedger() != nil else { return [] }
            let path = session.configuration.ledger
            let lock = try LedgerLock.acquire(
                ledgerPath: path, command: "doctor", at: SystemClock.now())
            defer { lock.release() }
            try Ledger.open(path: path).keep(
                KnownCapabilities(capabilities: store, triedAt: SystemClock.now()),
                bucket: bucket.name, store: bucket.storeIdentity)
            return []
        } catch {
            return [
                Check(
                    name: "store of \(bucket.name)", result: .noted,
                    detail: "what was seen could not be kept in the ledger: \(error)")
            ]
        }
    }

    private func existingLedger() throws -> Ledger? {
        FileManager.default.fileExists(atPath: session.configuration.ledger)
            ? try session.existingLedger() : nil
    }
}
