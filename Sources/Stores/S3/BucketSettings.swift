import MooringAWS
package import MooringModel

/// Reads what a bucket does on its own: five calls that change nothing.
package struct BucketSettings: SettingsStore {
    private let client: S3Client
    private let quarantine: S3Client?

    /// The settings of the client's bucket, and what matters of its quarantine's, where that is
    /// another one.
    package init(client: S3Client, quarantine: S3Client? = nil) {
        self.client = client
        self.quarantine = quarantine
    }

    /// Every setting; each that is not told says why.
    package func settings() async -> StoreSettings {
        async let versioning = versioning()
        async let lifecycle = lifecycle()
        async let triggers = triggers()
        async let lock = objectLock()
        async let log = accessLog()
        var settings = await StoreSettings(
            versioning: versioning, lifecycle: lifecycle, triggers: triggers, objectLock: lock)
        settings.accessLog = await log
        if let quarantine {
            settings.quarantineLifecycle = await BucketSettings(client: quarantine).lifecycle()
        }
        return settings
    }

    private func versioning() async -> StoreSettings.Answer<StoreCapabilities.Versioning> {
        await ask("GetBucketVersioning", "versioning", root: "VersioningConfiguration") {
            switch $0["Status"]?.text {
            case "Enabled": .enabled
            case "Suspended": .suspended
            default: .never
            }
        }
    }

    /// The rules that expire, move or abort.
    func lifecycle() async -> StoreSettings.Answer<[LifecycleRule]> {
        await ask(
            "GetBucketLifecycleConfiguration", "lifecycle", root: "LifecycleConfiguration",
            none: ("NoSuchLifecycleConfiguration", [])
        ) { document in document.all("Rule").map(Self.rule) }
    }

    private func triggers() async -> StoreSettings.Answer<[StoreTrigger]> {
        await ask(
            "GetBucketNotificationConfiguration", "notification",
            root: "NotificationConfiguration"
        ) { document in document.children.compactMap(Self.trigger) }
    }

    private func objectLock() async -> StoreSettings.Answer<ObjectLock> {
        await ask(
            "GetObjectLockConfiguration", "object-lock", root: "ObjectLockConfiguration",
            none: ("ObjectLockConfigurationNotFoundError", .off)
        ) { document in
            if let retention = DefaultRetention(document) { return .keeping(retention.words) }
            return document["ObjectLockEnabled"]?.text == "Enabled" ? .on : .off
        }
    }

    private func accessLog() async -> StoreSettings.Answer<AccessLog> {
        await ask("GetBucketLogging", "logging", root: "BucketLoggingStatus") { document in
            guard let enabled = document["LoggingEnabled"] else { return .off }
            let (bucket, prefix) = (enabled["TargetBucket"]?.text, enabled["TargetPrefix"]?.text)
            return .to("s3://\(bucket ?? "")/\(prefix ?? "")")
        }
    }

    // Some servers answer a question that they do not know with a listing of the bucket: only an
    // answer with the right root counts.
    private func ask<Value>(
        _ call: String, _ parameter: String, root: String, none: (code: String, Value)? = nil,
        _ read: (XMLDocument) -> Value
    ) async -> StoreSettings.Answer<Value> {
        do {
            let answer = try await client.send(S3Call(call, query: [.init(parameter)]))
            guard answer.status == 200 else {
                let error = S3Error(call: call, answer)
                if let none, error.code == none.code { return .told(none.1) }
                return .unknown("\(call) was answered with \(error.code)")
            }
            let document = try XMLDocument(answer.body)
            guard document.name == root else {
                return .unknown("\(call) was answered with something else")
            }
            return .told(read(document))
        } catch let fault as XMLScanner.Fault {
            return .unknown("\(call) was answered with no XML: it \(fault.reason)")
        } catch {
            return .unknown("\(error)")
        }
    }

    private static let archives: Set<String> = ["GLACIER", "DEEP_ARCHIVE"]

    private static func rule(_ element: XMLDocument) -> LifecycleRule {
        let filter = element["Filter"]
        let both = filter?["And"]
        let prefix = element["Prefix"] ?? filter?["Prefix"] ?? both?["Prefix"]
        let narrowing = (filter?.children ?? []) + (both?.children ?? [])
        var rule = LifecycleRule(
            name: element["ID"]?.text ?? "", isEnabled: element["Status"]?.text == "Enabled",
            prefix: ObjectKey(prefix?.text ?? ""),
            isNarrowed: narrowing.contains { !["Prefix", "And"].contains($0.name) })
        rule.isOfOwnTag = narrowing.contains {
            $0.name == "Tag" && $0["Key"]?.text == S3Bucket.tagName
        }
        if let expiration = element["Expiration"] {
            rule.expiresAfterDays =
                days(expiration["Days"]) ?? (expiration["Date"] == nil ? nil : 0)
        }
        if let older = element["NoncurrentVersionExpiration"] {
            rule.olderVersionsExpireAfterDays = days(older["NoncurrentDays"]) ?? 0
            rule.olderVersionsKept = days(older["NewerNoncurrentVersions"])
        }
        rule.abortsUploadsAfterDays = days(
            element["AbortIncompleteMultipartUpload"]?["DaysAfterInitiation"])
        rule.transitions = element.all("Transition").map {
            LifecycleRule.Transition(
                days: days($0["Days"]) ?? ($0["Date"] == nil ? 0 : nil),
                target: $0["StorageClass"]?.text ?? "")
        }
        rule.archivesAfterDays =
            rule.transitions.filter { archives.contains($0.target) }.map { $0.days ?? 0 }.min()
        return rule
    }

    // S3 takes no more; a number beyond would end the program where days become a time.
    private static let mostDays = Int(Int32.max)

    private static func days(_ element: XMLDocument?) -> Int? {
        element.flatMap { Int($0.text) }.map { min(max($0, 0), mostDays) }
    }

    private static func trigger(_ element: XMLDocument) -> StoreTrigger? {
        if element.name == "EventBridgeConfiguration" {
            return StoreTrigger(
                target: "EventBridge", onCreation: true, onRemoval: true, prefix: ObjectKey(""),
                suffix: ObjectKey(""))
        }
        let places = ["Queue", "Topic", "CloudFunction", "LambdaFunctionArn"]
        guard let target = places.lazy.compactMap({ element[$0] }).first else { return nil }
        let events = element.all("Event").map(\.text)
        let rules = element["Filter"]?["S3Key"]?.all("FilterRule") ?? []
        let value = { (name: String) in
            rules.first { $0["Name"]?.text.lowercased() == name }?["Value"]?.text ?? ""
        }
        return StoreTrigger(
            target: target.text, onCreation: events.contains { $0.hasPrefix("s3:ObjectCreated") },
            onRemoval: events.contains { $0.hasPrefix("s3:ObjectRemoved") },
            prefix: ObjectKey(value("prefix")), suffix: ObjectKey(value("suffix")))
    }
}
