import MooringModel
@testable import MooringPipeline
import Synchronization
import Testing

/// What a run tells of how far it is: a stage that says how much there is does as much.
@Suite("Progress of a run")
struct ProgressTests {
    private struct Stage {
        let name: String
        let phase: Phase?
        let expected: Int?
        var done = 0
    }

    private final class Heard: Progress {
        let stages = Mutex<[Stage]>([])

        func begin(_ stage: String, _ phase: Phase?, of expected: Int?) {
            stages.withLock {
                $0.append(Stage(name: stage, phase: phase, expected: expected))
            }
        }

        func advance(_ count: Int) {
            stages.withLock { $0[$0.count - 1].done += count }
        }

        func end() {}
    }

    @Test("The looks before a verdict tell how many there are, and do as many")
    func looks() async throws {
        let world = try World()
        world.bucket.become(.s3(.enabled, deletes: .honoured))
        for number in 0..<5 {
            world.song("kept-\(number)", cover: "kept-\(number)")
            world.object("kept-\(number)")
            world.song("missing-\(number)", cover: "missing-\(number)")
            world.object("nobody-\(number)")
        }
        world.album("list", "[\"kept-0\"]")
        world.object("list-123e4567-e89b-12d3-a456-426614174000")
        _ = world.bucket.upload("missing-0", id: "u", begun: World.longAgo)
        let heard = Heard()
        let job = try world.job(progress: heard)
        _ = try await Pipeline(job: job).audit(try world.begin(job, "audit"))
        let stages = heard.stages.withLock { $0 }
        for name in [
            "looking at missing objects of media", "looking for what is elsewhere",
            "looking at lists", "looking at uploads of media", "judging orphans",
            "judging missing references",
        ] {
            let told = stages.filter { $0.name == name }
            #expect(told.count == 1, "\(name): \(stages)")
            #expect(told.allSatisfy { $0.done > 0 && $0.done == $0.expected }, "\(told)")
        }
    }
}
