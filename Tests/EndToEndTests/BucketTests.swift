import Testing

/// Two buckets, fields of one record in both with a template each, and ids of two parts, from the
/// audit to the repair and back.
@Suite("Several buckets and composite ids")
struct BucketTests {
    private func app() throws -> App {
        let app = try App()
        var settings = App.Settings()
        settings.bucket = "directory: ./files\n  - name: thumbs\n    directory: ./thumbs"
        settings.models = """
            - model: Item
              id: [pk, sk]
              version: _version
              changed: _lastChangedAt
              files:
                - {field: cover, bucket: media, template: "{id}.png"}
                - {field: thumb, bucket: thumbs, template: "{id}.png"}
                - {field: small, bucket: thumbs, template: "{id}-small.png"}
                - {field: images, bucket: media, list: true, template: "img/{id}-{uuid}"}
            """
        settings.bucket += "\n    ignore: [ours]"
        try app.configure(settings)
        try put(app, "thumbs", "ours")
        try app.database.run(
            """
            CREATE TABLE Item (pk TEXT, sk TEXT, cover TEXT, thumb TEXT, small TEXT, images TEXT,
                _version INTEGER, _lastChangedAt INTEGER, PRIMARY KEY (pk, sk))
            """)
        return app
    }

    /// Adds an item; its key is the two parts of its identifier with a slash between them.
    private func item(
        _ app: App, _ key: (String, String), cover: String? = nil, thumb: String? = nil,
        images: String? = nil
    ) throws {
        try app.database.run(
            """
            INSERT INTO Item VALUES (?, ?, ?, ?, NULL, ?, 1, \(App.milliseconds(ago: Age.old)))
            """, Array(key.0.utf8), Array(key.1.utf8), cover.map { Array($0.utf8) },
            thumb.map { Array($0.utf8) }, images.map { Array($0.utf8) })
    }

    private func put(_ app: App, _ bucket: String, _ key: String) throws {
        try app.write(bucket + "/" + key, "content", age: Age.old)
    }

    @Test("The same key in two buckets is two objects, each with its own field and owner")
    func owners() throws {
        let app = try app()
        try item(app, ("u1", "a"), cover: "u1/a.png")
        try put(app, "files", "u1/a.png")
        try put(app, "thumbs", "u1/a.png")
        try put(app, "thumbs", "u1/a-small.png")
        try put(app, "files", "u9/z.png")
        // An owner that an earlier run saw.
        try item(app, ("u9", "z"))
        try app.audit()
        try app.database.run("DELETE FROM Item WHERE cover IS NULL")
        try item(app, ("u3", "c"), images: "[\"img/u3/c-\(App.uuid(2))\"]")
        for number in 1...2 { try put(app, "files", "img/u3/c-\(App.uuid(number))") }
        let findings = try app.audit()
        let wanted = [
            ("thumbs", "u1/a.png", "unassociated", "u1/a", "thumb"),
            ("thumbs", "u1/a-small.png", "unassociated", "u1/a", "small"),
            ("media", "u9/z.png", "ownerless", "u9/z", "cover"),
            ("media", "img/u3/c-\(App.uuid(1))", "detached", "u3/c", "images"),
        ]
        for (bucket, key, cause, id, field) in wanted {
            let finding = try findings.about(key)
            #expect(finding.json["bucket"].string == bucket && finding.cause == cause)
            #expect(finding.recordID == id)
            #expect(finding.json["record"]["field"].string == field)
            #expect(finding.verdict == "settled" && finding.action == "quarantine")
        }
        #expect(findings.count == wanted.count)
        let (path, _) = try app.plan()
        let result = try app.expect(0, "repair", path, "--apply")
        #expect(result.output.contains("4 done"), "\(result.output)")
        #expect(app.exists("files/u1/a.png") && !app.exists("thumbs/u1/a.png"))
        #expect(!app.exists("files/u9/z.png"))
        try app.expect(0, "undo", "latest", "--apply")
        for (bucket, key, _, _, _) in wanted {
            #expect(app.exists((bucket == "media" ? "files/" : "thumbs/") + key))
        }
    }

    @Test("A reference of a composite record is nulled in its own field, and comes back")
    func nulling() throws {
        let app = try app()
        try item(app, ("u2", "b"), cover: "u2/b.png", thumb: "u2/b.png")
        try item(app, ("u2/b", "c"), cover: "u2/b.png")
        try put(app, "files", "u2/b.png")
        // The same key lies in the other bucket, so that nobody knows which was meant.
        let misplaced = try #require(try app.audit().first { $0.kind == "dangling" })
        #expect(misplaced.label == "dangling/misplaced/undecided")
        #expect(misplaced.evidence.contains("in the bucket 'media'"))
        #expect(misplaced.json["object"].isNull)
        try app.database.run("UPDATE Item SET thumb = 'u2/other.png' WHERE pk = 'u2'")
        let finding = try #require(try app.audit().first { $0.kind == "dangling" })
        #expect(finding.label == "dangling/missing/settled" && finding.recordID == "u2/b")
        #expect(finding.json["bucket"].string == "thumbs")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        let rows = try app.database.rows("SELECT pk, cover, thumb FROM Item ORDER BY pk")
        #expect(rows == [["u2", "u2/b.png", nil], ["u2/b", "u2/b.png", nil]])
        try app.expect(0, "undo", "latest", "--apply")
        #expect(try app.database.text("SELECT thumb FROM Item WHERE pk = 'u2'") == "u2/other.png")
    }

    @Test("An orphan in one bucket that a field means by the other bucket's key is kept")
    func misplaced() throws {
        let app = try app()
        for name in ["d", "e\u{301} \n", "../f"] {
            try item(app, ("u4", name), cover: "x-" + name)
        }
        try put(app, "thumbs", "x-d")
        try put(app, "thumbs", "x-\u{E9} ")
        let findings = try app.audit()
        let dangling = try findings.about("x-d", kind: "dangling")
        #expect(dangling.label == "dangling/misplaced/undecided")
        let orphan = try findings.about("x-d", kind: "orphan")
        #expect(orphan.verdict == "undecided")
        #expect(orphan.evidence.hasSuffix("Item/u4/d cover holds the same key in another bucket"))
        let keys = try app.plan().plan["steps"].elements.compactMap { $0["key"].string }
        #expect(!keys.contains("x-d"))
    }
}
