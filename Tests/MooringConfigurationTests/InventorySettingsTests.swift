import MooringConfiguration
import MooringModel
import Testing

@Suite("An inventory beside an s3 bucket")
struct InventorySettingsTests {
    private static func bucket(_ more: String, _ store: String = "s3: {bucket: b}") -> String {
        Sample.replacing("directory: ./files", store + more)
    }

    private func settings(_ more: String) throws -> S3Settings {
        let store = try Sample.read(Self.bucket(more)).buckets[0].store
        guard case .s3(let settings) = store else {
            Issue.record("is no s3 bucket")
            return S3Settings(bucket: "")
        }
        return settings
    }

    @Test("it lies in a bucket or in a file, and may be a week and a day old")
    func places() throws {
        let stored = try settings(
            "\n    inventory: s3://reports/a b/media/daily/2026-11-21T01-00Z/manifest.json")
        #expect(
            stored.inventory?.manifest
                == .object(
                    bucket: "reports", key: "a b/media/daily/2026-11-21T01-00Z/manifest.json"))
        #expect(stored.inventory?.longest == .days(8))
        let copied = try settings("\n    inventory: inv/manifest.json\n    inventoryAge: 36h")
        #expect(copied.inventory?.manifest == .file("/app/inv/manifest.json"))
        #expect(copied.inventory?.longest == .hours(36))
        #expect(try settings("").inventory == nil)
    }

    @Test("each day's inventory is one configuration's, and of one place")
    func fingerprint() throws {
        let bare = try Sample.read(Self.bucket(""))
        let one = try Sample.read(Self.bucket("\n    inventory: s3://r/1/manifest.json"))
        let other = try Sample.read(Self.bucket("\n    inventory: s3://r/2/manifest.json"))
        #expect(one.fingerprint == other.fingerprint && one.fingerprint != bare.fingerprint)
        let place = GuardedPlace.bucket(one.buckets[0].name)
        #expect(one.fingerprint(of: place) == bare.fingerprint(of: place))
        let older = try Sample.read(
            Self.bucket("\n    inventory: s3://r/1/manifest.json\n    inventoryAge: 30d"))
        #expect(older.fingerprint != one.fingerprint)
    }

    @Test(
        "what cannot be meant is refused",
        arguments: [
            (
                "\n    inventory: s3://r/daily/", "s3: {bucket: b}",
                "10: 'inventory' needs the manifest.json of an inventory, as "
                    + "s3://BUCKET/…/manifest.json or as a file; found 's3://r/daily/'"
            ),
            (
                "\n    inventory: s3:///manifest.json", "s3: {bucket: b}",
                "10: 'inventory' needs the manifest.json of an inventory, as "
                    + "s3://BUCKET/…/manifest.json or as a file; found 's3:///manifest.json'"
            ),
            (
                "\n    inventory: m.json\n    inventoryAge: 0s", "s3: {bucket: b}",
                "11: 'inventoryAge' needs more than no time at all"
            ),
            (
                "\n    inventoryAge: 3d", "s3: {bucket: b}",
                "10: 'inventoryAge' belongs to an 's3' with an 'inventory' beside it"
            ),
            (
                "\n    inventoryAge: 3d", "inventory: m.json",
                "10: 'inventoryAge' belongs to an 's3' with an 'inventory' beside it"
            ),
            (
                "\n    inventory: m.json\n    taken: 2026-11-21", "s3: {bucket: b}",
                "11: 'taken' belongs to a listing or an inventory; a bucket is read live"
            ),
            (
                "", "inventory: s3://r/manifest.json",
                "9: 'inventory' alone needs a file of this machine; write 's3' beside it to read "
                    + "it where S3 wrote it"
            ),
        ])
    func refused(more: String, store: String, message: String) {
        #expect(Sample.refusal(Self.bucket(more, store)) == "mooring.yaml:" + message)
    }
}
