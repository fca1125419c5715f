import Foundation
import MooringAWS
import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringS3

/// The doctor's lines on apps of which one half is gone: tables without their bucket, a bucket
/// without its tables, and environments beside this one with one half alone. Nothing is ever acted
/// on for it.
struct HalvesChecks {
    /// The configuration.
    let session: Session

    private struct Pair {
        let source: RecordsConfiguration
        let tables: DynamoDBSettings
        let bucket: BucketConfiguration
        let settings: S3Settings
    }

    /// The lines on every pair of tables and bucket that records tie together, in the order of the
    /// file; none where nothing of it is Amplify's and both are there.
    func checks(_ records: [any RecordSource]) async throws -> [Check] {
        var checks: [Check] = []
        var presences: [String: StorePresence] = [:]
        for pair in pairs {
            let own = records.first { $0.name == pair.source.name }
            guard let lister = own as? any TableLister else { continue }
            let bucket = pair.bucket.name
            let known: StorePresence
            if let asked = presences[bucket] {
                known = asked
            } else {
                known = try await presence(pair)
                presences[bucket] = known
            }
            let half = LostHalf(
                source: pair.source.name, tables: try await lister.tablePresence(),
                bucket: bucket, storeName: pair.settings.storeName, presence: known)
            if let sentence = half.sentence {
                checks.append(
                    Check(
                        name: "halves of \(pair.source.name) and \(bucket)", result: .failed,
                        detail: sentence))
            }
            checks += try await siblings(pair, lister)
        }
        return checks
    }

    private var pairs: [Pair] {
        let all = session.configuration
        let buckets = all.s3Buckets
        return all.dynamodbSources.flatMap { source, settings in
            let files = source.mapping.models.flatMap(\.files)
            return buckets.filter { bucket in
                files.contains { file in
                    file.bucket.map { $0 == bucket.bucket.name } ?? (all.buckets.count == 1)
                }
            }.map {
                Pair(
                    source: source, tables: settings, bucket: $0.bucket, settings: $0.settings)
            }
        }
    }

    private var assembly: S3Assembly {
        S3Assembly(
            file: session.configuration.file, environment: ProcessInfo.processInfo.environment)
    }

    // Only the store's word that there is no such bucket is absence; HEAD would not have it.
    private func presence(_ pair: Pair) async throws -> StorePresence {
        let client = try assembly.client(pair.settings, name: pair.bucket.name)
        let call = S3Call(
            "ListObjectsV2", query: [.init("list-type", "2"), .init("max-keys", "1")])
        do {
            let answer = try await client.send(call)
            if answer.status == 200 { return .there }
            let isGone =
                answer.status == 404
                && S3Error(call: call.name, answer).code == "NoSuchBucket"
            return isGone ? .gone : .unknown("\(client.storeError(call, answer))")
        } catch {
            guard let known = client.storeError(call, thrown: error) else { throw error }
            return .unknown("\(known)")
        }
    }

    private func siblings(_ pair: Pair, _ lister: any TableLister) async throws -> [Check] {
        // Directory buckets are listed elsewhere than all others.
        let isReached = !pair.settings.isAccessPoint && !pair.settings.isDirectory
        guard isReached,
            let environments = AmplifyEnvironments(
                bucket: pair.settings.bucket, tablePrefix: pair.tables.tablePrefix,
                tableSuffix: pair.tables.tableSuffix)
        else { return [] }
        let name = "environments of \(pair.bucket.name)"
        do {
            let models = Set(pair.source.mapping.models.map(\.table)).sorted()
            let found = environments.halves(
                of: models, tables: try await lister.storedTables(),
                buckets: try await assembly.buckets(pair.settings, name: pair.bucket.name).names())
            let isHalf = found.contains { $0.key != environments.own && $0.value.isHalf }
            return [
                Check(
                    name: name, result: isHalf ? .noted : .passed,
                    detail: environments.sentence(found, models: models.count))
            ]
        } catch let error as StoreError {
            return [Check(name: name, result: .noted, detail: "not looked at: \(error)")]
        }
    }
}
