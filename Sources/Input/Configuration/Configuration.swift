package import MooringModel

/// Everything that a `mooring.yaml` says, checked: names resolve, paths are absolute, and what the
/// file leaves out has its default.
///
/// It does not promise that a file, folder or table exists.
package struct Configuration: Hashable, Sendable {
    /// The file it came from, as it was named.
    package var file: String
    /// SHA-256 in hexadecimal over the checked value: it changes when any value changes, and not
    /// when comments, the order of keys or the formatting do.
    package var fingerprint: String
    /// The ledger's absolute path; by default `mooring.ledger` beside the file.
    package var ledger: String
    /// The record sources, at least one, in the order of the file.
    package var records: [RecordsConfiguration]
    /// The buckets, at least one, in the order of the file.
    package var buckets: [BucketConfiguration]
    /// The access levels: Amplify's three, then the file's own.
    package var levels: [AccessLevel]
    /// The general bounds of the race model; the preset `standard` by default.
    package var race: RaceBounds
    /// When the confirm scan runs; `auto` by default.
    package var confirm: Confirm
    /// What is done about findings.
    package var repair: RepairPolicy
    /// The caps of one plan.
    package var limits: Limits
    /// The gates of `check`, in the order of the file; none by default.
    package var gates: [Gate]
    /// Where reports go.
    package var report: ReportConfiguration
    /// Who is told of runs; nobody by default. No part of the fingerprint.
    package var notify: NotifySettings
    /// What the file says that bytes and requests cost; nil where it does not. No part of the
    /// fingerprint.
    package var prices: RunSummary.Prices?
    /// What storage classes ask for, as the file says it; nil where it names no prices.
    package var storageTerms: StorageTerms?
    /// One sentence for each key that turns a guard off, for every run's report.
    package var guardsOff: [String]
    /// One sentence for each thing that is allowed and probably not meant.
    package var warnings: [String]
    /// Who does the set work; `native` by default. No part of the fingerprint: the findings are the
    /// same.
    package var engine = Engine.native
    /// How Spark is reached, where it does the set work. No part of the fingerprint.
    package var spark = SparkSettings(work: "")
}

/// One record source.
package struct RecordsConfiguration: Hashable, Sendable {
    /// The source's name.
    package var name: String
    /// What is read.
    package var store: RecordStore
    /// Which models lie where; a replica that names none has those of its authority.
    package var mapping: RecordMapping
    /// The bounds for this source's devices: its own, or the general ones.
    package var race: RaceBounds
    /// Whether the file says in words how its conflicts are settled; else that is the default.
    package var saysConflicts = false
    /// The source that this one is a copy of; nil for an authority.
    package var replicaOf: String?
    /// Tables and columns that say what was, or list a bucket: what only they hold is no reference.
    package var notReferences: [Glob] = []
    /// Tables that pass B leaves out, in words.
    package var unread: [Glob] = []
}

/// What holds records; a file by its absolute path.
///
/// With `taken` a file is a copy from that moment, which never serves a repair; without it the
/// database is live, and a text file is as old as its modification time.
package enum RecordStore: Hashable, Sendable {
    case sqlite(path: String, taken: Instant?)
    case csv(path: String, taken: Instant?)
    case jsonl(path: String, taken: Instant?)
    /// A file, or a folder of such files; Spark alone reads it.
    case parquet(path: String, taken: Instant?)
    /// A device's SQLite database as Amplify DataStore writes it, with its outbox.
    case datastore(path: String, taken: Instant?)
    case postgres(PostgresSettings)
    case dynamodb(DynamoDBSettings)
    case dynamodbExport(DynamoDBExportSettings)
    case appsync(AppSyncSettings)

    /// The kind as the configuration spells it.
    package var kind: String {
        switch self {
        case .sqlite: "sqlite"
        case .csv: "csv"
        case .jsonl: "jsonl"
        case .parquet: "parquet"
        case .datastore: "datastore"
        case .postgres: "postgres"
        case .dynamodb: "dynamodb"
        case .dynamodbExport: "dynamodbExport"
        case .appsync: "appsync"
        }
    }

    /// The absolute path of a store that is a file; nil for any other.
    package var path: String? {
        switch self {
        case .sqlite(let path, _), .csv(let path, _), .jsonl(let path, _): path
        case .parquet(let path, _), .datastore(let path, _): path
        case .postgres: nil
        case .dynamodb, .dynamodbExport: nil
        case .appsync: nil
        }
    }

    /// When the copy was made; nil when the file does not say.
    package var taken: Instant? {
        switch self {
        case .sqlite(_, let taken), .csv(_, let taken), .jsonl(_, let taken): taken
        case .parquet(_, let taken), .datastore(_, let taken): taken
        case .postgres: nil
        case .dynamodb, .dynamodbExport: nil
        case .appsync: nil
        }
    }
}

/// One bucket.
package struct BucketConfiguration: Hashable, Sendable {
    /// What is listed.
    package var store: ObjectStore
    /// What belongs to the app in it, under the bucket's name.
    package var mapping: BucketMapping

    /// The bucket's name.
    package var name: String { mapping.name }

    /// Where its removed objects go.
    package var quarantineLocation: QuarantineLocation {
        var other: String?
        if case .s3(let settings) = store { other = settings.quarantineBucket }
        return QuarantineLocation(bucket: other, prefix: mapping.quarantine)
    }
}

/// What holds objects, or a list of them; a folder or file by its absolute path.
package enum ObjectStore: Hashable, Sendable {
    /// Which time of a file counts as the object's last modification.
    package enum Trust: String, Hashable, Sendable, CaseIterable {
        /// The time of the contents, which a copying program may have set back.
        case mtime
        /// The time of the last change to the file's entry, which no program can set.
        case ctime
    }

    case directory(path: String, trust: Trust)
    case listing(path: String, taken: Instant?)
    /// An inventory that S3 wrote, by the path of its manifest.
    case inventory(path: String, taken: Instant?)
    case s3(S3Settings)

    /// The absolute path of a file that lists objects, or of an inventory's manifest; nil where no
    /// file of this machine does.
    package var listPath: String? {
        switch self {
        case .listing(let path, _), .inventory(let path, _): path
        case .s3(let settings):
            if case .file(let path) = settings.inventory?.manifest { path } else { nil }
        case .directory: nil
        }
    }

    /// The kind as the configuration spells it.
    package var kind: String {
        switch self {
        case .directory: "directory"
        case .listing: "listing"
        case .inventory: "inventory"
        case .s3: "s3"
        }
    }
}

/// When the confirm scan (pass B) runs.
package enum Confirm: String, Hashable, Sendable, CaseIterable {
    /// With a live source, or when a repair follows.
    case auto
    case always
    /// Never; then nothing is repaired.
    case never
}

/// Where reports go, in which formats, and for how long.
package struct ReportConfiguration: Hashable, Sendable {
    /// The absolute folder of all runs; by default `Reports/Runs` beside the file.
    package var directory: String
    /// The formats without repeats; by default JSON, HTML and text.
    package var formats: [ReportFormat]
    /// How long old runs are kept; 90 d by default.
    package var keep: Duration
}
