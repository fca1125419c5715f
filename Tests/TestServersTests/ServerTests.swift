import PlainS3
import TestServers
import Testing

/// The servers do what the tests that use them rely on.
@Suite("Servers")
struct ServerTests {
    @Test("MiniStack keeps objects and versions", .requires(.ministack))
    func ministack() async throws {
        let server = try await S3TestServer.ministack()
        try await keepsObjects(server)
        try await keepsVersions(server)
        let bucket = try await server.makeBucket()
        let etag = try await server.run { try $0.put(bucket, "a").etag }
        #expect(try await remove(bucket, from: server, matching: "wrong") == 412)
        #expect(try await remove(bucket, from: server, matching: etag) == 204)
    }

    @Test("Ceph keeps objects and versions, and checks who asks", .requires(.ceph))
    func ceph() async throws {
        let server = try await S3TestServer.ceph()
        try await keepsObjects(server)
        try await keepsVersions(server)
        let bucket = try await server.makeBucket()
        for client in [
            server.client(accessKey: nil), server.client(accessKey: "stranger"),
            server.client(accessKey: "test", secretKey: "wrong"),
        ] {
            #expect(try client.send(.init("GET", bucket)).status == 403)
        }
        #expect(server.endpoint.port != (try await S3TestServer.cephSecure().endpoint.port))
        // It ignores the condition, which is why Mooring must prove it before it relies on it.
        try await server.run { try $0.put(bucket, "a") }
        #expect(try await remove(bucket, from: server, matching: "wrong") == 204)
    }

    @Test("Ceph's slow gateway refuses requests beyond four at a time", .requires(.ceph))
    func throttled() async throws {
        let server = try await S3TestServer.cephThrottled()
        let bucket = try await server.makeBucket()
        let slow = PlainS3(port: server.endpoint.port, accessKey: "test", secretKey: "testsecret")
        let statuses = try await withThrowingTaskGroup { group in
            for _ in 0..<32 {
                group.addTask {
                    try await server.run { _ in
                        try (0..<10).map { _ in try slow.send(.init("GET", bucket)).status }
                    }
                }
            }
            return try await group.reduce(into: [Int]()) { $0 += $1 }
        }
        #expect(statuses.contains(503) && statuses.contains(200), "\(Set(statuses))")
    }

    @Test("rclone keeps objects", .requires(.rclone))
    func rclone() async throws {
        let server = try await S3TestServer.rclone()
        try await keepsObjects(server)
    }

    private func remove(
        _ bucket: String, from server: S3TestServer, matching etag: String
    ) async throws -> Int {
        try await server.run { s3 in
            var call = PlainS3.Call("DELETE", bucket, Array("a".utf8))
            call.headers = [("if-match", "\"\(etag)\"")]
            return try s3.send(call).status
        }
    }

    private func keepsObjects(_ server: S3TestServer) async throws {
        let bucket = try await server.makeBucket()
        let names = ["a b+c", "p%2Fq", "public/é", "x/y"]
        try await server.fill(bucket, names.map { (Array($0.utf8), Array("in \($0)".utf8)) })
        try await server.run { s3 in
            #expect(try s3.list(bucket).map(\.name) == names.sorted())
            #expect(try s3.list(bucket, prefix: "x").map(\.size) == [6])
            #expect(try s3.text(bucket, "a b+c") == "in a b+c")
            #expect(try s3.head(bucket, Array("x/y".utf8))?["content-length"] == "6")
            try s3.delete(bucket, Array("x/y".utf8))
            #expect(try s3.text(bucket, "x/y") == nil)
        }
    }

    private func keepsVersions(_ server: S3TestServer) async throws {
        let bucket = try await server.makeBucket(versioned: true)
        try await server.run { s3 in
            let first = try #require(try s3.put(bucket, "k", "one").version)
            try s3.put(bucket, "k", "two")
            try s3.delete(bucket, Array("k".utf8))
            #expect(try s3.text(bucket, "k") == nil)
            let versions = try s3.versions(bucket)
            #expect(versions.map(\.isMarker) == [true, false, false])
            #expect(versions.map(\.isLatest) == [true, false, false])
            #expect(versions.last?.version == first)
            let old = try s3.get(bucket, Array("k".utf8), version: first)
            #expect(old?.body == Array("one".utf8))
        }
    }
}
