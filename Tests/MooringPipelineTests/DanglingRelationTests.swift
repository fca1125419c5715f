import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

@Suite("Relations to records that are not there")
struct DanglingRelationTests {
    private static let tables: [(name: String, columns: [String])] = [
        ("Post", ["id", "file", "changed", "deleted"]),
        ("Comment", ["id", "postID", "authorID", "version", "changed", "deleted"]),
        ("Editor", ["id", "postID", "userID", "changed"]),
        ("User", ["id", "changed", "deleted"]),
    ]

    private static func file(changedBy: String = "server") -> String {
        """
        version: 1
        ledger: ./ledger
        records:
          - name: app
            sqlite: ./app.sqlite
            models:
              - model: Post
                changed: changed
                changedBy: \(changedBy)
                deleted: deleted
                files: [{field: file}]
              - model: Comment
                version: version
                changed: changed
                changedBy: \(changedBy)
                deleted: deleted
                relations:
                  - {field: postID, model: Post, cascade: true}
                  - {field: authorID, model: User}
              - model: Editor
                join: true
                changed: changed
                relations: [{field: postID, model: Post}, {field: userID, model: User}]
          - name: people
            sqlite: ./people.sqlite
            models: [{model: User, changed: changed, deleted: deleted}]
        buckets: [{name: media, directory: ./media}]
        race: {preset: standard}
        """
    }

    private func world(_ text: String = file()) throws -> World {
        try World(text, tables: Self.tables)
    }

    private func comment(
        _ world: World, _ id: String, post: FieldValue = .null, author: FieldValue = .null,
        changed: Instant = World.longAgo
    ) {
        world.source.insert(
            "Comment",
            [
                "id": .text(id), "postID": post, "authorID": author, "version": .integer(4),
                "changed": .moment(changed),
            ])
    }

    private func relations(_ world: World) async throws -> [Finding] {
        try await world.audit().findings.filter { $0.kind == .danglingRelation }
    }

    @Test(
        "many children are not removed because a whole table of parents is empty",
        arguments: [(9, false, true), (10, false, false), (10, true, true)])
    func emptyTable(children: Int, hasOther: Bool, mayGo: Bool) async throws {
        let world = try world(Self.file() + "\nrepair: {dangling-relation: delete-record}")
        for number in 0..<children { comment(world, "\(number)", post: .text("gone")) }
        if hasOther {
            world.source.insert("Post", ["id": .text("p"), "changed": .moment(World.longAgo)])
        }
        let needs = Set(try await relations(world).map { $0.needs?.proof ?? "" })
        #expect(needs == [mayGo ? "second sighting" : "a parent's table that is not empty"])
    }

    @Test("each cause is told, with child, field, value and what is missing where")
    func causes() async throws {
        let world = try world()
        world.source.insert("Post", ["id": .text("here"), "changed": .moment(World.longAgo)])
        world.source.insert(
            "Post",
            [
                "id": .text("dead"), "changed": .moment(World.longAgo), "deleted": .integer(1),
            ])
        try world.source("people").insert("User", ["id": .text("u")])
        comment(world, "ok", post: .text("here"), author: .text("u"))
        comment(world, "lost", post: .text("nowhere"), author: .text("u"))
        comment(world, "stays", post: .text("dead"))
        comment(world, "alone", author: .text("v"))
        world.source.insert(
            "Editor",
            [
                "id": .text("e"), "postID": .text("here"), "userID": .text("v"),
                "changed": .moment(World.longAgo),
            ])
        let found = try await relations(world)
        let labels = Dictionary(
            uniqueKeysWithValues: found.map { ($0.record?.identity.id.text ?? "", $0) })
        #expect(
            labels.mapValues(\.cause) == [
                "lost": .missingParent, "stays": .tombstonedParent, "alone": .missingParent,
                "e": .joinEnd,
            ])
        #expect(found.allSatisfy { $0.verdict == .settled && $0.action == .keep })
        let lost = try #require(labels["lost"])
        #expect(lost.record?.field == "postID" && lost.record?.version == 4)
        #expect(lost.value == Array("nowhere".utf8))
        #expect(lost.bucket == nil && lost.key == nil)
        #expect(lost.evidence.last == "there is no Post 'nowhere' in app")
        #expect(lost.evidence.contains { $0.hasPrefix("it was first missed ") })
        #expect(labels["alone"]?.evidence.last == "there is no User 'v' in people")
        let ofJoin = "it joins two records, and one of them is not there"
        #expect(found.allSatisfy { $0.evidence.contains(ofJoin) == ($0.cause == .joinEnd) })
        #expect(
            labels["stays"]?.evidence.last
                == "Post 'dead' in app is marked as deleted, since \(World.longAgo.iso8601)")
        let asCascade = "it goes with its parent, so a cascade was left undone"
        #expect(
            found.allSatisfy { $0.evidence.contains(asCascade) == ($0.record?.field == "postID") })
        #expect(labels["e"]?.record?.field == "userID")
        #expect(
            lost.id
                == FindingIdentity.reference(
                    .danglingRelation,
                    record: RecordIdentity(source: "app", model: "Comment", id: RecordID("lost")),
                    field: "postID", value: Array("nowhere".utf8)))
    }

    @Test("a young child and a young tombstone are explained, and settled from the last instant on")
    func explained() async throws {
        let world = try world()
        comment(world, "young", author: .text("x"), changed: World.start)
        world.source.insert(
            "Post",
            [
                "id": .text("dead"), "changed": .moment(World.start - .hours(1)),
                "deleted": .integer(1),
            ])
        comment(world, "left", post: .text("dead"))
        for finding in try await relations(world) {
            #expect(finding.verdict == .explained)
            let isChild = finding.record?.identity.id.text == "young"
            #expect(
                finding.explanation
                    == Explanation(
                        workflow: isChild ? "create child before parent" : "cascade",
                        step: isChild ? "create parent" : "delete child",
                        until: World.start + Sample.grace - (isChild ? .zero : .hours(1))))
        }
        world.clock.advance(Sample.grace - .hours(1))
        let later = try await relations(world)
        #expect(later.count { $0.verdict == .settled } == 1)
        world.clock.advance(.hours(1))
        #expect(try await relations(world).allSatisfy { $0.verdict == .settled })
    }

    @Test("a time that a device set counts from the run that first saw it, of child and tombstone")
    func deviceClock() async throws {
        let world = try world(Self.file(changedBy: "device"))
        comment(world, "c", author: .text("x"))
        let first = try #require(try await relations(world).first)
        #expect(first.verdict == .explained)
        world.clock.advance(Sample.grace + .minutes(1))
        #expect(try await relations(world).first?.verdict == .settled)
        world.source.set("Comment", Array("c".utf8), ["version": .integer(5)])
        #expect(try await relations(world).first?.verdict == .explained)
        world.source.insert(
            "Post",
            [
                "id": .text("dead"), "changed": .moment(World.longAgo), "deleted": .integer(1),
            ])
        comment(world, "d", post: .text("dead"))
        world.clock.advance(Sample.grace + .minutes(1))
        _ = try await relations(world)
        let dead = try await relations(world).first { $0.record?.identity.id.text == "d" }
        #expect(dead?.verdict == .explained)
        world.clock.advance(Sample.grace + .minutes(1))
        #expect(try await relations(world).allSatisfy { $0.verdict == .settled })
    }

    @Test("nulling needs a settled child; deleting it, two sightings and a parent gone for long")
    func proofs() async throws {
        func needs(_ strategy: Strategy) async throws -> [String?] {
            let world = try World(
                Self.file(), tables: Self.tables,
                repair: RepairPolicy(strategies: [.danglingRelation: strategy]))
            world.source.insert(
                "Post",
                [
                    "id": .text("p"), "changed": .moment(World.longAgo), "deleted": .integer(1),
                ])
            comment(world, "c", post: .text("p"))
            var needs: [String?] = []
            for _ in 0..<3 {
                let finding = try #require(try await relations(world).first)
                #expect(finding.verdict == .settled && finding.action == strategy)
                needs.append(finding.needs?.proof)
                // Its time to live is over.
                world.source.delete("Post", Array("p".utf8))
                world.clock.advance(Sample.grace + .minutes(1))
            }
            return needs
        }
        #expect(try await needs(.nullify) == [nil, nil, nil])
        #expect(try await needs(.deleteRecord) == ["second sighting", "settled parent", nil])
    }

    @Test(
        "a relation whose column takes no such value is not nulled",
        arguments: [
            (ColumnLimit.noNull, "a column that takes NULL"),
            (.computed, "a column whose value can be written"),
        ])
    func unwritable(limit: ColumnLimit, proof: String) async throws {
        let world = try world(Self.file() + "\nrepair: {dangling-relation: nullify}")
        world.source.limit(column: "authorID", limit)
        comment(world, "post", post: .text("gone"))
        comment(world, "author", author: .text("gone"))
        let needs = try await relations(world).map { $0.needs?.proof }
        #expect(needs.count == 2 && Set(needs) == [nil, proof])
    }

    @Test("a source that was not read to its end judges no relation, of any source")
    func incomplete() async throws {
        let world = try world()
        comment(world, "c", post: .text("gone"), author: .text("x"))
        try world.source("people").breakTable("User")
        #expect(try await relations(world).isEmpty)
        try world.source("people").breakTable(nil)
        #expect(try await relations(world).count == 2)
        world.script.fail(.before, .scan, 12)
        #expect(try await relations(world).isEmpty)
    }

    @Test("pass B sees a parent that came meanwhile, also one in another source")
    func meanwhile() async throws {
        let world = try world()
        comment(world, "c", post: .text("p"), author: .text("u"))
        let people = try world.source("people")
        world.script.at(.before, .list) {
            world.source.insert("Post", ["id": .text("p")])
            people.insert("User", ["id": .text("u")])
        }
        #expect(try await relations(world).isEmpty)
    }

    @Test("no step is planned for a relation, and the run says what it counted")
    func planning() async throws {
        let world = try world()
        comment(world, "c", post: .text("gone"))
        let audit = try await world.audit()
        #expect(audit.summary.counts[.danglingRelation]?.settled == 1)
        #expect(audit.summary.repairs.planned == 0)
        #expect(try world.plan(audit).steps.isEmpty)
    }

    @Test("under another time nothing is remembered, and the verdict is that of the time")
    func asOf() async throws {
        let world = try world()
        comment(world, "c", post: .text("gone"), changed: World.start)
        let finding = try await world.audit(asOf: World.start + .days(10)).findings
            .first { $0.kind == .danglingRelation }
        #expect(finding?.verdict == .settled)
        #expect(try await relations(world).first?.verdict == .explained)
    }

    @Test("a child whose own file is there is not removed with its parent")
    func childWithFile() async throws {
        let file = Self.file().replacing(
            "relations:\n          - {field: postID",
            with: "files: [{field: photo}]\n        relations:\n          - {field: postID")
        var tables = Self.tables
        tables[1].columns.append("photo")
        for (key, outcome) in [("photo", StepOutcome.stale), ("missing", .done)] {
            let world = try World(
                file, tables: tables,
                repair: RepairPolicy(strategies: [.danglingRelation: .deleteRecord]))
            world.object("photo")
            comment(world, "c", post: .text("gone"))
            world.source.set("Comment", Array("c".utf8), ["photo": .text(key)])
            _ = try await world.audit()
            world.clock.advance(Sample.grace + .hours(2))
            let plan = try world.plan(try await world.audit())
            #expect(plan.steps.map(\.strategy) == [.deleteRecord])
            let results = try await world.repair(plan)
            #expect(results.map(\.outcome) == [outcome])
            let row = try #require(world.source.records("Comment").first)
            #expect((row["deleted"] == .integer(1)) == (outcome == .done))
        }
    }
}
