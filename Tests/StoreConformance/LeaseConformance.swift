import MooringModel
import Testing

/// What every store that can hold a lease has to do; each check gets a bucket that is empty.
package struct LeaseConformance {
    private let make: @Sendable () async throws -> any BucketFixture

    /// The checks of the buckets that a closure makes, each new and empty.
    package init(_ make: @escaping @Sendable () async throws -> any BucketFixture) {
        self.make = make
    }

    private static let one = lease("one").content
    private static let other = lease("other").content

    private static func lease(_ ledger: String) -> Lease {
        Lease(
            ledger: ledger, host: "host", path: "/a/ledger", command: "repair",
            run: "20261121T020000Z-000000", since: Instant(seconds: 1_790_000_000))
    }

    /// Runs all checks; what does not hold is recorded as an issue.
    package func verify() async throws {
        try await withStore(createsOnce)
        try await withStore(replacesOnlyWhatWasRead)
        try await withStore(removesOnlyWhatWasRead)
        try await withStore(letsOneOfManyIn)
        try await isNoObject()
    }

    // The fixture goes only behind the check, and its folder with it.
    private func withStore(_ check: (any LeaseStore) async throws -> Void) async throws {
        let fixture = try await make()
        let store = try #require(fixture.bucket.leaseStore, "a live bucket that can hold no lease")
        try await check(store)
        withExtendedLifetime(fixture) {}
    }

    private func createsOnce(_ store: any LeaseStore) async throws {
        #expect(try await store.readLease() == nil)
        let written = try #require(try await store.createLease(Self.one))
        #expect(written.content == Self.one && written.lease == Self.lease("one"))
        #expect(try await store.readLease() == written)
        #expect(try await store.createLease(Self.other) == nil)
        #expect(try await store.readLease() == written)
    }

    private func replacesOnlyWhatWasRead(_ store: any LeaseStore) async throws {
        let first = try #require(try await store.createLease(Self.one))
        let wrong = FoundLease(content: Self.one, tag: first.tag + "0")
        #expect(try await store.replaceLease(wrong, with: Self.other) == nil)
        #expect(try await store.readLease() == first)
        let second = try #require(try await store.replaceLease(first, with: Self.other))
        #expect(try await store.readLease() == second && second.content == Self.other)
        #expect(try await store.replaceLease(first, with: Self.one) == nil)
        #expect(try await store.readLease() == second)
        #expect(try await store.removeLease(second))
        #expect(try await store.replaceLease(second, with: Self.one) == nil)
        #expect(try await store.readLease() == nil)
    }

    private func removesOnlyWhatWasRead(_ store: any LeaseStore) async throws {
        let first = try #require(try await store.createLease(Self.one))
        #expect(try await !store.removeLease(FoundLease(content: Self.other, tag: first.tag)))
        #expect(try await store.readLease() == first)
        #expect(try await store.removeLease(first))
        #expect(try await store.readLease() == nil)
        #expect(try await !store.removeLease(first))
        // The same bytes again are another lease.
        let second = try #require(try await store.createLease(Self.one))
        #expect(try await !store.removeLease(first) || second == first)
        #expect(try await store.readLease() == (second == first ? nil : second))
    }

    private func letsOneOfManyIn(_ store: any LeaseStore) async throws {
        for _ in 0..<20 {
            let winners = try await withThrowingTaskGroup(of: FoundLease?.self) { group in
                for number in 0..<8 {
                    let content = Self.lease("ledger \(number)").content
                    group.addTask { try await store.createLease(content) }
                }
                return try await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
            }
            #expect(winners.count == 1)
            let first = try #require(winners.first)
            #expect(try await store.readLease() == first)
            #expect(try await store.removeLease(first))
        }
    }

    private func isNoObject() async throws {
        let fixture = try await make()
        let bucket = fixture.bucket
        let store = try #require(bucket.leaseStore)
        try await fixture.put(ObjectKey(".mooring/other"), [1])
        let version = try await bucket.version(ObjectKey(".mooring/other"))
        let lease = try #require(try await store.createLease(Self.one))
        try await fixture.putQuarantined(Lease.key, run: run(0), [1])
        #expect(try await bucket.listed().items.map(\.key) == [ObjectKey(".mooring/other")])
        let inside = try await bucket.listedQuarantine()
        #expect(inside.items.isEmpty && inside.result.isComplete)
        for answer in [
            await bucket.head(Lease.key), await bucket.headQuarantined(Lease.key, run: run(0)),
        ] {
            guard case .unknown = answer else {
                Issue.record("the lease was looked at: \(answer)")
                continue
            }
        }
        await #expect(throws: StoreError.self) {
            try await bucket.quarantine(Lease.key, expecting: version, run: run(1))
        }
        await #expect(throws: StoreError.self) {
            try await bucket.restore(Lease.key, run: run(0), expecting: version)
        }
        await #expect(throws: StoreError.self) {
            try await bucket.sweep(Lease.key, run: run(0), expecting: version)
        }
        #expect(try await store.readLease() == lease)
        #expect(try await fixture.quarantinedContent(Lease.key, run: run(0)) == [1])
    }
}
