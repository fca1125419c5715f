import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

@Suite("Copies of records")
struct ReplicaTests {
    private static func file(
        model: String = "version: version", phone: String = "", race: String = "preset: standard"
    ) -> String {
        """
        version: 1
        ledger: ./ledger
        records:
          - name: phone
            sqlite: ./phone.sqlite
            replicaOf: app
        \(phone)
          - name: app
            sqlite: ./app.sqlite
            models:
              - model: Song
                changed: changed
                deleted: deleted
                files: [{field: cover}]
                \(model)
        buckets: [{name: media, directory: ./media, quarantine: .q/}]
        race: {\(race)}
        limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}
        """
    }

    private func add(
        _ source: FakeRecordSource, _ id: String, version: Int64?,
        changed: Instant? = World.longAgo, cover: String? = nil
    ) {
        source.insert(
            "Song",
            [
                "id": .text(id), "version": version.map { .integer($0) } ?? .null,
                "changed": changed.map { .moment($0) } ?? .null,
                "cover": cover.map { .text($0) } ?? .null,
            ])
    }

    private func sides(_ world: World) throws -> (app: FakeRecordSource, phone: FakeRecordSource) {
        (try world.source("app"), try world.source("phone"))
    }

    @Test("a copy is behind, deleted upstream, or ahead; a record it lacks is nothing")
    func causes() async throws {
        let world = try World(Self.file())
        let (app, phone) = try sides(world)
        for (id, own, other) in [
            ("same", 3, 3), ("behind", 5, 3), ("ahead", 3, 5), ("dead", 5, 3),
        ] as [(String, Int64, Int64)] {
            add(app, id, version: own)
            add(phone, id, version: other)
        }
        add(app, "unknown", version: 1)
        add(phone, "never", version: nil)
        add(phone, "deadHere", version: nil)
        phone.set("Song", Array("deadHere".utf8), ["deleted": .integer(1)])
        app.set("Song", Array("dead".utf8), ["deleted": .integer(1)])
        let found = try await world.audit().findings
        let causes = Dictionary(
            uniqueKeysWithValues: found.map { ($0.record?.identity.id.text ?? "", $0) })
        #expect(
            causes.mapValues(\.cause) == [
                "behind": .behind, "dead": .deletedUpstream, "never": .deletedUpstream,
            ])
        #expect(found.allSatisfy { $0.kind == .staleCopy && $0.action == .requery })
        #expect(found.allSatisfy { $0.record?.identity.source == "phone" })
        #expect(found.allSatisfy { ($0.needs == nil) == ($0.verdict == .settled) })
        let behind = try #require(causes["behind"])
        #expect(behind.verdict == .settled)
        #expect(behind.record?.version == 3 && behind.record?.field == nil)
        #expect(behind.evidence.contains("app: version 5, changed \(World.longAgo.iso8601)"))
        #expect(
            behind.evidence.contains("this copy: version 3, changed \(World.longAgo.iso8601)"))
        #expect(
            behind.id
                == FindingIdentity.reference(
                    .staleCopy,
                    record: RecordIdentity(source: "phone", model: "Song", id: RecordID("behind")),
                    field: "", value: []))
        #expect(
            behind.evidence.last == "app has the record as it is now, and this copy is behind")
        #expect(
            causes["dead"]?.evidence.last == "app has marked the record as deleted")
        let never = try #require(causes["never"])
        #expect(never.verdict == .explained)
        #expect(never.evidence.last?.hasPrefix("app has no such record, first seen ") == true)
        world.clock.advance(Sample.grace + .minutes(1))
        #expect(try await world.audit().findings.allSatisfy { $0.verdict == .settled })
    }

    @Test("a change at the authority explains its copies for S, to the last instant")
    func window() async throws {
        let world = try World(Self.file())
        let (app, phone) = try sides(world)
        add(app, "s", version: 2, changed: World.start)
        add(phone, "s", version: 1)
        let first = try #require(try await world.audit().findings.first)
        #expect(first.verdict == .explained)
        #expect(
            first.explanation
                == Explanation(
                    workflow: "synchronise", step: "refresh copy",
                    until: World.start + .days(3)))
        world.clock.advance(.days(3) - .seconds(10))
        #expect(try await world.audit().findings.first?.verdict == .explained)
        world.clock.advance(.seconds(10))
        #expect(try await world.audit().findings.first?.verdict == .settled)
    }

    @Test(
        "a copy with an older version and a later change is undecided, and is left as it is",
        arguments: [false, true])
    func unsent(isDeleted: Bool) async throws {
        let world = try World(Self.file())
        let (app, phone) = try sides(world)
        add(app, "s", version: 2, changed: World.longAgo, cover: "old")
        if isDeleted { app.set("Song", Array("s".utf8), ["deleted": .integer(1)]) }
        add(phone, "s", version: 1, changed: World.longAgo + .seconds(1), cover: "new")
        for key in ["old", "new"] { world.object(key) }
        for _ in 0..<2 {
            let audit = try await world.audit()
            let finding = try #require(audit.findings.first { $0.kind == .staleCopy })
            #expect(finding.verdict == .undecided && finding.action == .keep)
            #expect(finding.cause == (isDeleted ? .deletedUpstream : .behind))
            #expect(finding.evidence.last?.hasPrefix("this copy may have changed later") == true)
            #expect(!(try world.plan(audit).steps.contains { $0.strategy == .requery }))
            world.clock.advance(.days(30))
        }
    }

    @Test("a copy that changed behind the plan, as it tells, is not overwritten")
    func unsentMeanwhile() async throws {
        let world = try World(Self.file())
        let (app, phone) = try sides(world)
        add(app, "s", version: 2)
        add(phone, "s", version: 1)
        let plan = try world.plan(try await world.audit())
        #expect(plan.steps.map(\.strategy) == [.requery])
        app.set("Song", Array("s".utf8), ["changed": .moment(World.longAgo - .days(1))])
        #expect(try await world.repair(plan).map(\.outcome) == [.stale])
        #expect(phone.records("Song").first?["version"] == .integer(1))
    }

    @Test("a copy's own change counts where its authority tells none, to the last instant")
    func ownWindow() async throws {
        let world = try World(Self.file())
        let (app, phone) = try sides(world)
        add(app, "s", version: 2, changed: nil)
        add(phone, "s", version: 1)
        _ = try await world.audit()
        world.clock.advance(.days(30))
        let changed = World.start + .days(30)
        phone.set("Song", Array("s".utf8), ["changed": .moment(changed)])
        let finding = try #require(try await world.audit().findings.first)
        #expect(finding.verdict == .explained)
        #expect(finding.explanation?.until == changed + .days(3))
        world.clock.advance(.days(3))
        #expect(try await world.audit().findings.first?.verdict == .settled)
    }

    @Test("without versions the change times tell, and without those the columns")
    func withoutVersions() async throws {
        let timed = try World(Self.file(model: ""))
        var (app, phone) = try sides(timed)
        add(app, "s", version: nil, changed: World.longAgo)
        add(phone, "s", version: nil, changed: World.longAgo - .days(1))
        add(app, "t", version: nil, changed: World.longAgo - .days(1))
        add(phone, "t", version: nil, changed: World.longAgo)
        #expect(try await timed.audit().findings.map(\.record?.identity.id.text) == ["s"])
        let plain = try World(Self.file(model: "", race: "preset: testing"))
        (app, phone) = try sides(plain)
        plain.object("a")
        for id in ["s", "t"] { add(app, id, version: nil, changed: nil, cover: "a") }
        add(phone, "s", version: nil, changed: nil, cover: "a")
        add(phone, "t", version: nil, changed: nil)
        let stale = try await plain.audit().findings.filter { $0.kind == .staleCopy }
        #expect(stale.map(\.record?.identity.id.text) == ["t"])
        #expect(stale.first?.verdict == .settled)
    }

    @Test("an authority that was not read to its end tells of no copy; an unread copy may be told")
    func incomplete() async throws {
        let world = try World(Self.file())
        let (app, phone) = try sides(world)
        add(app, "s", version: 2)
        add(phone, "s", version: 1)
        app.breakTable("Song")
        #expect(try await world.audit().findings.isEmpty)
        app.breakTable("Setting")
        #expect(try await world.audit().findings.isEmpty)
        app.breakTable(nil)
        phone.breakTable("Setting")
        let found = try await world.audit().findings
        #expect(found.map(\.kind) == [.staleCopy])
        #expect(found.first?.needs?.proof == "a complete run")
    }

    @Test("what a stale copy misses is not dangling, and what it holds is protected")
    func staleReferences() async throws {
        let world = try World(Self.file())
        let (app, phone) = try sides(world)
        add(app, "s", version: 2, cover: "new")
        add(phone, "s", version: 1, cover: "gone")
        add(app, "t", version: 2, cover: "new2")
        add(phone, "t", version: 1, cover: "old2")
        for key in ["new", "new2", "old2"] { world.object(key) }
        let found = try await world.audit().findings
        #expect(found.map(\.kind) == [.staleCopy, .staleCopy])
        let stale = found.first { $0.record?.identity.id.text == "s" }
        #expect(
            stale?.evidence.contains("it refers to 'gone', a file that is not there") == true)
    }

    @Test("a stale copy tells of three files that it misses, and how many more", arguments: [4, 5])
    func manyMissing(count: Int) async throws {
        let world = try World(
            Self.file().replacing("{field: cover}", with: "{field: cover, list: true}"))
        let (app, phone) = try sides(world)
        add(app, "s", version: 2)
        let keys = (0..<count).map { "\"k\($0)\"" }.joined(separator: ",")
        add(phone, "s", version: 1, cover: "[\(keys)]")
        let evidence = try #require(try await world.audit().findings.first).evidence
        #expect(
            evidence.filter { $0.contains("it refers to ") } == [
                "it refers to 'k0', a file that is not there",
                "it refers to 'k1', a file that is not there",
                "it refers to 'k2', a file that is not there",
                "it refers to \(count - 3) more \(count == 4 ? "file" : "files") that "
                    + "\(count == 4 ? "is" : "are") not there",
            ])
    }

    @Test("a copy that is up to date is never nulled, and says what its authority says only once")
    func danglingCopies() async throws {
        let world = try World(Self.file())
        let (app, phone) = try sides(world)
        for source in [app, phone] { add(source, "both", version: 1, cover: "missing") }
        add(app, "ahead", version: 1)
        add(phone, "ahead", version: 2, cover: "missing2")
        let found = try await world.audit().findings
        #expect(found.allSatisfy { $0.kind == .dangling } && found.count == 2)
        let both = try #require(found.about("missing", .dangling))
        #expect(both.record?.identity.source == "app" && both.action == .nullify)
        let ahead = try #require(found.about("missing2", .dangling))
        #expect(ahead.record?.identity.source == "phone")
        #expect(ahead.action == .keep && ahead.needs == nil && ahead.verdict == .settled)
        #expect(ahead.evidence.last == "a copy of app; it is repaired there")
        let steps = try world.plan(try await world.audit()).steps
        #expect(steps.map(\.record?.identity.source) == ["app"])
    }

    @Test("an object in quarantine is given back to a copy, also to a stale one")
    func quarantined() async throws {
        let world = try World(Self.file())
        let (app, phone) = try sides(world)
        add(app, "s", version: 2)
        add(phone, "s", version: 1, cover: "held")
        world.bucket.hold(ObjectKey("held"), run: RunID(startingAt: World.longAgo))
        let found = try await world.audit().findings
        #expect(found.about("held", .dangling)?.action == .restore)
        #expect(found.contains { $0.kind == .staleCopy })
    }

    @Test("a record and its copy share no object, and what both have wrong is told once")
    func once() async throws {
        let world = try World(Self.file())
        let (app, phone) = try sides(world)
        for source in [app, phone] {
            add(source, "s", version: 1, cover: "k")
            add(source, "empty", version: 1, cover: "e")
            add(source, "bad", version: 1, cover: "/b")
        }
        add(phone, "here", version: nil, changed: World.start, cover: "/here")
        world.object("k")
        world.bucket.put(ObjectKey("e"), [], at: World.longAgo)
        let found = try await world.audit().findings
        #expect(
            found.map(\.kind) == [.emptyObject, .invalidKey, .invalidKey, .staleCopy])
        #expect(found[0].record?.identity.source == "app")
        #expect(
            Set(found[1...2].map { $0.record?.identity.source ?? "" }) == ["app", "phone"])
        add(app, "other", version: 1, cover: "k")
        let shared = try await world.audit().findings.first { $0.kind == .shared }
        #expect(shared?.records.count == 2)
        #expect(shared?.evidence == ["2 records reference one object"])
    }

    @Test("pass B sees a copy that caught up, and one that is dangling by then")
    func meanwhile() async throws {
        let world = try World(Self.file())
        let (app, phone) = try sides(world)
        add(app, "s", version: 2)
        add(phone, "s", version: 1, cover: "gone")
        world.script.at(.before, .list) {
            phone.set("Song", Array("s".utf8), ["version": .integer(2)])
        }
        let found = try await world.audit().findings
        #expect(found.map(\.kind) == [.dangling])
        #expect(found.first?.action == .keep)
    }

    @Test("a copy that was behind is not removed since its authority lost the record meanwhile")
    func lostAtTheAuthority() async throws {
        for isDeleted in [false, true] {
            let world = try World(Self.file())
            let (app, phone) = try sides(world)
            add(app, "other", version: 1)
            add(app, "s", version: 5)
            add(phone, "s", version: 3)
            if isDeleted { app.delete("Song", Array("s".utf8)) }
            _ = try await world.audit()
            world.clock.advance(.days(30))
            let plan = try world.plan(try await world.audit())
            #expect(plan.steps.map(\.strategy) == [.requery])
            app.delete("Song", Array("s".utf8))
            let results = try await world.repair(plan)
            #expect(results.map(\.outcome) == [isDeleted ? .done : .stale])
            #expect(phone.records("Song").isEmpty == isDeleted)
        }
    }

    @Test("an authority without any record proves nothing about its copies")
    func emptyAuthority() async throws {
        let world = try World(Self.file())
        let (app, phone) = try sides(world)
        add(phone, "s", version: 3)
        _ = try await world.audit()
        world.clock.advance(.days(30))
        for action in [Strategy.keep, .requery] {
            let finding = try #require(try await world.audit().findings.first)
            #expect(finding.cause == .deletedUpstream && finding.verdict == .settled)
            #expect(finding.action == action)
            let words = "app holds no record at all: find out why"
            #expect(finding.evidence.contains(words) == (action == .keep), "\(finding)")
            add(app, "other", version: 1)
        }
    }
}
