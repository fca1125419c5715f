import MooringModel
import MooringS3
import PlainS3
import StoreConformance
import TestServers
import Testing

@Suite("Copies in S3", .requires(.ministack), .timeLimit(.minutes(60)))
struct CopyTests {
    private static let key = ObjectKey("a/picture")
    private static let described: [(name: String, value: String)] = [
        ("content-type", "image/png"), ("cache-control", "max-age=7"),
        ("content-disposition", "inline"), ("content-language", "de"),
        ("content-encoding", "identity"), ("x-amz-meta-owner", "a b  c"),
        ("x-amz-storage-class", "STANDARD_IA"), ("x-amz-server-side-encryption", "AES256"),
        ("x-amz-website-redirect-location", "/other"),
    ]

    static let scenes = [S3Stage.Scene(), S3Stage.Scene(limits: InterruptedMoveTests.parts)]

    private static func description(_ stage: S3Stage, _ key: ObjectKey) async throws -> [String?] {
        try await stage.server.run { s3 in
            let head = try s3.head(stage.store, key.bytes)
            return described.map { head?[$0.name] }
        }
    }

    private static func tags(_ stage: S3Stage, _ key: ObjectKey) async throws -> String {
        try await stage.server.run { s3 in
            var call = PlainS3.Call("GET", stage.store, key.bytes)
            call.query = [("tagging", "")]
            let text = String(decoding: try s3.require(call).body, as: UTF8.self)
            return PlainS3.value("TagSet", in: text[...]) ?? ""
        }
    }

    @Test(
        "a copy has everything that its object had, and so has what is put back", arguments: scenes)
    func fidelity(_ scene: S3Stage.Scene) async throws {
        let stage = try await S3Stage(scene)
        try await stage.put(
            Self.key, "0123456789012", headers: Self.described + [("x-amz-tagging", "t=1&u=2%263")])
        let before = try await Self.description(stage, Self.key)
        let tags = try await Self.tags(stage, Self.key)
        #expect(!before.contains(nil) && tags.contains("2&amp;3"))
        let version = try await stage.bucket.version(Self.key)
        let run = run(1)
        #expect(try await stage.bucket.quarantine(Self.key, expecting: version, run: run) == .done)
        let place = S3Stage.place(Self.key, run)
        #expect(try await Self.description(stage, place) == before)
        #expect(try await Self.tags(stage, place) == tags)
        #expect(try await stage.bucket.restore(Self.key, run: run, expecting: version) == .done)
        #expect(try await Self.description(stage, Self.key) == before)
        #expect(try await Self.tags(stage, Self.key) == tags)
        #expect(try await stage.text(Self.key) == "0123456789012")
        let head = try await stage.server.run { try $0.head(stage.store, Self.key.bytes) }
        #expect(head?["x-amz-meta-mooring-source"] == nil)
    }

    private static func refusal(
        _ stage: S3Stage, headers: [(name: String, value: String)] = []
    ) async throws -> (error: StoreError?, sent: [String]) {
        try await stage.put(key, "content", headers: headers)
        let version = try await stage.bucket.version(key)
        _ = try await stage.bucket.capabilities()
        stage.caller.arm()
        let error = await #expect(throws: StoreError.self) {
            try await stage.bucket.quarantine(key, expecting: version, run: run(1))
        }
        #expect(try await stage.text(key) == "content")
        return (error, stage.caller.disarm().filter { $0 != "HeadObject" })
    }

    @Test("an archived object is refused by name before anything is sent, and can be hidden")
    func archived() async throws {
        let headers = [(name: "x-amz-storage-class", value: "DEEP_ARCHIVE")]
        let plain = try await S3Stage(S3Stage.Scene())
        try await plain.put(Self.key, "content", headers: headers)
        let version = try await plain.bucket.version(Self.key)
        _ = try await plain.bucket.capabilities()
        plain.caller.arm()
        let error = await #expect(throws: StoreError.self) {
            try await plain.bucket.quarantine(Self.key, expecting: version, run: run(1))
        }
        #expect(error?.isRefusal == true && error?.reason.contains("DEEP_ARCHIVE") == true)
        #expect(plain.caller.disarm().allSatisfy { $0 == "HeadObject" })
        let versioned = try await S3Stage(S3Stage.Scene(versioned: true))
        try await versioned.put(Self.key, "content", headers: headers)
        let hidden = try await versioned.bucket.version(Self.key)
        let outcome = try await versioned.bucket.quarantine(
            Self.key, expecting: hidden, run: run(1))
        #expect(outcome == .done)
        #expect(
            try await versioned.bucket.restore(Self.key, run: run(1), expecting: hidden) == .done)
        #expect(try await versioned.bucket.version(Self.key) == hidden)
    }

    @Test("without versions and conditions only a key that is never used again is moved")
    func unconditional() async throws {
        let reused = try await S3Stage(S3Stage.Scene(ignoresDeletion: true))
        let (error, sent) = try await Self.refusal(reused)
        #expect(error?.isRefusal == true && error?.hint?.contains("{uuid}") == true)
        #expect(sent == [])
        let unique = try await S3Stage(S3Stage.Scene(ignoresDeletion: true, neverReused: true))
        try await unique.put(Self.key, "content")
        let version = try await unique.bucket.version(Self.key)
        let outcome = try await unique.bucket.quarantine(
            Self.key, expecting: version, run: run(1))
        #expect(outcome == .done)
    }

    @Test("a deletion that the store only says it made is no move")
    func pretended() async throws {
        let stage = try await S3Stage(S3Stage.Scene())
        try await stage.put(Self.key, "content")
        let version = try await stage.bucket.version(Self.key)
        _ = try await stage.bucket.capabilities()
        stage.caller.pretend("DeleteObject")
        let error = await #expect(throws: StoreError.self) {
            try await stage.bucket.quarantine(Self.key, expecting: version, run: run(1))
        }
        stage.caller.disarm()
        #expect(error?.isRefusal == false && error?.reason.contains("still there") == true)
        let again = try await stage.bucket.quarantine(Self.key, expecting: version, run: run(1))
        #expect(again == .done)
    }

    @Test("a quarantine in another bucket takes copies and notes", arguments: [false, true])
    func elsewhere(versioned: Bool) async throws {
        let server = try await S3TestServer.ministack()
        let other = try await server.makeBucket()
        let stage = try await S3Stage(
            S3Stage.Scene(versioned: versioned), quarantineIn: other)
        func held() async throws -> [String] {
            try await server.run { try $0.list(other).map(\.name) }
        }
        for number in 0..<2 {
            try await stage.put(Self.key, "content")
            let version = try await stage.bucket.version(Self.key)
            let run = run(Int64(number))
            let moved = try await stage.bucket.quarantine(Self.key, expecting: version, run: run)
            #expect(moved == .done)
            #expect(try await held() == [S3Stage.place(Self.key, run).text])
            #expect(try await stage.bucket.listedQuarantine().items.map(\.key) == [Self.key])
            let end =
                number == 0
                ? try await stage.bucket.restore(Self.key, run: run, expecting: version)
                : try await stage.bucket.sweep(Self.key, run: run, expecting: version)
            #expect(end == .done)
            #expect(try await held() == [])
            #expect(try await stage.text(Self.key) == (number == 0 ? "content" : nil))
            try await stage.remove(Self.key)
        }
    }

    @Test("a bucket whose versions are suspended is treated as one without")
    func suspended() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        try await stage.put(Self.key, "an older one")
        try await stage.server.run { try $0.setVersioning("Suspended", of: stage.store) }
        let bucket = stage.another()
        try await stage.put(Self.key, "content")
        let version = try await bucket.version(Self.key)
        #expect(version.versionID == nil)
        #expect(try await bucket.listed().items.map(\.version) == [version])
        #expect(try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        #expect(try await bucket.restore(Self.key, run: run(1), expecting: version) == .done)
        #expect(try await stage.text(Self.key) == "content")
    }
}
