/// What one pass over a record source reads.
package enum RecordScope: Sendable {
    /// The named columns of the named tables (pass A).
    case columns([TableColumns])
    /// Every column of every table, configured or not (pass B), but for the tables that somebody
    /// left out in words.
    case all(unread: [Glob])

    /// Every column of every table.
    package static let everything = RecordScope.all(unread: [])

    /// Whether somebody left a table out in words; false of named columns.
    package func leavesOut(_ table: String) -> Bool {
        guard case .all(let unread) = self else { return false }
        return unread.contains { $0.matches(ObjectKey(table)) }
    }
}

/// The columns wanted of one table.
package struct TableColumns: Hashable, Sendable {
    /// The table's name.
    package let table: String
    /// The columns, in the order in which rows hold them.
    package let columns: [String]

    /// Columns of a table.
    package init(table: String, columns: [String]) {
        self.table = table
        self.columns = columns
    }
}

/// A source of records as it is read: a database, or a file that holds a copy of one.
package protocol RecordSource: Sendable {
    /// The source's name in the configuration.
    var name: String { get }
    /// The kind as the configuration spells it: `sqlite`, `csv`, `jsonl`, …
    var kind: String { get }
    /// Whether single records of it can be read and written now; a file that is a copy never serves
    /// a repair.
    var isLive: Bool { get }

    /// Whether a replay scans it once more, since that costs little and tells the same, as of a
    /// file that is a copy; of any other source the rows are kept.
    var replaysByScan: Bool { get }

    /// Whether a batch of everything names all columns of its table; false where rows name only
    /// what they hold, so that a column which no batch names may be one that no row holds.
    var namesEveryColumn: Bool { get }

    /// Reads a scope in bounded batches, tables in any order; called once per batch, never
    /// concurrently. Problems end in the result, as far as possible after reading what can be
    /// read; only an error thrown by `receive` (such as a cancellation) is thrown.
    ///
    /// A table or column of `.columns` that does not exist is a problem. In `.everything` a batch
    /// may have other columns than the one before.
    func scan(
        _ scope: RecordScope, _ receive: (RecordBatch) async throws -> Void
    ) async throws -> ScanResult

    /// A strongly consistent read of every row that has this identifier, each with the named
    /// columns; no rows when the record is absent. Throws `StoreError` when it cannot tell.
    func rows(
        table: String, idColumns: [String], id: RecordID, columns: [String]
    ) async throws -> [[FieldValue]]

    /// The names of a table's columns that can be written, in the table's order. Throws
    /// `StoreError` when it cannot tell.
    func columns(table: String) async throws -> [String]

    /// Where it keeps writes that were not sent yet; nil when it is no device's copy.
    var outbox: OutboxTable? { get }
    /// The names of the columns that one record may have and that can be written: those that a
    /// removal has to compare, and that have to come back with it. Throws `StoreError` when it
    /// cannot tell.
    func columns(table: String, idColumns: [String], id: RecordID) async throws -> [String]

    /// The names of all columns that one record may have, those among them that nobody can write:
    /// what a scan of everything reads of it. Throws `StoreError` when it cannot tell.
    func readableColumns(
        table: String, idColumns: [String], id: RecordID
    ) async throws -> [String]

    /// What keeps it from serving repairs now, though it is live. Throws `StoreError` when it
    /// cannot tell.
    func limits() async throws -> RecordLimits

    /// Those of a table's columns, by name, that do not take every write; the others are left out.
    /// Throws `StoreError` when it cannot tell.
    func columnLimits(table: String) async throws -> [String: ColumnLimit]

    /// The tables of a scope that it is known not to be let read, each with what would help.
    /// Throws `StoreError` when it cannot tell.
    func unreadable(_ scope: RecordScope) async throws -> [ScanProblem]

    /// What reading scopes, one after the other, takes of the store, in sentences without the
    /// source's name; none where that is not measured. Throws `StoreError` when it cannot tell.
    func cost(_ scopes: [RecordScope]) async throws -> [String]

    /// The foreign keys of one column that the database declares, between tables as batches name
    /// them; where it cannot tell, none.
    func foreignColumns() async -> [ForeignColumn]

    /// What tells it from another store of its name. Throws `StoreError` when it cannot tell.
    func identity() async throws -> SourceIdentity

    /// The difference between the clock by which it dates its records and this machine's; nil where
    /// it does not tell the time. Throws `StoreError` when it could not be asked.
    func measureClock() async throws -> Duration?
}

extension RecordSource {
    /// A source may change, or take long to read, unless it says otherwise.
    package var replaysByScan: Bool { false }
    /// A table has columns, unless the source says otherwise.
    package var namesEveryColumn: Bool { true }

    /// A source is no device's copy, unless it says so.
    package var outbox: OutboxTable? { nil }
    /// Those of its table, unless records of one table may have columns of their own.
    package func columns(
        table: String, idColumns: [String], id: RecordID
    ) async throws -> [String] { try await columns(table: table) }

    /// A source declares no foreign keys, unless it says so.
    package func foreignColumns() async -> [ForeignColumn] { [] }

    /// Those that can be written, unless the source knows of more.
    package func readableColumns(
        table: String, idColumns: [String], id: RecordID
    ) async throws -> [String] {
        try await columns(table: table, idColumns: idColumns, id: id)
    }

    /// A source that tells no time: its records are dated by this machine, or by the devices.
    package func measureClock() async throws -> Duration? { nil }

    /// A live source serves repairs, unless it says otherwise.
    package func limits() async throws -> RecordLimits { RecordLimits() }
}

/// A column of a table that the database declares a foreign key.
package struct ForeignColumn: Hashable, Sendable {
    /// The table that has the column, as batches name it.
    package let table: String
    /// The column.
    package let column: String
    /// The table that it points to, as batches name it.
    package let target: String
    /// The column there that its values are of.
    package let targetColumn: String

    /// A foreign key of one column, or one column of a longer key.
    package init(table: String, column: String, target: String, targetColumn: String) {
        self.table = table
        self.column = column
        self.target = target
        self.targetColumn = targetColumn
    }
}

/// What keeps a live source of records from serving repairs, each in one sentence without the
/// source's name.
package struct RecordLimits: Hashable, Sendable {
    /// Why it proves nothing about what no record references, such as a replica that lags behind:
    /// nothing at all is repaired then.
    package var proofs: String?
    /// Why its records are not written: what is found in them stays.
    package var writes: String?

    /// Limits; none of them by default.
    package init(proofs: String? = nil, writes: String? = nil) {
        self.proofs = proofs
        self.writes = writes
    }
}

/// A store of objects as it is read.
package protocol Bucket: Sendable {
    /// The bucket's name in the configuration.
    var name: String { get }
    /// The kind as the configuration spells it: `directory`, `listing`, …
    var kind: String { get }
    /// Whether it can be looked at and acted on now.
    var isLive: Bool { get }
    /// Whether it is a store that can be looked at now and that nothing is ever acted on in, as a
    /// directory bucket of S3; it is not live then.
    var isOnlyLookedAt: Bool { get }
    /// Whether it is live and its listing is an inventory of an earlier moment: what matters is
    /// then looked at by name, and nothing is judged that was written behind that moment.
    var isListedByInventory: Bool { get }
    /// What tells this store from another one that the same name may stand for one day: its
    /// endpoint and its own name, and no secret.
    var storeIdentity: String { get }
    /// Whether its objects are files of a folder of this machine, of which it is known what it can
    /// do.
    var isFolder: Bool { get }
    /// Whether objects of it may be links that lead to other objects: before it acts on what was
    /// judged a while ago, the pipeline lists them again.
    var holdsLinks: Bool { get }
    /// How many calls about different keys it takes at once, at least 1.
    var concurrency: Int { get }
    /// Where its lease lies; nil when it can hold none, since it is a copy or knows no conditional
    /// writes. The keys of `OwnKey` are no objects: no scan lists them, and no move touches them.
    var lease: (any LeaseReader)? { get }
    /// Where its marker lies; nil when it can hold none, since it is a copy.
    var marker: (any MarkerReader)? { get }
    /// Where its open multipart uploads are; nil when it has none, ever.
    var uploads: (any UploadReader)? { get }
    /// Where deletions by others can be seen; nil when it keeps no versions, ever.
    var versions: (any VersionReader)? { get }
    /// Where objects are tagged; nil when they have no tags, ever.
    var tags: (any TagReader)? { get }
    /// What was sent to it so far in this process, in words, with what that costs where somebody
    /// asks for money; nil where nothing is sent.
    var traffic: String? { get }
    /// Where it tells what it does on its own; nil when it does nothing.
    var settings: (any SettingsStore)? { get }
    /// Where it tells which storage classes its objects are in; nil when it has none.
    var storageClasses: (any StorageClassReader)? { get }

    /// Lists all objects outside the quarantine in bounded batches, in any order; called once per
    /// batch, never concurrently. Problems end in the result; only `receive`'s errors are thrown.
    func list(_ receive: ([ListedObject]) async throws -> Void) async throws -> ScanResult

    /// The same in batches that may be slabs: what is read once, and in large numbers.
    func listBatches(
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult

    /// Lists what is there now, whatever `list` goes by: for what must miss nothing.
    func listNow(_ receive: ([ListedObject]) async throws -> Void) async throws -> ScanResult

    /// Lists what lies in quarantine. Whatever lies there and in no run's folder is a problem that
    /// `isOutside`.
    func listQuarantine(
        _ receive: ([QuarantinedObject]) async throws -> Void
    ) async throws -> ScanResult

    /// Looks at one object now, following no link.
    func head(_ key: ObjectKey) async -> HeadAnswer

    /// Looks at one object in quarantine now.
    func headQuarantined(_ key: ObjectKey, run: RunID) async -> HeadAnswer
}

extension Bucket {
    /// A store that is told from others by its kind alone.
    package var storeIdentity: String { kind }
    /// No folder, unless the store says so.
    package var isFolder: Bool { false }
    /// What can be looked at can be acted on, unless the store says otherwise.
    package var isOnlyLookedAt: Bool { false }
    /// Whether a look asks the store itself; of a copy nothing is told that way.
    package var answersLooks: Bool { isLive || isOnlyLookedAt }
    /// It lists itself, unless the store says otherwise.
    package var isListedByInventory: Bool { false }
    /// Whether nobody knows what the store can do before it was tried out.
    package var needsTrial: Bool { isLive && !isFolder }
    /// Objects lead to no others, unless the store says so.
    package var holdsLinks: Bool { false }
    /// One call after the other.
    package var concurrency: Int { 1 }
    /// A folder is asked for nothing that anybody counts.
    package var traffic: String? { nil }

    /// A store does nothing on its own, unless it says so.
    package var settings: (any SettingsStore)? { nil }
    /// Objects are in no classes, unless the store says so.
    package var storageClasses: (any StorageClassReader)? { nil }

    /// What `list` tells, of a store that lists itself.
    package func listNow(
        _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult { try await list(receive) }

    /// The batches of `list`, for a store that fills no slabs.
    package func listBatches(
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        try await list { try await receive(ObjectBatch($0)) }
    }
}

/// What a look at one object found.
package enum HeadAnswer: Hashable, Sendable {
    case present(ObjectVersion)
    /// The store said that there is no such object, and nothing else counts as absence.
    case absent
    /// The store gave no such answer; the reason names the doubt.
    case unknown(String)

    /// A folder has the name: it may be taken for the object, but no file is there.
    package static let folder = HeadAnswer.unknown("a folder has this name")
}

/// A store that failed: what was tried on which place, and why it did not work.
///
/// The text holds no secret and no record content.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, table, folder or key.
    package let place: String
    /// What was found.
    package let reason: String
    /// What to do next, where there is something to say.
    package let hint: String?
    /// Whether nothing was done, nor will be: a write that failed otherwise may have been carried
    /// out, or may still be.
    package let isRefusal: Bool

    /// A failure at a place.
    package init(
        place: String, reason: String, hint: String? = nil, isRefusal: Bool = false
    ) {
        self.place = place
        self.reason = reason
        self.hint = hint
        self.isRefusal = isRefusal
    }

    /// `place: reason; hint`.
    package var description: String { "\(place): \(reason)" + (hint.map { "; \($0)" } ?? "") }
}

/// The open multipart uploads of a store, as they are read.
package protocol UploadReader: Sendable {
    /// Lists every open upload below the bucket's prefixes in bounded batches; called once per
    /// batch, never concurrently. Problems end in the result; only `receive`'s errors are thrown.
    func listUploads(_ receive: ([OpenUpload]) async throws -> Void) async throws -> ScanResult

    /// What has arrived of an upload; nil when it is not open any more. Throws `StoreError` when
    /// the store does not tell.
    func parts(of upload: OpenUpload) async throws -> UploadParts?
}

/// What a store that keeps versions tells of deletions that Mooring did not make.
package protocol VersionReader: Sendable {
    /// The delete marker that hides an object now; nil when none does, or when nothing lies below
    /// it, or when the bucket keeps no versions. Throws `StoreError` when the store does not tell.
    func deletion(of key: ObjectKey) async throws -> Deletion?

    /// The newest versions and markers of exactly this key, at most `most`, with how many older
    /// ones there are, counted as far as that is cheap; nil when the bucket keeps no versions.
    /// Throws `StoreError` when the store does not tell.
    func versions(of key: ObjectKey, most: Int) async throws -> KeptVersions?

    /// Lists every older version and every marker of the keys that begin with a head, in bounded
    /// batches; what lies under the quarantine is listed under its own key.
    func listOlderVersions(
        within head: [UInt8], _ receive: ([OlderVersion]) async throws -> Void
    ) async throws -> ScanResult
}

/// Mooring's own tags on objects, as they are read.
package protocol TagReader: Sendable {
    /// The name of the tag that marks an object for the bucket's lifecycle rule.
    static var tagName: String { get }

    /// The value of Mooring's tag on an object; nil when it has none.
    func tagValue(_ key: ObjectKey) async throws -> String?
}
