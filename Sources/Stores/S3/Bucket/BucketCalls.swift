import Crypto
import MooringAWS
import MooringModel
import Synchronization

/// Calls to one bucket, with answers that say what they mean and errors in Mooring's words.
final class BucketCalls: Sendable {
    private struct Memory {
        var versioning: BucketVersioning?
        // An answer named a version, or a delete marker.
        var sawVersions = false
        var seenAt: ContinuousClock.Instant?
        var look: Task<Void, any Error>?
    }

    /// Signs and sends the calls to this one bucket.
    let client: S3Client
    /// This machine's time.
    let clock: @Sendable () -> Instant
    private let memory = Mutex(Memory())
    // A bucket that was there so recently is not asked for again at each missing key.
    private static let presence: Duration = .seconds(30)

    /// Calls to a bucket.
    init(_ client: S3Client, clock: @escaping @Sendable () -> Instant) {
        self.client = client
        self.clock = clock
    }

    /// Sends a call; throws `StoreError` where no answer came.
    func send(_ call: S3Call) async throws -> AWSResponse {
        do {
            let response = try await client.send(call)
            if Self.tellsVersion(response) { noteVersions() }
            return response
        } catch {
            throw client.storeError(call, thrown: error) ?? error
        }
    }

    /// Sends a call and wants it done; throws `StoreError` with the refusal.
    func perform(_ call: S3Call) async throws -> AWSResponse {
        let response = try await send(call)
        guard (200..<300).contains(response.status) else { throw refusal(call, response) }
        guard Self.lateError(call, response) == nil else { throw refusal(call, response) }
        return response
    }

    /// Sends a call and wants it done; nil where it has one of these statuses, by which a store
    /// says that a condition does not hold.
    func perform(_ call: S3Call, unless statuses: Set<Int>) async throws -> AWSResponse? {
        let response = try await send(call)
        if statuses.contains(response.status) { return nil }
        guard (200..<300).contains(response.status) else { throw refusal(call, response) }
        guard let error = Self.lateError(call, response) else { return response }
        if ["PreconditionFailed", "ConditionalRequestConflict"].contains(error.code) { return nil }
        throw refusal(call, response)
    }

    /// The error that stands for a refusal, in Mooring's words.
    func refusal(_ call: S3Call, _ response: AWSResponse) -> StoreError {
        client.storeError(call, response)
    }

    // S3 begins some answers before it knows how the act ends.
    private static func lateError(_ call: S3Call, _ response: AWSResponse) -> S3Error? {
        guard !["GET", "HEAD"].contains(call.method), !response.body.isEmpty else { return nil }
        // What is no XML is no refusal: a look afterwards tells what was done.
        let document = try? XMLDocument(response.body)
        guard document?.name == "Error" else { return nil }
        return S3Error(call: call.name, response)
    }

    /// Whether the bucket keeps versions, as it says; asked once. One that says nothing, and of
    /// which an answer named a version, may hold some.
    func versioning() async throws -> StoreCapabilities.Versioning {
        let said = try await askVersioning().state
        guard said == .never else { return said }
        return memory.withLock { $0.sawVersions } ? .suspended : .never
    }

    /// Remembers that a version or a delete marker was seen.
    func noteVersions() { memory.withLock { $0.sawVersions = true } }

    private static func tellsVersion(_ response: AWSResponse) -> Bool {
        if response["x-amz-delete-marker"] == "true" { return true }
        return response["x-amz-version-id"].map { !["", "null"].contains($0) } ?? false
    }

    /// Whether a first page of versions names one by an id of its own, or a delete marker; nil of
    /// a store that lists no versions at all.
    func namesVersions(within prefix: [UInt8]) async throws -> Bool? {
        let call = S3Call(
            "ListObjectVersions",
            query: [AWSRequest.Parameter("versions"), AWSRequest.Parameter("prefix", prefix)])
        let response = try await send(call)
        if [405, 501].contains(response.status) { return nil }
        guard response.status == 200 else { throw refusal(call, response) }
        // What answers with something else, as with its objects, does not know the question.
        guard let document = try? XMLDocument(response.body), document.name == "ListVersionsResult"
        else { return nil }
        let ids = document.all("Version").map { $0["VersionId"]?.text ?? "" }
        return !document.all("DeleteMarker").isEmpty
            || ids.contains { !["", "null"].contains($0) }
    }

    /// The keys of which the bucket says that it keeps no versions.
    func unversioned() async throws -> [UnversionedKeys] { try await askVersioning().exceptions }

    /// Asks again when somebody wants to know: a setting may have changed.
    func forgetVersioning() { memory.withLock { $0.versioning = nil } }

    private func askVersioning() async throws -> BucketVersioning {
        if let known = memory.withLock({ $0.versioning }) { return known }
        // It keeps none, and its hosts do not know the question.
        if client.place.isZonal { return BucketVersioning() }
        let call = S3Call("GetBucketVersioning", query: [AWSRequest.Parameter("versioning")])
        let response = try await send(call)
        let versioning: BucketVersioning
        switch response.status {
        case 200: versioning = BucketVersioning(response.body)
        // Such a store may keep versions all the same.
        // What leads to a bucket by another name answers for objects alone.
        case 400 where client.place.isAccessPoint, 403 where client.place.isAccessPoint, 501, 405:
            versioning = BucketVersioning()
            if try await namesVersions(within: []) == true { noteVersions() }
        default: throw refusal(call, response)
        }
        memory.withLock { $0.versioning = versioning }
        return versioning
    }

    /// Looks at an object; nil when it is certainly not there, and throws when that is not known.
    ///
    /// A missing bucket answers as a missing key does, so the bucket has to be there.
    func facts(
        _ key: ObjectKey, version id: String? = nil, checksums: Bool = false
    ) async throws -> ObjectFacts? {
        let keepsVersions = try await versioning() == .enabled
        let call = S3Call(
            "HeadObject", method: "HEAD", key: key,
            query: id.map { [AWSRequest.Parameter("versionId", $0)] } ?? [],
            headers: checksums ? [("x-amz-checksum-mode", "ENABLED")] : [])
        let response = try await send(call)
        switch response.status {
        case 200:
            guard let facts = ObjectFacts(response, keepsVersions: keepsVersions) else {
                throw StoreError(
                    place: key.text, reason: "HeadObject told no size, ETag or time",
                    isRefusal: true)
            }
            return facts
        case 404:
            try await seeBucket()
            return nil
        default: throw refusal(call, response)
        }
    }

    // Acts under way at once that all miss a key wait for one look.
    private func seeBucket() async throws {
        let now = ContinuousClock.now
        let look: Task<Void, any Error>? = memory.withLock { memory in
            if let seen = memory.seenAt, now - seen < Self.presence { return nil }
            let look = memory.look ?? Task { try await self.lookAtBucket() }
            memory.look = look
            return look
        }
        try await look?.value
    }

    private func lookAtBucket() async throws {
        let now = ContinuousClock.now
        defer { memory.withLock { $0.look = nil } }
        // A session is not let ask HeadBucket (user guide, directory buckets).
        let look =
            client.place.isZonal
            ? S3Call("ListObjectsV2", query: [.init("list-type", "2"), .init("max-keys", "1")])
            : S3Call("HeadBucket", method: "HEAD")
        _ = try await perform(look)
        memory.withLock { $0.seenAt = now }
    }

    /// Reads a small object whole, as long as it is the one with this ETag; nil when it is gone.
    func content(
        _ key: ObjectKey, ifMatch etag: String? = nil
    ) async throws -> (facts: ObjectFacts, bytes: [UInt8])? {
        let keepsVersions = try await versioning() == .enabled
        let call = S3Call(
            "GetObject", key: key, headers: etag.map { [("if-match", ETag.quoted($0))] } ?? [])
        let response = try await send(call)
        switch response.status {
        case 200:
            guard let facts = ObjectFacts(response, keepsVersions: keepsVersions),
                facts.version.size == Int64(response.body.count),
                etag == nil || facts.version.etag == etag
            else {
                throw StoreError(
                    place: key.text, reason: "GetObject gave another object, or not all of it",
                    isRefusal: true)
            }
            return (facts, response.body)
        case 404:
            try await seeBucket()
            return nil
        default: throw refusal(call, response)
        }
    }

    /// What a conditional write led to.
    enum Written: Sendable {
        /// It was written; the new ETag.
        case done(etag: String)
        /// The condition did not hold, and nothing was written.
        case conflict
    }

    /// Writes an object under conditions; `isRepeatable` where to write it twice does no harm.
    func put(
        _ key: ObjectKey, _ body: [UInt8], headers: [(name: String, value: String)],
        isRepeatable: Bool = false
    ) async throws -> Written {
        let call = S3Call(
            "PutObject", method: "PUT", key: key, headers: headers, body: body,
            isRepeatable: isRepeatable)
        let response = try await send(call)
        switch response.status {
        case 200..<300:
            guard let etag = response["etag"].map(ETag.bare) else {
                throw StoreError(place: key.text, reason: "PutObject told no ETag")
            }
            return .done(etag: etag)
        // Gone under If-Match is another state than the one that was read, too.
        case 409, 412, 404: return .conflict
        default: throw refusal(call, response)
        }
    }

    /// Removes an object, or one of its versions, and gives the answer whatever its status.
    func delete(
        _ key: ObjectKey, version id: String? = nil, ifMatch etag: String? = nil
    ) async throws -> AWSResponse {
        try await send(Self.deletion(key, version: id, ifMatch: etag))
    }

    /// The call that removes an object or a version.
    static func deletion(
        _ key: ObjectKey, version id: String? = nil, ifMatch etag: String? = nil
    ) -> S3Call {
        S3Call(
            "DeleteObject", method: "DELETE", key: key,
            query: id.map { [AWSRequest.Parameter("versionId", $0)] } ?? [],
            headers: etag.map { [("if-match", ETag.quoted($0))] } ?? [],
            // A version is one thing: to remove it twice is to remove it once.
            isRepeatable: id != nil)
    }

    /// Removes one version or marker for good; it may be gone already.
    func removeVersion(_ key: ObjectKey, _ id: String) async throws {
        let response = try await delete(key, version: id)
        guard (200..<300).contains(response.status) || response.status == 404 else {
            throw refusal(Self.deletion(key, version: id), response)
        }
    }

    /// Everything that was ever written at a key and is still kept.
    func stack(of key: ObjectKey) async throws -> VersionStack {
        let listing = S3Listing(client, concurrency: 1, clock: clock)
        return try Self.stack(try await listing.versions(of: key), of: key)
    }

    // Nobody reads more pages than that to learn how many there are.
    private static let counted = 10_000

    /// The newest versions and markers of a key, at most `most`, with the count of the others.
    func newest(of key: ObjectKey, most: Int) async throws -> KeptVersions {
        let listing = S3Listing(client, concurrency: 1, clock: clock)
        let (newest, count, isWhole) = try await listing.newestVersions(
            of: key, most: most, counting: Self.counted)
        return KeptVersions(
            try Self.stack(newest, of: key).entries, older: count - newest.count, isCut: !isWhole)
    }

    private static func stack(
        _ listed: [ListedVersion], of key: ObjectKey
    ) throws -> VersionStack {
        guard let stack = VersionStack(listed) else {
            throw StoreError(
                place: key.text, reason: "ListObjectVersions does not begin with the newest",
                hint: "the store lists versions in another order than S3, so that nothing is "
                    + "hidden there: name a quarantine in a bucket without versions")
        }
        return stack
    }

    /// Removes every version of a key of Mooring's own, the newest last, so that an interrupted
    /// removal leaves what it began with.
    func removeAll(_ key: ObjectKey) async throws {
        guard try await versioning() != .never else {
            let response = try await delete(key)
            guard (200..<300).contains(response.status) || response.status == 404 else {
                throw refusal(Self.deletion(key), response)
            }
            return
        }
        // Not as a stack: a store that lists markers apart from versions keeps them as well.
        let listed = try await S3Listing(client, concurrency: 1, clock: clock).versions(of: key)
        let ordered = listed.reversed().filter { !$0.isNewest } + listed.filter(\.isNewest)
        for id in ordered.compactMap(\.version.versionID) { try await removeVersion(key, id) }
    }
}
