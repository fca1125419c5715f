import MooringModel
import MooringS3
import StoreConformance
import TestServers
import Testing

/// Each act is broken off at each of its requests, in each way that a request can fail: the object
/// is never nowhere, and a second attempt ends well.
@Suite("Moves in S3 that are broken off", .requires(.ministack), .timeLimit(.minutes(60)))
struct InterruptedMoveTests {
    static let scenes: [S3Stage.Scene] = [
        S3Stage.Scene(), S3Stage.Scene(versioned: true),
        S3Stage.Scene(versioned: true, ignoresDeletion: true),
        S3Stage.Scene(ignoresAll: true, neverReused: true),
        S3Stage.Scene(limits: parts),
    ]

    // Everything is copied in parts.
    static var parts: CopyLimits {
        var limits = CopyLimits()
        (limits.wholeCopy, limits.throughMemory, limits.part) = (4, 0, 5)
        return limits
    }

    private static let content = "the one object"

    /// One act, from a state that was prepared, broken off at one request.
    private struct Break {
        let stage: S3Stage
        let key: ObjectKey
        let run: RunID
        let bucket: S3Bucket
        let note: Comment

        init(_ stage: S3Stage, _ later: S3Bucket, _ number: Int, _ fault: SpyCaller.Fault) {
            self.stage = stage
            key = ObjectKey("a/\(fault) \(number)")
            run = StoreConformance.run(Int64(number))
            bucket = fault == .crash ? later : stage.bucket
            note = "\(stage.scene.testDescription), \(fault) \(number)"
        }

        // Whatever happened: at its key, or in quarantine and restorable.
        func isSomewhere() async throws -> Bool {
            if try await stage.text(key) == content { return true }
            return try await stage.heldText(key, run) == content
        }

        func finishInBucket() async throws {
            for _ in 0..<2 {
                let found = try await stage.resumed(key, run, by: bucket)
                guard let held = found.held else { break }
                let outcome = try await bucket.restore(key, run: run, expecting: held)
                #expect(outcome == .done, note)
            }
            #expect(try await stage.text(key) == content, note)
            // A note without a marker waits for a deletion that may be on its way still; the
            // watch, or the sweep, takes it as restored.
            if let version = try await stage.noted(key, run) {
                let outcome = try await bucket.restore(key, run: run, expecting: version)
                #expect(outcome == .done, note)
            }
            #expect(try await stage.text(key) == content, note)
            #expect(try await stage.kept(key, run) == [key.text], note)
        }
    }

    // Runs an act with a fault at each of its requests, until there is none left.
    private static func each(
        _ scene: S3Stage.Scene,
        prepare: (Break) async throws -> ObjectVersion,
        act: (Break, ObjectVersion) async throws -> MoveOutcome,
        check: (Break, ObjectVersion) async throws -> Void
    ) async throws {
        let stage = try await S3Stage(scene)
        let later = stage.another()
        _ = try await (stage.bucket.capabilities(), later.capabilities())
        for fault in SpyCaller.Fault.allCases {
            var number = 0
            while true {
                let place = Break(stage, later, number, fault)
                let version = try await prepare(place)
                stage.caller.arm(faultAt: number, fault)
                // It fails or not; what counts is what it leaves.
                _ = try? await act(place, version)
                let sent = stage.caller.disarm()
                try await check(place, version)
                number += 1
                if sent.count < number { break }
                #expect(number < 60)
            }
        }
    }

    private static func put(_ place: Break) async throws -> ObjectVersion {
        try await place.stage.put(place.key, content)
        return try await place.stage.bucket.version(place.key)
    }

    private static func quarantine(_ place: Break) async throws -> ObjectVersion {
        let version = try await put(place)
        let outcome = try await place.stage.bucket.quarantine(
            place.key, expecting: version, run: place.run)
        #expect(outcome == .done, place.note)
        return version
    }

    @Test("a quarantine", arguments: scenes)
    func quarantines(_ scene: S3Stage.Scene) async throws {
        try await Self.each(scene, prepare: Self.put) { place, version in
            try await place.stage.bucket.quarantine(
                place.key, expecting: version, run: place.run)
        } check: { place, version in
            #expect(try await place.isSomewhere(), place.note)
            let found = try await place.stage.resumed(place.key, place.run, by: place.bucket)
            #expect(found.held != nil || found.original == version, place.note)
            if found.original != nil, found.held != nil {
                // In both places: the move begins again and finds its copy.
                let again = try await place.bucket.quarantine(
                    place.key, expecting: version, run: place.run)
                #expect(again == .done, place.note)
            }
            try await place.finishInBucket()
        }
    }

    @Test("a restore", arguments: scenes)
    func restores(_ scene: S3Stage.Scene) async throws {
        try await Self.each(scene, prepare: Self.quarantine) { place, version in
            try await place.stage.bucket.restore(
                place.key, run: place.run, expecting: version)
        } check: { place, _ in
            #expect(try await place.isSomewhere(), place.note)
            try await place.finishInBucket()
        }
    }

    @Test("a sweep", arguments: scenes)
    func sweeps(_ scene: S3Stage.Scene) async throws {
        try await Self.each(scene) { place in
            // Where versions are kept, this one is older and goes too.
            try await place.stage.put(place.key, "an older one")
            return try await Self.quarantine(place)
        } act: { place, version in
            try await place.stage.bucket.sweep(place.key, run: place.run, expecting: version)
        } check: { place, _ in
            #expect(try await place.stage.text(place.key) == nil, place.note)
            if let held = try await place.stage.resumed(
                place.key, place.run, by: place.bucket
            ).held {
                let outcome = try await place.bucket.sweep(
                    place.key, run: place.run, expecting: held)
                #expect(outcome == .done, place.note)
            }
            #expect(try await place.stage.kept(place.key, place.run) == [], place.note)
        }
    }
}
