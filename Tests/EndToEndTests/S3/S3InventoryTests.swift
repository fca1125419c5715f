import Foundation
import TestServers
import Testing

/// The round by an inventory: it tells what there was, and the bucket what there is.
@Suite("A bucket of S3 with its inventory", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3InventoryTests {
    private static let stores: [S3Store] = [.ministack, .ministackVersioned]
    private static let hostile = "public/a b+c%2F\"<b>'=é.txt"

    // One song with its file, one orphan, one reference without its object, and a name that takes
    // every escape; then the inventory of that.
    private func prepared(
        _ store: S3Store, repair: String = "{orphan: quarantine, dangling: nullify}",
        _ change: (inout StoredInventory) -> Void = { _ in }
    ) async throws -> (StoreApp, StoredInventory) {
        var options = StoreApp.Options()
        options.settings.repair = repair
        let server = try await store.server()
        let bucket = try await server.makeBucket(versioned: store.isVersioned)
        let bare = try StoreApp(server, bucket, options)
        var inventory = try await StoredInventory(bare)
        options.lines = "inventory: \(inventory.place)"
        let app = try StoreApp(server, bucket, options)
        try app.healthy()
        try app.orphan("s1", "precious")
        try app.dangling("d1")
        try app.put(Self.hostile, "kept")
        app.settle()
        inventory.moment = Int(Date().timeIntervalSince1970 * 1_000)
        change(&inventory)
        try inventory.write()
        return (app, inventory)
    }

    @Test("Audit, plan, repair and undo by an inventory", arguments: stores)
    func thereAndBack(store: S3Store) async throws {
        let (app, _) = try await prepared(store)
        let before = try app.objects()
        let findings = try app.audit()
        #expect(
            findings.labels == [
                "dangling/missing/settled", "orphan/superseded/settled",
                "orphan/unattributed/settled",
            ])
        #expect(try findings.about(Self.hostile).proof == "second sighting")
        #expect(try findings.about(App.songKey("d1")).proof == "a listing of the bucket itself")
        let report = try app.report()["buckets"][0]
        #expect(report["kind"].string == "s3" && report["consistency"].string == "moving")
        let doctor = try app.expect(0, "doctor").output
        #expect(doctor.contains("s3, live, listed by an inventory"), "\(doctor)")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.held() == [App.songKey("s1")])
        #expect(try app.cover(of: "d1") == App.cover("d1"))
        // The inventory goes on listing what went.
        #expect(
            try app.audit().labels == ["dangling/missing/settled", "orphan/unattributed/settled"])
        try app.expect(0, "undo", "latest", "--apply")
        #expect(try app.objects() == before)
        #expect(try app.held() == [])
        #expect(try app.litter() == [])
    }

    @Test("What was written since the inventory is judged by what is there", arguments: stores)
    func since(store: S3Store) async throws {
        let (app, _) = try await prepared(store)
        // A record of long ago whose object came now, one that takes the orphan up, and one whose
        // object somebody wrote again.
        try app.song("late", cover: App.cover("late"))
        try app.put(App.songKey("late"), "late")
        let replaced = Self.hostile
        try app.put(replaced, "kept")
        try app.song("s9", cover: App.cover("s1"))
        let findings = try app.audit()
        #expect(findings.allSatisfy { $0.key != App.songKey("late") })
        #expect(findings.allSatisfy { $0.key != App.songKey("s1") })
        #expect(try findings.about(replaced).verdict == "undecided")
        #expect(try findings.about(replaced).evidence.contains("another version now"))
        let (_, plan) = try app.plan()
        #expect(plan["steps"].elements.isEmpty)
        let notes = try app.report()["notes"].elements.compactMap(\.string)
        #expect(notes.contains { $0.contains("1 object that records reference") }, "\(notes)")
    }

    @Test("A record that takes up the orphan between plan and repair keeps it", arguments: stores)
    func linked(store: S3Store) async throws {
        let (app, _) = try await prepared(store)
        let (path, plan) = try app.plan()
        #expect(plan["steps"].elements.count == 1)
        try app.song("s9", cover: App.cover("s1"))
        let result = try app.expect(5, "repair", path, "--apply")
        #expect(result.output.contains("0 done, 1 stale"), "\(result.told)")
        #expect(try app.content(App.songKey("s1")) == "precious")
    }

    @Test("The nightly run acts by it and gives back what is referenced again", arguments: stores)
    func nightly(store: S3Store) async throws {
        let (app, _) = try await prepared(
            store, repair: "{apply: true, orphan: quarantine, dangling: nullify}")
        try app.expect(0, "run")
        #expect(try app.held() == [App.songKey("s1")])
        try app.database.run(
            "UPDATE Song SET coverArtKey = ? WHERE id = 's1'", Array(App.cover("s1").utf8))
        try app.expect(0, "run")
        #expect(try !app.held().contains(App.songKey("s1")))
        #expect(try app.content(App.songKey("s1")) == "precious")
        #expect(try app.openIntents() == 0)
    }

    @Test("What lies in quarantine is swept by a run that lists the bucket, and by no other")
    func swept() async throws {
        let (app, _) = try await prepared(
            .ministack, repair: "{apply: true, orphan: quarantine, retention: 0s}")
        for _ in 0..<4 {
            try app.expect(0, "run")
            app.settle()
        }
        #expect(try app.held().contains(App.songKey("s1")))
        let kept = try app.expect(0, "sweep", "--apply")
        #expect(kept.output.contains("a listing of one run alone"), "\(kept.told)")
        #expect(try app.held().contains(App.songKey("s1")))
        let configuration = try #require(app.read("mooring.yaml"))
        let without = configuration.split(separator: "\n").filter { !$0.contains("inventory: ") }
        try app.write("mooring.yaml", without.joined(separator: "\n") + "\n")
        let swept = try app.expect(0, "sweep")
        #expect(!swept.output.contains("a listing of one run alone"), "\(swept.told)")
    }

    @Test(
        "An inventory that cannot be trusted makes the audit incomplete, and there is no plan",
        arguments: [
            ("unfinished", "still being written"), ("other", "says that it lists bucket"),
            ("gone", "is missing"), ("cut", "it is cut off"), ("swapped", "MD5"),
            ("old", "more than 8d ago"), ("twice", "listed more than once"),
        ])
    func refused(what: String, words: String) async throws {
        let (app, _) = try await prepared(.ministack) { inventory in
            switch what {
            case "unfinished": inventory.isFinished = false
            case "other": inventory.source = "another-bucket"
            case "gone": inventory.damage = { _ in nil }
            case "cut": inventory.damage = { $0.dropLast() }
            case "swapped":
                inventory.damage = { bytes in
                    var bytes = bytes
                    bytes[4] ^= 1
                    return bytes
                }
            case "old": inventory.moment -= 9 * 86_400_000
            default: inventory.change = { $0 + $0 }
            }
        }
        let result = try app.expect(4, "audit")
        #expect(result.told.contains(words), "\(result.told)")
        #expect(try app.expect(4, "plan").errors.contains("not read to the end"))
        #expect(try app.content(App.songKey("s1")) == "precious")
        #expect(!app.exists("Reports/Runs/latest/plan.json"))
    }

    @Test("A deletion request takes what the inventory lacks, and the policy names its files")
    func rest() async throws {
        let (app, inventory) = try await prepared(.ministack)
        try app.put("private/\(App.identity)/new.png", "new")
        app.settle()
        let erased = try app.expect(0, "erase", "--identity", App.identity)
        #expect(erased.output.contains("4 objects"), "\(erased.told)")
        let policy = try app.expect(0, "iam-policy", "--for", "audit").output
        #expect(policy.contains("arn:aws:s3:::\(inventory.bucket)/reports/daily/*"), "\(policy)")
    }
}
