import MooringModel
import Testing

@testable import MooringPipeline

/// Values that mean no single object of a bucket: folders, and addresses.
@Suite("References to folders and to addresses")
struct FolderReferenceTests {
    @Test("a missed folder's objects are in doubt, and so is the reference", arguments: ["", "/"])
    func folder(end: String) async throws {
        let world = try World()
        world.song("s", cover: "clip-one" + end)
        for key in ["clip-one/master.m3u8", "clip-one/a/seg-1.ts", "clip-one-b/seg-1.ts"] {
            world.object(key)
        }
        let findings = try await world.audit().findings
        let verdicts = findings.filter { $0.kind == .orphan }.map { ($0.key?.text, $0.verdict) }
        #expect(verdicts.count == 3)
        for (key, verdict) in verdicts {
            let isBelow = key?.hasPrefix("clip-one/") == true
            #expect(verdict == (isBelow ? .undecided : .settled), "\(key ?? "")")
        }
        #expect(findings.first { $0.kind == .dangling }?.verdict == .undecided)
    }

    @Test(
        "an address of another server is no missing object",
        arguments: [
            "https://lh3.example/a/photo.jpg", "HTTP://cdn.example/x", "s3://other/a.jpg",
            "data:image/png;base64,aGk=", "blob:abc",
        ])
    func address(value: String) async throws {
        let world = try World()
        world.song("s", cover: value)
        #expect(try await world.audit().findings.about(value, .dangling)?.verdict != .settled)
        _ = try await world.auditAndRepair()
        #expect(world.cover("s") == value)
    }
}
