import PlainS3
import TestServers
import Testing

/// The fault proxy does what its rules say, and tells what it saw.
@Suite("Fault proxy", .requires(.ministack), .timeLimit(.minutes(60)))
struct FaultProxyTests {
    /// A bucket with one object, a proxy before it, and a client that goes through it.
    private struct Scene {
        let server: S3TestServer
        let bucket: String
        let proxy: FaultProxy
        let client: PlainS3

        init() async throws {
            server = try await S3TestServer.ministack()
            bucket = try await server.makeBucket()
            proxy = try server.proxy()
            client = PlainS3(port: proxy.port, accessKey: "test")
            _ = try await server.run { [bucket] in try $0.put(bucket, "k", "content") }
        }

        func get() throws -> Message { try client.send(.init("GET", bucket, Array("k".utf8))) }
    }

    @Test("Without a rule everything goes through, and is written down")
    func through() async throws {
        let scene = try await Scene()
        #expect(try scene.get().body == Array("content".utf8))
        try scene.client.put(scene.bucket, "other", "more")
        #expect(scene.proxy.log.map(\.method) == ["GET", "PUT"])
        #expect(scene.proxy.log.map(\.status) == [200, 200])
        #expect(scene.proxy.log[1].body == Array("more".utf8))
        #expect(scene.proxy.log[0].path == "/\(scene.bucket)/k")
        #expect(scene.proxy.count("DELETE") == 0)
        scene.proxy.forget()
        #expect(scene.proxy.log.isEmpty)
    }

    @Test("Answers can be canned, changed, cut and taken away")
    func faults() async throws {
        let scene = try await Scene()
        scene.proxy.set(
            FaultRule(.answer(503, headers: [("Retry-After", "1")], body: "slow"), turns: 1...1),
            FaultRule(.status(500), turns: 1...1),
            FaultRule(.replace("con", with: "dis"), turns: 1...1),
            FaultRule(.header("ETag", "\"other\""), turns: 1...1))
        #expect(try scene.get().status == 503)
        #expect(scene.proxy.log[0].status == nil)
        #expect(try scene.get().status == 500)
        #expect(try scene.get().body == Array("distent".utf8))
        #expect(try scene.get()["etag"] == "\"other\"")
        #expect(try scene.get().body == Array("content".utf8))
        for fault in [FaultRule.Fault.truncate(3), .resetBefore, .resetAfter, .close] {
            scene.proxy.set(FaultRule(fault, turns: 1...1))
            // A fault that looks like an idle end is repeated once, and goes through then.
            let answer = Result { try scene.get() }
            #expect(scene.proxy.log.last?.method == "GET", "\(fault) \(answer)")
            if case .truncate = fault { #expect(throws: WireError.self) { try answer.get() } }
        }
    }

    @Test("A request that was reset afterwards has been carried out, one before has not")
    func carriedOut() async throws {
        let scene = try await Scene()
        for (fault, isThere) in [
            (FaultRule.Fault.resetBefore, true), (.resetAfter, false),
        ] {
            scene.proxy.set(FaultRule(fault) { $0.method == "DELETE" })
            _ = Result { try scene.client.delete(scene.bucket, Array("k".utf8)) }
            let text = try await scene.server.run { [bucket = scene.bucket] in
                try $0.text(bucket, "k")
            }
            #expect((text != nil) == isThere)
        }
    }

    @Test("The highest number of requests in flight is told")
    func inFlight() async throws {
        let scene = try await Scene()
        scene.proxy.set(FaultRule(.delay(300)))
        let (bucket, client) = (scene.bucket, scene.client)
        try await withThrowingTaskGroup { group in
            for _ in 0..<5 {
                group.addTask {
                    try await scene.server.run { _ in
                        _ = try client.send(.init("HEAD", bucket, Array("k".utf8)))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(scene.proxy.mostInFlight == 5)
    }
}
