import TestServers
import Testing

/// `explain` where a record spells what it references otherwise than by bare keys.
@Suite("explain on S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3ExplainTests {
    private static let unreferenced = "no mapped field references it"

    @Test("A record that holds the store's own name of a bucket references the object there")
    func ownName() async throws {
        let app = try await StoreApp(.ministack)
        try app.put("public/posts/p1.txt")
        try app.post("p1", #"{"bucket": "\#(app.bucket)", "key": "posts/p1.txt"}"#)
        #expect(try app.audit().isEmpty)
        let object = try app.expect(0, "explain", "public/posts/p1.txt").output
        #expect(object.contains("referenced by app Post/p1"), "\(object)")
        #expect(!object.contains(Self.unreferenced))
        let record = try app.expect(0, "explain", "Post/p1").output
        #expect(record.contains("file means public/posts/p1.txt: there"), "\(record)")
    }

    @Test("A record that names a bucket nobody configured may mean the object, and this is said")
    func foreignName() async throws {
        let app = try await StoreApp(.ministack)
        try app.put("public/posts/p1.txt")
        try app.post("p1", #"{"bucket": "renamed-since", "key": "posts/p1.txt"}"#)
        try app.expect(0, "audit", "--quiet")
        let object = try app.expect(0, "explain", "public/posts/p1.txt").output
        #expect(!object.contains(Self.unreferenced), "\(object)")
        #expect(object.contains("Post/p1 names a bucket that is not configured"), "\(object)")
        let record = try app.expect(0, "explain", "Post/p1").output
        #expect(record.contains("file names a bucket that is not configured"), "\(record)")
    }

    @Test(
        "A key that stands in a text is told with its place, as pass B protects it there",
        arguments: ["s3://BUCKET/KEY", "https://cdn.example/KEY?v=2", "see KEY, please"])
    func text(form: String) async throws {
        let app = try await StoreApp(.ministack)
        let key = "public/posts/p1.txt"
        try app.put(key)
        let text = form.replacing("BUCKET", with: app.bucket).replacing("KEY", with: key)
        try app.database.run("INSERT INTO Note VALUES ('n1', ?)", Array(text.utf8))
        try app.expect(0, "audit", "--quiet")
        let object = try app.expect(0, "explain", key).output
        #expect(object.contains("its key stands in body of Note/n1"), "\(object)")
        #expect(!object.contains(Self.unreferenced))
    }

    @Test("An address, an s3:// form and a percent-encoded key are told as the object they mean")
    func subjects() async throws {
        let app = try await StoreApp(.ministack)
        let key = "public/posts/a b.txt"
        try app.put(key)
        try app.post("p1", #"{"bucket": "\#(app.bucket)", "key": "posts/a b.txt"}"#)
        try app.expect(0, "audit", "--quiet")
        for subject in [
            "s3://\(app.bucket)/\(key)", "s3://media/public/posts/a%20b.txt",
            "https://\(app.bucket).s3.amazonaws.com/public/posts/a%20b.txt?X-Amz-Date=1",
        ] {
            let told = try app.expect(0, "explain", subject).output
            #expect(told.hasPrefix("object \(key) in media"), "\(subject): \(told)")
            #expect(told.contains("referenced by app Post/p1"), "\(subject): \(told)")
        }
    }
}
