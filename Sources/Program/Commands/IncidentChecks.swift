import Foundation
import MooringAWS
import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline

/// The doctor's lines on what could be told after an incident, and what could not. They change no
/// exit status: what is not kept may be meant so.
struct IncidentChecks {
    /// The configuration.
    let session: Session
    /// The names of the checks that failed: a store that cannot be reached is not asked again.
    let failed: Set<String>

    /// The answers of every source and bucket, in the order of the configuration, and of Mooring's
    /// own runs.
    func answers(
        _ records: [any RecordSource], _ buckets: [any Bucket]
    ) async throws -> [IncidentAnswer] {
        var answers: [IncidentAnswer] = []
        for source in records {
            guard !failed.contains("records \(source.name)") else {
                answers.append(Self.unreached("records of \(source.name)"))
                continue
            }
            let outlook = RecordsOutlook(source.name)
            if let traced = source as? any TracedSource {
                answers += outlook.answers(
                    try await traced.traces(), isAWS: isAWS(source: source.name))
            } else {
                answers += outlook.answers(kind: source.kind, isLive: source.isLive)
            }
        }
        for bucket in buckets {
            guard !failed.contains("bucket \(bucket.name)") else {
                answers.append(Self.unreached("files of \(bucket.name)"))
                continue
            }
            answers += await self.answers(bucket)
        }
        return answers + runs()
    }

    private static func unreached(_ name: String) -> IncidentAnswer {
        IncidentAnswer(name, .unknown, "not asked: it could not be read, see above")
    }

    private func answers(_ bucket: any Bucket) async -> [IncidentAnswer] {
        let own = session.configuration.buckets.first { $0.name == bucket.name }
        if bucket.isOnlyLookedAt { return BucketOutlook.directory(bucket.name) }
        guard bucket.isLive else { return BucketOutlook.copy(bucket.name, kind: bucket.kind) }
        guard let own, let store = bucket.settings else {
            return BucketOutlook.folder(bucket.name)
        }
        var isAWS = false
        if case .s3(let settings) = own.store { isAWS = self.isAWS(settings.endpoint, "s3") }
        return BucketOutlook(
            await store.settings(), mapping: own.mapping, isAWS: isAWS
        ).answers
    }

    private func isAWS(source: String) -> Bool {
        let own = session.configuration.records.first { $0.name == source }
        guard case .dynamodb(let settings) = own?.store else { return false }
        return isAWS(settings.endpoint, "dynamodb")
    }

    private func isAWS(_ given: S3Settings.Endpoint?, _ service: String) -> Bool {
        session.endpointChoice(service).isAWS(given, service: service)
    }

    private func runs() -> [IncidentAnswer] {
        let keep = session.configuration.report.keep
        let path = session.configuration.ledger
        guard FileManager.default.fileExists(atPath: path) else {
            return RunsOutlook.answers([], keep: keep)
        }
        do {
            let audits = try Ledger.openExisting(path: path).runs()
                .filter(Pipeline.isWholeAudit).compactMap(\.id.startedAt).sorted()
            return RunsOutlook.answers(audits, keep: keep)
        } catch {
            // The ledger's own line says what is wrong with it.
            return [Self.unreached("audits")]
        }
    }
}
