import PlainS3
import TestServers
import Testing

/// References whose object lies where no listing looked: only a look at each other level and
/// identity can tell.
@Suite("Objects elsewhere on S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3ElsewhereTests {
    private static let other = "eu-west-1:99999999-8888-7777-6666-555555555555"

    // Where a cover may lie instead, by the song's name, and what that is called.
    private static let places = [
        (song: "guest", head: "public/", told: "lies under level 'guest'"),
        (
            song: "shared", head: "protected/\(App.identity)/",
            told: "level 'protected' and the identity"
        ),
        (song: "root", head: "", told: "lies at the root"),
        (
            song: "theirs", head: "private/\(other)/",
            told: "level 'private' and the identity '\(other)'"
        ),
    ]

    /// Songs of one person, of whose private objects alone the bucket is listed, and one song of
    /// another person.
    private func fill(_ app: StoreApp) throws {
        try app.healthy()
        for place in Self.places {
            try app.song(place.song, cover: App.cover(place.song))
            try app.put(place.head + App.cover(place.song), "of \(place.song)")
        }
        try app.dangling("nowhere")
        try app.song("stranger", cover: App.cover("stranger"))
        try app.database.run(
            "UPDATE Song SET ownerIdentity = ? WHERE id = 'stranger'", Array(Self.other.utf8))
        app.settle()
    }

    private static var options: StoreApp.Options {
        var options = StoreApp.Options()
        options.lines = "prefixes: [\"private/\(App.identity)/\"]"
        return options
    }

    @Test(
        "What lies under another level or identity is found by looks, and both ends stay",
        arguments: S3Store.all)
    func misplaced(store: S3Store) async throws {
        let app = try await StoreApp(store, Self.options)
        try fill(app)
        let findings = try app.audit()
        for (song, head, told) in Self.places {
            let finding = try findings.about(App.songKey(song))
            #expect(finding.label == "dangling/misplaced/undecided", "\(song)")
            let candidates = finding.json["candidates"].elements.compactMap(\.string)
            #expect(candidates == [head + App.cover(song)])
            #expect(finding.evidence.contains(told), "\(finding.evidence)")
            #expect(finding.action == "keep")
        }
        let missing = try findings.about(App.songKey("nowhere"))
        #expect(missing.label == "dangling/missing/settled")
        // Where another person's objects lie is not listed, so that nothing is said of them.
        #expect(findings.count == Self.places.count + 1, "\(findings.labels)")
        let before = try app.objects()
        let (path, plan) = try app.plan()
        #expect(plan["steps"].elements.count == 1, "\(plan.value)")
        try app.expect(0, "repair", path, "--apply")
        #expect(try app.cover(of: "nowhere") == nil)
        for place in Self.places {
            #expect(try app.cover(of: place.song) == App.cover(place.song))
        }
        #expect(try app.objects() == before)
    }

    @Test("Only looks go there; one that is refused leaves in doubt what it might have found")
    func refused() async throws {
        let server = try await S3TestServer.ministack()
        let proxy = try server.proxy()
        var options = Self.options
        options.endpoint = proxy.endpoint
        let app = try StoreApp(server, try await server.makeBucket(), options)
        try fill(app)
        #expect(try app.audit().about(App.songKey("nowhere")).verdict == "settled")
        let elsewhere = proxy.log.filter { request in
            Self.places.contains { request.path.hasSuffix(App.cover($0.song)) }
                && !request.path.contains("/private/eu-west-1%3A11111111")
        }
        #expect(elsewhere.count >= Self.places.count)
        #expect(elsewhere.allSatisfy { $0.method == "HEAD" }, "\(elsewhere)")
        let lists = proxy.log.filter { $0.query.contains("list-type=2") }
        #expect(!lists.isEmpty)
        #expect(lists.allSatisfy { $0.query.contains("prefix=") }, "\(lists)")
        proxy.set(
            FaultRule(.answer(403)) { $0.method == "HEAD" && $0.path.contains("/public/") })
        let finding = try app.audit().about(App.songKey("nowhere"))
        #expect(finding.label == "dangling/missing/undecided")
        #expect(
            finding.evidence.contains("elsewhere") && finding.evidence.contains("HeadObject"),
            "\(finding.evidence)")
        let (path, plan) = try app.plan()
        #expect(plan["steps"].elements.isEmpty, "\(plan.value)")
        try app.expect(0, "repair", path, "--apply")
        #expect(try app.cover(of: "nowhere") == App.cover("nowhere"))
    }

    @Test("What the configuration ignores is no orphan, and a reference may still mean it")
    func ignored() async throws {
        var options = StoreApp.Options()
        options.lines = "ignore: [\"public/**\"]"
        let app = try await StoreApp(.ministack, options)
        try app.healthy()
        try app.song("s1", cover: App.cover("s1"))
        try app.put("public/" + App.cover("s1"))
        try app.put("public/nobody's")
        app.settle()
        let findings = try app.audit()
        #expect(findings.labels == ["dangling/misplaced/undecided"])
        #expect(
            findings.first?.json["candidates"][0].string == "public/" + App.cover("s1"))
    }
}
