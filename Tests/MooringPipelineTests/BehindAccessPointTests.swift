import MooringDecisions
import MooringModel
import Testing

@testable import MooringPipeline

@Suite("References into a bucket behind an access point")
struct BehindAccessPointTests {
    private static let alias = "night-abcdefgh1234-s3alias"

    private func missing(_ store: String, _ name: String) async throws -> Finding {
        let world = try World(
            Sample.file().replacing("directory: ./media", with: "s3: {\(store)}"))
        world.source.insert(
            "Post",
            [
                "id": .text("p"), "version": .integer(1), "changed": .moment(World.longAgo),
                "file": .text(#"{"key":"posts/p","bucket":"\#(name)"}"#),
            ])
        let findings = try await world.audit().findings.filter { $0.kind == .dangling }
        #expect(findings.count == 1)
        return try #require(findings.first)
    }

    @Test("one whose record names the bucket is in doubt, since nothing checks that name")
    func named() async throws {
        for name in ["archive", "media", Self.alias] {
            let finding = try await missing("bucket: \(Self.alias), bucketName: archive", name)
            #expect(finding.verdict == .undecided && finding.bucket == "media", "\(name)")
            #expect(
                finding.evidence.contains {
                    $0.contains("nothing can check which one the access point of bucket media")
                }, "\(finding.evidence)")
        }
        let plain = try await missing("bucket: archive, region: eu-west-1", "archive")
        #expect(plain.verdict != .undecided && plain.bucket == "media")
    }

    @Test("one is in doubt where its field's records may name buckets, and a name is given")
    func doubt() {
        var bucket = BucketMapping(name: "media", storeName: "archive")
        let complex = FileField(field: "file", isComplex: true)
        #expect(AccessPointDoubt.sentence(about: complex, in: bucket) == nil)
        bucket.accessPoint = Self.alias
        #expect(AccessPointDoubt.sentence(about: complex, in: bucket) != nil)
        #expect(AccessPointDoubt.sentence(about: FileField(field: "file"), in: bucket) == nil)
        bucket.isNameless = true
        #expect(AccessPointDoubt.sentence(about: complex, in: bucket) == nil)
    }
}
