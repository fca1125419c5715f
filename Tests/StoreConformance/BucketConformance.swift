package import MooringModel
import Testing

/// A bucket under test, with a way around it to its objects.
package protocol BucketFixture: Sendable {
    /// The bucket.
    var bucket: any ActingBucket { get }
    /// Writes an object as an app does.
    func put(_ key: ObjectKey, _ content: [UInt8]) async throws
    /// What lies at a key.
    func content(_ key: ObjectKey) async throws -> [UInt8]?
    /// Writes an object into the quarantine of a run.
    func putQuarantined(_ key: ObjectKey, run: RunID, _ content: [UInt8]) async throws
    /// What lies in the quarantine of a run.
    func quarantinedContent(_ key: ObjectKey, run: RunID) async throws -> [UInt8]?
    /// Writes many objects, in any order.
    func put(many objects: [(key: ObjectKey, content: [UInt8])]) async throws
    /// Whether the store gives a key with a line feed back as it is.
    var keepsControlCharacters: Bool { get }
    /// Whether the store has what a lease needs.
    var holdsLeases: Bool { get }
}

extension BucketFixture {
    /// One after the other.
    package func put(many objects: [(key: ObjectKey, content: [UInt8])]) async throws {
        for (key, content) in objects { try await put(key, content) }
    }

    /// Most do.
    package var keepsControlCharacters: Bool { true }
    /// Every live store but those without conditional writes.
    package var holdsLeases: Bool { true }
}

/// What every live bucket has to do, whatever it is made of; each check gets a bucket that is
/// empty.
package struct BucketConformance {
    private let make: @Sendable () async throws -> any BucketFixture

    /// The checks of the buckets that a closure makes, each new and empty.
    package init(_ make: @escaping @Sendable () async throws -> any BucketFixture) {
        self.make = make
    }

    private static let one = Array("one".utf8)
    private static let other = Array("other".utf8)

    /// Runs all checks; what does not hold is recorded as an issue.
    package func verify() async throws {
        try await listsAllObjects()
        try await listsInBoundedBatches()
        try await looksAtObjects()
        try await quarantinesAndRestores()
        try await keepsRunsApart()
        try await refusesAnotherVersion()
        try await neverReplacesInQuarantine()
        try await neverReplacesWhenRestoring()
        try await sweepsOnlyTheExpectedVersion()
        try await measuresTheClock()
        if try await make().holdsLeases { try await LeaseConformance(make).verify() }
        if try await make() is any VersionFixture {
            try await VersionConformance {
                try #require(try await make() as? any VersionFixture)
            }.verify()
        }
    }

    private func listsAllObjects() async throws {
        let fixture = try await make()
        let keys =
            ["a", "b/c", "b/d/e", "ü", "=cmd()", "<script>", "two words"]
            + (fixture.keepsControlCharacters ? ["line\nbreak"] : [])
        for key in keys { try await fixture.put(ObjectKey(key), Array(key.utf8)) }
        try await fixture.putQuarantined(ObjectKey("hidden"), run: run(0), Self.one)
        let listing = try await fixture.bucket.listed()
        #expect(listing.result.isComplete)
        #expect(Set(listing.items.map(\.key)) == Set(keys.map { ObjectKey($0) }))
        #expect(listing.items.count == keys.count)
        #expect(listing.items.allSatisfy { $0.version.size == Int64($0.key.bytes.count) })
        #expect(listing.items.allSatisfy { !$0.version.isMultipart && $0.linkTarget == nil })
        #expect(listing.result.window.from <= listing.result.window.to)
    }

    private func listsInBoundedBatches() async throws {
        let fixture = try await make()
        try await fixture.put(
            many: (0..<2_345).map { (ObjectKey("many/\($0 % 7)/\($0)"), []) })
        let listing = try await fixture.bucket.listed()
        #expect(Set(listing.items.map(\.key)).count == 2_345)
        #expect(listing.batchSizes.allSatisfy { (1...1_000).contains($0) })
    }

    private func looksAtObjects() async throws {
        let fixture = try await make()
        let key = ObjectKey("folder/file")
        try await fixture.put(key, Self.one)
        let listed = try #require(try await fixture.bucket.listed().items.first)
        guard case .present(let looked) = await fixture.bucket.head(key) else {
            Issue.record("what was listed cannot be seen")
            return
        }
        // A look may tell the id of the version, and a listing tells none.
        #expect(listed.version.means(looked))
        #expect(await fixture.bucket.head(ObjectKey("folder/none")) == .absent)
        #expect(await fixture.bucket.head(ObjectKey("none/none")) == .absent)
        #expect(await fixture.bucket.headQuarantined(key, run: run(0)) == .absent)
    }

    private func quarantinesAndRestores() async throws {
        let fixture = try await make()
        let bucket = fixture.bucket
        let key = ObjectKey("deep/er/file")
        try await fixture.put(key, Self.one)
        try await fixture.put(ObjectKey("deep/er/neighbour"), Self.other)
        // As a scan hands it over.
        let version = try #require(
            try await bucket.listed().items.first { $0.key == key }
        ).version
        #expect(try await bucket.listedQuarantine().items.isEmpty)
        #expect(try await bucket.quarantine(key, expecting: version, run: run(1)) == .done)
        #expect(await bucket.head(key) == .absent)
        #expect(try await bucket.listed().items.map(\.key) == [ObjectKey("deep/er/neighbour")])
        #expect(try await fixture.quarantinedContent(key, run: run(1)) == Self.one)
        let inside = try await bucket.listedQuarantine()
        #expect(inside.result.isComplete)
        let found = try #require(inside.items.first)
        #expect(inside.items.count == 1 && found.key == key && found.run == run(1))
        guard case .present(let looked) = await bucket.headQuarantined(key, run: run(1)) else {
            Issue.record("what was moved cannot be seen")
            return
        }
        // Not their times: rclone tells of a copy's in HEAD, and of its source's in a listing.
        #expect(looked.etag == found.version.etag && looked.size == found.version.size)
        #expect(try await bucket.quarantine(key, expecting: version, run: run(1)) != .done)
        #expect(try await bucket.restore(key, run: run(1), expecting: found.version) == .done)
        #expect(try await fixture.content(key) == Self.one)
        #expect(await bucket.headQuarantined(key, run: run(1)) == .absent)
        #expect(try await bucket.listedQuarantine().items.isEmpty)
        #expect(try await bucket.restore(key, run: run(1), expecting: found.version) != .done)
        #expect(try await fixture.content(key) == Self.one)
    }

    private func keepsRunsApart() async throws {
        let fixture = try await make()
        let key = ObjectKey("again")
        for (index, content) in [Self.one, Self.other].enumerated() {
            try await fixture.put(key, content)
            let version = try await fixture.bucket.version(key)
            let outcome = try await fixture.bucket.quarantine(
                key, expecting: version, run: run(Int64(index)))
            #expect(outcome == .done)
        }
        #expect(try await fixture.quarantinedContent(key, run: run(0)) == Self.one)
        #expect(try await fixture.quarantinedContent(key, run: run(1)) == Self.other)
    }

    private func refusesAnotherVersion() async throws {
        let fixture = try await make()
        let bucket = fixture.bucket
        let key = ObjectKey("file")
        try await fixture.put(key, Self.one)
        let version = try await bucket.version(key)
        for wrong in Self.wrongVersions(version) {
            let outcome = try await bucket.quarantine(key, expecting: wrong, run: run(2))
            #expect(outcome.staleness != nil)
            #expect(try await fixture.content(key) == Self.one)
            #expect(await bucket.headQuarantined(key, run: run(2)) == .absent)
        }
        try await fixture.put(key, Self.other)
        #expect(try await bucket.quarantine(key, expecting: version, run: run(2)) != .done)
        #expect(try await fixture.content(key) == Self.other)
        let missing = ObjectKey("missing")
        #expect(try await bucket.quarantine(missing, expecting: version, run: run(2)) != .done)
        #expect(try await bucket.restore(missing, run: run(2), expecting: version) != .done)
        #expect(try await bucket.sweep(missing, run: run(2), expecting: version) != .done)
    }

    private func neverReplacesInQuarantine() async throws {
        let fixture = try await make()
        let key = ObjectKey("a/file")
        try await fixture.put(key, Self.one)
        try await fixture.putQuarantined(key, run: run(3), Self.other)
        let version = try await fixture.bucket.version(key)
        let outcome = try await fixture.bucket.quarantine(key, expecting: version, run: run(3))
        #expect(outcome.staleness?.contains("taken") == true)
        #expect(try await fixture.content(key) == Self.one)
        #expect(try await fixture.quarantinedContent(key, run: run(3)) == Self.other)
    }

    private func neverReplacesWhenRestoring() async throws {
        let fixture = try await make()
        let bucket = fixture.bucket
        let key = ObjectKey("a/file")
        try await fixture.put(key, Self.one)
        let version = try await bucket.version(key)
        #expect(try await bucket.quarantine(key, expecting: version, run: run(4)) == .done)
        try await fixture.put(key, Self.other)
        guard case .present(let inside) = await bucket.headQuarantined(key, run: run(4)) else {
            Issue.record("nothing lies in quarantine")
            return
        }
        let outcome = try await bucket.restore(key, run: run(4), expecting: inside)
        #expect(outcome.staleness?.contains("this key again") == true)
        #expect(try await fixture.content(key) == Self.other)
        #expect(try await fixture.quarantinedContent(key, run: run(4)) == Self.one)
    }

    private func sweepsOnlyTheExpectedVersion() async throws {
        let fixture = try await make()
        let bucket = fixture.bucket
        let key = ObjectKey("a/b/file")
        try await fixture.put(key, Self.one)
        try await fixture.putQuarantined(key, run: run(5), Self.other)
        guard case .present(let inside) = await bucket.headQuarantined(key, run: run(5)) else {
            Issue.record("nothing lies in quarantine")
            return
        }
        for wrong in Self.wrongVersions(inside) where wrong.etag != inside.etag {
            #expect(try await bucket.sweep(key, run: run(5), expecting: wrong) != .done)
            #expect(try await bucket.restore(key, run: run(5), expecting: wrong) != .done)
            #expect(try await fixture.quarantinedContent(key, run: run(5)) == Self.other)
        }
        #expect(try await bucket.sweep(key, run: run(5), expecting: inside) == .done)
        #expect(await bucket.headQuarantined(key, run: run(5)) == .absent)
        #expect(try await fixture.content(key) == Self.one)
        #expect(try await bucket.sweep(key, run: run(5), expecting: inside) != .done)
    }

    private func measuresTheClock() async throws {
        let fixture = try await make()
        let start = ContinuousClock.now
        let difference = try await fixture.bucket.measureClock()
        #expect(difference >= .zero && difference < .seconds(5) + (.now - start))
        #expect(try await fixture.bucket.listed().items.isEmpty)
        let inside = try await fixture.bucket.listedQuarantine()
        #expect(inside.items.isEmpty && inside.result.isComplete)
    }

    private static func wrongVersions(_ version: ObjectVersion) -> [ObjectVersion] {
        [
            ObjectVersion(
                size: version.size + 1, etag: version.etag, lastModified: version.lastModified),
            ObjectVersion(
                size: version.size, etag: version.etag + "0", lastModified: version.lastModified),
            ObjectVersion(
                size: version.size, etag: version.etag,
                lastModified: version.lastModified + .nanoseconds(1)),
        ]
    }
}
