import MooringModel
import MooringPipeline
import Testing

/// An app that moved its database, or a copy of it that nobody refreshes any more.
@Suite("Buckets that grow while no record is written")
struct FrozenRecordsTests {
    private static let since = World.start - .days(20)

    // A healthy song, and so many objects that came weeks after the last record was written.
    private func world(_ count: Int, file: String = Sample.app) throws -> World {
        let world = try World(file)
        world.song("s", cover: "keeper")
        world.object("keeper")
        for number in 0..<count { world.object("new\(number)", at: Self.since) }
        world.object("soon", at: World.longAgo + .hours(1))
        return world
    }

    @Test("what came since is in doubt, from three objects on", arguments: [2, 3])
    func frozen(count: Int) async throws {
        let world = try world(count)
        world.object("old", at: World.longAgo - .days(1))
        let findings = try await world.audit().findings
        for key in ["new0", "new1", "soon"] {
            let finding = try #require(findings.about(key))
            #expect(finding.verdict == (count == 3 ? .undecided : .settled), "\(key)")
            #expect((finding.evidence.last?.contains("still this store") == true) == (count == 3))
        }
        #expect(findings.about("old")?.verdict == .settled)
    }

    @Test("a record that is written ends it, and so does a model that tells no time")
    func ends() async throws {
        let written = try world(5)
        written.song("t", cover: nil, changed: Self.since + .days(1))
        #expect(try await written.audit().findings.about("new0")?.verdict == .settled)
        let untold = try world(
            5,
            file: Sample.app.replacing("        changed: changed\n", with: "")
                .replacing("        changedBy: server\n", with: ""))
        #expect(try await untold.audit().findings.about("new0")?.verdict == .settled)
    }

    @Test("what lies in quarantine waits as well, and counts")
    func held() async throws {
        let world = try world(2)
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        #expect(try await world.run(waiting: .zero).map(\.outcome) == [.done, .done, .done])
        let proof = "a record that was written since the object came"
        #expect(try await world.audit().quarantine.allSatisfy { $0.need?.proof != proof })
        world.object("new2", at: Self.since)
        let audit = try await world.audit()
        #expect(audit.quarantine.count == 3)
        #expect(audit.quarantine.allSatisfy { $0.need?.proof == proof })
        #expect(audit.findings.about("new2")?.verdict == .undecided)
    }
}
