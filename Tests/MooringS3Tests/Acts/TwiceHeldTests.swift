import MooringModel
import MooringS3
import StoreConformance
import TestServers
import Testing

/// One key in quarantine under two runs: each act keeps to the place of its own.
@Suite("A key that S3 holds in quarantine twice", .requires(.ministack), .timeLimit(.minutes(60)))
struct TwiceHeldTests {
    static let scenes: [S3Stage.Scene] = [
        S3Stage.Scene(), S3Stage.Scene(versioned: true),
        S3Stage.Scene(versioned: true, ignoresDeletion: true),
    ]

    private let key = ObjectKey("songs/s1")
    private let first = StoreConformance.run(1)
    private let second = StoreConformance.run(2)

    private func quarantine(_ stage: S3Stage, _ content: String?, _ run: RunID) async throws
        -> ObjectVersion
    {
        if let content { try await stage.put(key, content) }
        let version = try await stage.bucket.version(key)
        let outcome = try await stage.bucket.quarantine(key, expecting: version, run: run)
        #expect(outcome == .done)
        return version
    }

    @Test("each run's object is given back and swept by itself", arguments: scenes, ["one", "two"])
    func apart(_ scene: S3Stage.Scene, content: String) async throws {
        let stage = try await S3Stage(scene)
        let older = try await quarantine(stage, "one", first)
        let newer = try await quarantine(stage, content, second)
        #expect(try await stage.text(key) == nil)
        #expect(try await stage.bucket.listedQuarantine().items.count == 2)
        #expect(try await stage.bucket.sweep(key, run: first, expecting: older) == .done)
        #expect(try await stage.heldText(key, second) == content)
        #expect(try await stage.bucket.restore(key, run: second, expecting: newer) == .done)
        #expect(try await stage.text(key) == content)
        #expect(try await stage.bucket.listedQuarantine().items.isEmpty)
    }

    @Test("a note that a broken restore left takes nothing from the run that came after")
    func leftNote() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        let version = try await quarantine(stage, "one", first)
        let place = S3Stage.place(key, first)
        let note = try #require(try await stage.text(place))
        #expect(try await stage.bucket.restore(key, run: first, expecting: version) == .done)
        try await stage.put(place, note, headers: [("x-amz-meta-mooring-note", "mooring.note/1")])
        _ = try await quarantine(stage, nil, second)

        let sweep = try await stage.bucket.sweep(key, run: first, expecting: version)
        #expect(sweep == .stale("it was given back since; only its note was left"))
        #expect(try await stage.bucket.listedQuarantine().items.map(\.run) == [second])
        #expect(try await stage.bucket.restore(key, run: second, expecting: version) == .done)
        #expect(try await stage.text(key) == "one")
    }
}
