import Foundation
import MooringAWS
import MooringModel
import MooringS3
import PlainS3
import Testing
import TestServers

/// How requests travel to real servers.
@Suite(.timeLimit(.minutes(10))) struct S3ServerTests {
    /// What a client has unlike the others.
    private struct Traits {
        var secret: String?
        var key: String?
        var late = Duration.zero
        var connections = 4
    }

    private func client(
        _ server: S3TestServer, _ bucket: String, _ traits: Traits = Traits()
    ) throws -> (s3: S3Client, aws: AWSClient) {
        var settings = AWSClientSettings()
        if let file = server.endpoint.certificate {
            settings.trust = try TrustBundle.chosen(file, environment: [:])
        }
        let aws = AWSClient(
            signer: Signer(region: server.region, service: "s3"),
            credentials: GivenCredentials(
                Credentials(
                    accessKeyID: traits.key ?? server.accessKey,
                    secretAccessKey: traits.secret ?? server.secretKey)),
            connections: traits.connections, settings: settings,
            clock: { Instant(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9)) - traits.late }
        )
        let origin = Origin(
            isSecure: server.endpoint.scheme == "https", host: server.endpoint.host,
            port: server.endpoint.port)
        return (
            S3Client(place: S3Place(bucket: bucket, endpoint: origin, usesPath: true), caller: aws),
            aws
        )
    }

    /// Keys that an address would lose, and every kind of byte.
    private static let keys: [[UInt8]] = [
        "a/../c", "../x", "a//b", "/lead", "a/.", ".", "..", "a%2Fb", "a?b", "a?", "x#y", "a b+c",
        "é", "e\u{301}", "a\nb", "tail/", "[x]{y}|^`\\", "*:|\"<>&", "~", "a;b=c,d@e!$()",
    ].map { Array($0.utf8) }

    private func everyKeyGoes(_ server: S3TestServer) async throws {
        let bucket = try await server.makeBucket()
        let (s3, _) = try client(server, bucket)
        for key in Self.keys {
            var put = S3Call("PutObject", method: "PUT", key: ObjectKey(key), isRepeatable: true)
            put.body = key
            let written = try await s3.send(put)
            #expect(written.status == 200, "PUT \(VisibleKey.text(key)): \(written.status)")
            let read = try await s3.send(S3Call("GetObject", key: ObjectKey(key)))
            #expect(read.status == 200 && read.body == key, "GET \(VisibleKey.text(key))")
        }
        let listed = try await server.run { try $0.list(bucket) }
        #expect(Set(listed.map(\.key)) == Set(Self.keys))
        for key in Self.keys {
            let gone = try await s3.send(
                S3Call("DeleteObject", method: "DELETE", key: ObjectKey(key)))
            #expect(gone.status == 204)
        }
        #expect(try await server.run { try $0.list(bucket) }.isEmpty)
    }

    @Test(.requires(.ministack)) func everyKeyGoesToMiniStack() async throws {
        try await everyKeyGoes(.ministack())
    }

    @Test(.requires(.ceph)) func everyKeyGoesToCeph() async throws {
        try await everyKeyGoes(.ceph())
    }

    @Test(.requires(.ceph)) func everyKeyGoesToCephOverTLS() async throws {
        try await everyKeyGoes(.cephSecure())
    }

    @Test(.requires(.ceph)) func wrongCredentialsAreToldApart() async throws {
        let server = try await S3TestServer.ceph()
        let bucket = try await server.makeBucket()
        let call = S3Call("ListObjectsV2", query: [.init("list-type", "2")])
        for (secret, key, code) in [
            ("wrong", nil, "SignatureDoesNotMatch"), (nil, "nobody", "InvalidAccessKeyId"),
            (nil, "stranger", "AccessDenied"),
        ] as [(String?, String?, String)] {
            let (s3, aws) = try client(server, bucket, Traits(secret: secret, key: key))
            let answer = try await s3.send(call)
            let error = s3.storeError(call, answer)
            #expect(error.reason.contains(code) && error.isRefusal, "\(error)")
            #expect(aws.requestCounts == ["ListObjectsV2": 1])
        }
        let (s3, _) = try client(server, "no-such-bucket-here")
        #expect(s3.storeError(call, try await s3.send(call)).reason.contains("NoSuchBucket"))
    }

    @Test(.requires(.ceph)) func aWrongClockIsMeasuredAndPutRight() async throws {
        let server = try await S3TestServer.ceph()
        let bucket = try await server.makeBucket()
        let (s3, aws) = try client(server, bucket, Traits(late: .minutes(40)))
        let call = S3Call("ListObjectsV2", query: [.init("list-type", "2")])
        #expect(try await s3.send(call).status == 200)
        #expect(aws.requestCounts == ["ListObjectsV2": 2])
        let difference = try #require(s3.clockDifference)
        #expect(difference > .minutes(39) && difference < .minutes(42))
    }

    @Test(.requires(.ceph)) func aCertificateNobodyVouchesForIsRefused() async throws {
        let server = try await S3TestServer.cephSecure()
        let aws = AWSClient(
            signer: Signer(region: server.region, service: "s3"),
            credentials: GivenCredentials(Credentials(accessKeyID: "a", secretAccessKey: "b")),
            connections: 1, clock: { Instant(seconds: 0) })
        let place = S3Place(
            bucket: "b",
            endpoint: Origin(host: server.endpoint.host, port: server.endpoint.port),
            usesPath: true)
        let s3 = S3Client(place: place, caller: aws)
        do {
            _ = try await s3.send(S3Call("HeadBucket", method: "HEAD"))
            Issue.record("it was answered")
        } catch {
            let told = try #require(s3.storeError(S3Call("HeadBucket"), thrown: error))
            #expect(told.reason.contains("does not verify"))
            #expect(told.hint?.contains("caBundle") == true)
        }
    }

    @Test(.requires(.ceph)) func aServerThatRefusesMostIsStillListed() async throws {
        let server = try await S3TestServer.cephThrottled()
        let bucket = try await server.makeBucket()
        let (s3, aws) = try client(server, bucket, Traits(connections: 32))
        var statuses: [Int] = []
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<600 {
                group.addTask {
                    let key = ObjectKey("key-\(number)")
                    return try await s3.send(S3Call("HeadObject", method: "HEAD", key: key)).status
                }
            }
            for try await status in group { statuses.append(status) }
        }
        let (width, refused) = (aws.widths.now, aws.traffic.slowDowns)
        #expect(statuses.count == 600 && statuses.allSatisfy { $0 == 404 })
        print("600 HEADs, four at a time: \(refused) refused, width \(width) at the end")
        #expect(refused < 600)
    }

    @Test(.requires(.ministack)) func anAnswerThatIsLostAfterTheWriteLeavesDoubt() async throws {
        let server = try await S3TestServer.ministack()
        let bucket = try await server.makeBucket()
        try await server.run { try $0.put(bucket, "k") }
        let proxy = try server.proxy()
        proxy.set(FaultRule(.resetAfter, where: { $0.method == "DELETE" }))
        let aws = AWSClient(
            signer: Signer(region: server.region, service: "s3"),
            credentials: GivenCredentials(
                Credentials(accessKeyID: "test", secretAccessKey: "testsecret")),
            connections: 1,
            clock: { Instant(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9)) })
        let s3 = S3Client(
            place: S3Place(
                bucket: bucket,
                endpoint: Origin(isSecure: false, host: "127.0.0.1", port: proxy.port),
                usesPath: true),
            caller: aws)
        let call = S3Call("DeleteObject", method: "DELETE", key: ObjectKey("k"))
        do {
            _ = try await s3.send(call)
            Issue.record("it was answered")
        } catch let failure as AWSFailure {
            #expect(failure.mayHaveHappened)
        }
        #expect(proxy.count("DELETE") == 1)
        #expect(try await server.run { try $0.list(bucket) }.isEmpty)
    }
}
