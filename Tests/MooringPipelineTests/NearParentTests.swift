import MooringModel
import MooringPipeline
import Testing

/// Parents, and records of an authority, that are spelt otherwise than their children and copies
/// spell them.
@Suite("Records that others spell otherwise")
struct NearParentTests {
    private static let spellings: [(held: String, there: String)] = [
        ("ABC", "abc"), ("abc ", "abc"), ("71\r", "71"), ("0042", "42"), ("61.0", "61"),
        ("0F8FAD5B-D9CB-469F-A165-70867728950E", "0f8fad5b-d9cb-469f-a165-70867728950e"),
        ("0f8fad5bd9cb469fa16570867728950e", "0f8fad5b-d9cb-469f-a165-70867728950e"),
    ]

    private static func file(_ strategy: Strategy) -> String {
        """
        version: 1
        ledger: ./ledger
        records:
          - name: app
            sqlite: ./app.sqlite
            models:
              - {model: Album, changed: changed, deleted: deleted}
              - model: Track
                changed: changed
                relations: [{field: albumID, model: Album, cascade: true}]
        buckets: [{name: media, directory: ./media, quarantine: .q/}]
        race: {preset: standard}
        limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}
        repair: {dangling-relation: \(strategy.rawValue)}
        """
    }

    /// A track whose album is not there as it spells it.
    private func world(_ strategy: Strategy, album: String, isGone: Bool = false) throws -> World {
        let world = try World(
            Self.file(strategy),
            tables: [
                ("Album", ["id", "changed", "deleted"]), ("Track", ["id", "albumID", "changed"]),
            ])
        world.source.insert(
            "Album",
            [
                "id": .text(album), "changed": .moment(World.longAgo),
                "deleted": isGone ? .integer(1) : .null,
            ])
        return world
    }

    private func addTrack(_ world: World, of album: String) {
        world.source.insert(
            "Track",
            ["id": .text("t"), "albumID": .text(album), "changed": .moment(World.longAgo)])
    }

    @Test(
        "a child whose parent is spelt alike is undecided, and neither goes nor lets go",
        arguments: [Strategy.deleteRecord, .nullify])
    func alike(strategy: Strategy) async throws {
        for (held, there) in Self.spellings {
            let world = try world(strategy, album: there)
            addTrack(world, of: held)
            for _ in 0..<3 {
                let audit = try await world.audit()
                let finding = try #require(audit.findings.first { $0.kind == .danglingRelation })
                #expect(finding.verdict == .undecided && finding.action == .keep)
                #expect(
                    finding.evidence.last
                        == "Album '\(there)' in app is spelt alike, and may be the same to a "
                        + "database that compares them so")
                #expect(try world.plan(audit).steps.isEmpty)
                world.clock.advance(Sample.grace + .hours(2))
            }
        }
    }

    @Test("what is spelt otherwise, or is marked as deleted, is no doubt")
    func others() async throws {
        for (album, isGone) in [("abd", false), ("ABC", true)] {
            let world = try world(.nullify, album: album, isGone: isGone)
            addTrack(world, of: "abc")
            let finding = try await world.audit().findings.first { $0.kind == .danglingRelation }
            #expect(finding?.verdict == .settled)
        }
    }

    private static let copies = """
        version: 1
        ledger: ./ledger
        records:
          - {name: phone, sqlite: ./phone.sqlite, replicaOf: app}
          - name: app
            sqlite: ./app.sqlite
            models:
              - {model: Song, version: version, changed: changed, files: [{field: cover}]}
        buckets: [{name: media, directory: ./media, quarantine: .q/}]
        race: {preset: standard}
        limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}
        """

    @Test("a copy whose record is spelt alike at its authority is undecided, and stays")
    func copies() async throws {
        for (held, there, verdict) in Self.spellings.map({ ($0, $1, Verdict.undecided) })
            + [("abc", "abd", .settled)]
        {
            let world = try World(Self.copies)
            for (source, id) in [("app", there), ("phone", held), ("app", "s"), ("phone", "s")] {
                try world.source(source).insert(
                    "Song",
                    [
                        "id": .text(id), "version": .integer(1), "cover": .text("keeper"),
                        "changed": .moment(World.longAgo),
                    ])
            }
            world.object("keeper")
            _ = try await world.audit()
            world.clock.advance(.days(30))
            let audit = try await world.audit()
            let finding = try #require(audit.findings.first { $0.kind == .staleCopy })
            #expect(finding.cause == .deletedUpstream && finding.verdict == verdict)
            #expect(finding.action == (verdict == .settled ? .requery : .keep))
            #expect(try world.plan(audit).steps.isEmpty == (verdict == .undecided))
        }
    }
}
