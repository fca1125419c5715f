import PlainS3
import TestServers
import Testing

/// The strategies that only a live store has, and what takes them back.
@Suite("Strategies on S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3StrategyTests {
    private func app(_ store: S3Store, _ repair: String) async throws -> StoreApp {
        var options = StoreApp.Options()
        options.settings.race = "{preset: testing, relink: never, multipartWindow: 0s}"
        options.settings.repair = repair
        return try await StoreApp(store, options)
    }

    @Test(
        "Delete removes every version after two sightings, and says that it cannot be taken back",
        arguments: S3Store.versioned)
    func delete(store: S3Store) async throws {
        let app = try await app(store, "{orphan: delete}")
        try app.healthy()
        let key = try app.orphan("s1", "old")
        try app.put(key, "newer")
        app.settle()
        try app.audit()
        app.settle()
        let (path, plan) = try app.plan()
        #expect(plan["steps"][0]["strategy"].string == "delete", "\(plan.value)")
        let dry = try app.expect(0, "repair", path)
        #expect(dry.output.contains("would"), "\(dry.told)")
        #expect(try app.content(key) == "newer")
        try app.expect(0, "repair", path, "--apply")
        #expect(try app.server.s3.versions(app.bucket).allSatisfy { $0.name != key })
        let undo = try app.mooring("undo", "latest", "--apply")
        #expect(undo.told.contains("cannot be brought back"), "\(undo.told)")
        #expect(try app.content(App.songKey("healthy")) == "content")
    }

    @Test(
        "Delete is refused without versions, and nothing is removed",
        arguments: S3Store.all.filter { !$0.isVersioned })
    func deleteUnversioned(store: S3Store) async throws {
        let app = try await app(store, "{orphan: delete}")
        try app.healthy()
        let key = try app.orphan("s1", "old")
        app.settle()
        try app.audit()
        app.settle()
        let finding = try app.audit().about(key)
        #expect(finding.action == "keep", "\(finding.json.value)")
        let plan = try app.mooring("plan")
        if plan.status == 0 {
            // What the trial refuses is left undone.
            try app.expect(0, "repair", "Reports/Runs/latest/plan.json", "--apply")
        }
        #expect(try app.content(key) == "old")
        #expect(try app.held() == [])
    }

    @Test(
        "Tag marks an orphan for a rule, keeps its tags, prints the rule; undo untags",
        arguments: S3Store.all.filter {
            [.ministack, .ministackVersioned, .cephVersioned].contains($0)
        })
    func tag(store: S3Store) async throws {
        let app = try await app(store, "{orphan: tag}")
        try app.healthy()
        let key = try app.orphan("s1", "old")
        try app.server.s3.put(
            app.bucket, key, "old", headers: [("x-amz-tagging", "colour=blue")])
        app.settle()
        try app.audit()
        app.settle()
        let (path, plan) = try app.plan()
        #expect(plan["steps"][0]["strategy"].string == "tag", "\(plan.value)")
        let applied = try app.expect(0, "repair", path, "--apply")
        #expect(applied.told.contains("Rules"), "\(applied.told)")
        #expect(applied.told.contains("run mooring just before"), "\(applied.told)")
        let tags = try tags(app, key)
        #expect(tags.contains("blue") && tags.contains("mooring"), "\(tags)")
        #expect(try app.content(key) == "old")
        try app.expect(0, "undo", "latest", "--apply")
        let left = try self.tags(app, key)
        #expect(left.contains("blue") && !left.contains("mooring"), "\(left)")
    }

    @Test(
        "The next run takes the tag off what a record takes up again, and says so before",
        arguments: S3Store.all.filter { [.ministack, .ministackVersioned].contains($0) })
    func untag(store: S3Store) async throws {
        let app = try await app(store, "{apply: true, orphan: tag}")
        try app.healthy()
        let key = try app.orphan("s1", "old")
        try app.server.s3.put(
            app.bucket, key, "old", headers: [("x-amz-tagging", "colour=blue")])
        for _ in 0..<2 {
            app.settle()
            try app.expect(0, "run")
        }
        #expect(try tags(app, key).contains("mooring"))
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's1'",
            Array(App.cover("s1").utf8))
        app.settle()
        try app.audit()
        let (_, plan) = try app.plan()
        let steps = (0..<2).compactMap { plan["steps"][$0]["strategy"].string }
        // The key that the record held before lies there without a reference now.
        #expect(steps.first == "untag", "\(plan.value)")
        let run = try app.expect(0, "run")
        #expect(run.told.contains("done      untag"), "\(run.told)")
        let left = try tags(app, key)
        #expect(left.contains("blue") && !left.contains("mooring"), "\(left)")
        #expect(try app.content(key) == "old")
        let again = try app.expect(0, "run")
        #expect(!again.told.contains("untag"), "\(again.told)")
    }

    @Test("The only tag of an object comes off, also where a store takes no empty set of tags")
    func onlyTag() async throws {
        for refuses in [false, true] {
            let server = try await S3Store.ministack.server()
            let proxy = try server.proxy()
            var options = StoreApp.Options()
            options.endpoint = proxy.endpoint
            options.settings.race = "{preset: testing, relink: never}"
            options.settings.repair = "{apply: true, orphan: tag}"
            let app = try StoreApp(server, try await server.makeBucket(), options)
            try app.healthy()
            let key = try app.orphan("s1", "old")
            for _ in 0..<2 {
                app.settle()
                try app.expect(0, "run")
            }
            #expect(try tags(app, key).contains("mooring"))
            if refuses {
                proxy.set(
                    FaultRule(.answer(400)) {
                        $0.method == "PUT" && $0.query.contains("tagging")
                            && String(decoding: $0.body, as: UTF8.self).contains("<TagSet></Tag")
                    })
            }
            try app.expect(0, "undo", "latest", "--apply")
            let left = try tags(app, key)
            #expect(left.contains("mooring") == refuses && left.contains("off") == refuses)
            #expect(try app.content(key) == "old")
            // None to Mooring either: the object is tagged anew.
            proxy.set()
            app.settle()
            try app.expect(0, "run")
            #expect(try !self.tags(app, key).contains("off") && tags(app, key).contains("mooring"))
        }
    }

    // Without a version's id the new time is not told from an upload of the same bytes.
    @Test(
        "Where tagging sets an object's time, the tag is taken off again and nothing is done",
        arguments: S3Store.all.filter { [.ceph, .cephSecure].contains($0) })
    func tagThatSetsTheTime(store: S3Store) async throws {
        let app = try await app(store, "{orphan: tag}")
        try app.healthy()
        let key = try app.orphan("s1", "old")
        app.settle()
        try app.audit()
        app.settle()
        let (path, _) = try app.plan()
        let applied = try app.mooring("repair", path, "--apply")
        #expect(applied.status == 5 && applied.told.contains("changed"), "\(applied.told)")
        #expect(try !tags(app, key).contains("mooring"))
        #expect(try app.content(key) == "old")
    }

    private func tags(_ app: StoreApp, _ key: String) throws -> String {
        var call = PlainS3.Call("GET", app.bucket, Array(key.utf8))
        call.query = [("tagging", "")]
        return String(decoding: try app.server.s3.require(call).body, as: UTF8.self)
    }

    @Test(
        "A store that takes ?tagging for the object is never sent one for an app's object",
        arguments: S3Store.all.filter { $0 == .rclone || $0 == .ministack })
    func tagNowhereElse(store: S3Store) async throws {
        let server = try await store.server()
        let proxy = try server.proxy()
        var options = StoreApp.Options()
        options.endpoint = proxy.endpoint
        options.settings.race = "{preset: testing, relink: never}"
        options.settings.repair = "{orphan: tag}"
        let app = try StoreApp(server, try await server.makeBucket(), options)
        try app.healthy()
        let key = try app.orphan("s1", "old")
        app.settle()
        try app.audit()
        app.settle()
        try app.audit()
        if try app.mooring("plan").status == 0 {
            // What the trial refuses is left undone.
            let status: Int32 = store == .rclone ? 5 : 0
            try app.expect(status, "repair", "Reports/Runs/latest/plan.json", "--apply")
        }
        #expect(try app.content(key) == "old")
        let writes = proxy.log.filter {
            $0.query.contains("tagging") && $0.method != "GET" && !$0.path.contains(".probe-")
        }
        // Where the trial proved it, the one object was tagged.
        #expect(writes.count == (store == .rclone ? 0 : 1), "\(writes)")
    }
}
