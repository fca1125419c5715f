import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

@Suite("Fields that a record's identifier or files depend on")
struct CarriedFieldTests {
    private static let tables: [(name: String, columns: [String])] = [
        ("User", ["id"]), ("Song", ["id", "owner", "cover", "changed"]),
    ]

    private func world(_ model: String) throws -> World {
        let text = """
            version: 1
            ledger: ./ledger
            records:
              - name: app
                sqlite: ./app.sqlite
                models:
                  - model: User
                  - {model: Song, changed: changed, \(model)}
            buckets: [{name: media, directory: ./media}]
            race: {preset: standard}
            repair: {dangling: nullify, dangling-relation: nullify}
            """
        let world = try World(text, tables: Self.tables)
        world.source.insert(
            "Song",
            [
                "id": .text("s"), "owner": .text("gone"), "cover": .text("missing"),
                "changed": .moment(World.longAgo),
            ])
        return world
    }

    @Test("a relation that the record's identifier or files depend on is never nulled")
    func relations() async throws {
        let relation = "relations: [{field: owner, model: User}]"
        for (settings, action) in [
            ("id: [id, owner]", Strategy.keep), ("identity: owner", .keep),
            ("files: [{field: cover, template: \"{field:owner}\"}]", .keep),
            ("files: [{field: owner}]", .keep), ("version: owner", .keep),
            ("id: id", .nullify),
        ] {
            let world = try world(settings + ", " + relation)
            let findings = try await world.audit().findings
            let finding = try #require(findings.first { $0.kind == .danglingRelation })
            #expect(finding.action == action, "\(settings)")
            let words = "its identifier or its files depend on the field"
            #expect(finding.evidence.contains(words) == (action == .keep), "\(finding)")
        }
    }

    @Test("a reference that is a part of the record's identifier is not nulled")
    func identifier() async throws {
        let world = try world("id: [id, cover], files: [{field: cover}]")
        // A bucket that is empty altogether would be refused first.
        world.object("another")
        let results = try await world.auditAndRepair()
        #expect(results.map(\.outcome) == [.stale])
        #expect(results.first?.reason == "the field is a part of the record's identifier")
        #expect(world.source.records("Song").first?["cover"] == .text("missing"))
    }
}
