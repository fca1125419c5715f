import MooringAWS
package import MooringModel
import Synchronization

/// Where removed objects lie: below a prefix of the bucket itself, or of another one.
package struct S3Quarantine: Sendable {
    /// The other bucket; nil for the bucket itself.
    package let client: S3Client?
    /// The prefix, which ends with a slash.
    package let prefix: [UInt8]

    /// A quarantine.
    package init(prefix: [UInt8], in client: S3Client? = nil) {
        self.prefix = prefix
        self.client = client
    }
}

/// Sizes that decide how objects are copied.
package struct CopyLimits: Hashable, Sendable {
    /// The largest object in bytes that one CopyObject takes.
    package var wholeCopy: Int64 = 5 << 30
    /// The largest object in bytes that is read and written again where only a PUT replaces
    /// nothing.
    package var throughMemory = StoreCapabilities.wholeWriteLimit
    /// The bytes of each part of a larger copy; more where it would need more than 10,000.
    package var part: Int64 = 512 << 20
    /// The most parts of one object that are copied at a time.
    package var partsAtOnce = 4

    /// S3's own limits.
    package init() {}
}

/// A live bucket of S3, or of what speaks its language: looks, and acts only as far as the store
/// was seen to keep its promises.
///
/// Without versions an object is moved by a copy and a deletion under a condition; with versions it
/// is hidden under a delete marker, and a note in quarantine says which one. Access control lists
/// are not carried over by a copy.
package final class S3Bucket: ActingBucket {
    /// The bucket's name in the configuration.
    package let name: String
    /// As the configuration spells it.
    package let kind = "s3"
    /// A bucket can be looked at and acted on now.
    package let isLive = true
    /// The most calls about different keys that are under way at once.
    package let concurrency: Int
    /// What belongs to the app; uploads are listed below these.
    let prefixes: [[UInt8]]
    /// What keys in quarantine begin with, in whichever bucket that is.
    let quarantinePrefix: [UInt8]
    /// Calls to the bucket of the app's objects.
    let own: BucketCalls
    /// Calls to the bucket that the quarantine lies in.
    let held: BucketCalls
    /// Removes many things from the bucket for good.
    let ownRemover: BatchRemover
    /// The same for the quarantine.
    let heldRemover: BatchRemover
    /// Sizes of copies.
    let limits: CopyLimits
    /// Whether no device ever uses a key again.
    let neverReused: @Sendable (ObjectKey) -> Bool
    /// This machine's time.
    let clock: @Sendable () -> Instant
    /// Where `list` keeps how far it came; nil where each listing begins anew.
    let spool: SpoolPlace?
    /// What the store was seen to do.
    let trial: TrialCache
    /// The copies that this process made and that have another ETag, with what they were made of.
    let moved = Mutex<[ObjectKey: MovedCopy]>([:])

    /// A copy in quarantine and the version that it was made of.
    struct MovedCopy: Hashable, Sendable {
        /// What was at the key before it was moved.
        let original: ObjectVersion
        /// What lies in quarantine.
        let copy: ObjectVersion
    }

    /// A bucket. `retention` is how long what lies in quarantine has to stay. `neverReused` tells
    /// for a key whether its template holds `{uuid}`, so that nothing is ever written to it again.
    package init(
        name: String, client: S3Client, quarantine: S3Quarantine, prefixes: [[UInt8]] = [[]],
        concurrency: Int = 8, limits: CopyLimits = CopyLimits(), spool: SpoolPlace? = nil,
        retention: Duration = .zero, clock: @escaping @Sendable () -> Instant,
        neverReused: @escaping @Sendable (ObjectKey) -> Bool = { _ in false }
    ) {
        self.name = name
        self.prefixes = prefixes
        self.concurrency = max(1, concurrency)
        self.limits = limits
        self.spool = spool
        self.clock = clock
        self.neverReused = neverReused
        quarantinePrefix = quarantine.prefix
        own = BucketCalls(client, clock: clock)
        held = quarantine.client.map { BucketCalls($0, clock: clock) } ?? own
        ownRemover = BatchRemover(own)
        heldRemover = held === own ? ownRemover : BatchRemover(held)
        let look = LifecycleLook(
            own: own.client, elsewhere: quarantine.client, prefixes: prefixes.map(ObjectKey.init),
            quarantine: ObjectKey(quarantine.prefix), retention: retention)
        trial = TrialCache(
            own: own, held: held, prefix: quarantine.prefix, lifecycle: look, clock: clock)
    }

    /// Some acts wait for the journal and for records while others use the calls.
    package var actsAtOnce: Int { Self.actsPerCall * concurrency }
    /// Those that wait for a batch use no call either: so many that batches grow large, and so few
    /// that an interrupted sweep comes to its end soon.
    package var sweepsAtOnce: Int { min(BucketCalls.batchLimit, Self.sweepsPerCall * concurrency) }

    private static let actsPerCall = 4
    private static let sweepsPerCall = 32

    /// Whether the quarantine lies in the bucket itself.
    var holdsQuarantine: Bool { held === own }

    /// Endpoint and bucket.
    package var storeIdentity: String {
        "\(own.client.place.endpoint.text)/\(own.client.place.bucket)"
    }

    /// What the store was seen to do; tried out once in a process, also when many ask at once.
    package func capabilities() async throws -> StoreCapabilities {
        try await trial.findings().capabilities
    }

    /// What the bucket does on its own.
    package var settings: (any SettingsStore)? {
        BucketSettings(client: own.client, quarantine: holdsQuarantine ? nil : held.client)
    }

    // MARK: Looks

    /// Looks by HEAD. Archived objects are present; only a 404 is absence, and only where the
    /// bucket itself answers.
    package func head(_ key: ObjectKey) async -> HeadAnswer {
        guard !OwnKey.contains(key) else { return .unknown(Self.leaseDoubt) }
        return await look { try await own.facts(key).map(\.version) }
    }

    /// Looks at the copy in quarantine; or at the note, and whether its version is still there and
    /// hidden. The version has an id where that is the one that would be there again.
    package func headQuarantined(_ key: ObjectKey, run: RunID) async -> HeadAnswer {
        guard !OwnKey.contains(key) else { return .unknown(Self.leaseDoubt) }
        // Nothing was ever moved to where no key can be.
        guard Spot.place(of: key, run, in: self) != nil else { return .absent }
        return await look { try await heldVersion(Spot(key, run, in: self)) }
    }

    private func look(_ find: () async throws -> ObjectVersion?) async -> HeadAnswer {
        do {
            return try await find().map { .present($0) } ?? .absent
        } catch {
            return .unknown("\(error)")
        }
    }

    /// Why nothing is done with the keys of lease and marker.
    static let leaseDoubt = "the key is that of an object of Mooring's own"

    /// The difference between the Date of an answer and this machine's clock. Nothing is written:
    /// the header is there on every answer. It has whole seconds, so that a second more is told.
    package func measureClock() async throws -> Duration {
        let sentAt = clock()
        let response = try await own.perform(S3Call("HeadBucket", method: "HEAD"))
        var estimate = ClockEstimate()
        if let date = response["date"].flatMap({ HTTPDate.parse($0) }) {
            estimate.observe(date: date, sentAt: sentAt, receivedAt: clock())
        }
        guard let difference = estimate.difference else {
            throw StoreError(
                place: own.client.place.bucket, reason: "HeadBucket told no date",
                hint: "ask whoever runs the store, or what stands between, to send Date headers")
        }
        return difference
    }
}

/// A key's two places: in the bucket, and in the quarantine of a run.
struct Spot: Sendable {
    /// The key that the object has in the bucket.
    let key: ObjectKey
    /// The key of its copy or note.
    let place: ObjectKey

    /// S3's own bound.
    private static let keyLimit = 1_024

    /// A key and its place as they were found.
    init(key: ObjectKey, place: ObjectKey) {
        self.key = key
        self.place = place
    }

    /// Finds the places; throws when the key has no place of its own in both.
    init(_ key: ObjectKey, _ run: RunID, in bucket: S3Bucket) throws {
        guard !OwnKey.contains(key) else {
            throw StoreError(place: key.text, reason: S3Bucket.leaseDoubt, isRefusal: true)
        }
        guard !bucket.holdsQuarantine || !key.hasPrefix(bucket.quarantinePrefix) else {
            throw StoreError(
                place: key.text, reason: "the key lies in the quarantine itself", isRefusal: true)
        }
        guard let place = Self.place(of: key, run, in: bucket) else {
            throw StoreError(
                place: key.text, reason: "its key in quarantine would be longer than 1,024 bytes",
                hint: "shorten the bucket's quarantine prefix, or move the object by hand",
                isRefusal: true)
        }
        (self.key, self.place) = (key, place)
    }

    /// The key of a copy or note in quarantine; nil where it would be longer than a key may be.
    static func place(of key: ObjectKey, _ run: RunID, in bucket: S3Bucket) -> ObjectKey? {
        let bytes = bucket.quarantinePrefix + Array("\(run.text)/".utf8) + key.bytes
        return bytes.count <= keyLimit ? ObjectKey(bytes) : nil
    }
}
