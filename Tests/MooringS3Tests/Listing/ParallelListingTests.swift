import MooringAWS
import MooringModel
import SeededNumbers
import Testing

@testable import MooringS3

/// Whatever the keys are and however the server answers: everything is given once, or the result
/// says that it was not.
@Suite struct ParallelListingTests {
    /// Key spaces of many shapes.
    static func keys(_ random: inout SeededRandom, count: Int) -> [[UInt8]] {
        let shape = random.below(6)
        return (0..<count).map { index in
            switch shape {
            case 0: return Array(hex(&random, 16).utf8)
            case 1:
                let level = ["public/", "protected/", "private/"][random.below(3)]
                let identity = level == "public/" ? "" : "us-east-1:id\(random.below(40))/"
                return Array("\(level)\(identity)\(hex(&random, 8)).jpg".utf8)
            case 2: return Array("file\(index)".utf8)
            case 3:
                return (0..<(1 + random.below(5))).flatMap { _ in
                    Array(
                        ["/", "a", "b", "é", "\u{10FFFF}", " ", "+", "~", "\u{1}"][random.below(9)]
                            .utf8)
                }
            case 4: return Array("one/long/prefix/\(hex(&random, 4))/\(hex(&random, 2))".utf8)
            default: return Array("a/\(random.below(3))/\(hex(&random, 6))".utf8)
            }
        }
    }

    private static func hex(_ random: inout SeededRandom, _ count: Int) -> String {
        String((0..<count).map { _ in Array("0123456789abcdef")[random.below(16)] })
    }

    private static func sorted(_ keys: some Sequence<[UInt8]>) -> [[UInt8]] {
        keys.sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test func givesEverythingOnce() async throws {
        for seed in Seed.several(40) {
            var random = SeededRandom(seed)
            let keys = Set(Self.keys(&random, count: 1 + random.below(1_200)))
            var manners = FakeS3.Manners()
            manners.writing = [.percent, .form, .literal][random.below(3)]
            // XML can write no control character but by an encoding.
            let canBeWritten =
                manners.writing != .literal || !keys.contains { $0.contains { $0 < 0x20 } }
            manners.pageLimit = [1, 7, 50, 1_000][random.below(4)]
            if keys.count > 200 { manners.pageLimit = max(20, manners.pageLimit) }
            manners.givesShortPages = random.below(2) == 0
            manners.givesTokens = random.below(2) == 0
            manners.failureRate = random.below(3) == 0 ? 60 : 0
            let store = FakeS3(keys, manners: manners, seed: seed)
            let listing = Listings.of(store, concurrency: 1 + random.below(20))
            let (found, result) = try await Listings.objects(listing)
            #expect(Set(found).count == found.count, "twice, seed \(seed)")
            if manners.failureRate == 0, canBeWritten {
                #expect(result.isComplete, "seed \(seed): \(result.problems)")
            }
            if result.isComplete { #expect(Set(found) == keys, "seed \(seed)") }
            #expect(result.requests == store.requestCounts["ListObjectsV2"], "seed \(seed)")
        }
    }

    /// A store that keeps folders has `a/b` before `a-b` and `a.txt`: whatever it says, what it
    /// left out is never called complete.
    @Test func aStoreInTheOrderOfFoldersIsNeverCompleteWithLess() async throws {
        for seed in Seed.several(150) {
            var random = SeededRandom(seed)
            let names = ["a", "a-b", "a.txt", "a b", "b", "a/c", "a/c-d", "a/c.e", "a0"]
            let shares = names.map { _ in [0, 1, 3, 60][random.below(4)] }
            var keys: Set<[UInt8]> = []
            for (name, share) in zip(names, shares) {
                for number in 0..<share * (1 + random.below(10)) {
                    keys.insert(Array("\(name)/\(number).jpg".utf8))
                }
                if random.below(3) == 0 { keys.insert(Array((name + ".png").utf8)) }
            }
            var manners = FakeS3.Manners()
            manners.sortsFolders = true
            manners.pageLimit = [3, 20, 50, 1_000][random.below(4)]
            if keys.count > 200 { manners.pageLimit = max(20, manners.pageLimit) }
            manners.givesTokens = random.below(4) != 0
            let store = FakeS3(keys, manners: manners, seed: seed)
            let listing = Listings.of(store, concurrency: 1 + random.below(20))
            let (found, result) = try await Listings.objects(listing)
            let isAll = Set(found) == keys
            #expect(isAll || !result.isComplete, "seed \(seed)")
        }
    }

    @Test func listsBelowPrefixesAndNotTheQuarantine() async throws {
        for seed in Seed.several(40) {
            var random = SeededRandom(seed)
            let keys = Set(Self.keys(&random, count: 500))
            let any = Array(keys)
            func prefix() -> [UInt8] {
                let key = any[random.below(any.count)]
                return Array(key.prefix(random.below(key.count + 1)))
            }
            let scope = ListingScope(
                prefixes: [prefix(), prefix()], hiddenPrefixes: [prefix() + [0x2F], prefix()],
                hiddenKeys: [ObjectKey(any[0])])
            let store = FakeS3(keys, manners: .init(pageLimit: 40), seed: seed)
            let (found, result) = try await Listings.objects(
                Listings.of(store, concurrency: 8), scope)
            let wanted = keys.filter { key in
                scope.prefixes.contains { key.starts(with: $0) }
                    && !scope.hiddenPrefixes.contains { key.starts(with: $0) } && key != any[0]
            }
            #expect(result.isComplete, "seed \(seed): \(result.problems)")
            #expect(Self.sorted(found) == Self.sorted(wanted), "seed \(seed)")
        }
    }

    @Test func neverTakesALieForTheEnd() async throws {
        for seed in Seed.several(40) {
            var random = SeededRandom(seed)
            let keys = Set(Self.keys(&random, count: 600))
            var manners = FakeS3.Manners(pageLimit: 20)
            switch random.below(4) {
            case 0: manners.repeatsTokens = true
            case 1: manners.isDisordered = true
            case 2: manners.neverEnds = true
            default: manners.brokenKey = Array(keys)[random.below(keys.count)]
            }
            let store = FakeS3(keys, manners: manners, seed: seed)
            let (found, result) = try await Listings.objects(
                Listings.of(store, concurrency: 8))
            #expect(Set(found).count == found.count, "twice, seed \(seed)")
            #expect(!result.isComplete || Set(found) == keys, "seed \(seed)")
            #expect(store.requestCounts["ListObjectsV2", default: 0] < 3_000, "seed \(seed)")
        }
    }

    @Test func listsAStoreThatBeginsNowhereElse() async throws {
        for seed in UInt64(1)...20 {
            var random = SeededRandom(seed)
            let keys = Set(Self.keys(&random, count: 900))
            let manners = FakeS3.Manners(pageLimit: 50, ignoresStart: true)
            let store = FakeS3(keys, manners: manners, seed: seed)
            let (found, result) = try await Listings.objects(Listings.of(store, concurrency: 8))
            #expect(Self.sorted(found) == Self.sorted(keys), "seed \(seed)")
            #expect(result.isComplete, "seed \(seed): \(result.problems)")
        }
    }

    @Test func listsTheOthersBesideABrokenPage() async throws {
        let good = (0..<3_000).map { Array("p\($0 % 3)/\($0)".utf8) }
        let bad = Array("p1/broken".utf8)
        let store = FakeS3(good + [bad], manners: .init(pageLimit: 100, brokenKey: bad))
        let (found, result) = try await Listings.objects(Listings.of(store, concurrency: 8))
        #expect(!result.isComplete && result.problems.count == 1)
        #expect(result.problems.first?.reason.contains("p1/") == true)
        #expect(result.problems.first?.place == "s3://b/")
        #expect(Set(found).isSuperset(of: good.filter { $0[1] != 0x31 }))
    }

    @Test func goesOnFromACheckpoint() async throws {
        struct Killed: Error {}
        for seed in Seed.several(12) {
            var random = SeededRandom(seed)
            let keys = Set(Self.keys(&random, count: 500))
            let store = FakeS3(keys, manners: .init(pageLimit: 30), seed: seed)
            let listing = Listings.of(store, concurrency: 6)
            var (found, saved) = ([[UInt8]](), ListingCheckpoint?.none)
            var isDone = false
            while !isDone {
                var left = 1 + random.below(20)
                do {
                    let result = try await listing.objects(
                        ListingScope(), resuming: saved,
                        onCheckpoint: { checkpoint in
                            let text = checkpoint.json.rendered
                            saved = try ListingCheckpoint(JSONNode(parsing: text))
                            #expect(saved == checkpoint)
                            left -= 1
                            if left == 0 { throw Killed() }
                        }
                    ) { found += $0.map(\.key.bytes) }
                    #expect(result.isComplete, "seed \(seed): \(result.problems)")
                    isDone = true
                } catch is Killed {}
            }
            #expect(Self.sorted(found) == Self.sorted(keys), "seed \(seed)")
        }
    }

    @Test func listsVersionsOnce() async throws {
        for seed in Seed.several(40) {
            var random = SeededRandom(seed)
            let keys = Set(Self.keys(&random, count: 300))
            var versions: [[UInt8]: [FakeS3.Version]] = [:]
            for (index, key) in Self.sorted(keys).enumerated() {
                versions[key] = (0...random.below(random.below(9) == 0 ? 60 : 3)).map {
                    .init(id: "\(index).\($0)", isMarker: random.below(3) == 0)
                }
            }
            let manners = FakeS3.Manners(
                writing: [.percent, .form][random.below(2)], pageLimit: [5, 50][random.below(2)],
                givesShortPages: random.below(2) == 0, beginsWithMarker: random.below(2) == 0)
            let store = FakeS3(keys, manners: manners, seed: seed, versions: versions)
            var found: [String] = []
            let result = try await Listings.of(store, concurrency: 8).versions(ListingScope()) {
                found += $0.compactMap(\.version.versionID)
            }
            #expect(result.isComplete, "seed \(seed): \(result.problems)")
            #expect(found.sorted() == versions.values.joined().map(\.id).sorted(), "seed \(seed)")
        }
    }
}
