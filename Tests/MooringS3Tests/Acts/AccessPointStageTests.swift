import Foundation
import MooringAWS
import MooringModel
import PlainS3
import StoreConformance
import TestServers
import Testing

@testable import MooringS3

/// An access point of a bucket on a real server: it takes what is sent to its own host, names
/// itself in what it answers, and answers for objects alone.
private struct AccessPointCaller: AWSCaller {
    static let point = S3AccessPoint(
        arn: "arn:aws:s3:eu-west-1:123456789012:accesspoint/night", label: "night-123456789012")
    static let endpoint = Origin(host: "s3-accesspoint.eu-west-1.amazonaws.com")

    let inner: any AWSCaller
    let server: S3TestServer
    let store: String
    /// What questions about the bucket's settings are answered with.
    var status = 405

    var requestCounts: [String: Int] { inner.requestCounts }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        #expect(request.origin.host == "\(Self.point.label).\(Self.endpoint.host)")
        let settings = ["GetBucketVersioning", "GetObjectLockConfiguration"]
        if settings.contains(request.call) || request.call.hasPrefix("GetBucketLifecycle") {
            return AWSResponse(status: status, headers: [], body: [])
        }
        var sent = request
        sent.origin = S3Stage.place(server, store).origin
        sent.path = Array("/\(store)".utf8) + (request.path == [0x2F] ? [] : request.path)
        let head = PercentEncoding.path(Array("\(Self.point.arn)/object/".utf8))
        sent.headers = request.headers.map { name, value in
            guard name == "x-amz-copy-source" else { return (name, value) }
            #expect(value.hasPrefix(head), "\(value)")
            return (name, "\(store)/" + value.dropFirst(head.utf8.count))
        }
        let answer = try await inner.send(sent)
        let text = String(decoding: answer.body, as: UTF8.self)
        guard text.contains("<Name>\(store)</Name>") else { return answer }
        let body = text.replacingOccurrences(of: "<Name>\(store)<", with: "<Name>night<")
        return AWSResponse(status: answer.status, headers: answer.headers, body: Array(body.utf8))
    }
}

@Suite("A bucket behind an access point", .requires(.ministack), .timeLimit(.minutes(60)))
struct AccessPointStageTests {
    private static let key = ObjectKey("songs/s 1")

    private static func bucket(_ stage: S3Stage, status: Int = 405) -> S3Bucket {
        let caller = AccessPointCaller(
            inner: stage.caller, server: stage.server, store: stage.store, status: status)
        let place = S3Place(
            bucket: AccessPointCaller.point.arn, endpoint: AccessPointCaller.endpoint,
            usesPath: false, accessPoint: AccessPointCaller.point)
        return S3Bucket(
            name: "media", client: S3Client(place: place, caller: caller),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine), clock: { S3Stage.now() })
    }

    @Test("without versions it is listed, quarantined and restored", arguments: [405, 403, 400])
    func acts(status: Int) async throws {
        let stage = try await S3Stage(S3Stage.Scene())
        try await stage.put(Self.key, "content")
        let bucket = Self.bucket(stage, status: status)
        let listing = try await bucket.listed()
        #expect(listing.items.map(\.key) == [Self.key] && listing.problems.isEmpty)
        let version = try await bucket.version(Self.key)
        #expect(try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        #expect(try await stage.text(Self.key) == nil)
        #expect(try await stage.heldText(Self.key, run(1)) == "content")
        let held = await bucket.headQuarantined(Self.key, run: run(1))
        guard case .present(let copy) = held else {
            Issue.record("\(held)")
            return
        }
        #expect(try await bucket.restore(Self.key, run: run(1), expecting: copy) == .done)
        #expect(try await stage.text(Self.key) == "content")
    }

    @Test("the lease and the marker are the bucket's own, by whichever name it is reached")
    func oneStore() async throws {
        let stage = try await S3Stage(S3Stage.Scene())
        let bucket = Self.bucket(stage)
        #expect(try await stage.bucket.createLease([1]) != nil)
        #expect(try await bucket.createLease([2]) == nil, "somebody holds it")
        try await stage.bucket.createMarker([3])
        #expect(try await bucket.readMarker() == [3])
        #expect(await bucket.isCopy(of: stage.bucket.markerPlace, trace: nil))
    }

    @Test("with versions nothing is written where the object lock is not told")
    func versions() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        try await stage.put(Self.key, "content")
        let bucket = Self.bucket(stage)
        #expect(try await bucket.listed().items.map(\.key) == [Self.key])
        await #expect {
            try await bucket.capabilities()
        } throws: {
            "\($0)".contains("is not told by an access point")
                && "\($0)".contains("write the bucket's own name")
        }
        #expect(try await stage.text(Self.key) == "content")
        #expect(try await stage.server.run { try $0.list(stage.store) }.count == 1)
    }
}
