import Testing

@Suite("explain: what the stores say now")
struct ExplainTests {
    @Test("Where a table cannot be read, no reference is told only as far as was read (4)")
    func unread() throws {
        var settings = App.Settings()
        settings.extra = "confirm: never"
        let app = try App(settings)
        try app.put("lonely.txt")
        try app.expect(0, "audit", "--quiet")
        let whole = try app.expect(0, "explain", "lonely.txt").output
        #expect(whole.contains("now: no mapped field references it\n"), "\(whole)")
        #expect(
            whole.contains(/action: quarantine, waits for second sighting, not before \d/),
            "\(whole)")
        try app.database.run("DROP TABLE Post")
        let half = try app.expect(4, "explain", "lonely.txt").output
        #expect(half.contains("now: app was not read to its end: "), "\(half)")
        #expect(
            half.contains("now: no mapped field references it, as far as was read\n"), "\(half)")
    }

    @Test("A value that is no usable key is told with its field and the reason")
    func unusable() throws {
        let app = try App()
        try app.album("a1", "[\"/x\"]")
        try app.expect(0, "audit", "--quiet")
        let record = try app.expect(0, "explain", "Album/a1").output
        #expect(
            record.contains("now: imageKeys is no usable key: a leading slash"), "\(record)")
    }

    @Test("Of a text that holds only the end of a key it is told that it is the end")
    func end() throws {
        let app = try App()
        let key = "vault/attachments/sketch of plan.png"
        try app.put(key)
        try app.database.run("INSERT INTO Note VALUES ('n1', 'see ![[sketch of plan.png]]')")
        try app.expect(0, "audit", "--quiet")
        let object = try app.expect(0, "explain", key).output
        #expect(
            object.contains("the end of its key stands in body of Note/n1: that protects it"),
            "\(object)")
    }
}
