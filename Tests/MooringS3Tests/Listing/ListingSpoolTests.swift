import Glibc
import MooringModel
import SeededNumbers
import Testing

@testable import MooringS3

/// A listing that is broken off is gone on with, and whatever became of its spool, everything is
/// given once.
@Suite struct ListingSpoolTests {
    private static let keys = Set((0..<300).map { Array("p\($0 % 7)/\($0)".utf8) })

    private func store() -> FakeS3 { FakeS3(Self.keys, manners: .init(pageLimit: 20)) }

    private static func sorted(_ keys: some Sequence<[UInt8]>) -> [[UInt8]] {
        keys.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func expectAll(
        _ folder: SpoolFolder, _ result: ScanResult, at place: SourceLocation = #_sourceLocation
    ) {
        #expect(result.isComplete, "\(result.problems)", sourceLocation: place)
        #expect(Self.sorted(folder.keys) == Self.sorted(Self.keys), sourceLocation: place)
        #expect(folder.bytes == nil, "the spool is still there", sourceLocation: place)
    }

    @Test func goesOnWhereItWasBrokenOff() async throws {
        let (folder, first, second) = (SpoolFolder(), store(), store())
        try await folder.breakOff(first, after: 8)
        #expect(folder.mode == 0o600)
        let known = folder.given.count
        folder.now = folder.now + .seconds(1_200)
        let result = try await folder.list(second)
        expectAll(folder, result)
        #expect(result.isResumed)
        #expect(result.window.from == folder.now - .seconds(1_200))
        #expect(
            result.notes == ["goes on from an earlier listing of 22:13 UTC: \(known) objects known"]
        )
        let whole = store()
        _ = try await folder.list(whole)
        let (again, all) = (
            second.requestCounts["ListObjectsV2"], whole.requestCounts["ListObjectsV2"]
        )
        #expect(try #require(again) < #require(all))
    }

    @Test func givesEverythingOnceHoweverOftenItIsBrokenOff() async throws {
        for seed in Seed.several(30) {
            var random = SeededRandom(seed)
            let keys = Set(ParallelListingTests.keys(&random, count: 1 + random.below(700)))
            var manners = FakeS3.Manners(pageLimit: [7, 30, 1_000][random.below(3)])
            manners.givesShortPages = random.below(2) == 0
            manners.failureRate = random.below(2) == 0 ? 25 : 0
            let store = FakeS3(keys, manners: manners, seed: seed)
            manners.failureRate = 0
            let calm = FakeS3(keys, manners: manners, seed: seed)
            let folder = SpoolFolder()
            var isDone = false
            for attempt in 0..<300 where !isDone {
                // What was known before is given again and needs patience too. In the end nothing
                // is in the way any more: how far each attempt came is a matter of chance.
                let isLast = attempt == 299
                folder.patience = isLast ? nil : 1 + random.below(4 + 2 * attempt)
                let interval = Duration.milliseconds([0, 1, 100_000][random.below(3)])
                do {
                    let result = try await folder.list(
                        isLast ? calm : store, at: folder.place(interval: interval))
                    isDone = result.isComplete
                } catch is SpoolFolder.Killed {
                    // A process that is killed writes nothing more, and a power cut leaves less.
                    if random.below(3) == 0, let bytes = folder.bytes {
                        folder.bytes = Array(bytes.prefix(random.below(bytes.count + 1)))
                    }
                }
                #expect(Set(folder.keys).count == folder.keys.count, "twice, seed \(seed)")
            }
            #expect(isDone, "seed \(seed)")
            let isAll = Self.sorted(folder.keys) == Self.sorted(keys)
            #expect(isAll && folder.bytes == nil, "seed \(seed)")
        }
    }

    /// What a spool of these bytes gives, and how much of it.
    private func replayed(_ bytes: [UInt8], _ folder: SpoolFolder) async throws -> [ListedObject]? {
        folder.bytes = bytes
        let spool = ListingSpool(
            folder.place(), store: "s3.test/b", scope: ListingScope(), call: "ListObjectsV2",
            begunAt: folder.now)
        guard let earlier = spool.earlier() else { return nil }
        var given: [ListedObject] = []
        try await spool.replay(earlier) { given += $0 }
        #expect(given.count == earlier.count)
        return given
    }

    @Test func cutsATornTailBackToTheLastCheckpoint() async throws {
        let folder = SpoolFolder()
        try await folder.breakOff(store(), after: 5)
        let whole = try #require(folder.bytes)
        let given = folder.given
        #expect(try await replayed(whole, folder) == given)
        var counts: Set<Int> = []
        for end in 0..<whole.count {
            let part = try await replayed(Array(whole[..<end]), folder)
            #expect(part.map { given.starts(with: $0) } ?? true, "cut at \(end)")
            counts.insert(part?.count ?? -1)
            guard end % 97 == 0 else { continue }
            expectAll(folder, try await folder.list(store()))
        }
        // Nothing, and then what each of the checkpoints knew.
        #expect(counts.count > 3 && counts.contains(-1), "\(counts)")
    }

    @Test func believesNothingBehindAWrongByte() async throws {
        let folder = SpoolFolder()
        try await folder.breakOff(store(), after: 5)
        let whole = try #require(folder.bytes)
        let given = folder.given
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= UInt8(1 << (index % 8))
            let part = try await replayed(bytes, folder)
            #expect(
                part.map { given.starts(with: $0) && $0.count < given.count } ?? true, "\(index)")
            guard index % 97 == 0 else { continue }
            expectAll(folder, try await folder.list(store()))
        }
    }

    @Test func takesNoFrameTwiceAndNoneFromElsewhere() async throws {
        let folder = SpoolFolder()
        try await folder.breakOff(store(), after: 5)
        let whole = try #require(folder.bytes)
        let given = folder.given
        var (frames, offset) = ([[UInt8]](), 0)
        while offset < whole.count {
            let length = (0..<4).reduce(0) { $0 | Int(whole[offset + $1]) << (8 * $1) } + 21
            frames.append(Array(whole[offset..<(offset + length)]))
            offset += length
        }
        for index in 1..<frames.count {
            var doubled = frames
            doubled.insert(frames[index], at: index)
            var lacking = frames
            lacking.remove(at: index)
            for odd in [doubled, lacking] {
                let part = try await replayed(Array(odd.joined()), folder)
                #expect(part.map { given.starts(with: $0) } ?? true, "frame \(index)")
            }
        }
    }

    @Test func beginsAnewWhereSomethingElseIsMeant() async throws {
        let folder = SpoolFolder()
        let other = ListingScope(hiddenPrefixes: [Array("q/".utf8)])
        for change in 0..<6 {
            folder.bytes = nil
            folder.now = Instant(seconds: 1_700_000_000)
            if change == 3 {
                try await folder.breakOffVersions(store(), after: 8)
            } else {
                try await folder.breakOff(store(), after: 8)
            }
            let result: ScanResult
            switch change {
            case 0: result = try await folder.list(store(), other)
            case 1: result = try await folder.list(store(), of: "elsewhere/b")
            case 2: result = try await folder.list(store(), at: folder.place(basis: "c"))
            // An earlier program listed versions.
            case 3: result = try await folder.list(store())
            case 4:
                folder.now = folder.now + .seconds(3_601)
                result = try await folder.list(store())
            default:
                // A clock that was set back tells no age.
                folder.now = folder.now - .seconds(1)
                result = try await folder.list(store())
            }
            expectAll(folder, result)
            #expect(!result.isResumed && result.window.from == folder.now, "change \(change)")
            #expect(result.notes.count == 1 && result.notes[0].hasPrefix("began anew"))
        }
    }

    @Test func isAsOldAsItsFirstAttempt() async throws {
        let folder = SpoolFolder()
        for _ in 0..<3 {
            try await folder.breakOff(store(), after: 5)
            folder.now = folder.now + .seconds(1_100)
        }
        let begin = Instant(seconds: 1_700_000_000)
        try await folder.breakOff(store(), after: 13)
        #expect(try await folder.list(store()).window.from == begin)
        try await folder.breakOff(store(), after: 5)
        folder.now = folder.now + .seconds(3_601)
        #expect(try await folder.list(store()).isResumed == false)
    }

    @Test("a spool is free as soon as it is let go, though a child was being forked then")
    func letsGoOfItsLock() throws {
        let folder = SpoolFolder()
        var shared: [Int32] = []
        do {
            let spool = SpoolFile(newAt: folder.path)
            try spool.flush()
            shared = descriptors(of: folder.path).map { dup($0) }
            withExtendedLifetime(spool) {}
        }
        defer { shared.forEach { close($0) } }
        #expect(shared.count == 1)
        _ = try SpoolFile(at: folder.path)
    }

    private func descriptors(of path: String) -> [Int32] {
        (0..<1_024).filter { descriptor in
            var (held, named) = (stat(), stat())
            return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0
                && held.st_ino == named.st_ino && held.st_dev == named.st_dev
        }
    }

    @Test func listsWithoutASpoolWhereThereCanBeNone() async throws {
        let folder = SpoolFolder()
        let taken = SpoolFile(newAt: folder.path)
        try taken.flush()
        for number in 0..<4 {
            var place = folder.place()
            switch number {
            case 0: break
            case 1: place = SpoolPlace(path: folder.path + "/x", oldest: .seconds(9)) { "b" }
            case 2:
                unlink(folder.path)
                try #require(symlink("/nowhere/at/all", folder.path) == 0)
            default:
                unlink(folder.path)
                try #require(mkdir(folder.path, 0o755) == 0)
            }
            if number == 1 {
                place = SpoolPlace(path: folder.path + "/x", oldest: .seconds(9), interval: .zero) {
                    "b"
                }
            }
            let result = try await folder.list(store(), at: place)
            #expect(result.isComplete && !result.isResumed)
            #expect(Self.sorted(folder.keys) == Self.sorted(Self.keys))
            #expect(result.notes.count == 1, "\(number): \(result.notes)")
            #expect(result.notes.first?.hasPrefix("listed without keeping") == true)
            var status = stat()
            #expect(lstat(folder.path, &status) == 0, "\(number): it is gone")
        }
        withExtendedLifetime(taken) {}
        let silent = try await folder.list(store(), at: folder.place(basis: nil))
        #expect(silent.isComplete && silent.notes.isEmpty)
    }

    @Test func leavesNoTraceOfAShortListing() async throws {
        let folder = SpoolFolder()
        var files: Set<Bool> = []
        let listing = Listings.of(store())
        _ = try await listing.objectBatches(
            ListingScope(), of: "s", spooledAt: folder.place(interval: .seconds(100_000))
        ) { _ in files.insert(folder.bytes != nil) }
        #expect(files == [false])
        #expect(folder.bytes == nil)
    }

    @Test func keepsWhatOnlyLacksAnswers() async throws {
        let folder = SpoolFolder()
        let silent = FakeS3(Self.keys, manners: .init(pageLimit: 20, failureRate: 2))
        let first = try await folder.list(silent)
        #expect(!first.isComplete)
        #expect(folder.bytes != nil)
        let known = folder.given.count
        let result = try await folder.list(store())
        #expect(result.notes.first?.contains("\(known) object") == true, "\(result.notes)")
        expectAll(folder, result)
    }

    @Test func keepsNothingOfAStoreThatAnsweredWrongly() async throws {
        let folder = SpoolFolder()
        let broken = Array("p3/3".utf8)
        let lying = FakeS3(Self.keys, manners: .init(pageLimit: 20, brokenKey: broken))
        #expect(try await folder.list(lying).isComplete == false)
        #expect(folder.bytes == nil)
        let odd = FakeS3(Self.keys, manners: .init(pageLimit: 20, ignoresStart: true))
        try await folder.breakOff(odd, after: 12)
        #expect(folder.bytes == nil)
    }

    @Test func writesObjectsAsTheyAre() throws {
        var random = SeededRandom(Seed.one())
        let objects = (0..<500).map { number in
            ListedObject(
                key: ObjectKey((0..<random.below(40)).map { _ in UInt8(random.below(256)) }),
                version: ObjectVersion(
                    size: number == 0 ? .max : Int64(random.below(1 << 40)),
                    etag: ["", "0123456789abcdef0123456789abcdef-12", "é\u{0}\n"][number % 3],
                    lastModified: Instant(nanoseconds: Int64(random.next() >> 2)),
                    versionID: [nil, "", "v\(number)"][random.below(3)]))
        }
        var bytes: [UInt8] = [9]
        SpooledObjects.encode(ObjectBatch(objects), into: &bytes)
        #expect(try SpooledObjects.decode(bytes[1...]) == objects)
        var (slab, one, other) = (ObjectSlab(), [UInt8](), [UInt8]())
        let plain = objects.map { ListedObject(key: $0.key, version: $0.version.withoutID) }
        for object in plain {
            var etag = object.version.etag
            etag.withUTF8 { etag in
                object.key.bytes.withUnsafeBufferPointer { key in
                    slab.append(
                        key: key, etag: etag, size: object.version.size,
                        lastModified: object.version.lastModified)
                }
            }
        }
        SpooledObjects.encode(ObjectBatch(slab), into: &one)
        SpooledObjects.encode(ObjectBatch(plain), into: &other)
        #expect(one == other)
        for end in 1..<200 {
            #expect(throws: SpoolFault.self) { try SpooledObjects.decode(bytes[1..<end]) }
        }
    }
}
