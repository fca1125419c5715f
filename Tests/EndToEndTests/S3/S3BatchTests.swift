import Foundation
import PlainS3
import TestServers
import Testing

/// A sweep of many objects, which goes in batches, seen from a proxy before the server.
@Suite("Sweeps in batches", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3BatchTests {
    private static let stores: [S3Store] = [.ministack, .ministackVersioned]

    // An app behind a proxy with so many orphans in quarantine, all of which may go.
    private static func swept(
        _ store: S3Store, _ count: Int
    ) async throws -> (app: StoreApp, proxy: FaultProxy, keys: [String]) {
        let server = try await store.server()
        let bucket = try await server.makeBucket(versioned: store.isVersioned)
        let proxy = try FaultProxy(port: server.endpoint.port)
        var options = StoreApp.Options()
        options.settings.repair = "{orphan: quarantine, retention: 0s}"
        options.endpoint = proxy.endpoint
        let app = try StoreApp(server, bucket, options)
        try app.song("s", cover: App.cover("s", 0))
        try app.put(App.songKey("s", 0))
        let keys = (1...count).map { App.songKey("s", $0) }
        try await server.fill(bucket, keys.map { (Array($0.utf8), Array("of \($0)".utf8)) })
        app.settle()
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.held() == keys.sorted())
        app.settle()
        try app.audit()
        app.settle()
        try app.audit()
        proxy.forget()
        return (app, proxy, keys)
    }

    private static func isBatch(_ request: FaultProxy.Request) -> Bool {
        request.method == "POST" && request.query.hasPrefix("delete")
    }

    private static func isBatch(_ request: FaultProxy.Request, with key: String) -> Bool {
        isBatch(request) && String(decoding: request.body, as: UTF8.self).contains(key)
    }

    private static func expectClear(_ app: StoreApp, versioned: Bool) throws {
        #expect(try app.held() == [])
        #expect(try app.openIntents() == 0)
        #expect(try app.objects() == [App.songKey("s", 0): "content"])
        guard versioned else { return }
        let left = try app.server.s3.versions(app.bucket).filter {
            ![".mooring/lease", ".mooring/store", App.songKey("s", 0)].contains($0.name)
        }
        #expect(left.map(\.name) == [])
    }

    @Test("many objects go with few calls, and nothing is left of them", arguments: stores)
    func few(store: S3Store) async throws {
        let count = 240
        let (app, proxy, _) = try await Self.swept(store, count)
        let result = try app.expect(0, "sweep", "--apply")
        #expect(result.output.contains("\(count) done, 0 stale, 0 failed"), "\(result.told)")
        let batches = proxy.log.count { Self.isBatch($0) }
        // Noted versions go in four batches each: version, marker, and two of the note.
        #expect(batches < count / 4 * (store.isVersioned ? 4 : 1), "\(batches) batches")
        #expect(proxy.count("DELETE") < count / 8, "\(proxy.count("DELETE")) removals alone")
        try Self.expectClear(app, versioned: store.isVersioned)
    }

    @Test("what changes right before its batch stays, and only that")
    func changedMeanwhile() async throws {
        let (app, proxy, keys) = try await Self.swept(.ministack, 40)
        let entry = try #require(
            try app.server.s3.list(app.bucket, prefix: ".mooring/quarantine/").first {
                $0.name.hasSuffix(keys[7])
            })
        let (s3, bucket) = (app.server.s3, app.bucket)
        proxy.set(
            FaultRule(
                .before {
                    // A failure is seen below.
                    _ = try? s3.put(bucket, entry.key, Array("somebody's".utf8))
                }, turns: 1...1
            ) { Self.isBatch($0, with: keys[7]) })
        let result = try app.expect(5, "sweep", "--apply")
        #expect(result.output.contains("39 done, 1 stale, 0 failed"), "\(result.told)")
        #expect(try app.held() == [keys[7]])
        #expect(try app.content(entry.name) == "somebody's")
        #expect(try app.openIntents() == 0)
    }

    @Test("an object that is written again right before its batch stays")
    func writtenAgain() async throws {
        let (app, proxy, keys) = try await Self.swept(.ministackVersioned, 40)
        let (s3, bucket) = (app.server.s3, app.bucket)
        let again = keys[7]
        proxy.set(
            FaultRule(
                .before {
                    // A failure is seen below.
                    _ = try? s3.put(bucket, Array(again.utf8), Array("a new life".utf8))
                }, turns: 1...1
            ) { Self.isBatch($0, with: again) })
        let result = try app.expect(0, "sweep", "--apply")
        #expect(result.output.contains("40 done"), "\(result.told)")
        #expect(try app.content(again) == "a new life")
        #expect(try app.held() == [] && app.openIntents() == 0)
    }

    @Test(
        "a batch whose answer is lost leaves nothing wrong, and the next sweep goes on",
        arguments: stores, [true, false])
    func lost(store: S3Store, isCarriedOut: Bool) async throws {
        let count = 40
        let (app, proxy, keys) = try await Self.swept(store, count)
        proxy.set(
            FaultRule(isCarriedOut ? .resetAfter : .resetBefore, turns: 1...1) {
                Self.isBatch($0, with: keys[7])
            })
        let result = try app.mooring("sweep", "--apply")
        // What a look finds gone is done; what it finds there, the next sweep takes.
        #expect(result.status == (isCarriedOut ? 0 : 5), "\(result.told)")
        #expect(result.output.contains("0 stale"), "\(result.told)")
        #expect(try app.openIntents() == 0)
        #expect(try app.held().isEmpty == isCarriedOut)
        proxy.set()
        try app.expect(0, "sweep", "--apply")
        try Self.expectClear(app, versioned: store.isVersioned)
    }
}
