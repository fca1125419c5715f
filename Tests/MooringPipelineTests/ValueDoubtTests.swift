import MooringModel
import MooringPipeline
import Testing

/// Values that miss no file: what stands for something of the app beside keys of files.
@Suite("Values that may be no keys")
struct ValueDoubtTests {
    // Keys of whole paths, under no template.
    private static let paths = Sample.file(cover: "level: root")

    private func verdicts(_ world: World) async throws -> [String: Finding] {
        let findings = try await world.audit().findings.filter { $0.kind == .dangling }
        return Dictionary(
            findings.map { ($0.record?.identity.id.joined.text ?? "", $0) },
            uniquingKeysWith: { first, _ in first })
    }

    private func filled() throws -> World {
        let world = try World(Self.paths)
        for name in ["avatars/u1.png", "avatars/u2.png"] {
            world.song(name, cover: name)
            world.object(name)
        }
        return world
    }

    @Test("what looks like none of the field's files is undecided, and what looks like them is not")
    func forms() async throws {
        let world = try filled()
        let others = ["My little shop", "default.png", "#ff8800", "gradient-3", "a/b/c.png"]
        for value in others + ["avatars/gone.png"] { world.song(value, cover: value) }
        let found = try await verdicts(world)
        for value in others {
            #expect(found[value]?.verdict == .undecided, "\(value)")
            #expect(found[value]?.evidence.last?.contains("it may be no key") == true, "\(value)")
        }
        #expect(found["avatars/gone.png"]?.verdict == .settled)
        #expect(try await world.run(waiting: .zero).map(\.outcome) == [.done])
        #expect(world.cover("default.png") == "default.png")
        #expect(world.cover("avatars/gone.png") == nil)
    }

    @Test("what three records hold may stand for something of the app; two share a lost file")
    func shared() async throws {
        for count in [2, 3] {
            let world = try filled()
            for number in 0..<count { world.song("s\(number)", cover: "avatars/default.png") }
            let found = try await verdicts(world)
            #expect(found.count == count)
            #expect(found.values.allSatisfy { ($0.verdict == .undecided) == (count == 3) })
            let words =
                "3 records hold this value: it may stand for something of the app, and not for a "
                + "file of theirs"
            #expect(found.values.allSatisfy { $0.evidence.contains(words) == (count == 3) })
        }
    }

    @Test("a field without any file that is there tells nothing of how its values look")
    func none() async throws {
        let world = try World(Self.paths)
        world.song("other", cover: nil)
        world.song("r", cover: "My little shop")
        world.album("a", #"["keeper"]"#)
        world.object("keeper")
        #expect(try await verdicts(world)["r"]?.verdict == .settled)
    }

    @Test("a reference whose preview is there stays, and so does the preview")
    func derived() async throws {
        let world = try World(
            Sample.file(cover: "level: root", bucket: "    derived: [\"thumbs/{key}\"]"))
        for name in ["u/1/photo.jpg", "u/2/photo.jpg"] { world.song(name, cover: name) }
        world.object("u/1/photo.jpg")
        world.object("thumbs/u/1/photo.jpg")
        world.object("thumbs/u/2/photo.jpg")
        let finding = try #require(try await verdicts(world)["u/2/photo.jpg"])
        #expect(finding.verdict == .undecided)
        #expect(finding.evidence.last == "an object that is derived from it is there")
        world.clock.advance(.days(30))
        #expect(try await world.run(waiting: .zero).isEmpty)
        #expect(world.cover("u/2/photo.jpg") == "u/2/photo.jpg")
        #expect(world.has("thumbs/u/2/photo.jpg"))
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
