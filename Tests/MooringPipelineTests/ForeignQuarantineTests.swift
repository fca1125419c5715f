import MooringModel
import MooringPipeline
import Testing

@Suite("Objects in a folder that is named like a run, and in no known quarantine")
struct ForeignQuarantineTests {
    private static let run = "20261121T020000Z-000000"

    @Test("a part of a key is a run's name, whatever stands around it")
    func parts() {
        let run = Self.run
        #expect(ObjectKey("a/\(run)/b/c").behindRun == ObjectKey("b/c"))
        #expect(ObjectKey("\(run)/k").behindRun == ObjectKey("k"))
        #expect(ObjectKey("a/\(run)").behindRun == ObjectKey(""))
        for key in ["a/\(run)x/b", "a/x\(run)/b", "a/20261121T020000Z-00000i/b", "a/b", ""] {
            #expect(ObjectKey(key).behindRun == nil)
        }
    }

    @Test("they are no orphans, and the bucket is not complete")
    func incomplete() async throws {
        let world = try World()
        world.song("s", cover: "k")
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.object("old/\(Self.run)/k")
        let audit = try await world.audit()
        #expect(audit.summary.status == .incomplete)
        #expect(audit.findings.filter { $0.kind == .orphan }.isEmpty)
        #expect(audit.findings.filter { $0.kind == .dangling }.isEmpty)
        #expect(throws: Refusal.self) { try world.plan(audit) }
    }

    @Test("left out on purpose they keep references in doubt")
    func ignored() async throws {
        let world = try World(Sample.file(bucket: "    ignore: [\"old/**\"]"))
        world.song("s", cover: "k")
        world.song("t", cover: "missing")
        world.song("keeper", cover: "keeper")
        world.object("keeper")
        world.object("old/\(Self.run)/k")
        let audit = try await world.audit()
        #expect(audit.summary.status == .complete)
        #expect(audit.findings.about("k", .dangling)?.verdict == .undecided)
        #expect(audit.findings.about("missing", .dangling)?.verdict == .settled)
    }
}
