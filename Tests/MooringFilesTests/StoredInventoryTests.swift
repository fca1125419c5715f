import Glibc
import MooringModel
import StoreConformance
import Synchronization
import Testing

@testable import MooringFiles

/// A bucket of inventories in memory, which gives what it is asked for in small pieces.
private final class ReportBucket: InventoryStore {
    let place = "s3://reports"
    let objects: [String: [UInt8]]
    let failing: String?
    let asked = Mutex<[String]>([])

    init(_ objects: [String: [UInt8]], failing: String? = nil) {
        self.objects = objects
        self.failing = failing
    }

    func read(_ key: String, from offset: Int, count: Int) async throws -> [UInt8]? {
        asked.withLock { $0.append(key) }
        if key == failing { throw StoreError(place: key, reason: "GetObject: AccessDenied (403)") }
        return objects[key].map { Array($0.dropFirst(offset).prefix(min(count, 100))) }
    }
}

@Suite("An inventory where S3 wrote it")
struct StoredInventoryTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.makeFolder("scratch")
    }

    private func objects(of inventory: MadeInventory) throws -> [String: [UInt8]] {
        let manifest = "\(inventory.folder)/manifest.json"
        let path = try inventory.write(to: sandbox)
        var objects = Dictionary(
            inventory.parts.map { ($0.key, $0.bytes) }, uniquingKeysWith: { $1 })
        objects[manifest] = try InventoryManifest.read(path).bytes
        let checksum = InventoryPlaces(manifest: path).checksum
        if try InventoryPlaces(manifest: path).isThere(checksum) {
            objects["\(inventory.folder)/manifest.checksum"] =
                try InventoryManifest.read(checksum).bytes
        }
        return objects
    }

    private func bucket(
        _ store: ReportBucket, _ inventory: MadeInventory,
        of source: String = MadeInventory.source
    ) -> InventoryBucket {
        InventoryBucket(
            name: "media", manifest: "\(inventory.folder)/manifest.json", in: store,
            scratch: sandbox.path + "/scratch", demands: InventoryDemands(bucket: source))
    }

    private func made() throws -> MadeInventory {
        var inventory = MadeInventory()
        for part in 0..<2 {
            try inventory.add(
                (0..<500).map {
                    MadeInventory.Row(
                        object: CopyConformance.object(ObjectKey("k \(part)/\($0)+%"), $0))
                })
        }
        return inventory
    }

    @Test("It does what every copy of a bucket does")
    func conforms() async throws {
        try await CopyConformance { objects in
            var inventory = MadeInventory()
            let half = objects.count / 2
            try inventory.add(objects[..<half].map { MadeInventory.Row(object: $0) })
            try inventory.add(objects[half...].map { MadeInventory.Row(object: $0) })
            return bucket(ReportBucket(try self.objects(of: inventory)), inventory)
        }.verify()
    }

    @Test("Its files are had one at a time, and none of them stays on this machine")
    func scratch() async throws {
        let inventory = try made()
        let store = ReportBucket(try objects(of: inventory))
        let listing = try await bucket(store, inventory).listed()
        #expect(listing.result.isComplete && listing.items.count == 1_000)
        #expect(listing.result.window.from == MadeInventory.moment)
        #expect(listing.result.notes.isEmpty)
        #expect(rmdir(sandbox.path + "/scratch") == 0)
        // What S3 writes last is read first.
        #expect(store.asked.withLock { $0.first }?.hasSuffix("manifest.checksum") == true)
        let missing = InventoryBucket(
            name: "media", manifest: "\(inventory.folder)/manifest.json", in: store,
            scratch: "/nowhere", demands: InventoryDemands(bucket: MadeInventory.source))
        let refused = try await missing.listed()
        #expect(refused.items.isEmpty && refused.problems.count == 2)
        #expect(refused.problems.first?.reason.contains("cannot be kept in /nowhere") == true)
    }

    @Test(
        "What cannot be trusted is not read, and a part that is not whole is a problem",
        arguments: ["unfinished", "other", "no manifest", "no part", "denied", "longer", "damaged"])
    func refused(what: String) async throws {
        let inventory = try made()
        var objects = try objects(of: inventory)
        let (folder, part) = (inventory.folder, inventory.parts[1].key)
        var (source, failing): (String, String?) = (MadeInventory.source, nil)
        var (words, count) = ("", 0)
        switch what {
        case "unfinished":
            objects["\(folder)/manifest.checksum"] = nil
            words = "has no manifest.checksum beside it, which S3 writes last"
        case "other":
            source = "your-app-media"
            words = "says that it lists bucket 'my-app-media', and not 'your-app-media'"
        case "no manifest":
            objects["\(folder)/manifest.json"] = nil
            words = "is not there; name the manifest.json"
        case "no part":
            objects[part] = nil
            (words, count) = ("is missing; nothing is judged by the rest", 500)
        case "denied":
            failing = part
            (words, count) = ("AccessDenied", 500)
        case "longer":
            objects[part]? += [0]
            (words, count) = ("it is cut off, damaged or another file", 1_000)
        default:
            objects[part]?[4] ^= 1
            (words, count) = ("its MD5 is not the manifest's", 1_000)
        }
        let store = ReportBucket(objects, failing: failing)
        let listing = try await bucket(store, inventory, of: source).listed()
        #expect(listing.items.count == count && !listing.result.isComplete)
        #expect(
            listing.problems.contains { $0.reason.contains(words) },
            "\(listing.problems.map(\.text))")
        #expect(listing.problems.allSatisfy { $0.place.hasPrefix("s3://reports/") })
    }

    @Test("The same is asked of a copy of it beside a live bucket")
    func copied() async throws {
        var inventory = try made()
        inventory.checksum = { _ in nil }
        let path = try inventory.write(to: sandbox)
        let demands = InventoryDemands(bucket: MadeInventory.source)
        let listing = try await InventoryBucket(name: "m", manifest: path, demands: demands)
            .listed()
        #expect(listing.items.isEmpty && listing.problems.count == 1)
        #expect(listing.problems.first?.reason.contains("still being written") == true)
        let alone = try await InventoryBucket(name: "m", manifest: path).listed()
        #expect(alone.result.isComplete && alone.items.count == 1_000)
    }
}
