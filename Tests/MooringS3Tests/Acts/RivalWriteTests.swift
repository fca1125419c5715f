import MooringModel
import MooringS3
import PlainS3
import StoreConformance
import TestServers
import Testing

/// Somebody else writes between any two requests of an act: what they wrote is never lost, and
/// never hidden for good.
@Suite("Moves in S3 with a rival in between", .requires(.ministack), .timeLimit(.minutes(60)))
struct RivalWriteTests {
    /// What the rival does.
    enum Rival: String, CaseIterable, Sendable {
        case newContent, sameBytes, removal, removalAndUpload
    }

    enum Act: String, CaseIterable, Sendable {
        case quarantine, restore, sweep
    }

    private static let content = "the one object"
    private static let other = "what the rival wrote"

    static let scenes: [S3Stage.Scene] = [
        S3Stage.Scene(), S3Stage.Scene(versioned: true),
        S3Stage.Scene(versioned: true, ignoresDeletion: true),
    ]

    /// One act on one key, with what a rival does to it.
    private struct Race {
        let stage: S3Stage
        let act: Act
        let rival: Rival
        let key: ObjectKey
        let run: RunID

        var text: String { "\(stage.scene.testDescription), \(rival) in \(act) of \(key.text)" }

        func prepare() async throws -> ObjectVersion {
            try await stage.put(key, content)
            let version = try await stage.bucket.version(key)
            if act != .quarantine {
                let outcome = try await stage.bucket.quarantine(
                    key, expecting: version, run: run)
                #expect(outcome == .done)
            }
            return version
        }

        func write() async throws {
            switch rival {
            case .newContent: try await stage.put(key, other)
            case .sameBytes: try await stage.put(key, content)
            case .removal: try await stage.remove(key)
            case .removalAndUpload:
                try await stage.remove(key)
                try await stage.put(key, other)
            }
        }

        func carryOut(_ version: ObjectVersion) async throws -> MoveOutcome {
            switch act {
            case .quarantine:
                try await stage.bucket.quarantine(key, expecting: version, run: run)
            case .restore: try await stage.bucket.restore(key, run: run, expecting: version)
            case .sweep: try await stage.bucket.sweep(key, run: run, expecting: version)
            }
        }

        // The rival's version, by its id where there are versions.
        func newest() async throws -> String? {
            let bytes = key.bytes
            return try await stage.server.run { s3 in
                try s3.versions(stage.store).first { $0.key == bytes && $0.isLatest }?.version
            }
        }

        func check(_ note: Comment, rivals id: String?) async throws {
            let now = try await stage.text(key)
            switch rival {
            case .newContent, .removalAndUpload: #expect(now == other, note)
            case .sameBytes:
                // Without versions the same bytes are the same object, wherever they lie.
                let held = try await stage.heldText(key, run)
                #expect(now == content || (!stage.scene.versioned && held == content), note)
            case .removal: break
            }
            if stage.scene.versioned, rival != .removal {
                #expect(try await newest() == id, note)
            }
        }
    }

    // The request before which the rival came is remembered with what it wrote.
    private static func race(
        _ race: Race, at number: Int, crashAt: Int? = nil, by later: S3Bucket? = nil
    ) async throws -> Int {
        let version = try await race.prepare()
        let written = Written()
        race.stage.caller.arm(faultAt: crashAt, .crash, rivalAt: number) {
            try await race.write()
            await written.set(race.stage.scene.versioned ? try await race.newest() : nil)
        }
        // It fails or not; what counts is what it leaves.
        _ = try? await race.carryOut(version)
        let sent = race.stage.caller.disarm()
        guard sent.count > number else { return sent.count }
        if let later { try await later.finishMove(race.key, run: race.run) }
        let crash = crashAt.map { ", crash at \($0)" } ?? ""
        try await race.check(
            "\(race.text), before request \(number) of \(sent)\(crash)",
            rivals: await written.id)
        return sent.count
    }

    private actor Written {
        var id: String?
        func set(_ id: String?) { self.id = id }
    }

    @Test("whatever it writes, and whenever", arguments: scenes, Act.allCases)
    func rival(_ scene: S3Stage.Scene, _ act: Act) async throws {
        let stage = try await S3Stage(scene)
        _ = try await stage.bucket.capabilities()
        for rival in Rival.allCases {
            var number = 0
            while true {
                let race = Race(
                    stage: stage, act: act, rival: rival,
                    key: ObjectKey("r/\(rival)/\(number)"), run: run(Int64(number)))
                let sent = try await Self.race(race, at: number)
                number += 1
                if sent < number { break }
                #expect(number < 60)
            }
        }
    }

    @Test(
        "and the process dies behind it",
        arguments: [
            S3Stage.Scene(versioned: true), S3Stage.Scene(versioned: true, ignoresDeletion: true),
        ])
    func rivalAndCrash(_ scene: S3Stage.Scene) async throws {
        let stage = try await S3Stage(scene)
        let later = stage.another()
        _ = try await (stage.bucket.capabilities(), later.capabilities())
        for rival in [Rival.newContent, .sameBytes] {
            for number in 0..<8 {
                for crash in (number + 1)..<10 {
                    let race = Race(
                        stage: stage, act: .quarantine, rival: rival,
                        key: ObjectKey("r/\(rival)/\(number)/\(crash)"),
                        run: run(Int64(number)))
                    _ = try await Self.race(race, at: number, crashAt: crash, by: later)
                }
            }
        }
    }
}
