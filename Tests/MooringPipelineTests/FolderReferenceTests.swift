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
        let orphans = findings.filter { $0.kind == .orphan }
        #expect(orphans.count == 3)
        let asFolder = "a reference that is missed means 'clip-one', as if it were a folder"
        for orphan in orphans {
            let isBelow = orphan.key?.text.hasPrefix("clip-one/") == true
            #expect(orphan.verdict == (isBelow ? .undecided : .settled), "\(orphan)")
            #expect(orphan.evidence.contains(asFolder) == isBelow, "\(orphan)")
        }
        let dangling = try #require(findings.first { $0.kind == .dangling })
        #expect(dangling.verdict == .undecided)
        #expect(
            dangling.evidence.contains(
                "objects lie below its value, as if it meant a folder"))
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
        let finding = try #require(
            try await world.audit().findings.first { $0.kind == .dangling })
        #expect(finding.verdict != .settled)
        #expect(
            finding.evidence.contains(
                "its value is an address, which no bucket's listing tells of"))
        _ = try await world.auditAndRepair()
        #expect(world.cover("s") == value)
    }
}
