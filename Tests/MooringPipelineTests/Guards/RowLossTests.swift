import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

/// Tables without file fields by which a copy's rows, or children in other tables, go.
@Suite("Guards and records without files")
struct RowLossTests {
    private static let tables: [(name: String, columns: [String])] = [
        ("Song", ["id", "cover", "changed", "version"]),
        ("Profile", ["id", "changed", "version"]),
        ("Region", ["id", "changed", "version"]),
        ("Venue", ["id", "region", "changed", "version"]),
        ("Visit", ["id", "venue", "changed", "version"]),
    ]

    private static func file(_ rest: String = "") -> String {
        """
        version: 1
        ledger: ./ledger
        records:
          - name: app
            sqlite: ./app.sqlite
            models:
              - {model: Song, changed: changed, version: version, files: [{field: cover}]}
              - {model: Profile, changed: changed, version: version}
          - {name: phone, sqlite: ./phone.sqlite, replicaOf: app}
          - name: places
            sqlite: ./places.sqlite
            models:
              - {model: Region, changed: changed, version: version}
              - model: Venue
                changed: changed
                version: version
                relations: [{field: region, model: Region}]
              - model: Visit
                changed: changed
                version: version
                relations: [{field: venue, model: Venue}]
        buckets: [{name: media, directory: ./media, quarantine: .q/}]
        repair: {dangling-relation: delete-record}
        \(rest)
        """
    }

    private func world(_ rest: String = "") throws -> World {
        let world = try World(Self.file(rest), tables: Self.tables)
        for number in 0..<30 {
            try add(world, "app", "Song", "s\(number)", ["cover": .text("s\(number)")])
            world.object("s\(number)")
        }
        try add(world, "places", "Region", "here")
        return world
    }

    private func add(
        _ world: World, _ source: String, _ model: String, _ id: String,
        _ values: [String: FieldValue] = [:]
    ) throws {
        try world.source(source).insert(
            model,
            values.merging([
                "id": .text(id), "changed": .moment(World.longAgo), "version": .integer(3),
            ]) { own, _ in own })
    }

    private func accepted(_ name: String, _ run: RunID, share: Double = 1) -> Acceptance {
        Acceptance(texts: [name: "\(share)@\(run.text)"], numbers: [name: share])
    }

    @Test("a copy's rows stay while its authority's table lost too much, until that is accepted")
    func copies() async throws {
        for (count, lost, exceeds) in [(40, 40, true), (5, 5, true), (3, 3, false), (40, 9, false)]
        {
            let world = try world("limits: {recordShare: 100%}")
            for number in 0..<count { try add(world, "app", "Profile", "p\(number)") }
            for number in 0..<3 { try add(world, "phone", "Profile", "p\(number)") }
            _ = try await world.audit()
            for number in 0..<lost {
                try world.source("app").delete("Profile", Array("p\(number)".utf8))
            }
            let name = "referenceDrop:app.Profile"
            for _ in 0..<4 {
                world.clock.advance(Sample.grace + .hours(1))
                let audit = try await world.audit()
                #expect(PlaceGuardTests.refused(audit) == (exceeds ? [name] : []))
                let stale = audit.findings.filter { $0.kind == .staleCopy }
                #expect(stale.count == 3)
                guard exceeds else { continue }
                let told = try #require(PlaceGuardTests.refusal(world, audit))
                #expect(told.description.contains("no records (\(count) before)"), "\(told)")
                #expect(audit.findings.about("s0") == nil)
            }
            guard exceeds else { continue }
            let last = try await world.audit()
            let taken = try await world.audit(accepting: accepted(name, last.summary.id))
            #expect(PlaceGuardTests.refused(taken).isEmpty)
            world.clock.advance(.hours(1))
            #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
        }
    }

    @Test("children stay while their parents' table lost too much; tables nobody needs are none")
    func parents() async throws {
        let world = try world("limits: {recordShare: 100%}")
        for number in 0..<60 { try add(world, "places", "Venue", "v\(number)") }
        try add(world, "places", "Visit", "x", ["venue": .text("v50")])
        for number in 0..<40 {
            try add(world, "places", "Visit", "y\(number)", ["venue": .text("v1")])
        }
        _ = try await world.audit()
        for number in 7..<60 {
            try world.source("places").delete("Venue", Array("v\(number)".utf8))
        }
        for number in 0..<40 {
            try world.source("places").delete("Visit", Array("y\(number)".utf8))
        }
        let name = "referenceDrop:places.Venue"
        for _ in 0..<3 {
            world.clock.advance(Sample.grace + .hours(1))
            let audit = try await world.audit()
            #expect(PlaceGuardTests.refused(audit) == [name])
            let child = audit.findings.first { $0.kind == .danglingRelation }
            #expect(child?.needs?.proof == "second sighting")
        }
        // Accepted with the plan, it is no loss to the next run.
        let audit = try await world.audit()
        let accepted = accepted(name, audit.summary.id, share: 0.8834)
        #expect(PlaceGuardTests.refusal(world, audit, accepted) == nil)
        world.clock.advance(.hours(1))
        #expect(PlaceGuardTests.refused(try await world.audit()).isEmpty)
    }

    @Test("what Mooring itself removed of such a table is no loss")
    func ownActs() async throws {
        let world = try world("limits: {recordShare: 100%}")
        try add(world, "places", "Region", "gone")
        for number in 0..<20 {
            let region = number < 12 ? "gone" : "here"
            try add(world, "places", "Venue", "v\(number)", ["region": .text(region)])
        }
        _ = try await world.audit()
        try world.source("places").delete("Region", Array("gone".utf8))
        var done = 0
        for _ in 0..<3 {
            world.clock.advance(Sample.grace + .hours(1))
            let audit = try await world.audit()
            #expect(PlaceGuardTests.refused(audit).isEmpty)
            done += try await world.repair(world.plan(audit)).count { $0.outcome == .done }
        }
        #expect(done == 12)
    }
}
