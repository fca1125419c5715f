import Foundation
import Testing

@Suite("resolve")
struct ResolveTests {
    private func places(_ app: App, _ words: String...) throws -> [JSON] {
        let result = try Program.run(["resolve", "--json"] + words, in: app.path)
        #expect(result.status == 0, "\(result.told)")
        return try result.json()["places"].elements
    }

    @Test("A value is looked up under every level, and where the identity is open, under all")
    func levels() throws {
        let app = try App()
        try app.put("public/a.png", "seven77")
        try app.put("private/one/a.png")
        try app.put("private/two/a.png")
        try app.put("private/two/b/a.png")
        let places = try places(app, "a.png")
        #expect(places.map { $0["level"].string } == ["root", "guest", "protected", "private"])
        #expect(
            places.map { $0["key"].string } == [
                "a.png", "public/a.png", "protected/{identity}/a.png",
                "private/{identity}/a.png",
            ])
        #expect(places[0]["state"].string == "absent")
        #expect(places[1]["state"].string == "present")
        #expect(places[1]["objects"][0]["object"]["lastModified"].string != nil)
        #expect(places[2]["objects"].elements.isEmpty)
        let found = places[3]["objects"].elements
        #expect(found.compactMap { $0["identity"].string }.sorted() == ["one", "two"])
        #expect(found.allSatisfy { $0["object"]["size"].integer == 7 })
        let text = try app.expect(0, "resolve", "a.png", "--identity", "two").output
        #expect(text.contains("media, private: private/two/a.png\n    there, 7 B"))
        #expect(!app.exists("mooring.ledger"))
    }

    @Test("A field's own mapping is used; a list and an S3Object are read as the field holds them")
    func fields() throws {
        let app = try App()
        try app.put("public/x.txt")
        let song = try places(app, "s1-\(App.uuid(1)).png", "--model", "Song", "--identity", "me")
        #expect(song.map { $0["key"].string } == ["private/me/s1-\(App.uuid(1)).png"])
        #expect(song[0]["owners"][0]["id"].string == "s1")
        #expect(song[0]["owners"][0]["field"].string == "coverArtKey")
        let told = try app.expect(0, "resolve", App.cover("s1"), "--model", "Song").output
        #expect(told.contains("by its template it belongs to app Song/s1.coverArtKey"), "\(told)")
        let list = try places(app, "[\"x.txt\", null, \"y.txt\"]", "--field", "imageKeys")
        #expect(list.map { $0["key"].string } == ["public/x.txt", "public/y.txt"])
        let object = "{\"bucket\": \"media\", \"key\": \"posts/p1.txt\", \"region\": \"x\"}"
        let post = try places(app, object, "--model", "Post")
        #expect(post.map { $0["key"].string } == ["public/posts/p1.txt"])
        #expect(post[0]["owners"][0]["id"].string == "p1")
        #expect(try places(app, object).count == 4)
        let foreign = object.replacingOccurrences(of: "media", with: "elsewhere")
        #expect(try places(app, foreign).isEmpty)
        let unknown = try app.expect(0, "resolve", foreign).output
        #expect(unknown.contains("no such bucket is configured"))
        #expect(try app.expect(2, "resolve", "x", "--model", "Sing").errors.contains("Song"))
        #expect(try app.expect(2, "resolve", "x", "--bucket", "b").errors.contains("media"))
    }

    @Test("A URL is read by its path, with the bucket's name or without; a bad key says why")
    func urls() throws {
        let app = try App()
        try app.put("public/my song.mp3")
        for url in [
            "https://media.s3.amazonaws.com/public/my%20song.mp3?X-Amz-Expires=60",
            "https://s3.amazonaws.com/media/public/my+song.mp3", "s3://media/public/my song.mp3",
        ] {
            let there = try places(app, url).filter {
                $0["state"].string == "present"
            }
            #expect(there.map { $0["key"].string } == ["public/my song.mp3"], "\(url)")
        }
        let slash = try app.expect(0, "resolve", "/public/x").output
        #expect(slash.contains("no usable key: a leading slash"))
        #expect(try app.expect(0, "resolve", "").output.contains("no usable key: an empty key"))
    }

    @Test("Quarantine, prefixes and ignored keys are told; hostile bytes come through stdin, too")
    func surroundings() throws {
        var settings = App.Settings()
        settings.bucket = """
            directory: ./files
                prefixes: ["private/", "public/"]
                ignore: ["public/static/**"]
            """
        let app = try App(settings)
        let key = try app.orphan("s1")
        try app.expect(0, "repair", try app.plan().path, "--apply")
        let held = try places(app, key)
        #expect(held[0]["state"].string == "absent")
        #expect(held[0]["quarantined"].elements.count == 1)
        #expect(try app.expect(0, "resolve", key).output.contains("in quarantine since run "))
        let open = try places(app, App.cover("s1"), "--field", "coverArtKey")
        #expect(open[0]["quarantined"].elements.count == 1)
        #expect(try places(app, "static/a.png")[0]["outsidePrefixes"].bool == true)
        #expect(try places(app, "static/a.png")[1]["ignored"].bool == true)
        #expect(
            try app.expect(0, "resolve", "static/a.png").output.contains(
                "\n    ignored: audits never find anything about it\n"))

        let hostile: [UInt8] = Array("a\u{1B}[31m\n".utf8) + [0xFF]
        try app.write(Array("files/public/".utf8) + hostile, Array("x".utf8))
        let text = Data(hostile).base64EncodedString()
        let shown = try app.expect(0, "resolve", "--base64", text).output
        #expect(shown.contains("no usable key: control characters"))
        #expect(shown.contains("media, guest: public/a\\x1b[31m\\x0a\\xff\n    there, 1 B"))
        #expect(shown.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A })
        try app.write(Array("input".utf8), hostile)
        let shell = "'\(Program.path)' resolve - --json < input"
        let piped = try RunningProgram(
            ["/bin/sh", "-c", shell], in: app.path, environment: [:]
        ).wait()
        #expect(piped.status == 0, "\(piped.told)")
        #expect(try piped.json()["valueBase64"].string == text)
        let base64 = try app.expect(2, "resolve", "--base64", "no base64!")
        #expect(base64.errors.contains("--base64: the value is no padded base64"))
        let large = try RunningProgram(
            ["/bin/sh", "-c", "head -c 1048577 /dev/zero | '\(Program.path)' resolve -"],
            in: app.path, environment: [:]
        ).wait()
        #expect(large.status == 2)
        #expect(large.errors.contains("stdin holds more than 1048576 bytes, and no value"))
        let before = app.files(below: ".")
        try app.expect(0, "resolve", key)
        #expect(app.files(below: ".") == before)
    }

    @Test("A listing is read in place of a bucket that can be asked")
    func listing() throws {
        var settings = App.Settings()
        settings.bucket = "listing: ./objects.csv"
        let app = try App(settings)
        try app.write(
            "objects.csv",
            "key,size,lastModified,etag\npublic/a.png,3,2026-01-01T00:00:00Z,e\n")
        let places = try places(app, "a.png")
        #expect(places[1]["objects"][0]["object"]["size"].integer == 3)
        #expect(places[0]["state"].string == "absent")
    }
}
