import Glibc
import Testing

/// The folder of `--scratch`: what is read of stores is kept there until it was joined.
@Suite("What is kept in the scratch folder")
struct ScratchTests {
    private static let configuration = """
        version: 1
        ledger: ./mooring.ledger
        records:
          - name: app
            jsonl: ./app.jsonl
            models: [{model: Song, id: id, files: [{field: key, level: root}]}]
        buckets:
          - name: media
            listing: ./listing.csv
        report: {directory: Reports, formats: [json]}
        """

    // Five references miss their objects, and one object has none.
    private func folder(_ rows: Int) throws -> Folder {
        let folder = try Folder()
        try folder.write("mooring.yaml", Self.configuration)
        try folder.write(
            "app.jsonl",
            (0..<rows).map { "{\"id\":\"\($0)\",\"key\":\"covers/\($0)-name.jpg\"}\n" }.joined())
        try folder.write(
            "listing.csv",
            "key,size,lastModified\n"
                + (5...rows).map { "covers/\($0)-name.jpg,5,2025-01-01T00:00:00Z\n" }.joined())
        return folder
    }

    @Test("A folder that holds all of it is empty again when the run has ended")
    func ends() throws {
        let folder = try folder(20_000)
        try #require(mkdir(folder.path + "/scratch", 0o700) == 0)
        let result = try Program.run(["audit", "--scratch", "scratch"], in: folder.path)
        #expect(result.status == 0, "\(result.told)")
        let found = try Program.run(["findings", "--json"], in: folder.path)
        #expect(found.output.components(of: "\"kind\": \"dangling\"") == 5, "\(found.told)")
        #expect(found.output.components(of: "\"kind\": \"orphan\"") == 1, "\(found.told)")
        #expect(rmdir(folder.path + "/scratch") == 0)
    }

    @Test(
        "A folder that fills leaves the run incomplete, and nothing is settled",
        .enabled(if: SmallDisk.isPossible, "a small file system can be mounted by root only"))
    func fills() throws {
        let folder = try folder(20_000)
        let disk = try SmallDisk(folder.path + "/scratch", size: "200k")
        defer { disk.unmount() }
        let result = try Program.run(["audit", "--scratch", "scratch"], in: folder.path)
        #expect(result.status == 4, "\(result.told)")
        #expect(
            result.told.contains(
                "No space left on device; give a folder with more room by --scratch"),
            "\(result.told)")
        let found = try Program.run(["findings", "--json"], in: folder.path)
        // What was read, and its objects were not listed, is so; what is missing proves nothing.
        #expect(found.output.components(of: "\"kind\": \"dangling\"") == 5, "\(found.told)")
        #expect(found.output.components(of: "\"verdict\": \"settled\"") == 5, "\(found.told)")
    }

    @Test("What a record needs comes back from quarantine also where nothing can be kept")
    func restores() throws {
        var settings = App.Settings()
        settings.repair = "{apply: true, orphan: quarantine, dangling: nullify}"
        let app = try App(settings)
        for number in 0..<4 { try app.healthy("healthy\(number)") }
        let key = try app.orphan()
        _ = try app.mooring("run")
        try #require(!app.exists("files/" + key))
        try app.song("late", cover: App.cover("orphaned"))
        let result = try app.mooring("run", "--scratch", "missing")
        #expect(result.status == 4, "\(result.told)")
        #expect(app.exists("files/" + key), "\(result.told)")
    }
}
