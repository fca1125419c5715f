package import MooringModel
import Testing

/// A bucket whose versions are under test, with a way around it.
package protocol VersionFixture: BucketFixture {
    /// Whether the store keeps versions.
    var keepsVersions: Bool { get }
    /// Removes an object as an app does.
    func remove(_ key: ObjectKey) async throws
}

/// What every bucket that may keep versions has to tell of them; each check gets an empty one.
package struct VersionConformance {
    private let make: @Sendable () async throws -> any VersionFixture

    /// The checks of the buckets that a closure makes, each new and empty.
    package init(_ make: @escaping @Sendable () async throws -> any VersionFixture) {
        self.make = make
    }

    // Keys that begin alike, and one with what a listing has to encode.
    private static let key = ObjectKey("a b+c/ü&<\"")

    /// Runs all checks; what does not hold is recorded as an issue.
    package func verify() async throws {
        guard try await make().keepsVersions else { return try await tellsNone() }
        try await tellsEveryVersion()
        try await tellsTheNewest()
        try await tellsNothingOfOthers()
    }

    private func reader(_ fixture: any VersionFixture) throws -> any VersionReader {
        try #require(fixture.bucket.versions, "a bucket with versions that tells of none")
    }

    private func tellsNone() async throws {
        let fixture = try await make()
        try await fixture.put(Self.key, [1])
        // A store without versions may have no reader at all.
        guard let reader = fixture.bucket.versions else { return }
        #expect(try await reader.versions(of: Self.key, most: 10) == nil)
    }

    private func tellsEveryVersion() async throws {
        let fixture = try await make()
        let reader = try reader(fixture)
        try await fixture.put(Self.key, [1])
        try await fixture.put(Self.key, [1, 2])
        let both = try #require(try await reader.versions(of: Self.key, most: 10))
        #expect(both.newest.map(\.size) == [2, 1] && both.hiding.isEmpty)
        #expect(both.older == 0 && !both.isCut)
        let looked = try await fixture.bucket.version(Self.key)
        #expect(both.content?.version == looked)
        try await fixture.remove(Self.key)
        let hidden = try #require(try await reader.versions(of: Self.key, most: 10))
        #expect(hidden.newest.map(\.isMarker) == [true, false, false])
        #expect(hidden.newest.dropFirst().map(\.id) == both.newest.map(\.id))
        #expect(hidden.hiding.count == 1 && hidden.content?.version == looked)
        #expect(hidden.newest.first?.etag == "" && hidden.newest.first?.size == 0)
        #expect(hidden.newest.first?.id == (try await reader.deletion(of: Self.key))?.marker)
        try await fixture.put(Self.key, [1, 2, 3])
        let again = try #require(try await reader.versions(of: Self.key, most: 10))
        #expect(again.newest.map(\.size) == [3, 0, 2, 1] && again.hiding.isEmpty)
        #expect(Set(again.newest.map(\.id)).count == 4)
    }

    private func tellsTheNewest() async throws {
        let fixture = try await make()
        for size in 1...5 {
            try await fixture.put(Self.key, [UInt8](repeating: 7, count: size))
        }
        let kept = try #require(try await reader(fixture).versions(of: Self.key, most: 2))
        #expect(kept.newest.map(\.size) == [5, 4] && kept.older == 3 && !kept.isCut)
    }

    private func tellsNothingOfOthers() async throws {
        let fixture = try await make()
        let reader = try reader(fixture)
        let others = [Self.key.bytes + [0x61], Self.key.bytes + [0x2F, 0x62], [0x61]]
        for other in others { try await fixture.put(ObjectKey(other), [1]) }
        #expect(try await reader.versions(of: Self.key, most: 10) == KeptVersions([]))
        try await fixture.put(Self.key, [1, 2])
        let kept = try await reader.versions(of: Self.key, most: 10)
        #expect(kept?.newest.map(\.size) == [2])
    }
}
