import MooringModel
import Synchronization

/// A bucket in memory that keeps the port's contract, and passes its script's borders.
final class FakeBucket: ActingBucket {
    /// An object as it lies at its key or in quarantine.
    struct Stored: Hashable {
        let content: [UInt8]
        let version: ObjectVersion
    }

    struct Place: Hashable {
        let run: RunID
        let key: ObjectKey
    }

    struct State {
        var objects: [ObjectKey: Stored] = [:]
        var held: [Place: Stored] = [:]
        var writes = 0
        var isIncomplete = false
        var listedSince: Instant?
        var unlisted: Set<ObjectKey> = []
        var lease: FoundLease?
        var traits = StoreTraits()
        var live = LiveState()
        var links: [ObjectKey: [LinkedPlace]] = [:]
    }

    let name: String
    let isLive: Bool
    var kind: String { state.withLock { $0.traits.kind } }
    var isFolder: Bool { kind == "directory" }
    var concurrency: Int { state.withLock { $0.traits.concurrency } }
    var holdsLinks: Bool { state.withLock { !$0.links.isEmpty } }
    var leaseStore: (any LeaseStore)? { state.withLock { $0.traits.holdsLeases } ? self : nil }
    var markerStore: (any MarkerStore)? { state.withLock { $0.traits.marker } }
    let script: CallScript
    let clock: TestClock
    let state = Mutex(State())

    init(_ name: String, script: CallScript, clock: TestClock, isLive: Bool = true) {
        self.name = name
        self.script = script
        self.clock = clock
        self.isLive = isLive
    }

    // MARK: Around the port

    /// Everything at its key.
    var objects: [ObjectKey: Stored] { state.withLock { $0.objects } }

    /// Everything in quarantine, by run and key.
    var held: [(run: RunID, key: ObjectKey, stored: Stored)] {
        state.withLock { $0.held.map { ($0.key.run, $0.key.key, $0.value) } }
    }

    /// Writes an object as an app does; its version is a new one even with the same bytes.
    func put(
        _ key: ObjectKey, _ content: [UInt8] = [1, 2, 3], etag: String? = nil,
        at modified: Instant? = nil
    ) {
        let modified = modified ?? clock.now
        state.withLock { $0.put(key, Self.stored(content, etag, modified, &$0)) }
    }

    func put(_ key: String, etag: String? = nil, at modified: Instant? = nil) {
        put(ObjectKey(key), etag: etag, at: modified)
    }

    /// Removes an object as an app does.
    func remove(_ key: ObjectKey) {
        let now = clock.now
        state.withLock { $0.remove(key, at: now) }
    }

    /// Puts an object into quarantine behind the port's back.
    func hold(
        _ key: ObjectKey, run: RunID, _ content: [UInt8] = [4], etag: String? = nil,
        at moment: Instant? = nil
    ) {
        let modified = moment ?? clock.now
        state.withLock {
            $0.held[Place(run: run, key: key)] = Self.stored(content, etag, modified, &$0)
        }
    }

    /// Puts an object into quarantine behind the port's back, as it was listed there.
    func hold(_ object: QuarantinedObject) {
        let content = [UInt8](repeating: 7, count: Int(object.version.size))
        state.withLock {
            $0.held[Place(run: object.run, key: object.key)] = Stored(
                content: content, version: object.version)
        }
    }

    /// Takes everything out of quarantine behind the port's back, and gives it nowhere.
    func release() { state.withLock { $0.held = [:] } }

    /// Makes the object at a key a link to another; nil ends that. A bucket of folders has one.
    func link(_ key: String, to place: LinkedPlace?) {
        state.withLock { $0.links[ObjectKey(key)] = place.map { [$0] } }
    }

    /// Whether listings break off from now on.
    func breakListings(_ breaks: Bool) { state.withLock { $0.isIncomplete = breaks } }

    /// Listings from now on go on with one that began then and saw all there was; nil, and they
    /// begin anew.
    func resumeListings(since instant: Instant?) { state.withLock { $0.listedSince = instant } }

    /// Listings from now on leave these keys out, and say nothing of it.
    func leaveOut(_ keys: [String]) {
        state.withLock { $0.unlisted = Set(keys.map { ObjectKey($0) }) }
    }

    private static func stored(
        _ content: [UInt8], _ etag: String?, _ modified: Instant, _ state: inout State
    ) -> Stored {
        state.writes += 1
        return Stored(
            content: content,
            version: ObjectVersion(
                size: Int64(content.count), etag: etag ?? "e\(state.writes)",
                lastModified: modified,
                versionID: state.isVersioned ? "v\(state.writes)" : nil))
    }

    // MARK: The port

    func list(_ receive: ([ListedObject]) async throws -> Void) async throws -> ScanResult {
        let since = state.withLock { $0.listedSince }
        let listed = state.withLock { state in
            let objects = state.objects.filter {
                $0.key != Lease.key && !state.unlisted.contains($0.key)
            }.map {
                var object = ListedObject(key: $0.key, version: $0.value.version.withoutID)
                object.leadsTo = state.links[$0.key] ?? []
                return object
            }
            return state.traits.listsTwice ? objects + objects : objects
        }.filter { $0.version.lastModified <= since ?? .distantFuture }
        var result = try await scan(.list, listed.sorted { $0.key < $1.key }, receive)
        result.keepsVersions = state.withLock { $0.isVersioned }
        if let since {
            result.isResumed = true
            result.window = ScanWindow(from: since, to: result.window.to)
        }
        return result
    }

    func listQuarantine(
        _ receive: ([QuarantinedObject]) async throws -> Void
    ) async throws -> ScanResult {
        let links = state.withLock { $0.links }
        let held = held.filter { $0.key != Lease.key }.map {
            var object = QuarantinedObject(key: $0.key, run: $0.run, version: $0.stored.version)
            object.leadsTo = links[$0.key] ?? []
            return object
        }
        return try await scan(
            .listQuarantine, held.sorted { ($0.key, $0.run) < ($1.key, $1.run) }, receive)
    }

    private func scan<Item>(
        _ operation: Operation, _ items: [Item], _ receive: ([Item]) async throws -> Void
    ) async throws -> ScanResult {
        let from = clock.now
        var problems: [ScanProblem] = []
        do {
            let number = try await script.enter(operation)
            let count = state.withLock { $0.isIncomplete } ? items.count / 2 : items.count
            if count < items.count {
                problems = [ScanProblem(place: name, reason: "the listing broke off")]
            }
            for start in stride(from: 0, to: count, by: 1_000) {
                try await receive(Array(items[start..<min(start + 1_000, count)]))
            }
            try await script.leave(operation, number)
        } catch let error as StoreError {
            problems.append(ScanProblem(place: error.place, reason: error.reason))
        }
        return ScanResult(
            window: ScanWindow(from: from, to: clock.now), problems: problems,
            consistency: "moving")
    }

    func head(_ key: ObjectKey) async -> HeadAnswer {
        guard key != Lease.key else { return .unknown("the key is that of the lease") }
        return await look(.head) { $0.objects[key] }
    }

    func headQuarantined(_ key: ObjectKey, run: RunID) async -> HeadAnswer {
        guard key != Lease.key else { return .unknown("the key is that of the lease") }
        return await look(.headQuarantined) { $0.held[Place(run: run, key: key)] }
    }

    private func look(
        _ operation: Operation, _ find: (inout State) -> Stored?
    ) async -> HeadAnswer {
        do {
            let number = try await script.enter(operation)
            let found = state.withLock { find(&$0) }
            try await script.leave(operation, number)
            return found.map { .present($0.version) } ?? .absent
        } catch {
            return .unknown("\(error)")
        }
    }

    func quarantine(
        _ key: ObjectKey, expecting version: ObjectVersion, run: RunID
    ) async throws -> MoveOutcome {
        let now = clock.now
        return try await move(.quarantine, key) { state in
            let place = Place(run: run, key: key)
            guard let stored = state.objects[key] else { return .stale("the object is gone") }
            guard version.means(stored.version) else {
                return .stale("it is another version now")
            }
            if let found = state.held[place] {
                // As on S3 without versions, where a copy is known by its content.
                guard state.traits.copies, found.version.etag == stored.version.etag else {
                    return .stale("its place in quarantine is taken")
                }
                state.objects[key] = nil
                return .done
            }
            state.hold(stored, at: place, now)
            return .done
        }
    }

    func restore(
        _ key: ObjectKey, run: RunID, expecting version: ObjectVersion
    ) async throws -> MoveOutcome {
        let now = clock.now
        return try await move(.restore, key) { state in
            let place = Place(run: run, key: key)
            guard let stored = state.held[place], state.accepts(version, at: place) else {
                return .stale("no such object lies in quarantine")
            }
            guard state.objects[key] == nil else {
                return .stale("an object has this key again")
            }
            state.giveBack(stored, from: place, now)
            return .done
        }
    }

    func sweep(
        _ key: ObjectKey, run: RunID, expecting version: ObjectVersion
    ) async throws -> MoveOutcome {
        try await move(.sweep, key) { state in
            let place = Place(run: run, key: key)
            guard state.held[place] != nil, state.accepts(version, at: place) else {
                return .stale("no such object lies in quarantine")
            }
            state.held[place] = nil
            return .done
        }
    }

    private func move(
        _ operation: Operation, _ key: ObjectKey, _ act: (inout State) -> MoveOutcome
    ) async throws -> MoveOutcome {
        guard key != Lease.key else {
            throw StoreError(place: key.text, reason: "the key is that of the lease")
        }
        let number = try await script.enter(operation)
        await spend()
        let outcome = state.withLock { act(&$0) }
        try await script.leave(operation, number)
        return outcome
    }

    func measureClock() async throws -> Duration { .zero }
}

// The lease, which passes no border of the script.
extension FakeBucket: LeaseStore {
    func readLease() async throws -> FoundLease? { state.withLock { $0.lease } }

    func createLease(_ content: [UInt8]) async throws -> FoundLease? {
        state.withLock { state in
            guard state.lease == nil else { return nil }
            return Self.write(content, &state)
        }
    }

    func replaceLease(_ found: FoundLease, with content: [UInt8]) async throws -> FoundLease? {
        state.withLock { state in
            guard state.lease == found else { return nil }
            return Self.write(content, &state)
        }
    }

    func removeLease(_ found: FoundLease) async throws -> Bool {
        state.withLock { state in
            guard state.lease == found else { return false }
            state.lease = nil
            return true
        }
    }

    private static func write(_ content: [UInt8], _ state: inout State) -> FoundLease? {
        state.writes += 1
        state.lease = FoundLease(content: content, tag: "e\(state.writes)")
        return state.lease
    }
}
