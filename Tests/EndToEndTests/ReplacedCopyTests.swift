import Glibc
import Testing

/// Copies of records are read twice: what is put in their place between the two readings is no part
/// of what was read first. A list of objects that names one twice is of no one moment either.
@Suite("Copies that are of no one moment")
struct ReplacedCopyTests {
    private static let configuration = """
        version: 1
        ledger: ./mooring.ledger
        records:
          - name: app
            csv: ./app.csv
            models: [{model: Song, id: id, files: [{field: key, level: root}]}]
        buckets:
          - name: media
            listing: ./listing.csv
            ignore: ["pad/**"]
        report: {directory: Reports, formats: [json]}
        """

    private static func rows(_ keys: [String]) -> String {
        "id,key\n" + keys.enumerated().map { "\($0),covers/\($1)-name.jpg\n" }.joined()
    }

    private func folder(_ records: [String], _ listed: [String]) throws -> Folder {
        let folder = try Folder()
        try folder.write("mooring.yaml", Self.configuration)
        try folder.write("app.csv", Self.rows(records))
        try folder.write(
            "listing.csv",
            "key,size,lastModified\n"
                + listed.map { "\($0),5,2025-01-01T00:00:00Z\n" }.joined())
        return folder
    }

    @Test("An object that is listed twice is told once, and the run is incomplete")
    func listedTwice() throws {
        let (orphan, known) = ("covers/orphan-name.jpg", "covers/a-name.jpg")
        for (records, listed) in [
            (["a", "a"], [known, orphan, orphan]), (["a", "a"], [known, known, orphan]),
            (["a"], [known, known, orphan]),
        ] {
            let folder = try folder(records, listed)
            let result = try Program.run(["audit"], in: folder.path)
            #expect(result.status == 4, "\(result.told)")
            #expect(result.told.contains("1 object listed more than once"), "\(result.told)")
            let found = try Program.run(["findings", "--json"], in: folder.path)
            let shared = found.output.components(of: "\"kind\": \"shared\"")
            #expect(shared == records.count - 1, "\(found.told)")
            #expect(found.output.components(of: "\"kind\": \"orphan\"") == 1, "\(found.told)")
        }
    }

    // The listing is opened between the two readings; its padding makes its own reading take long.
    private func audit(_ before: [String], _ after: [String]) throws -> Program.Result {
        let listed = ["a", "b", "c"].map { "covers/\($0)-name.jpg" }
        let folder = try folder(before, listed + (0..<20_000).map { "pad/\($0)" })
        try folder.write("new.csv", Self.rows(after))
        let watch = inotify_init()
        defer { close(watch) }
        try #require(
            inotify_add_watch(watch, folder.path + "/listing.csv", UInt32(IN_OPEN)) >= 0)
        let program = try Program.start(["audit"], in: folder.path)
        var event = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        try #require(poll(&event, 1, 60_000) == 1, "the listing was never opened")
        try #require(rename(folder.path + "/new.csv", folder.path + "/app.csv") == 0)
        let result = try program.wait()
        let found = try Program.run(["findings", "--json"], in: folder.path)
        #expect(!found.output.contains("-name.jpg"), "\(found.told)")
        return result
    }

    @Test(
        "The run is incomplete, and nothing is judged by halves of two copies",
        arguments: [["a", "c"], ["a", "a", "b"], ["a", "b"]])
    func replaced(after: [String]) throws {
        let result = try audit(after.count == 3 ? ["a", "b", "b"] : ["a", "b"], after)
        #expect(result.status == 4, "\(result.told)")
        #expect(result.told.contains("it was written to while it was read"), "\(result.told)")
    }
}
