import MooringModel
import Synchronization

/// What a trial showed, and what of it only the adapter needs.
struct TrialFindings: Hashable, Sendable {
    /// What the store can do.
    var capabilities: StoreCapabilities
    /// Whether an upload in parts can be completed so that it replaces nothing.
    var completesExclusively: Bool
    /// Whether a write is compared with a bare ETag only, and never fits one in quotes.
    var wantsBareETags: Bool
    /// Whether a removal of many removes exactly the versions that it names; only where the bucket
    /// keeps versions.
    var batchesVersions: Bool

    /// The condition that an object still has this ETag when it is written.
    func ifMatch(_ etag: String) -> (name: String, value: String) {
        ("if-match", wantsBareETags ? etag : ETag.quoted(etag))
    }
}

/// Makes the trial once in a quarter of an hour, however many ask at once; one that failed stays
/// failed as long. A setting may change while a run is at work, and takes a while to hold.
final class TrialCache: Sendable {
    private typealias Made = (at: Instant, task: Task<TrialFindings, any Error>)

    private let own: BucketCalls
    private let held: BucketCalls
    private let prefix: [UInt8]
    private let lifecycle: LifecycleLook
    private let clock: @Sendable () -> Instant
    private let made = Mutex<Made?>(nil)
    private let result = Mutex<TrialFindings?>(nil)
    private static let age = Duration.minutes(15)

    /// A trial that was not made yet.
    init(
        own: BucketCalls, held: BucketCalls, prefix: [UInt8], lifecycle: LifecycleLook,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.own = own
        self.held = held
        self.prefix = prefix
        self.lifecycle = lifecycle
        self.clock = clock
    }

    /// What the trial showed. It goes on to its end whoever waits for it is cancelled, since it
    /// has to clear up.
    func findings() async throws -> TrialFindings {
        let now = clock()
        let running = made.withLock { made in
            if let made, max(now - made.at, made.at - now) < Self.age { return made.task }
            let (own, held, prefix, earlier) = (own, held, prefix, made?.task)
            let lifecycle = lifecycle
            let started = Task {
                // One that is still clearing up wrote below the same prefix.
                _ = await earlier?.result
                own.forgetVersioning()
                held.forgetVersioning()
                var findings = try await CapabilityTrial(own, held, prefix).run()
                await lifecycle.lower(&findings.capabilities)
                return findings
            }
            made = (now, started)
            return started
        }
        let findings = try await running.value
        result.withLock { $0 = findings }
        return findings
    }

    /// Whether a trial was made and showed that conditions on writes mean nothing.
    var ignoresConditionalWrites: Bool {
        result.withLock { $0.map { !$0.capabilities.conditionalWrite.isHonoured } ?? false }
    }
}
