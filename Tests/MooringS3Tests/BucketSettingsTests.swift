import MooringAWS
import MooringModel
import MooringS3
import Testing

/// Answers each call with what a script says.
private struct ScriptedCaller: AWSCaller {
    let answers: [String: (status: Int, body: String)]
    var requestCounts: [String: Int] { [:] }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        let answer = answers[request.query.first?.name ?? ""] ?? (404, "")
        return AWSResponse(status: answer.status, headers: [], body: Array(answer.body.utf8))
    }
}

@Suite("What a bucket does on its own")
struct BucketSettingsTests {
    private static func settings(_ answers: [String: (Int, String)]) async -> StoreSettings {
        let place = S3Place(
            bucket: "b", endpoint: Origin(isSecure: false, host: "localhost"), usesPath: true)
        return await BucketSettings(
            client: S3Client(
                place: place,
                caller: ScriptedCaller(
                    answers: answers.mapValues { (status: $0.0, body: $0.1) }))
        ).settings()
    }

    @Test("rules, triggers, versions and lock are read")
    func everything() async {
        let settings = await Self.settings([
            "versioning": (
                200,
                "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
            ),
            "lifecycle": (
                200,
                """
                <LifecycleConfiguration><Rule><ID>old</ID><Status>Enabled</Status>
                <Filter><And><Prefix>a/</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></And>
                </Filter>
                <NoncurrentVersionExpiration><NoncurrentDays>3</NoncurrentDays>
                </NoncurrentVersionExpiration>
                <Transition><Days>30</Days><StorageClass>STANDARD_IA</StorageClass></Transition>
                <Transition><Days>90</Days><StorageClass>GLACIER</StorageClass></Transition>
                <Transition><Date>2026-12-01T00:00:00Z</Date><StorageClass>GLACIER_IR</StorageClass>
                </Transition></Rule>
                <Rule><Prefix>b/</Prefix><Status>Disabled</Status>
                <Expiration><Days>9</Days></Expiration>
                <AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation>
                </AbortIncompleteMultipartUpload></Rule></LifecycleConfiguration>
                """
            ),
            "notification": (
                200,
                """
                <NotificationConfiguration><CloudFunctionConfiguration><Id>1</Id>
                <CloudFunction>arn:f</CloudFunction><Event>s3:ObjectCreated:*</Event>
                <Filter><S3Key><FilterRule><Name>Prefix</Name><Value>a/</Value></FilterRule>
                <FilterRule><Name>suffix</Name><Value>.jpg</Value></FilterRule></S3Key></Filter>
                </CloudFunctionConfiguration><EventBridgeConfiguration/></NotificationConfiguration>
                """
            ),
            "object-lock": (
                404, "<Error><Code>ObjectLockConfigurationNotFoundError</Code></Error>"
            ),
        ])
        #expect(settings.versioning.value == .enabled && settings.objectLock.value == .off)
        var old = LifecycleRule(
            name: "old", isEnabled: true, prefix: ObjectKey("a/"), isNarrowed: true)
        old.olderVersionsExpireAfterDays = 3
        old.archivesAfterDays = 90
        old.transitions = [
            .init(days: 30, target: "STANDARD_IA"), .init(days: 90, target: "GLACIER"),
            .init(days: nil, target: "GLACIER_IR"),
        ]
        var disabled = LifecycleRule(name: "", isEnabled: false, prefix: ObjectKey("b/"))
        disabled.expiresAfterDays = 9
        disabled.abortsUploadsAfterDays = 7
        #expect(settings.lifecycle.value == [old, disabled])
        let function = StoreTrigger(
            target: "arn:f", onCreation: true, onRemoval: false, prefix: ObjectKey("a/"),
            suffix: ObjectKey(".jpg"))
        #expect(settings.triggers.value?.first == function)
        #expect(settings.triggers.value?.map(\.target) == ["arn:f", "EventBridge"])
    }

    @Test("no lifecycle is told from no answer, and a listing is no answer")
    func unknown() async {
        let settings = await Self.settings([
            "versioning": (403, "<Error><Code>AccessDenied</Code></Error>"),
            "lifecycle": (404, "<Error><Code>NoSuchLifecycleConfiguration</Code></Error>"),
            "notification": (200, "<ListBucketResult><Name>b</Name></ListBucketResult>"),
            "object-lock": (200, "no XML"),
        ])
        #expect(
            settings.versioning == .unknown("GetBucketVersioning was answered with AccessDenied"))
        #expect(settings.lifecycle == .told([]))
        #expect(
            settings.triggers
                == .unknown(
                    "GetBucketNotificationConfiguration was answered with something else"))
        #expect(settings.objectLock.value == nil)
    }

    @Test("an object lock keeps what asks for it, or whatever is written")
    func objectLock() async {
        func lock(_ inside: String) async -> StoreSettings.Answer<ObjectLock> {
            await Self.settings([
                "object-lock": (
                    200, "<ObjectLockConfiguration>\(inside)</ObjectLockConfiguration>"
                )
            ]).objectLock
        }
        let on = "<ObjectLockEnabled>Enabled</ObjectLockEnabled>"
        func rule(_ inside: String) -> String {
            "<Rule><DefaultRetention>\(inside)</DefaultRetention></Rule>"
        }
        #expect(await lock("") == .told(.off))
        #expect(await lock(on) == .told(.on))
        #expect(
            await lock(on + rule("<Mode>COMPLIANCE</Mode><Years>1</Years>"))
                == .told(.keeping("1 years (COMPLIANCE)")))
        #expect(await lock(rule("<Days>1</Days>")) == .told(.off))
    }

    @Test(
        "The access log is where it is written to, off, or not told",
        arguments: [
            ("<BucketLoggingStatus/>", AccessLog.off),
            ("<BucketLoggingStatus xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"/>", .off),
            (
                "<BucketLoggingStatus><LoggingEnabled><TargetBucket>logs</TargetBucket>"
                    + "<TargetPrefix>media/</TargetPrefix></LoggingEnabled></BucketLoggingStatus>",
                .to("s3://logs/media/")
            ),
        ])
    func accessLog(body: String, expected: AccessLog) async {
        #expect(await Self.settings(["logging": (200, body)]).accessLog == .told(expected))
    }

    @Test("An access log that may not be asked for is not known, and neither is a listing")
    func untoldAccessLog() async {
        let denied = "<Error><Code>AccessDenied</Code></Error>"
        #expect(
            await Self.settings(["logging": (403, denied)]).accessLog
                == .unknown("GetBucketLogging was answered with AccessDenied"))
        #expect(
            await Self.settings(["logging": (200, "<ListBucketResult/>")]).accessLog
                == .unknown("GetBucketLogging was answered with something else"))
    }
}
