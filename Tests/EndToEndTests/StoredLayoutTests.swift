import Foundation
import Testing

/// An app whose files are spread over folders by the beginnings of their names.
@Suite("Values that become keys by a layout")
struct StoredLayoutTests {
    private static let layout = "{key:0:2}/{key:2:2}/{key}"
    private static let models = """
        - model: Song
          version: _version
          changed: _lastChangedAt
          deleted: _deleted
          identity: ownerIdentity
          files: [{field: coverArtKey, level: private, template: "{id}-{uuid}.png",
              stored: "\(layout)"}]
        - model: Album
          version: _version
          changed: _lastChangedAt
          deleted: _deleted
          files: [{field: imageKeys, list: true, level: guest, stored: "\(layout)"}]
        - model: Post
          version: _version
          changed: _lastChangedAt
          deleted: _deleted
          files: [{field: file, complex: true, level: guest, stored: "\(layout)"}]
        """

    private func app(_ repair: String = "{orphan: quarantine, dangling: nullify}") throws -> App {
        var settings = App.Settings()
        settings.models = Self.models
        settings.repair = repair
        return try App(settings)
    }

    private func laid(_ value: String) -> String {
        "\(value.prefix(2))/\(value.dropFirst(2).prefix(2))/\(value)"
    }

    private func songKey(_ id: String, _ number: Int = 1) -> String {
        "private/\(App.identity)/" + laid(App.cover(id, number))
    }

    /// A song with its file, and one more file that was its cover before.
    private func superseded(_ app: App, _ id: String) throws -> String {
        try app.song(id, cover: App.cover(id, 2))
        try app.put(songKey(id, 2))
        try app.put(songKey(id), "precious")
        return songKey(id)
    }

    @Test("scalars, lists and objects that have their files have no finding")
    func healthy() throws {
        let app = try app()
        try app.song("s1", cover: App.cover("s1"))
        try app.album("a1", "[\"picture-1\", \"picture-2\"]")
        try app.post("p1", "{\"bucket\":\"media\",\"key\":\"text-1\",\"region\":\"eu\"}")
        try app.put(songKey("s1"))
        for value in ["picture-1", "picture-2", "text-1"] { try app.put("public/" + laid(value)) }
        #expect(try app.audit().isEmpty)
        let fields = try app.report()["fields"].elements
        #expect(fields.allSatisfy { $0["held"].integer == 1 })
    }

    @Test("an orphan is quarantined, a missing file's value nulled, and undo gives both back")
    func repairs() throws {
        let app = try app()
        let key = try superseded(app, "s1")
        try app.song("s2", cover: App.cover("s2"))
        try app.album("a1", "[\"gone-1\", \"kept-1\"]")
        try app.put("public/" + laid("kept-1"))
        let findings = try app.audit()
        #expect(try findings.about(key, kind: "orphan").cause == "superseded")
        let missing = try findings.about(songKey("s2"), kind: "dangling")
        #expect(missing.json["value"].string == App.cover("s2"))
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(app.quarantined() == [key: "precious"])
        #expect(try app.cover(of: "s2") == nil && app.cover(of: "s1") == App.cover("s1", 2))
        #expect(try app.database.text("SELECT imageKeys FROM Album") == "[\"kept-1\"]")
        #expect(try app.audit().isEmpty)
        try app.expect(0, "undo", "latest", "--apply")
        #expect(app.read("files/" + key) == "precious")
        #expect(try app.cover(of: "s2") == App.cover("s2"))
        #expect(try app.database.text("SELECT imageKeys FROM Album") == "[\"gone-1\", \"kept-1\"]")
    }

    @Test("a link writes the value and not the key")
    func relink() throws {
        let app = try app("{overrides: [{cause: unassociated, orphan: relink}]}")
        try app.song("s1", cover: nil)
        try app.put(songKey("s1"))
        #expect(try app.audit().about(songKey("s1")).action == "relink")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        #expect(try app.cover(of: "s1") == App.cover("s1"))
        #expect(try app.audit().isEmpty)
    }

    @Test("a value in a column that nobody mapped protects the file that it means")
    func unmapped() throws {
        let app = try app()
        let key = try superseded(app, "s1")
        try app.database.run(
            "INSERT INTO Note VALUES ('n1', 'the old one: \(App.cover("s1"))')")
        let findings = try app.audit()
        #expect(findings.labels == ["unmapped-reference/undecided"])
        #expect(try app.plan().plan["steps"].elements.isEmpty)
        #expect(app.read("files/" + key) == "precious")
        let told = try app.expect(0, "explain", key).output
        #expect(told.contains("its key stands in body of Note/n1: that protects it"), "\(told)")
    }

    @Test("a value whose file lies where it was before is never nulled, nor the file taken")
    func unlaid() throws {
        let app = try app("{orphan: quarantine, dangling: nullify}")
        try app.song("s1", cover: App.cover("s1"))
        try app.put(App.songKey("s1"), "precious")
        let findings = try app.audit()
        #expect(try findings.about(songKey("s1")).label == "dangling/misplaced/undecided")
        #expect(try app.plan().plan["steps"].elements.isEmpty)
        #expect(app.read("files/" + App.songKey("s1")) == "precious")
        #expect(try app.cover(of: "s1") == App.cover("s1"))
    }

    @Test("a value that is too short is no usable key, and what bears its name stays")
    func short() throws {
        let app = try app()
        try app.album("a1", "[\"abc\"]")
        for key in ["public/ab/c/abc", "public/abc"] { try app.put(key) }
        let findings = try app.audit()
        #expect(findings.labels == ["invalid-key/settled"])
        #expect(findings[0].evidence.contains("shorter than the 4 bytes"))
        #expect(try app.plan().plan["steps"].elements.isEmpty)
    }

    @Test("a file that comes at the value's key before the act keeps the reference")
    func comingBack() throws {
        let app = try app()
        try app.song("s1", cover: App.cover("s1"))
        let path = try app.plan().path
        try app.put(songKey("s1"))
        try app.expect(5, "repair", path, "--apply")
        #expect(try app.cover(of: "s1") == App.cover("s1"))
    }

    @Test("a file that comes where the value lay before its layout keeps the reference too")
    func comingBackUnlaid() throws {
        let app = try app()
        try app.song("s1", cover: App.cover("s1"))
        let path = try app.plan().path
        try app.put(App.songKey("s1"))
        try app.expect(5, "repair", path, "--apply")
        #expect(try app.cover(of: "s1") == App.cover("s1"))
    }

    @Test("a plan made under another layout is refused")
    func otherLayout() throws {
        let app = try app()
        try app.song("s1", cover: App.cover("s1"))
        let path = try app.plan().path
        var settings = App.Settings()
        settings.models = Self.models.replacingOccurrences(of: Self.layout, with: "v1/{key}")
        try app.configure(settings)
        let refused = try app.mooring("repair", path, "--apply")
        #expect(refused.status != 0, "\(refused.told)")
        #expect(try app.cover(of: "s1") == App.cover("s1"))
    }

    @Test("resolve and explain tell the key of a value, and the value of a key")
    func telling() throws {
        let app = try app()
        try app.song("s1", cover: App.cover("s1"))
        try app.put(songKey("s1"))
        let value = App.cover("s1")
        let result = try app.expect(
            0, "resolve", value, "--model", "Song", "--identity", App.identity, "--json")
        let places = try result.json()["places"].elements
        #expect(places.map { $0["key"].string } == [songKey("s1")])
        #expect(places[0]["state"].string == "present")
        #expect(places[0]["owners"][0]["id"].string == "s1")
        let anywhere = try app.expect(0, "resolve", value, "--json").json()["places"].elements
        #expect(anywhere.count == 8)
        #expect(anywhere.contains { $0["key"].string == "public/" + laid(value) })
        let short = try app.expect(0, "resolve", "abc", "--model", "Song").output
        #expect(short.contains("no usable key: shorter than the 4 bytes"), "\(short)")
        try app.audit()
        let object = try app.expect(0, "explain", songKey("s1")).output
        #expect(
            object.contains(
                "under level private of \(App.identity) by \(Self.layout), a record would hold "
                    + value), "\(object)")
        #expect(object.contains("Song/s1"), "\(object)")
        let record = try app.expect(0, "explain", "Song/s1").output
        #expect(record.contains("coverArtKey means \(songKey("s1")): there"), "\(record)")
    }

    @Test("a layout that no key could be read back from is a configuration error (78)")
    func refused() throws {
        var settings = App.Settings()
        settings.models = Self.models.replacingOccurrences(
            of: Self.layout, with: "{key:0:2}/{key:4}")
        let app = try App(settings)
        let told = try app.expect(78, "audit").errors
        #expect(told.contains("leaves bytes of the value out"), "\(told)")
    }
}
