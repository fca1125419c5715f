import Glibc
import MooringDecisions
import MooringLedger
import MooringModel
@testable import MooringPipeline
import Testing

/// Random courses of a few keys that are uploaded, linked, cleared, quarantined, given back and
/// swept again and again, with the same bytes and with others, on every kind of bucket.
@Suite("Random courses of keys that come back")
struct RequarantineWalkTests {
    private static var seeds: [UInt64] {
        guard let text = getenv("MOORING_SEED").map({ String(cString: $0) }),
            let seed = UInt64(text)
        else { return Array(1...24) }
        return [seed]
    }

    @Test("nothing needed goes, each run has a place of its own, and each copy its own time")
    func courses() async throws {
        var counts = Walk.Counts()
        for seed in Self.seeds {
            var walk = try Walk(seed)
            try await walk.run()
            #expect(walk.problems.isEmpty, "seed \(seed): \(walk.problems)")
            counts.add(walk.counts)
        }
        print("courses of keys that come back: \(counts)")
        // A walk in which nothing comes back would always hold.
        if Self.seeds.count > 1 {
            #expect(counts.twiceHeld > 20 && counts.sameBytes > 2 && counts.swept > 5)
            #expect(counts.restored > 5 && counts.besideLiving > 0 && counts.undone > 5)
        }
    }
}

private struct Walk {
    struct Counts {
        var twiceHeld = 0
        var sameBytes = 0
        var swept = 0
        var besideLiving = 0
        var restored = 0
        var undone = 0

        mutating func add(_ other: Counts) {
            twiceHeld += other.twiceHeld
            sameBytes += other.sameBytes
            swept += other.swept
            besideLiving += other.besideLiving
            restored += other.restored
            undone += other.undone
        }
    }

    private static let retention = Duration.days(30)
    private static let keys = ["k0", "k1", "k2"]

    private let world: World
    private var random: SplitMix
    // What was uploaded last at each key, or given back by a person.
    private var truth: [String: String] = [:]
    private var repairs: [RunID] = []
    private(set) var problems: [String] = []
    private(set) var counts = Counts()

    init(_ seed: UInt64) throws {
        random = SplitMix(state: seed)
        world = try World(Sample.file(rest: "repair: {retention: 30d}"))
        world.bucket.become(BucketKind.allCases[Int(seed % 3)].traits)
        world.song("keeper", cover: "keeper", owner: "me")
        world.upload("keeper", "keeper")
        for number in 0..<40 {
            world.album("a\(number)", #"["album-\#(number)"]"#)
            world.upload("album-\(number)", "album")
        }
        for key in Self.keys { world.song(key, cover: nil) }
    }

    mutating func run() async throws {
        for _ in 0..<40 {
            let key = random.pick(Self.keys)
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1, 2: upload(key)
            case 3, 4: link(key)
            case 5: world.write(song: key, ["cover": .null])
            case 6: world.clock.advance(.days(12))
            case 7: try await sweep()
            case 8: try await undo()
            default: try await repair()
            }
            checkNeeded(onlyLive: false)
        }
    }

    private mutating func upload(_ key: String) {
        let content = random.chance(50) ? "same" : "\(random.next())"
        truth[key] = content
        world.upload(key, content)
    }

    // A device links what it sees, or writes back what it read before that was quarantined.
    private func link(_ key: String) {
        let held = world.runs(holding: key).map { world.content(key, heldBy: $0) }
        guard world.has(key) || held.last == .some(truth[key]) else { return }
        world.write(song: key, ["cover": .text(key)])
    }

    private mutating func repair() async throws {
        _ = try await world.audit()
        world.clock.advance(Sample.grace + .hours(1))
        let before = Dictionary(
            uniqueKeysWithValues: Self.keys.map { ($0, world.content($0)) })
        let held = Dictionary(
            uniqueKeysWithValues: Self.keys.map { ($0, world.runs(holding: $0)) })
        let results = try await world.auditAndRepair()
        let run = try world.lastRun()
        repairs.append(run)
        for result in results {
            guard let key = result.step.key?.text else { continue }
            guard result.outcome == .done else {
                problems.append("\(result.step.id) ended \(result.reason ?? "")")
                continue
            }
            if result.step.strategy == .restore { counts.restored += 1 }
            guard result.step.strategy == .quarantine else { continue }
            if world.content(key, heldBy: run) != before[key] ?? nil {
                problems.append("\(key) does not lie in the place of its run")
            }
            for older in held[key] ?? [] {
                counts.twiceHeld += 1
                if world.content(key, heldBy: older) == before[key] { counts.sameBytes += 1 }
            }
        }
        checkNeeded(onlyLive: true)
    }

    private mutating func sweep() async throws {
        let audit = try await world.audit()
        let job = try world.job()
        let stage = SweepStage(job: job, run: try world.begin(job, "sweep").id)
        var results: [StepResult] = []
        let items = stage.items(audit.quarantine)
        try await stage.run(items, by: try await world.rights(job)) { results.append($0) }
        for result in results where result.outcome == .done {
            counts.swept += 1
            if let key = result.step.key?.text, world.cover(key) != nil {
                counts.besideLiving += 1
            }
            let run = result.step.precondition.quarantinedBy
            if let began = run?.startedAt, began + Self.retention > world.clock.now {
                problems.append("\(result.step.id) was swept before its own time")
            }
        }
    }

    // What a repair put into quarantine comes back where its key is free.
    private mutating func undo() async throws {
        guard let run = repairs.popLast() else { return }
        for result in try await world.undo(run) where result.outcome == .done {
            guard result.step.strategy == .quarantine, let key = result.step.key?.text else {
                continue
            }
            counts.undone += 1
            truth[key] = world.content(key)
        }
    }

    // A referenced key's content lies at the key, or in quarantine until the next repair.
    private mutating func checkNeeded(onlyLive: Bool) {
        for key in Self.keys where world.cover(key) == key {
            let held = world.runs(holding: key).map { world.content(key, heldBy: $0) }
            let isLive = world.content(key) == truth[key]
            guard !isLive, onlyLive || !held.contains(truth[key]) else { continue }
            problems.append("\(key) is needed, and is not there")
        }
    }
}
