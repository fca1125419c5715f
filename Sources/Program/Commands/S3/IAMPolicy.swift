import MooringAWS
import MooringConfiguration
import MooringModel
import MooringS3

/// The least policy that a user or role needs for Mooring's work on buckets of S3 and tables of
/// DynamoDB.
struct IAMPolicy {
    /// What it is good for.
    enum Purpose: String, CaseIterable {
        /// Looking: `audit`, `check`, `plan`, `doctor`, every dry run.
        case audit
        /// That, and what the configured strategies change.
        case repair
    }

    /// One statement that allows some actions on some resources.
    struct Statement {
        /// Its name: letters and digits.
        let name: String
        /// The actions, with their service.
        let actions: [String]
        /// The resources they are allowed on.
        let resources: [String]
        /// The prefixes that may be listed; empty where there is no condition.
        var prefixes: [String] = []
        /// Whether it allows sessions that can look, and no others.
        var isOfReading = false

        // Of a statement without a condition, nothing.
        fileprivate var condition: JSONValue? {
            if isOfReading {
                return .members([
                    "StringEquals": .members(["s3express:SessionMode": .string("ReadOnly")])
                ])
            }
            guard !prefixes.isEmpty else { return nil }
            return .members([
                "StringLikeIfExists": .members(["s3:prefix": .texts(prefixes)])
            ])
        }
    }

    /// The statements, bucket by bucket.
    private(set) var statements: [Statement] = []

    /// The policy for buckets of one configuration; `policy` says what is repaired.
    init(
        _ buckets: [(bucket: BucketConfiguration, settings: S3Settings)], for purpose: Purpose,
        _ policy: RepairPolicy
    ) {
        for (index, (bucket, settings)) in buckets.enumerated() {
            if settings.isDirectory {
                // Nothing is repaired there.
                statements.append(Self.session("Bucket\(index + 1)", settings))
                continue
            }
            let part = BucketPolicy(
                "Bucket\(index + 1)", bucket.mapping, settings, Self.storeStrategies(policy))
            statements += part.looking
            if purpose == .repair { statements += part.acting }
        }
    }

    // A session stands for every call about a directory bucket.
    private static func session(_ name: String, _ settings: S3Settings) -> Statement {
        let partition = Partition.of(region: settings.region ?? "").id
        let place = [
            "arn", partition, ZonalSession.service, settings.region ?? "*",
            settings.expectedOwner ?? "*", "bucket/" + settings.bucket,
        ]
        return Statement(
            name: name + "Session", actions: ["s3express:CreateSession"],
            resources: [place.joined(separator: ":")], isOfReading: true)
    }

    /// Adds what tables of DynamoDB need.
    mutating func add(
        _ sources: [(source: RecordsConfiguration, settings: DynamoDBSettings)],
        for purpose: Purpose, _ policy: RepairPolicy
    ) {
        let rules = [policy.strategies] + policy.overrides.map(\.strategies)
        let strategies = Set(rules.flatMap(\.values))
        for (index, (_, settings)) in sources.enumerated() {
            let part = TablePolicy("Records\(index + 1)", settings, strategies)
            statements += part.looking
            if purpose == .repair { statements += part.acting }
        }
    }

    // What is done to objects, by any rule of the configuration; the rest writes records.
    private static func storeStrategies(_ policy: RepairPolicy) -> Set<Strategy> {
        let rules = [policy.strategies] + policy.overrides.map(\.strategies)
        let kinds: [FindingKind] = [.orphan, .dangling, .abandonedUpload]
        return Set(rules.flatMap { rule in kinds.compactMap { rule[$0] } })
    }

    /// The document that IAM takes.
    var json: JSONValue {
        .members([
            "Version": .string("2012-10-17"),
            "Statement": .array(
                statements.map { statement in
                    .members([
                        "Sid": .string(statement.name), "Effect": .string("Allow"),
                        "Action": .texts(statement.actions),
                        "Resource": .texts(statement.resources),
                        "Condition": statement.condition,
                    ])
                }),
        ])
    }
}

/// One bucket's part of a policy.
private struct BucketPolicy {
    /// By which names a policy means a bucket, and what lies in it.
    private struct Place: Hashable {
        let names: [String]
        let heads: [String]

        init(_ settings: S3Settings, _ partition: String) {
            let point = settings.accessPoint
            // Both have to allow it: the access point, and the bucket behind it (user guide,
            // policies for access points).
            let name = point == nil ? settings.bucket : settings.bucketName
            let bucket = name.map { "arn:\(point?.partition ?? partition):s3:::\($0)" }
            names = [point?.arn, bucket].compactMap { $0 }
            heads = [point.map { $0.arn + "/object/" }, bucket.map { $0 + "/" }].compactMap { $0 }
        }

        func objects(_ patterns: [String]) -> [String] {
            heads.flatMap { head in patterns.map { head + $0 } }
        }
    }

    private let name: String
    private let own: Place
    private let held: Place
    private let prefixes: [String]
    private let quarantine: String
    private let strategies: Set<Strategy>
    private let inventory: String?

    init(
        _ name: String, _ mapping: BucketMapping, _ settings: S3Settings,
        _ strategies: Set<Strategy>
    ) {
        let partition = Partition.of(region: settings.region ?? "").id
        self.name = name
        own = Place(settings, partition)
        held = settings.quarantineBucket.map { Place(S3Settings(bucket: $0), partition) } ?? own
        let heads = mapping.prefixes.map { Self.pattern($0) }
        prefixes = heads.contains("*") ? ["*"] : heads
        quarantine = Self.pattern(mapping.quarantine)
        inventory = settings.inventory.flatMap { Self.resource(of: $0.manifest, partition) }
        self.strategies = strategies
    }

    private var isElsewhere: Bool { held != own }
    private static let lease = Lease.key.text
    private static let marker = StoreMarker.key.text
    // Where a bucket with its quarantine elsewhere is seen to keep versions.
    private static let versionTrials = ".mooring/.probe-*"

    // IAM reads `*`, `?` and `$` in a pattern, so those of the key are written as variables.
    private static func pattern(_ prefix: ObjectKey) -> String {
        prefix.text.map { character in
            switch character {
            case "*", "?", "$": "${\(character)}"
            default: String(character)
            }
        }.joined() + "*"
    }

    // The manifest lies at CONFIG/TIME/manifest.json, and the files that it names at CONFIG/data.
    private static func resource(
        of place: S3Settings.Inventory.Place, _ partition: String
    ) -> String? {
        guard case .object(let bucket, let key) = place else { return nil }
        let config = key.split(separator: "/").dropLast(2).map { $0 + "/" }.joined()
        return "arn:\(partition):s3:::\(bucket)/" + pattern(ObjectKey(config))
    }

    // What Mooring reads in this bucket: the app's objects, the quarantine, lease and marker.
    private var readable: [String] {
        if prefixes == ["*"] { return prefixes }
        return prefixes + (isElsewhere ? [Self.versionTrials] : [quarantine])
            + [Self.lease, Self.marker]
    }

    /// What an audit asks.
    var looking: [IAMPolicy.Statement] {
        let lists = ["s3:ListBucket", "s3:ListBucketVersions"]
        let reads = ["s3:GetObject", "s3:GetObjectVersion"]
        var statements = [
            IAMPolicy.Statement(
                name: name + "List", actions: lists, resources: own.names,
                prefixes: prefixes == ["*"] ? [] : readable),
            IAMPolicy.Statement(
                name: name + "Settings",
                actions: [
                    "s3:GetBucketLogging", "s3:GetBucketNotification",
                    "s3:GetBucketObjectLockConfiguration", "s3:GetBucketVersioning",
                    "s3:GetLifecycleConfiguration",
                    "s3:ListBucketMultipartUploads",
                ], resources: own.names),
            IAMPolicy.Statement(
                name: name + "Read", actions: reads + ["s3:ListMultipartUploadParts"],
                resources: own.objects(readable)),
        ]
        if let inventory {
            statements.append(
                IAMPolicy.Statement(
                    name: name + "Inventory", actions: ["s3:GetObject"], resources: [inventory]))
        }
        if isElsewhere {
            statements += [
                IAMPolicy.Statement(
                    name: name + "QuarantineList", actions: lists, resources: held.names,
                    prefixes: [quarantine]),
                IAMPolicy.Statement(
                    name: name + "QuarantineSettings",
                    actions: [
                        "s3:GetBucketObjectLockConfiguration", "s3:GetBucketVersioning",
                        "s3:ListBucketMultipartUploads",
                    ],
                    resources: held.names),
                IAMPolicy.Statement(
                    name: name + "QuarantineRead", actions: reads,
                    resources: held.objects([quarantine])),
            ]
        }
        return statements
    }

    private static let tagging = [
        "s3:GetObjectTagging", "s3:GetObjectVersionTagging", "s3:PutObjectTagging",
        "s3:PutObjectVersionTagging",
    ]

    /// What repairs add. Whoever acts holds the lease and tries on objects of Mooring's own, below
    /// the quarantine, what the store can do; the rest depends on the strategies.
    var acting: [IAMPolicy.Statement] {
        // An object comes back from quarantine by a copy, or where its marker is removed.
        let returns = !strategies.isDisjoint(with: [.quarantine, .restore])
        var repairs: Set<String> = []
        if returns {
            repairs.formUnion(Self.tagging)
            repairs.formUnion([
                "s3:AbortMultipartUpload", "s3:DeleteObject", "s3:DeleteObjectVersion",
                "s3:PutObject",
            ])
        }
        if strategies.contains(.delete) {
            repairs.formUnion(["s3:DeleteObject", "s3:DeleteObjectVersion"])
        }
        if strategies.contains(.tag) { repairs.formUnion(Self.tagging) }
        if strategies.contains(.abort) { repairs.insert("s3:AbortMultipartUpload") }
        let trying =
            Self.tagging + [
                "s3:AbortMultipartUpload", "s3:DeleteObject", "s3:DeleteObjectVersion",
                "s3:PutObject",
            ]
        let trials = String(quarantine.dropLast()) + ".probe-*"
        let statements = [
            IAMPolicy.Statement(
                name: name + "Lease",
                actions: ["s3:DeleteObject", "s3:DeleteObjectVersion", "s3:PutObject"],
                resources: own.objects(
                    [Self.lease] + (isElsewhere ? [Self.versionTrials] : []))),
            IAMPolicy.Statement(
                name: name + "Marker", actions: ["s3:PutObject"],
                resources: own.objects([Self.marker])),
            IAMPolicy.Statement(
                name: name + "Quarantine", actions: trying.sorted(),
                resources: held.objects([returns ? quarantine : trials])),
            IAMPolicy.Statement(
                name: name + "Repair", actions: repairs.sorted(),
                resources: own.objects(prefixes)),
        ]
        return statements.filter { !$0.actions.isEmpty }
    }
}
