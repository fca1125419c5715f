import MooringModel
import MooringPipeline
import Testing

@Suite("Missing references that may mean what was not judged")
struct IgnoredObjectTests {
    private func verdict(
        _ value: String, object: String, bucket: String
    ) async throws -> Verdict? {
        let world = try World(Sample.file(bucket: bucket, rest: "repair: {dangling: nullify}"))
        world.source.insert(
            "Post",
            [
                "id": .text("p"), "changed": .moment(World.longAgo),
                "file": .text("{\"bucket\": \"media\", \"key\": \"\(value)\"}"),
            ])
        world.object(object)
        world.song("s", cover: "keeper")
        world.object("keeper")
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(2))
        let audit = try await world.audit()
        let finding = audit.findings.first { $0.kind == .dangling }
        if finding?.verdict != .settled { #expect(try world.plan(audit).steps.isEmpty) }
        return finding?.verdict
    }

    @Test(
        "a value that holds an ignored object's key, or is its twin, is undecided",
        arguments: [
            "media/public/static/logo.png", "PUBLIC/STATIC/logo.png",
            "old/files/public/static/logo.png", "x public/static/logo.png y",
        ])
    func ignored(value: String) async throws {
        let found = try await verdict(
            value, object: "public/static/logo.png",
            bucket: "    ignore: [\"public/static/**\"]")
        #expect(found == .undecided)
    }

    @Test("one that holds none stays settled")
    func other() async throws {
        let found = try await verdict(
            "media/public/static/other.png", object: "public/static/logo.png",
            bucket: "    ignore: [\"public/static/**\"]")
        #expect(found == .settled)
    }

    @Test(
        "a value that holds a key outside the prefixes is undecided",
        arguments: [
            "posts/media/public/logo.png", "posts/s3:public/logo.png",
            "posts/C:\\\\public\\\\logo.png", "posts/a%2Fpublic%2Flogo.png",
        ])
    func outsidePrefixes(value: String) async throws {
        let key = value.contains("\\") ? "logo.png" : "public/logo.png"
        let found = try await verdict(
            value, object: key, bucket: "    prefixes: [\"posts/\", \"keeper\"]")
        #expect(found == .undecided)
    }
}
