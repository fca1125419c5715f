/// How one record source is read: which models lie in which tables.
package struct RecordMapping: Hashable, Sendable {
    /// The source's name.
    package var source: String
    /// Its models; several may read one table.
    package var models: [ModelMapping]

    /// A source's mapping.
    package init(source: String, models: [ModelMapping]) {
        self.source = source
        self.models = models
    }
}

/// Whose clock set a record's change time.
package enum ChangeClock: String, Hashable, Sendable, Codable {
    case server, device
}

/// Who may read a record.
package enum Visibility: String, Hashable, Sendable, Codable {
    case owner
    case signedIn = "signed-in"
    case anyone
}

/// How one model lies in a table and which of its fields hold keys.
package struct ModelMapping: Hashable, Sendable {
    /// The model's name.
    package var model: String
    /// The table it lies in; the model's name by default.
    package var table: String
    /// The columns of the identifier; `id` by default.
    package var id: [String]
    /// The column of the record's version, an integer that grows with each write.
    package var version: String?
    /// The column of the last change: epoch seconds, milliseconds, or ISO 8601.
    package var changed: String?
    /// Whose clock set it; the server's by default.
    package var changedBy: ChangeClock
    /// The zone of change times that name none; nil where nothing says which it is.
    package var zone: ClockZone?
    /// The column that marks a tombstone.
    package var deleted: String?
    /// The column of the identity id under which the record's files lie.
    package var identity: String?
    /// What that column's values mean, where they are users and no identity ids.
    package var identities: IdentityMap?
    /// Whether the store itself moves version and change time on with each write, the version by
    /// one, so that no write may set them.
    package var movesOnItself = false
    /// Who may read the record; nil when the configuration does not say.
    package var visibility: Visibility?
    /// The fields that hold keys.
    package var files: [FileField]
    /// The fields that hold other records' identifiers.
    package var relations: [Relation]
    /// Whether the table only joins two others.
    package var isJoin: Bool
    /// Limits of the model's own; where they name none, those of its source hold.
    package var limits = PlaceLimits()

    /// A model's mapping with the defaults of the configuration.
    package init(
        model: String, table: String? = nil, id: [String] = ["id"], version: String? = nil,
        changed: String? = nil, changedBy: ChangeClock = .server, deleted: String? = nil,
        identity: String? = nil, visibility: Visibility? = nil, files: [FileField] = [],
        relations: [Relation] = [], isJoin: Bool = false
    ) {
        self.model = model
        self.table = table ?? model
        self.id = id
        self.version = version
        self.changed = changed
        self.changedBy = changedBy
        self.deleted = deleted
        self.identity = identity
        self.visibility = visibility
        self.files = files
        self.relations = relations
        self.isJoin = isJoin
    }

    /// Whether other values of the record depend on a column: its identifier, or where its files
    /// lie. Such a column is never nulled for what it says by itself.
    package func carries(_ column: String) -> Bool {
        id.contains(column) || [version, changed, deleted, identity].contains(column)
            || files.contains { file in
                file.column == column || file.template?.parts.contains(.field(column)) == true
            }
    }

    /// Every column that the mapping names, without repeats, in a fixed order.
    package var columns: [String] {
        let all =
            id + [version, changed, deleted, identity].compactMap { $0 } + files.map(\.column)
            + relations.map(\.field)
        var seen: Set<String> = []
        return all.filter { seen.insert($0).inserted }
    }
}

/// A field that holds one key, a list of keys, or complex objects.
package struct FileField: Hashable, Sendable {
    /// What the configuration calls it: a column's or attribute's name, or a path into one.
    package var field: String
    /// Where its values lie.
    package var path: FieldPath
    /// Whether it holds a JSON array of keys (or of complex objects).
    package var isList: Bool
    /// Whether a value is an S3Object `{bucket, key, region[, version]}` instead of a key.
    package var isComplex: Bool
    /// Where the value is looked up.
    package var level: LevelChoice
    /// The bucket's name; nil where there is only one.
    package var bucket: String?
    /// How keys are derived from the record; nil names no owner.
    package var template: KeyTemplate?
    /// How a value becomes a key, its level and identity not included.
    package var stored = StoredLayout.plain
    /// What a key becomes that is taken out; a list just loses the element.
    package var empty = EmptyForm.null
    /// Limits of the field's own; where they name none, those of its model hold.
    package var limits = PlaceLimits()

    /// A field's mapping with the defaults of the configuration.
    package init(
        field: String, isList: Bool = false, isComplex: Bool = false, level: LevelChoice = .root,
        bucket: String? = nil, template: KeyTemplate? = nil
    ) {
        self.field = field
        path = FieldPath(column: field)
        self.isList = isList
        self.isComplex = isComplex
        self.level = level
        self.bucket = bucket
        self.template = template
    }

    /// The column or attribute that holds it.
    package var column: String { path.column }
}

/// Under which access level a field's values lie.
package enum LevelChoice: Hashable, Sendable {
    /// The value is the whole key.
    case root
    /// The level of this name; the configuration refuses one that it does not have.
    case named(String)
    /// Not known: every level protects, and nothing is nulled.
    case any
}

/// An access level: a name and the prefix it stands for, such as `private/{identity}/`.
package struct AccessLevel: Hashable, Sendable {
    /// The level's name.
    package let name: String
    /// The prefix before the identity, or the whole prefix where there is none.
    package let head: [UInt8]
    /// The prefix after the identity; nil where the level names no identity.
    package let tail: [UInt8]?

    /// A level of this prefix; `{identity}` may stand in it once.
    package init(name: String, prefix: String) {
        self.name = name
        let bytes = Array(prefix.utf8)
        let token = Array("{identity}".utf8)
        for index in bytes.indices where bytes[index...].starts(with: token) {
            self.head = Array(bytes[..<index])
            self.tail = Array(bytes[(index + token.count)...])
            return
        }
        self.head = bytes
        self.tail = nil
    }

    /// Amplify's own three: guest, protected and private.
    package static let amplify = [
        AccessLevel(name: "guest", prefix: "public/"),
        AccessLevel(name: "protected", prefix: "protected/{identity}/"),
        AccessLevel(name: "private", prefix: "private/{identity}/"),
    ]
}

/// A field that holds another record's identifier.
package struct Relation: Hashable, Sendable {
    /// The column that holds the parent's identifier.
    package var field: String
    /// The model it points to.
    package var model: String
    /// Whether the child goes with its parent.
    package var cascade: Bool

    /// A relation.
    package init(field: String, model: String, cascade: Bool = false) {
        self.field = field
        self.model = model
        self.cascade = cascade
    }
}

/// What belongs to this app in a bucket, and where removed objects go.
package struct BucketMapping: Hashable, Sendable {
    /// The bucket's name in the configuration.
    package var name: String
    /// The store's own name for it, which complex objects may hold; nil for a folder.
    package var storeName: String?
    /// The prefixes that are looked at; `[""]` by default.
    package var prefixes: [ObjectKey]
    /// Objects that are seen but never a finding.
    package var ignore: [Glob]
    /// The quarantine's prefix in the bucket, with its slash at the end.
    package var quarantine: ObjectKey
    /// The prefixes in the bucket that were its quarantine once, as the ledger remembers them.
    package var earlierQuarantines: [ObjectKey] = []
    /// Patterns of objects made from another one, such as `thumbs/{key}`.
    package var derived: [String]
    /// Limits of the bucket's own; where they name none, the general ones hold.
    package var limits = PlaceLimits()
    /// Whether it is a folder, where several paths lead to one file.
    package var isFolder = false
    /// Whether the store's own name for it is not known, and `storeName` is that of an access
    /// point: no record is made to hold it.
    package var isNameless = false
    /// The name in full or the alias of the access point by which it is reached, which records may
    /// hold too. It does not tell its bucket: nothing checks that this is `storeName`. Nil where
    /// the bucket is reached by its own name.
    package var accessPoint: String?

    /// A bucket's mapping with the defaults of the configuration.
    package init(
        name: String, storeName: String? = nil, prefixes: [ObjectKey] = [ObjectKey("")],
        ignore: [Glob] = [], quarantine: ObjectKey = ObjectKey(".mooring/quarantine/"),
        derived: [String] = []
    ) {
        self.name = name
        self.storeName = storeName
        self.prefixes = prefixes
        self.ignore = ignore
        self.quarantine = quarantine
        self.derived = derived
    }

    /// The names that records may hold for it, the configuration's first.
    package var names: [String] {
        var seen: Set<String> = []
        return [name, storeName, accessPoint].compactMap { $0 }.filter { seen.insert($0).inserted }
    }

    /// Whether the key lies under one of the prefixes and outside every quarantine, and is not the
    /// lease's nor the marker's.
    package func covers(_ key: ObjectKey) -> Bool {
        prefixes.contains { key.hasPrefix($0.bytes) } && !isQuarantined(key)
            && !OwnKey.contains(key)
    }

    /// Whether a glob of `ignore` matches the key.
    package func ignores(_ key: ObjectKey) -> Bool { ignore.contains { $0.matches(key) } }

    /// Whether an object of the key may be a finding: it is covered, and not ignored.
    package func judges(_ key: ObjectKey) -> Bool { covers(key) && !ignores(key) }

    /// Whether an object of the key has a place in quarantine, whose own key a store takes: S3 and
    /// its like take 1,024 bytes.
    package func hasQuarantinePlace(for key: ObjectKey) -> Bool {
        isFolder
            || quarantine.bytes.count + RunID.length + 1 + key.bytes.count <= Self.keyLimit
    }

    private static let keyLimit = 1_024

    /// The prefixes of the quarantine, the present one first.
    package var quarantines: [ObjectKey] { [quarantine] + earlierQuarantines }

    /// Whether the key lies in the quarantine of the bucket, or in what was that once.
    package func isQuarantined(_ key: ObjectKey) -> Bool {
        quarantines.contains { key.hasPrefix($0.bytes) }
    }
}
