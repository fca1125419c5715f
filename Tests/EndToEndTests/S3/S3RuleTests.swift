import PlainS3
import Synchronization
import TestServers
import Testing

/// What real servers were seen to do, each done to MiniStack by a proxy where it does not do it
/// itself: nothing is lost by it, and nothing is believed that was not seen.
@Suite("What real servers taught", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3RuleTests {
    /// An app behind a proxy, with two healthy songs and an orphan.
    private func proxied(
        versioned: Bool = false, repair: String = "{orphan: quarantine, dangling: nullify}",
        race: String = "{preset: testing}"
    ) async throws -> (app: StoreApp, proxy: FaultProxy, orphan: String) {
        let server = try await S3TestServer.ministack()
        let proxy = try server.proxy()
        var options = StoreApp.Options()
        options.endpoint = proxy.endpoint
        (options.settings.repair, options.settings.race) = (repair, race)
        let app = try StoreApp(server, try await server.makeBucket(versioned: versioned), options)
        try app.healthy("a")
        try app.healthy("z")
        return (app, proxy, try app.orphan("s1", "precious"))
    }

    // The app's own listing, and not that of the quarantine.
    private static func isListing(_ request: FaultProxy.Request) -> Bool {
        request.query.contains("list-type=2") && !request.query.contains("prefix=.mooring")
    }

    private static func page(_ text: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult>" + text
            + "</ListBucketResult>"
    }

    @Test("1: a short page is no last page; only IsTruncated says so", arguments: S3Store.all)
    func shortPages(store: S3Store) async throws {
        let app = try await StoreApp(store)
        // Ceph gives 996 of 1,000, from eleven shards.
        let count = store.kind == .ceph ? 2_500 : 1_200
        let objects = (0..<count).map { number in
            (key: Array(App.songKey("n\(number)").utf8), content: Array("x".utf8))
        }
        try await app.server.fill(app.bucket, objects)
        for number in 0..<count { try app.song("n\(number)", cover: App.cover("n\(number)")) }
        try app.dangling("gone")
        app.settle()
        #expect(try app.audit().labels == ["dangling/missing/settled"])
        #expect(try app.report()["buckets"][0]["objects"].integer == count)
    }

    @Test("2: a DELETE that ignores its condition is found out before it is relied on")
    func ignoredCondition() async throws {
        // The condition is taken out on the way, as if the server did not know it.
        let server = try await S3TestServer.ministack()
        let lawless = try server.proxy()
        lawless.set(FaultRule(.strip("if-match")) { $0.method == "DELETE" })
        var options = StoreApp.Options()
        options.endpoint = lawless.endpoint
        let app = try StoreApp(server, try await server.makeBucket(), options)
        try app.healthy()
        try app.post("p1", nil)
        try app.put("public/posts/p1.txt", "text")
        app.settle()
        let finding = try app.audit().about("public/posts/p1.txt")
        #expect(finding.verdict == "settled")
        let (path, _) = try app.plan()
        let result = try app.expect(5, "repair", path, "--apply")
        #expect(result.told.contains("ignores the condition"), "\(result.told)")
        #expect(try app.content("public/posts/p1.txt") == "text")
        let deletes = lawless.log.filter { $0.method == "DELETE" && $0.path.contains("posts/p1") }
        #expect(deletes.isEmpty, "\(deletes)")
    }

    @Test("3: a token that repeats for ever ends the scan as incomplete")
    func endlessToken() async throws {
        let (app, proxy, key) = try await proxied()
        let content =
            "<Contents><Key>public/x</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
            + "<ETag>\"0\"</ETag><Size>1</Size><StorageClass>STANDARD</StorageClass></Contents>"
        proxy.set(
            FaultRule(
                .answer(
                    200,
                    body: Self.page(
                        "<IsTruncated>true</IsTruncated><KeyCount>1</KeyCount>"
                            + "<NextContinuationToken>again</NextContinuationToken>" + content)),
                where: Self.isListing))
        try app.expectRefusal(4, naming: ["ListObjectsV2", "public/x"])
        #expect(proxy.log.count < 200, "\(proxy.log.count) requests")
        #expect(try app.mooring("plan").status != 0)
        proxy.set()
        #expect(try app.content(key) == "precious")
    }

    @Test("4: a DELETE that says 204 and removes nothing loses nothing and ends")
    func falseDelete() async throws {
        let (app, proxy, key) = try await proxied()
        app.settle()
        let (path, _) = try app.plan()
        proxy.set(
            FaultRule(.answer(204)) {
                $0.method == "DELETE" && $0.path.contains("/s1-") && $0.query.isEmpty
                    && !$0.path.contains("quarantine")
            })
        let result = try app.mooring("repair", path, "--apply")
        #expect([0, 5].contains(result.status), "\(result.told)")
        #expect(try app.content(key) == "precious")
        proxy.set()
        app.settle()
        // What was left open is done first, and then the plan's own step finds nothing to do.
        let (again, _) = try app.plan()
        try app.expect(5, "repair", again, "--apply")
        #expect(try app.content(key) == nil)
        #expect(try app.held().contains(key))
        #expect(try app.openIntents() == 0)
    }

    @Test(
        "5: a request without an answer may have been carried out: the journal stays true",
        arguments: [false, true])
    func lostAnswers(versioned: Bool) async throws {
        for method in ["PUT", "DELETE"] {
            let (app, proxy, key) = try await proxied(versioned: versioned)
            app.settle()
            let (path, _) = try app.plan()
            proxy.set(
                FaultRule(.resetAfter) { $0.method == method && $0.path.contains("/s1-") })
            _ = try app.mooring("repair", path, "--apply")
            proxy.set()
            try app.expect(0, "repair", path, "--apply")
            #expect(try app.openIntents() == 0)
            // A note whose answer was lost may stand beside the one of the next run.
            let (there, held) = (try app.content(key), Set(try app.held()))
            #expect(
                there == nil ? held == [key] : held.isEmpty,
                "\(method): \(there ?? "gone") \(held)")
            try app.expect(0, "undo", "latest", "--apply")
            #expect(try app.content(key) == "precious", "\(method)")
        }
    }

    @Test(
        "6: a page that no parser accepts is incomplete, with its range named; nothing is planned")
    func invalidXML() async throws {
        for (old, new) in [
            ("<IsTruncated>", "<Prefix>&#x01;</Prefix><IsTruncated>"),
            ("</ListBucketResult>", "<Contents><Key>a\u{FFFE}</Key></Contents></ListBucketResult>"),
            ("</ListBucketResult>", ""),
        ] {
            let (app, proxy, key) = try await proxied()
            app.settle()
            proxy.set(FaultRule(.replace(old, with: new), where: Self.isListing))
            let result = try app.mooring("audit")
            // What is no character of XML may be understood; it is never passed over.
            if result.status == 0 {
                #expect(try app.findings().contains { $0.key == key })
            } else {
                #expect(result.status == 4, "\(result.told)")
                #expect(result.told.contains("ListObjectsV2"), "\(result.told)")
                #expect(try app.mooring("plan").status != 0)
            }
            #expect(proxy.count("DELETE") == 0)
        }
    }

    @Test("7: blanks, plus signs and percent signs in keys mean themselves", arguments: S3Store.all)
    func hostileKeys(store: S3Store) async throws {
        let app = try await StoreApp(store)
        var names = ["a b", "a+b", "a%20b", "a%2Bb", "é", "e\u{301}", "&<>\"'", "#?=;", "日本"]
        if store != .rclone {
            names += ["nl\nx", "tab\tx", "a//b", "./x", "../y", "end/"]
        }
        // Its listing of versions has a raw CR, which XML does not keep: such a scan is incomplete.
        if ![.rclone, .ministackVersioned].contains(store) { names.append("cr\rx") }
        for (number, name) in names.enumerated() {
            try app.album("a\(number)", try JSON([name]).text())
            try app.server.s3.put(
                app.bucket, Array("public/".utf8) + Array(name.utf8), Array("x".utf8))
        }
        app.settle()
        let findings = try app.audit().filter { $0.kind != "invalid-key" }
        #expect(findings.isEmpty, "\(findings.map { "\($0.label) \($0.key ?? "")" })")
    }

    @Test("8: a marker is found without the header that would tell of it")
    func plainMarker() async throws {
        let (app, proxy, _) = try await proxied(versioned: true)
        try app.song("d1", cover: App.cover("d1"))
        try app.put(App.songKey("d1"))
        try app.server.s3.delete(app.bucket, Array(App.songKey("d1").utf8))
        proxy.set(FaultRule(.header("x-amz-delete-marker", nil)) { $0.method == "HEAD" })
        app.settle()
        let finding = try app.audit().about(App.songKey("d1"))
        #expect(finding.label == "dangling/deleted/settled")
    }

    @Test(
        "9: only an object of Mooring's own is ever sent a sub-resource before it was proved",
        arguments: S3Store.all.filter { ![.cephSecure, .cephThrottled].contains($0) })
    func subResources(store: S3Store) async throws {
        let server = try await store.server()
        let proxy = try server.proxy()
        var options = StoreApp.Options()
        options.endpoint = proxy.endpoint
        options.settings.repair = "{orphan: quarantine, dangling: nullify, retention: 0s}"
        let bucket = try await server.makeBucket(versioned: store.isVersioned)
        let app = try StoreApp(server, bucket, options)
        try app.healthy()
        let keys = try ["s1", "s2"].map { try app.orphan($0, "precious") }
        app.settle()
        let before = try app.objects()
        _ = try app.mooring("doctor", "--probe")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.held() == keys)
        try app.expect(0, "undo", "latest", "--apply")
        #expect(try app.objects() == before)
        let writes = proxy.log.filter {
            ["PUT", "POST", "DELETE"].contains($0.method) && !$0.query.isEmpty
        }
        #expect(!writes.isEmpty)
        for write in writes {
            let isTrial =
                write.path.contains("/.probe-")
                || String(decoding: write.body, as: UTF8.self).contains("/.probe-")
            let removed = write.deletions
            let isVersion = store.isVersioned && removed.allSatisfy { !$0.version.isEmpty }
            let isOwn = removed.allSatisfy { $0.key.hasPrefix(".mooring/") }
            #expect(isTrial || (!removed.isEmpty && (isVersion || isOwn)), "\(write)")
            // Of the bucket itself nothing is ever changed.
            #expect(write.path != "/\(bucket)" || write.query.hasPrefix("delete"), "\(write)")
        }
    }

    @Test("9: a server that takes ?tagging for the object itself is never asked to tag an app's")
    func taggingThatOverwrites() async throws {
        let (app, proxy, key) = try await proxied(
            repair: "{orphan: tag}", race: "{preset: testing, relink: never}")
        let (s3, bucket) = (app.server.s3, app.bucket)
        let asked = Mutex("")
        proxy.set(
            FaultRule(
                .before {
                    // As rclone does: what was sent takes the object's place.
                    let name = asked.withLock { $0 }
                    // A put that fails shows in what is expected below.
                    _ = try? s3.put(bucket, name, "<Tagging/>")
                }
            ) { request in
                guard request.method == "PUT", request.query.hasPrefix("tagging") else {
                    return false
                }
                asked.withLock { $0 = String(request.path.dropFirst(bucket.utf8.count + 2)) }
                return true
            })
        for _ in 0..<2 {
            app.settle()
            try app.audit()
        }
        let (path, plan) = try app.plan()
        #expect(plan["steps"][0]["strategy"].string == "tag", "\(plan.value)")
        let result = try app.expect(5, "repair", path, "--apply")
        #expect(result.told.contains("the store tags no objects"), "\(result.told)")
        #expect(try app.content(key) == "precious")
        #expect(asked.withLock { $0.contains("/.probe-") })
        let sent = proxy.log.filter { $0.method == "PUT" && $0.query.hasPrefix("tagging") }
        #expect(sent.allSatisfy { $0.path.contains("/.probe-") }, "\(sent)")
        #expect(try app.litter() == [])
    }

    @Test("10: every request says its length, and none comes in chunks", arguments: S3Store.all)
    func plainBodies(store: S3Store) async throws {
        let server = try await store.server()
        guard server.endpoint.scheme == "http" else { return }
        let proxy = try server.proxy()
        var options = StoreApp.Options()
        options.endpoint = proxy.endpoint
        let bucket = try await server.makeBucket(versioned: store.isVersioned)
        let app = try StoreApp(server, bucket, options)
        try app.healthy()
        try app.orphan("s1")
        app.settle()
        try app.expect(0, "repair", try app.plan().path, "--apply")
        try app.expect(0, "undo", "latest", "--apply")
        for request in proxy.log where request.method == "PUT" || request.method == "POST" {
            #expect(request["content-length"] != nil, "\(request)")
            #expect(request["transfer-encoding"] == nil, "\(request)")
            #expect(request["x-amz-trailer"] == nil, "\(request)")
        }
        #expect(proxy.count("PUT") > 0)
    }

    @Test("12: an ETag in a listing without its quotes is the same ETag")
    func bareETags() async throws {
        let (app, proxy, key) = try await proxied()
        proxy.set(
            FaultRule(
                .change { answer in
                    var answer = answer
                    answer.body = Array(
                        String(decoding: answer.body, as: UTF8.self)
                            .replacing("&quot;", with: "").replacing("<ETag>\"", with: "<ETag>")
                            .replacing("\"</ETag>", with: "</ETag>").utf8)
                    return answer
                }, where: Self.isListing))
        app.settle()
        let (path, _) = try app.plan()
        let result = try app.expect(0, "repair", path, "--apply")
        #expect(result.output.contains("1 done"), "\(result.told)")
        #expect(try app.content(key) == nil)
    }

    // MARK: Beyond the twelve

    @Test("503 and 500 for a while are waited out; the work is done once")
    func waitsOut() async throws {
        let (app, proxy, key) = try await proxied()
        app.settle()
        let slow = FaultRule.Fault.answer(
            503, body: "<Error><Code>SlowDown</Code><Message>wait</Message></Error>")
        proxy.set(FaultRule(slow, turns: 1...3), FaultRule(.answer(500), turns: 1...1))
        let (path, _) = try app.plan()
        proxy.set(FaultRule(slow, turns: 2...4))
        let result = try app.expect(0, "repair", path, "--apply")
        #expect(result.output.contains("1 done"), "\(result.told)")
        #expect(try app.content(key) == nil)
        #expect(try app.held() == [key])
    }

    @Test("A cut answer is asked for again")
    func cutAnswers() async throws {
        let (app, proxy, key) = try await proxied()
        app.settle()
        proxy.set(
            FaultRule(.truncate(100), turns: 1...1, where: Self.isListing),
            FaultRule(.resetBefore, turns: 1...1, where: Self.isListing))
        #expect(try app.audit().map(\.key) == [key])
    }

    @Test("What is written at a key between the last look and the removal stays")
    func rivalUpload() async throws {
        for versioned in [false, true] {
            let (app, proxy, key) = try await proxied(versioned: versioned)
            app.settle()
            let (path, _) = try app.plan()
            let (s3, bucket) = (app.server.s3, app.bucket)
            let didWrite = Mutex(false)
            proxy.set(
                FaultRule(
                    .before {
                        let isFirst = didWrite.withLock { done in
                            defer { done = true }
                            return !done
                        }
                        // A put that fails shows in what is expected below.
                        if isFirst { _ = try? s3.put(bucket, key, "rival") }
                    }
                ) {
                    $0.method == "DELETE" && $0.path.contains("/s1-")
                        && !$0.path.contains("quarantine")
                })
            let result = try app.mooring("repair", path, "--apply")
            #expect(result.status == 5, "\(versioned): \(result.told)")
            #expect(result.output.contains("1 stale"), "\(versioned): \(result.told)")
            #expect(try app.content(key) == "rival", "\(versioned)")
            #expect(didWrite.withLock { $0 })
            #expect(try app.held() == [], "\(versioned)")
            #expect(try app.openIntents() == 0)
        }
    }

    @Test("No more requests are on their way than the configuration allows")
    func concurrency() async throws {
        let server = try await S3TestServer.ministack()
        let proxy = try server.proxy()
        var options = StoreApp.Options()
        options.endpoint = proxy.endpoint
        options.further = "concurrency: 3, "
        let app = try StoreApp(server, try await server.makeBucket(), options)
        try app.healthy()
        for number in 0..<40 { try app.orphan("s\(number)") }
        app.settle()
        proxy.set(FaultRule(.delay(20)))
        let (path, _) = try app.plan()
        try app.expect(0, "repair", path, "--apply")
        #expect(proxy.mostInFlight <= 3, "\(proxy.mostInFlight)")
        #expect(try app.held().count == 40)
    }
}
