import Foundation
import Testing

/// `doctor --policy`, word for word. `MOORING_RECORD=1 swift test --filter PolicyGoldenTests`
/// writes its files anew; read the difference before you commit it.
@Suite("The golden matrix")
struct PolicyGoldenTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("Golden").path
    private static let records = ProcessInfo.processInfo.environment["MOORING_RECORD"] == "1"

    private func compare(_ app: App, _ status: Int32, _ name: String) throws {
        let text = try app.expect(status, "doctor", "--policy").output
        for line in text.split(separator: "\n") {
            #expect(line.utf8.count <= 80, "\(line)")
            #expect(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(line)")
            #expect(line.last != " ", "\(line)")
        }
        let json = try app.expect(status, "doctor", "--policy", "--json")
        _ = try json.json()
        try compare(text, name + ".txt")
        try compare(json.output, name + ".json")
    }

    private func compare(_ text: String, _ name: String) throws {
        let path = Self.folder + "/" + name
        if Self.records { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
        let data = try #require(FileManager.default.contents(atPath: path), "\(name) is missing")
        #expect(text == String(decoding: data, as: UTF8.self), "\(name)")
    }

    @Test("of the default policy")
    func standard() throws {
        var settings = App.Settings()
        settings.repair = "{}"
        try compare(try App(settings), 0, "policy")
    }

    @Test("with exceptions, optimistic conflicts, a CSV source and a listing")
    func lacking() throws {
        let app = try App()
        try app.write("Song.csv", "id,cover\ns1,a\n")
        try app.write("files.csv", "key,size,lastModified\na,1,2026-01-01T00:00:00Z\n")
        try app.write(
            "mooring.yaml",
            """
            version: 1
            records:
              - name: app
                csv: ./Song.csv
                taken: "2026-11-20T00:00:00Z"
                models: [{model: Song, files: [{field: cover, bucket: media}]}]
              - name: live
                sqlite: ./app.sqlite
                models: [{model: Note}]
            buckets:
              - {name: media, listing: ./files.csv, taken: "2026-11-20T00:00:00Z"}
              - {name: own, directory: ./files}
            race: {preset: standard, conflicts: optimistic}
            repair:
              orphan: delete
              dangling: repoint
              dangling-relation: nullify
              overrides:
                - {cause: lost-update, orphan: relink}
                - {cause: twin, dangling: keep}
                - {model: Song, cause: missing, dangling: nullify}
                - {prefix: "protected/", orphan: keep}
                - {source: app, dangling-relation: keep}
            """)
        try compare(app, 2, "policy-lacking")
    }
}
