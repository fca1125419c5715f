import MooringConfiguration
import MooringModel
import MooringReconcile
import SeededNumbers
import Synchronization
import Testing

@testable import MooringPipeline

@Suite("Stores that are read at once")
struct SideBySideTests {
    private struct Broken: Error, Equatable {
        let number: Int
    }

    @Test("neighbours of different addresses are one group, and no address stands in it twice")
    func groups() {
        func services(_ names: String) -> [StoreAddress] {
            names.map { $0 == "-" ? .machine : .service("postgres", [String($0)]) }
        }
        #expect(SideBySide.groups([]).isEmpty)
        #expect(SideBySide.groups(services("a")) == [0..<1])
        #expect(SideBySide.groups(services("ab-")) == [0..<3])
        #expect(SideBySide.groups(services("aab")) == [0..<1, 1..<3])
        #expect(SideBySide.groups(services("--")) == [0..<1, 1..<2])
        #expect(SideBySide.groups(services("abcdefghij")) == [0..<8, 8..<10])
    }

    @Test("each tells everything in its order, and the last of one does not wait for another's")
    func order() async throws {
        let seed = Seed.one("stores at once")
        var random = SeededGenerator(seed: seed)
        let counts = (0..<4).map { _ in Int.random(in: 0...50, using: &random) }
        var received = counts.map { _ in [Int]() }
        let ended = try await SideBySide.run(3..<7) { number, hand in
            for piece in 0..<counts[number - 3] { try await hand(piece) }
            return number * 10
        } receive: { number, piece in
            received[number - 3].append(piece)
        }
        #expect(ended == [30, 40, 50, 60], "seed \(seed)")
        #expect(received == counts.map { Array(0..<$0) }, "seed \(seed)")
    }

    // Each of both waits for the other's first piece before it tells a second one.
    @Test("they are read at once")
    func together() async throws {
        let heard = Mutex<Set<Int>>([])
        let ended = try await SideBySide.run(0..<2) { number, hand in
            try await hand(0)
            while heard.withLock({ $0.count }) < 2 { await Task.yield() }
            try await hand(1)
            return number
        } receive: { number, _ in
            heard.withLock { _ = $0.insert(number) }
        }
        #expect(ended == [0, 1])
    }

    @Test("an error of one ends the others, and is thrown", arguments: [1, 4])
    func broken(stores: Int) async {
        await #expect(throws: Broken(number: 0)) {
            _ = try await SideBySide.run(0..<stores) { number, hand in
                try await hand(0)
                if number == 0 { throw Broken(number: 0) }
                while true { try await hand(1) }
            } receive: { (_: Int, _: Int) in
            }
        }
    }

    @Test("an error of the receiver ends all, and nothing is received behind it")
    func refused() async {
        var received = 0
        await #expect(throws: Broken(number: 7)) {
            _ = try await SideBySide.run(0..<3) { _, hand in
                while true { try await hand(0) }
            } receive: { (_: Int, _: Int) in
                received += 1
                if received == 20 { throw Broken(number: 7) }
            }
        }
        #expect(received == 20)
    }
}

@Suite("Audits of stores that are read at once")
struct AuditsSideBySideTests {
    @Test("find what they find one after the other, in the same order")
    func same() async throws {
        var severalAtOnce = 0
        for seed in Seed.several(40, "audits side by side") {
            let draft = DraftApp(seed: seed, isReal: false)
            var found: [[String]] = []
            for apart in [false, true] {
                let world = try World(
                    draft.configuration, tables: AppSchema.tables, apart: apart)
                try draft.fill(world)
                let audit = try await world.audit()
                found.append(
                    audit.findings.map(Self.withoutFractions)
                        + audit.summary.buckets.map {
                            "\($0.name): \($0.objects), \($0.quarantined), \($0.scan.complete)"
                        }
                        + audit.summary.records.map {
                            "\($0.name): \($0.records), \($0.references), \($0.scan.complete)"
                        })
                let stores = world.configuration.records.count + world.configuration.buckets.count
                severalAtOnce += apart && stores > 2 ? 1 : 0
            }
            #expect(found[0].count == found[1].count, "seed \(seed)")
            for (one, other) in zip(found[0], found[1]) {
                #expect(one == other, "seed \(seed)")
            }
        }
        #expect(severalAtOnce > 0)
    }

    @Test("leave the orphans in the order of buckets, whichever is listed first")
    func order() async throws {
        let world = try World(
            Sample.file(bucket: "  - name: archive\n    directory: ./archive"), apart: true)
        for number in 10..<40 {
            try world.bucket("archive").put("a\(number)", at: World.longAgo)
            world.bucket.put("m\(number)", at: World.longAgo)
        }
        let orphans = try await ScanStage(job: try world.job()).run().orphans
        #expect(
            orphans.map(\.object.key.text)
                == ["m", "a"].flatMap { name in
                    (10..<40).map { "\(name)\($0)" }
                })
    }

    // The clock of these worlds goes on by a microsecond with each call of a store.
    private static func withoutFractions(_ finding: Finding) -> String {
        String(decoding: finding.json().rendered, as: UTF8.self)
            .replacing(/\.\d{6}Z/, with: "Z")
    }
}
