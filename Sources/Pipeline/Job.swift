package import MooringConfiguration
package import MooringDecisions
package import MooringLedger
package import MooringModel
package import MooringReconcile

/// Everything one run works with: the checked configuration, the stores behind their ports, the
/// ledger, a clock, and where to say how far it is.
package struct Job: Sendable {
    /// The configuration, checked as a whole.
    package let configuration: Configuration
    /// All models over all sources; a reference names its model by the place in this list.
    package let models: [SourceModel]
    /// What belongs to the app in each bucket, in the configuration's order.
    package let bucketMappings: [BucketMapping]
    /// The record sources, in the configuration's order.
    package private(set) var records: [any RecordSource]
    /// The buckets, in the configuration's order.
    package private(set) var buckets: [any Bucket]
    /// Mooring's own state.
    package let ledger: Ledger
    /// Tells the time.
    package let clock: @Sendable () -> Instant
    /// Judge as if now were this; nil is now. Nothing is changed and nothing sighted under it.
    package let asOf: Instant?
    /// Is told how far a stage is.
    package private(set) var progress: any Progress
    /// Is asked between batches whether to stop.
    package let interruption: Interruption
    /// Holds the buckets' leases while the job may change something.
    package let leases: LeaseKeeper
    /// The folder for what is read of sources and had once more, or has no room in memory.
    let scratch: String
    /// The memory to aim at, in bytes.
    let memory: Int64
    /// The identities that records know.
    let identities = KnownIdentities()
    /// The engine that leaves out what is plainly matched, before anything is read; nil where all
    /// is read here.
    package var narrowing: (any Narrowing)?
    /// What it left out; nil where nothing was.
    private(set) var narrowed: Narrowed?

    /// A job.
    package init(
        configuration: Configuration, records: [any RecordSource], buckets: [any Bucket],
        ledger: Ledger, clock: @escaping @Sendable () -> Instant, asOf: Instant?,
        progress: any Progress, interruption: Interruption, leases: LeaseKeeper,
        scratch: String = "/tmp", memory: Int64 = 256 << 20
    ) {
        self.configuration = configuration
        models = configuration.records.flatMap { source in
            source.mapping.models.map {
                SourceModel(source: source.name, mapping: $0, authority: source.replicaOf)
            }
        }
        bucketMappings = configuration.buckets.map(\.mapping)
        self.records = records
        self.buckets = buckets
        self.ledger = ledger
        self.clock = clock
        self.asOf = asOf
        self.progress = progress
        self.interruption = interruption
        self.leases = leases
        self.scratch = scratch
        self.memory = memory
    }

    /// The job over what an engine left of both sides, which tells nobody how far it is where that
    /// is only to find out what else is needed.
    func over(_ narrowed: Narrowed, silently: Bool) -> Job {
        var job = self
        (job.records, job.buckets) = (narrowed.records, narrowed.buckets)
        (job.narrowing, job.narrowed) = (nil, narrowed)
        if silently { job.progress = NoProgress() }
        return job
    }

    /// Now, or the moment as of which it judges. Who asks about a store that was scanned takes the
    /// moment of its scan.
    var judgedNow: Instant { asOf ?? clock() }

    /// Whether any bucket is listed by an inventory.
    var hasInventory: Bool { buckets.contains { $0.isListedByInventory } }

    /// Whether the listing of a bucket, by its number, would have told of an object of this key: an
    /// inventory tells of none that is newer than itself.
    func listingTells(of key: ObjectKey, in number: Int) -> Bool {
        !buckets[number].isListedByInventory && bucketMappings[number].judges(key)
    }

    /// Turns values into keys and back.
    package var resolver: KeyResolver { configuration.resolver }

    /// The race model of one source: its own bounds, or the general ones where it has none. Every
    /// wait of it holds the difference of clocks that was measured; zero where none was.
    package func race(source: String, clock: Duration) -> RaceModel {
        let own = configuration.records.first { $0.name == source }?.race
        return RaceModel(bounds: own ?? configuration.race, clock: clock)
    }

    /// The race model of objects: the longest waits of any source, since any may reference one; of
    /// the difference of clocks as `race(source:clock:)`.
    package func objectRace(clock: Duration) -> RaceModel {
        configuration.longestRace(clock: clock)
    }

    /// The source of this name; nil where none is configured.
    package func source(_ name: String) -> (any RecordSource)? {
        records.first { $0.name == name }
    }

    /// The outboxes of devices' copies, by the names of their sources.
    var outboxes: [String: OutboxTable] {
        Dictionary(
            records.compactMap { source in source.outbox.map { (source.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The bucket of this name; nil where none is configured.
    package func bucket(_ name: String) -> (any Bucket)? { buckets.first { $0.name == name } }

    /// What references mean in these buckets, under the configured levels.
    package var meaning: ReferenceRule {
        ReferenceRule(buckets: bucketMappings, resolver: resolver)
    }

    /// Whether a field may hold a key of a bucket without a template that names its owner: then
    /// any of its records may reference the object, whoever else owns it.
    func mayBeLinked(_ key: ObjectKey, in bucket: String) -> Bool {
        let readings = resolver.readings(of: key)
        return models.flatMap(\.mapping.files).contains { file in
            // The value of a complex field names its bucket itself.
            guard file.bucket == nil || file.bucket == bucket || file.isComplex else {
                return false
            }
            guard let template = file.template else { return true }
            guard !template.namesOwner else { return false }
            return readings.contains {
                guard file.covers($0) else { return false }
                let owners = template.owners(in: $0.relative)
                // A search that was given up may have missed how it fits.
                return owners.isCutOff || !owners.identifiers.isEmpty
            }
        }
    }

    /// The mapping of a record's model in its source; nil where none is configured.
    package func mapping(_ identity: RecordIdentity) -> ModelMapping? {
        models.first {
            $0.source == identity.source && $0.mapping.model == identity.model
        }?.mapping
    }
}

/// Of work that nobody waits for by itself.
private struct NoProgress: Progress {
    func begin(_ stage: String, _ phase: Phase?, of expected: Int?) {}
    func advance(_ count: Int) {}
    func end() {}
}
