import Foundation
import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline

/// The doctor's checks: the configuration, the policy, every source and bucket, and the ledger.
struct Examination {
    /// The configuration and the options.
    let session: Session
    /// Whether a small file may be written and removed.
    let probes: Bool

    /// All checks of the configuration's sources and buckets, in its order.
    func checks(
        _ records: [any RecordSource], _ buckets: [any Bucket]
    ) async throws -> [Check] {
        let configuration = session.configuration
        var checks = [
            Check(name: "configuration", result: .passed, detail: configuration.file)
        ]
        checks += configuration.warnings.map {
            Check(name: "configuration", result: .noted, detail: $0)
        }
        checks += configuration.guardsOff.map {
            Check(name: "guard off", result: .noted, detail: $0)
        }
        checks += policy(configuration)
        let spark = SparkCheck(configuration: configuration)
        checks += await spark.checks(ProcessInfo.processInfo.environment)
        // Of these it was told already whether they are read.
        let alone = await spark.alone()
        for source in records where !alone.contains("records '\(source.name)'") {
            checks += try await SourceChecks(session: session).examine(source)
        }
        for bucket in buckets where !alone.contains("bucket '\(bucket.name)'") {
            checks += try await examine(bucket)
        }
        checks += try await HalvesChecks(session: session).checks(records)
        checks.append(ledger())
        checks += FieldChecks(session: session).checks()
        return checks
    }

    private func policy(_ configuration: Configuration) -> [Check] {
        let own = configuration.records.filter { $0.race != configuration.race }
        let models =
            [("race model", configuration.race)]
            + own.map { ("race model of \($0.name)", $0.race) }
        let checks = models.map { name, bounds in
            let race = RaceModel(bounds: bounds)
            return Check(
                name: name, result: .passed,
                detail: "grace \(race.grace.label) (U \(race.uploadWindow.label), "
                    + "S \(race.staleWindow.label); C is measured when acting)")
        }
        return checks
            + PolicySafety(configuration).refusals().map { refusal in
                Check(
                    name: "policy", result: .failed,
                    detail: "\(refusal.found); the nearest safe policy: \(refusal.nearest)")
            }
    }

    private func examine(_ bucket: any Bucket) async throws -> [Check] {
        let name = "bucket \(bucket.name)"
        do {
            let result = try await bucket.list { _ in throw FirstBatchRead() }
            if let problem = result.problems.first {
                return [Check(name: name, result: .failed, detail: problem.text)]
            }
        } catch is FirstBatchRead {
            // The first batch was all that was wanted.
        }
        guard bucket.isLive else {
            return [
                Check(
                    name: name, result: .passed,
                    detail: bucket.isOnlyLookedAt
                        ? "\(bucket.kind), a directory bucket: findings only, no repair"
                        : "\(bucket.kind), a copy: findings only, no repair")
            ] + S3Words(session: session).checks(bucket)
        }
        var checks = [
            Check(
                name: name, result: .passed,
                detail: "\(bucket.kind), live"
                    + (bucket.isListedByInventory ? ", listed by an inventory" : "")
                    + (bucket.needsTrial ? "" : "; no-replace moves, no versions"))
        ]
        checks += await CapabilityChecks(session: session, probes: probes).checks(bucket)
        if let lease = await LeaseCheck.check(bucket) { checks.append(lease) }
        checks += S3Words(session: session).checks(bucket)
        checks += await settings(bucket)
        if probes {
            do {
                let difference = try await bucket.clockDifference()
                let isFar = difference > session.configuration.race.clockBound
                checks.append(
                    Check(
                        name: "clock of \(bucket.name)", result: isFar ? .failed : .passed,
                        detail: "\(difference.label) away, the bound is "
                            + session.configuration.race.clockBound.label))
            } catch {
                checks.append(
                    Check(
                        name: "quarantine of \(bucket.name)", result: .failed,
                        detail: "\(error)"))
            }
        }
        return checks
    }

    // What the store does on its own, beside what the policy says.
    private func settings(_ bucket: any Bucket) async -> [Check] {
        let own = session.configuration.buckets.first { $0.name == bucket.name }
        guard let own, let store = bucket.settings else { return [] }
        var copiesElsewhere = false
        if case .s3(let settings) = own.store {
            copiesElsewhere = settings.quarantineBucket != nil
        }
        return StoreAdvice(
            await store.settings(), mapping: own.mapping, policy: session.configuration.repair,
            multipartWindow: session.configuration.longestRace().multipartWindow,
            copiesElsewhere: copiesElsewhere
        ).sentences.map {
            Check(
                name: "settings of \(bucket.name)",
                result: $0.weight == .contradiction ? .failed : .noted, detail: $0.text)
        }
    }

    private func ledger() -> Check {
        let path = session.configuration.ledger
        guard FileManager.default.fileExists(atPath: path) else {
            return Check(
                name: "ledger", result: .noted,
                detail: "\(path) is not there yet; mooring audit makes it")
        }
        do {
            let problems = try Ledger.openExisting(path: path).check()
            return Check(
                name: "ledger", result: problems.isEmpty ? .passed : .failed,
                detail: problems.first ?? path)
        } catch {
            return Check(name: "ledger", result: .failed, detail: "\(error)")
        }
    }
}
