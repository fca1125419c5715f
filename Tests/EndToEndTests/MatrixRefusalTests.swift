import Testing

/// What refuses a strategy of the matrix, and that nothing changed then.
@Suite("Refusals of the matrix of strategies")
struct MatrixRefusalTests {
    private static let file = "Reports/Runs/latest/plan.json"

    private func policy(_ changes: [String: String]) -> String {
        changes.reduce(MatrixApp.idle) {
            $0.replacing("\($1.key): keep", with: "\($1.key): \($1.value)")
        }
    }

    /// Carries a plan out that fails or is stale in its one step, for this reason, and wants every
    /// value and file to be as before.
    private func expectUndone(
        _ world: MatrixApp, _ reason: String, at place: SourceLocation = #_sourceLocation
    ) throws {
        let before = try world.holdings()
        try world.app.audit()
        let plan = try world.app.expect(0, "plan", "--json", at: place).json()
        #expect(plan["steps"].elements.count == 1, sourceLocation: place)
        let told = try world.app.expect(5, "repair", Self.file, "--apply", at: place)
        #expect(told.output.contains(reason), "\(told.told)", sourceLocation: place)
        #expect(before == (try world.holdings()), sourceLocation: place)
        #expect(try world.app.openIntents() == 0, sourceLocation: place)
    }

    private static func tables(comment: String = "threadID TEXT", more: String = "") -> String {
        MatrixApp.tables.replacing(
            "Comment (id TEXT PRIMARY KEY, threadID TEXT",
            with: "Comment (id TEXT PRIMARY KEY, \(comment)") + ";" + more
    }

    @Test(
        "a column or a trigger that refuses the write fails the step, with the reason",
        arguments: [
            ("threadID TEXT CHECK (threadID <> '' AND threadID IS NOT NULL)", "", "CHECK"),
            (
                "threadID TEXT",
                """
                CREATE TRIGGER keep BEFORE UPDATE ON Comment
                BEGIN SELECT RAISE(ABORT, 'secret'); END
                """, "a trigger"
            ),
            (
                "threadID TEXT",
                """
                CREATE TRIGGER keep BEFORE UPDATE ON Comment
                BEGIN SELECT RAISE(IGNORE); END
                """, "a trigger may have skipped it"
            ),
        ])
    func refusedWrite(column: String, trigger: String, reason: String) throws {
        let world = try MatrixApp(tables: Self.tables(comment: column, more: trigger))
        try world.comment("c1", "gone")
        try world.configure(repair: policy(["dangling-relation": "nullify"]))
        try expectUndone(world, reason)
        let report = try #require(world.app.read("Reports/Runs/latest/report.json"))
        #expect(!report.contains("secret"))
    }

    @Test("rows that refer by a foreign key to a row that is to go keep it")
    func foreignKeys() throws {
        let world = try MatrixApp(
            tables: MatrixApp.tables.replacing(
                "_lastChangedAt INTEGER)",
                with: "_lastChangedAt INTEGER, PRIMARY KEY (threadID, userID))")
                    + """
                    ; CREATE TABLE Mute (id TEXT, t TEXT, u TEXT,
                        FOREIGN KEY (t, u) REFERENCES Follow ON DELETE CASCADE)
                    """)
        try world.app.database.run(
            """
            INSERT INTO Follow VALUES ('gone', 'u', \(App.milliseconds(ago: Age.old)));
            INSERT INTO Mute VALUES ('m1', 'gone', 'u')
            """)
        try world.configure(repair: policy(["dangling-relation": "delete-record"]))
        try world.app.audit()
        try expectUndone(world, "refer to it by a foreign key; nothing is removed")
        let copy = try MatrixApp()
        try copy.phone.run(
            """
            CREATE TABLE Mark (id TEXT, song TEXT REFERENCES Song ON DELETE CASCADE);
            INSERT INTO Mark VALUES ('m1', 's1')
            """)
        try copy.copy("s1", version: 3)
        try copy.configure(repair: policy(["stale-copy": "requery"]))
        try expectUndone(copy, "refer to it by a foreign key; nothing is removed")
    }

    @Test("a complex object is never made for an orphan: nothing tells its region")
    func complexOwner() throws {
        let world = try MatrixApp()
        try world.app.post("p1", nil)
        try world.app.put("public/posts/p1.txt")
        try world.configure(
            repair: policy([:]) + ", overrides: [{cause: unassociated, orphan: relink}]")
        let finding = try world.app.audit().about("public/posts/p1.txt")
        #expect(finding.action == "relink" && finding.proof == "one owner that is there")
        #expect(try world.app.plan().plan["steps"].elements.isEmpty)
    }

    @Test("a record whose other file is there stays, and so does one that gained another parent")
    func changedMeanwhile() throws {
        let world = try MatrixApp()
        try world.app.album("a1", "[\"here\",\"gone\"]")
        try world.app.put("public/here")
        try world.configure(repair: policy(["dangling": "delete-record"]))
        try world.app.audit()
        try expectUndone(world, "the record references another object, which is there")
    }

    @Test("copies are never written: every strategy waits for live stores")
    func copies() throws {
        let world = try MatrixApp()
        try world.app.song("s1", cover: nil)
        try world.app.put(App.songKey("s1"))
        try world.app.dangling("d1")
        try world.app.song("t1", cover: App.cover("T1"))
        try world.app.put(App.songKey("t1"))
        try world.comment("c1", "gone")
        try world.copy("x1", version: 3)
        let policies = [
            ["orphan": "relink", "dangling": "nullify", "dangling-relation": "nullify"],
            ["orphan": "quarantine", "dangling": "repoint", "dangling-relation": "delete-record"],
            ["orphan": "keep", "dangling": "delete-record", "stale-copy": "requery"],
        ]
        for policy in policies {
            for side in ["source", "copy"] {
                let taken = "\n    taken: \"2026-11-20T00:00:00Z\""
                try world.configure(
                    repair: self.policy(policy),
                    source: "sqlite: ./app.sqlite" + (side == "source" ? taken : ""),
                    copy: "sqlite: ./phone.sqlite" + (side == "copy" ? taken : ""))
                let acts = try world.app.audit().filter {
                    $0.action != "keep"
                        && (side == "source" || ["orphan", "stale-copy"].contains($0.kind))
                }
                #expect(acts.allSatisfy { $0.proof == "live stores" }, "\(policy) \(side)")
                #expect(side == "copy" || !acts.isEmpty)
                let told = try world.app.expect(0, "doctor", "--policy", "--json").json()
                let lacking = told["strategies"].elements.filter { !$0["lacks"].elements.isEmpty }
                let names = lacking.compactMap { $0["strategy"].string }
                #expect(acts.allSatisfy { names.contains($0.action ?? "") }, "\(names)")
            }
        }
    }

    @Test("CSV and JSON lines, and a listing, serve no repair", arguments: ["csv", "jsonl"])
    func snapshots(kind: String) throws {
        let app = try App()
        try app.write(
            "Song." + kind,
            kind == "csv"
                ? "id,cover,up\ns1,gone,lost\ns2,ABC,\n"
                : """
                {"table": "Song", "id": "s1", "cover": "gone", "up": "lost"}
                {"table": "Song", "id": "s2", "cover": "ABC"}

                """)
        try app.put("abc")
        for (dangling, relation) in [("nullify", "nullify"), ("repoint", "delete-record")] {
            try app.write(
                "mooring.yaml",
                """
                version: 1
                records:
                  - name: app
                    \(kind): ./Song.\(kind)
                    taken: "2026-11-20T00:00:00Z"
                    models:
                      - model: Song
                        files: [{field: cover}]
                        relations: [{field: up, model: Song}]
                buckets: [{name: media, directory: ./files}]
                race: {preset: testing}
                repair: {orphan: keep, dangling: \(dangling), dangling-relation: \(relation)}
                """)
            let acts = try app.audit().filter { $0.action != "keep" }
            #expect(acts.count == 2, "\(acts.map(\.label))")
            #expect(acts.allSatisfy { $0.proof == "live stores" }, "\(acts.map(\.proof))")
            let told = try app.expect(0, "plan", "--json").json()
            #expect(told["steps"].elements.isEmpty)
        }
    }

    @Test("a key in another bucket cannot be named by a plain field, but by a complex object")
    func otherBucket() throws {
        let app = try App()
        try app.dangling("s1")
        try app.write("archive/" + App.songKey("s1"), "x", age: Age.old)
        try app.post("p1", #"{"bucket":"media","key":"posts/p1.txt","region":"eu"}"#)
        try app.write("archive/public/posts/p1.txt", "x", age: Age.old)
        let config = try #require(app.read("mooring.yaml"))
            .replacing("level:", with: "bucket: media, level:")
            .replacing(
                "directory: ./files",
                with: "directory: ./files\n  - name: archive\n    directory: ./archive"
            )
            .replacing("{orphan: quarantine, dangling: nullify}", with: "{dangling: repoint}")
        try app.write("mooring.yaml", config)
        let findings = try app.audit()
        let song = try findings.about(App.songKey("s1"), kind: "dangling")
        #expect(song.label == "dangling/misplaced/undecided")
        #expect(song.action == "repoint")
        #expect(song.proof == "one object that the field can name")
        let post = try findings.about("public/posts/p1.txt", kind: "dangling")
        #expect(post.label == "dangling/misplaced/undecided" && post.proof == nil)
        try app.expect(0, "plan")
        try app.expect(0, "repair", Self.file, "--apply")
        #expect(
            try app.database.text("SELECT file FROM Post")
                == #"{"bucket":"archive","key":"posts/p1.txt","region":"eu"}"#)
        #expect(try app.cover(of: "s1") == App.cover("s1"))
    }

    /// A twin to repoint, two relations to null, and the plan for them.
    private func planned() throws -> (world: MatrixApp, plan: JSON) {
        let world = try MatrixApp()
        try world.app.dangling("s1")
        try world.app.put(App.songKey("S1"))
        try world.comment("c1", "gone")
        try world.comment("c2", "gone")
        try world.configure(
            repair: policy(["dangling": "repoint", "dangling-relation": "nullify"]))
        try world.app.audit()
        try world.app.expect(0, "plan")
        let plan = try JSON(parsing: try #require(world.app.read(Self.file)))
        #expect(plan["steps"].elements.count == 3)
        return (world, plan)
    }

    @Test("a plan whose target, value or record was changed is refused, and so is an expired one")
    func changedPlan() throws {
        let (world, _) = try planned()
        let before = try world.holdings()
        let text = try #require(world.app.read(Self.file))
        for (old, new) in [
            ("\"key\":\"\(App.songKey("S1"))\"", "\"key\":\"\(App.songKey("healthy"))\""),
            ("\"id\":\"c1\"", "\"id\":\"c3\""),
            ("\"strategy\":\"nullify\"", "\"strategy\":\"delete-record\""),
        ] {
            let plan = text.replacing("\": ", with: "\":").replacing("\\/", with: "/")
            let changed = plan.replacing(old, with: new)
            #expect(changed != plan, "\(old)")
            try world.app.write("changed.json", changed)
            let errors = try world.app.expect(3, "repair", "changed.json", "--apply").errors
            #expect(errors.contains("changed, added or repeated by hand"), "\(errors)")
        }
        try world.configure(repair: policy(["dangling": "repoint"]))
        let errors = try world.app.expect(3, "repair", Self.file, "--apply").errors
        #expect(errors.contains("another configuration"), "\(errors)")
        #expect(before == (try world.holdings()))
    }

    @Test("limits, a plan that expired, and an incomplete scan refuse steps on records as well")
    func guards() throws {
        let (world, _) = try planned()
        let before = try world.holdings()
        let repair = policy(["dangling": "repoint", "dangling-relation": "nullify"])
        try world.configure(repair: repair, extra: "limits: {steps: 2}")
        try world.app.audit()
        #expect(try world.app.expect(3, "plan").errors.contains("steps"))
        try world.configure(repair: repair, extra: "limits: {planExpiry: 0s}")
        try world.app.audit()
        // It counts from the scan.
        #expect(try world.app.expect(3, "plan").errors.contains("its scan ended"))
        try world.configure(repair: repair)
        try world.phone.run("ALTER TABLE Page RENAME TO Sheet")
        try world.app.expect(4, "audit")
        try world.app.expect(4, "plan")
        try world.app.expect(4, "run")
        try world.phone.run("ALTER TABLE Sheet RENAME TO Page")
        #expect(before == (try world.holdings()))
    }

    @Test(
        "confirm: never plans nothing that writes",
        arguments: [
            ("orphan", "relink"), ("dangling", "repoint"), ("dangling", "delete-record"),
            ("dangling-relation", "nullify"), ("dangling-relation", "delete-record"),
        ])
    func unconfirmed(kind: String, strategy: String) throws {
        let world = try MatrixApp()
        try world.comment("c1", "gone")
        try world.app.dangling("s1")
        try world.configure(repair: policy([kind: strategy]), extra: "confirm: never")
        let before = try world.holdings()
        let doctor = try world.app.expect(2, "doctor", "--policy").output
        #expect(doctor.contains("REFUSED  repair.\(kind): \(strategy)"), "\(doctor)")
        try world.app.audit()
        for command in ["plan", "run"] {
            let errors = try world.app.expect(3, command).errors
            #expect(errors.contains("repair.\(kind): \(strategy)"), "\(errors)")
        }
        #expect(before == (try world.holdings()))
    }

    @Test("confirm: never leaves stale copies as they are, too")
    func unconfirmedCopy() throws {
        let world = try MatrixApp()
        try world.copy("s1", version: 3)
        try world.configure(
            repair: policy(["stale-copy": "requery"]) + ", apply: true", extra: "confirm: never")
        let before = try world.holdings()
        try world.app.audit()
        _ = try world.app.mooring("plan")
        _ = try world.app.mooring("run")
        #expect(before == (try world.holdings()))
    }
}
