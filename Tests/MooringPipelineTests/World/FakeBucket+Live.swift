import MooringModel
import Synchronization

/// What a fake store is like.
struct StoreTraits {
    /// Its kind.
    var kind = "directory"
    /// What a trial of it shows; nil fails the trial.
    var capabilities: StoreCapabilities? = .folder
    /// Whether it knows multipart uploads, and tags.
    var hasUploads = false
    var hasTags = false
    /// Whether what is moved is written anew, with another time.
    var copies = false
    /// How many calls it takes at once.
    var concurrency = 1
    /// Whether it can hold a lease.
    var holdsLeases = true
    /// Its marker; without one it cannot hold any.
    var marker: FakeMarker?
    /// Whether a listing names each object twice.
    var listsTwice = false

    /// A store like S3, with versions or without.
    static func s3(_ versioning: StoreCapabilities.Versioning, deletes: StoreCapabilities.Trial)
        -> StoreTraits
    {
        var traits = StoreTraits()
        traits.kind = "s3"
        traits.capabilities = StoreCapabilities(
            versioning: versioning, conditionalDelete: deletes, conditionalBatch: deletes,
            conditionalWrite: deletes, conditionalCopy: .honoured,
            exclusiveCopy: deletes, tagging: .honoured, multipartCopy: .honoured)
        traits.hasUploads = true
        traits.hasTags = true
        traits.copies = versioning == .never
        return traits
    }
}

/// The marker of a fake store, which takes none.
struct FakeMarker: MarkerStore {
    /// What lies in its place.
    var content: [UInt8]?
    var markerPlace: String { "here" }

    func readMarker() async throws -> [UInt8]? { content }

    func isCopy(of place: String, trace: String?) async -> Bool { false }

    func createMarker(_ content: [UInt8]) async throws {
        throw StoreError(place: "media", reason: "a planted fault")
    }
}

/// What a fake store knows beside its objects.
struct LiveState {
    /// A deletion in a bucket with versions: what a marker hides.
    struct Deleted {
        let deletion: Deletion
        let stored: FakeBucket.Stored
    }

    var uploads: [OpenUpload: UploadParts] = [:]
    var tags: [ObjectKey: String] = [:]
    var deleted: [ObjectKey: Deleted] = [:]
    var older: [OlderVersion] = []
    /// The ETag of each version that was ever written, by its id.
    var etags: [String: String] = [:]
    /// What this process moved into quarantine, and where from.
    var moved: [FakeBucket.Place: ObjectVersion] = [:]
    var trials = 0
    var inFlight = 0
    var mostInFlight = 0
}

extension FakeBucket.State {
    var isVersioned: Bool { traits.capabilities?.versioning == .enabled }

    mutating func put(_ key: ObjectKey, _ stored: FakeBucket.Stored) {
        if isVersioned { age(key) }
        objects[key] = stored
        if let id = stored.version.versionID { live.etags[id] = stored.version.etag }
        live.tags[key] = nil
        live.deleted[key] = nil
    }

    mutating func remove(_ key: ObjectKey, at now: Instant) {
        guard let stored = objects.removeValue(forKey: key), isVersioned else { return }
        writes += 1
        live.deleted[key] = LiveState.Deleted(
            deletion: Deletion(marker: "m\(writes)", at: now, hidden: stored.version),
            stored: stored)
    }

    /// What lies at a key becomes an older version.
    private mutating func age(_ key: ObjectKey) {
        if let deleted = live.deleted[key] {
            live.older += Self.older(key, deleted, isNewest: false)
        } else if let stored = objects[key] {
            live.older.append(Self.older(key, stored))
        }
    }

    static func older(
        _ key: ObjectKey, _ deleted: LiveState.Deleted, isNewest: Bool
    ) -> [OlderVersion] {
        [
            OlderVersion(
                key: key, id: deleted.deletion.marker, size: 0, writtenAt: deleted.deletion.at,
                isMarker: true, isNewest: isNewest), older(key, deleted.stored),
        ]
    }

    private static func older(_ key: ObjectKey, _ stored: FakeBucket.Stored) -> OlderVersion {
        OlderVersion(
            key: key, id: stored.version.versionID ?? "", size: stored.version.size,
            writtenAt: stored.version.lastModified, isMarker: false, isNewest: false)
    }

    mutating func hold(_ stored: FakeBucket.Stored, at place: FakeBucket.Place, _ now: Instant) {
        objects[place.key] = nil
        held[place] = traits.copies ? stored.writtenAnew(now) : stored
        live.moved[place] = stored.version
    }

    mutating func giveBack(
        _ stored: FakeBucket.Stored, from place: FakeBucket.Place, _ now: Instant
    ) {
        held[place] = nil
        objects[place.key] = traits.copies ? stored.writtenAnew(now) : stored
    }

    /// Whether a caller means what lies in quarantine: by the version that lies there, or by the
    /// one that this process moved there.
    func accepts(_ version: ObjectVersion, at place: FakeBucket.Place) -> Bool {
        held[place].map { version.means($0.version) } ?? false
            || traits.copies && live.moved[place] == version
    }
}

extension FakeBucket.Stored {
    fileprivate func writtenAnew(_ now: Instant) -> FakeBucket.Stored {
        FakeBucket.Stored(
            content: content,
            version: ObjectVersion(
                size: version.size, etag: version.etag, lastModified: now))
    }
}

// MARK: Around the port

extension FakeBucket {
    /// Puts an object of exactly this version at a key, behind the port's back.
    func place(_ key: ObjectKey, _ version: ObjectVersion) {
        let content = [UInt8](repeating: 7, count: Int(version.size))
        state.withLock { $0.objects[key] = Stored(content: content, version: version) }
    }

    /// Makes it another kind of store, before anything is in it.
    func become(_ traits: StoreTraits) { state.withLock { $0.traits = traits } }

    /// Changes one of its traits.
    func change(_ change: (inout StoreTraits) -> Void) { state.withLock { change(&$0.traits) } }

    /// What a new process does not know any more.
    func forget() { state.withLock { $0.live.moved = [:] } }

    /// Begins an upload, with parts that came at these moments.
    @discardableResult
    func upload(_ key: String, id: String, begun: Instant, parts: [Instant] = []) -> OpenUpload {
        let upload = OpenUpload(key: ObjectKey(key), id: id, begunAt: begun)
        state.withLock {
            $0.live.uploads[upload] = UploadParts(
                count: parts.count, bytes: Int64(parts.count) * 100, newestAt: parts.max())
        }
        return upload
    }

    /// The uploads that are open.
    var openUploads: Set<String> { state.withLock { Set($0.live.uploads.keys.map(\.id)) } }

    /// The tag of an object.
    func tagged(_ key: String) -> String? { state.withLock { $0.live.tags[ObjectKey(key)] } }

    /// The older versions and markers that are there.
    var olderVersions: [OlderVersion] {
        state.withLock { state in
            state.live.older
                + state.live.deleted.flatMap { State.older($0.key, $0.value, isNewest: true) }
        }
    }

    /// The most moves that were under way at once.
    var mostInFlight: Int { state.withLock { $0.live.mostInFlight } }

    /// How often it was tried out.
    var trials: Int { state.withLock { $0.live.trials } }

    /// Takes some time over a move, where several are taken at once: until so many were under way,
    /// which a busy machine may not bring about in any fixed time, or a second at most.
    func spend() async {
        guard concurrency > 1 else { return }
        state.withLock {
            $0.live.inFlight += 1
            $0.live.mostInFlight = max($0.live.mostInFlight, $0.live.inFlight)
        }
        for _ in 0..<200 {
            // An interrupted sleep only makes the move shorter.
            try? await Task.sleep(for: .milliseconds(5))
            if mostInFlight >= concurrency || Task.isCancelled { break }
        }
        state.withLock { $0.live.inFlight -= 1 }
    }
}

// MARK: The port

extension FakeBucket {
    var uploadStore: (any UploadStore)? { state.withLock { $0.traits.hasUploads } ? self : nil }
    var versionStore: (any VersionStore)? { state.withLock { $0.isVersioned } ? self : nil }
    var tagStore: (any TagStore)? { state.withLock { $0.traits.hasTags } ? self : nil }

    func capabilities() async throws -> StoreCapabilities {
        try state.withLock { state in
            state.live.trials += 1
            guard let found = state.traits.capabilities else {
                throw StoreError(place: name, reason: "a planned failure of the trial")
            }
            return found
        }
    }

    private func call<Answer>(
        _ operation: Operation, _ act: (inout State) throws -> Answer
    ) async throws -> Answer {
        let number = try await script.enter(operation)
        let answer = try state.withLock { try act(&$0) }
        try await script.leave(operation, number)
        return answer
    }
}

extension FakeBucket: UploadStore {
    func listUploads(
        _ receive: ([OpenUpload]) async throws -> Void
    ) async throws -> ScanResult {
        let from = clock.now
        var problems: [ScanProblem] = []
        do {
            let open = try await call(.listUploads) {
                $0.live.uploads.keys.sorted { $0.id < $1.id }
            }
            if !open.isEmpty { try await receive(open) }
        } catch let error as StoreError {
            problems.append(ScanProblem(place: error.place, reason: error.reason))
        }
        return ScanResult(
            window: ScanWindow(from: from, to: clock.now), problems: problems,
            consistency: "moving")
    }

    func parts(of upload: OpenUpload) async throws -> UploadParts? {
        try await call(.parts) { $0.live.uploads[upload] }
    }

    func abort(_ upload: OpenUpload) async throws -> MoveOutcome {
        try await call(.abort) {
            $0.live.uploads.removeValue(forKey: upload) == nil ? .stale("it is not open") : .done
        }
    }
}

extension FakeBucket: VersionStore {
    func deletion(of key: ObjectKey) async throws -> Deletion? {
        try await call(.deletion) { $0.live.deleted[key]?.deletion }
    }

    func undelete(_ key: ObjectKey, _ deletion: Deletion) async throws -> MoveOutcome {
        try await call(.undelete) { state in
            guard let deleted = state.live.deleted[key], deleted.deletion == deletion else {
                return .stale("another version or marker lies on top")
            }
            state.live.deleted[key] = nil
            state.objects[key] = deleted.stored
            return .done
        }
    }

    func deleteAgain(
        _ key: ObjectKey, expecting version: ObjectVersion
    ) async throws -> MoveOutcome {
        let now = clock.now
        return try await call(.deleteAgain) { state in
            guard let stored = state.objects[key], version.means(stored.version) else {
                return .stale("it is another version now")
            }
            state.remove(key, at: now)
            return .done
        }
    }

    func listOlderVersions(
        within head: [UInt8], _ receive: ([OlderVersion]) async throws -> Void
    ) async throws -> ScanResult {
        let from = clock.now
        var problems: [ScanProblem] = []
        do {
            let all = olderVersions
            let found = try await call(.listVersions) { _ in
                all.filter { $0.key.hasPrefix(head) }
            }
            if !found.isEmpty { try await receive(found) }
        } catch let error as StoreError {
            problems.append(ScanProblem(place: error.place, reason: error.reason))
        }
        return ScanResult(
            window: ScanWindow(from: from, to: clock.now), problems: problems,
            consistency: "moving")
    }

    func remove(_ version: OlderVersion) async throws {
        try await call(.removeVersion) { state in
            state.live.older.removeAll { $0 == version }
            guard let deleted = state.live.deleted[version.key] else { return }
            if deleted.deletion.marker == version.id {
                state.objects[version.key] = deleted.stored
                state.live.deleted[version.key] = nil
            } else if deleted.stored.version.versionID == version.id {
                state.live.deleted[version.key] = nil
            }
        }
    }
}

extension FakeBucket: TagStore {
    static var tagName: String { "mooring" }

    func tag(
        _ key: ObjectKey, expecting version: ObjectVersion, value: String
    ) async throws -> MoveOutcome {
        try await call(.tag) { state in
            guard let stored = state.objects[key], version.means(stored.version) else {
                return .stale("it is another version now")
            }
            state.live.tags[key] = value
            return .done
        }
    }

    func untag(
        _ key: ObjectKey, expecting version: ObjectVersion, value: String
    ) async throws -> MoveOutcome {
        try await call(.untag) { state in
            guard let stored = state.objects[key], version.means(stored.version) else {
                return .stale("it is another version now")
            }
            if state.live.tags[key] == value { state.live.tags[key] = nil }
            return .done
        }
    }

    func tagValue(_ key: ObjectKey) async throws -> String? {
        try await call(.tagValue) { $0.live.tags[key] }
    }
}
