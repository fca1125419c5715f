/// What one pass over a record source reads.
package enum RecordScope: Sendable {
    /// The named columns of the named tables (pass A).
    case columns([TableColumns])
    /// Every column of every table, configured or not (pass B), but for the tables that somebody
    /// left out in words.
    case all(unread: [Glob])

    /// Every column of every table.
    package static let everything = RecordScope.all(unread: [])

    /// Whether a table is left out.
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

/// A source of records: a database, or a file that holds a copy of one.
package protocol RecordSource: Sendable {
    /// The source's name in the configuration.
    var name: String { get }
    /// The kind as the configuration spells it: `sqlite`, `csv`, `jsonl`, …
    var kind: String { get }
    /// Whether it can be read again and written now; a file that is a copy never serves a repair.
    var isLive: Bool { get }

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

    /// Writes one record if, at that instant, exactly one row matches (of an insertion, none has
    /// its id); else changes nothing. After an error that is no refusal it may have been written,
    /// or may be later.
    func update(_ change: RecordChange) async throws -> UpdateOutcome

    /// Ends what an `update` of a process that died left behind where a reader may not end it.
    /// Called only where the journal holds an open intent to write here. Throws `StoreError` when
    /// it cannot.
    func endInterruptedWrite() async throws
}

extension RecordSource {
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

    /// A write that died leaves nothing behind, unless the source says otherwise.
    package func endInterruptedWrite() async throws {}

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

/// A column and a value.
package struct ColumnValue: Hashable, Sendable {
    /// The column's name.
    package let column: String
    /// The value it has, or shall have.
    package let value: FieldValue

    /// A column's value.
    package init(_ column: String, _ value: FieldValue) {
        self.column = column
        self.value = value
    }
}

/// A conditional write to one record: compare `expected` byte for byte, then set `assignments`,
/// or remove the row; or insert it where there is none.
package struct RecordChange: Hashable, Sendable {
    /// What a write does to a row.
    package enum Act: String, Hashable, Sendable, Codable, CaseIterable {
        /// Sets the assigned columns; the others keep their values.
        case update
        /// Removes the row; there are no assignments.
        case delete
        /// Adds a row of the assigned columns, the id's among them; nothing is expected.
        case insert
    }

    /// What is done.
    package let act: Act
    /// The table's name.
    package let table: String
    /// The id columns, in the order of the identifier's parts.
    package let idColumns: [String]
    /// Which record.
    package let id: RecordID
    /// What the row must hold at the instant of writing, storage class included.
    package let expected: [ColumnValue]
    /// What the row holds afterwards.
    package let assignments: [ColumnValue]

    /// A conditional write.
    package init(
        _ act: Act = .update, table: String, idColumns: [String], id: RecordID,
        expected: [ColumnValue], assignments: [ColumnValue]
    ) {
        self.act = act
        self.table = table
        self.idColumns = idColumns
        self.id = id
        self.expected = expected
        self.assignments = assignments
    }
}

/// What came of a conditional write.
package enum UpdateOutcome: Hashable, Sendable {
    case written
    /// The record is not as expected, absent, or not one row; nothing changed.
    case stale(String)
}

/// A store of objects.
package protocol Bucket: Sendable {
    /// The bucket's name in the configuration.
    var name: String { get }
    /// The kind as the configuration spells it: `directory`, `listing`, …
    var kind: String { get }
    /// Whether it can be looked at and acted on now.
    var isLive: Bool { get }
    /// What tells this store from another one that the same name may stand for one day: its
    /// endpoint and its own name, and no secret.
    var storeIdentity: String { get }
    /// Whether objects of it may be links that lead to other objects: before it acts on what was
    /// judged a while ago, the pipeline lists them again.
    var holdsLinks: Bool { get }
    /// How many calls about different keys it takes at once, at least 1.
    var concurrency: Int { get }
    /// How many acts on different keys may be under way at once, so that its calls are used while
    /// some of them wait for something else.
    var actsAtOnce: Int { get }
    /// How many removals from quarantine may be under way at once; more where it removes many with
    /// one call.
    var sweepsAtOnce: Int { get }
    /// Where its lease lies; nil when it can hold none, since it is a copy or knows no conditional
    /// writes. The keys of `OwnKey` are no objects: no scan lists them, and no move touches them.
    var leases: (any LeaseStore)? { get }
    /// Where its marker lies; nil when it can hold none, since it is a copy.
    var marker: (any MarkerStore)? { get }
    /// Where its open multipart uploads are; nil when it has none, ever.
    var uploads: (any UploadStore)? { get }
    /// Where deletions by others can be seen and taken back; nil when it keeps no versions, ever.
    var versions: (any VersionStore)? { get }
    /// Where objects are tagged; nil when they have no tags, ever.
    var tags: (any TagStore)? { get }
    /// What was sent to it so far in this process, in words, with what that costs where somebody
    /// asks for money; nil where nothing is sent.
    var traffic: String? { get }
    /// Where it tells what it does on its own; nil when it does nothing.
    var settings: (any SettingsStore)? { get }

    /// What the store can be trusted with, tried out on a small object of Mooring's own in the
    /// quarantine, once in a process: before the first act, and never in a command that changes
    /// nothing. Throws `StoreError` where the trial could not be made.
    func capabilities() async throws -> StoreCapabilities

    /// Lists all objects outside the quarantine in bounded batches, in any order; called once per
    /// batch, never concurrently. Problems end in the result; only `receive`'s errors are thrown.
    func list(_ receive: ([ListedObject]) async throws -> Void) async throws -> ScanResult

    /// Lists what lies in quarantine. Whatever lies there and in no run's folder is a problem that
    /// `isOutside`.
    func listQuarantine(
        _ receive: ([QuarantinedObject]) async throws -> Void
    ) async throws -> ScanResult

    /// Looks at one object now, following no link.
    func head(_ key: ObjectKey) async -> HeadAnswer

    /// Finishes what an interrupted move of this key left half done, as far as that takes nothing
    /// from anybody, before somebody looks into the quarantine. Throws `StoreError` when it could
    /// not find out; then the next run has to ask again.
    func finishMove(_ key: ObjectKey, run: RunID) async throws

    /// Looks at one object in quarantine now.
    func headQuarantined(_ key: ObjectKey, run: RunID) async -> HeadAnswer

    /// Moves an object into the quarantine of a run if it still is the expected version; never
    /// replaces anything there, and moves back what turns out to be another version.
    func quarantine(
        _ key: ObjectKey, expecting version: ObjectVersion, run: RunID
    ) async throws -> MoveOutcome

    /// Moves an object out of quarantine to its key; never replaces what is there.
    func restore(
        _ key: ObjectKey, run: RunID, expecting version: ObjectVersion
    ) async throws -> MoveOutcome

    /// Removes an object from quarantine for good if it still is the expected version.
    func sweep(
        _ key: ObjectKey, run: RunID, expecting version: ObjectVersion
    ) async throws -> MoveOutcome

    /// Removes the folders above a removed object that are empty, as long as their own names begin
    /// with `head`; as far as possible, and nothing where a store has no folders.
    func clearFolders(above key: ObjectKey, within head: [UInt8]) async

    /// The difference between the store's clock and this machine's, measured by writing and
    /// removing a small file of Mooring's own in the quarantine.
    func measureClock() async throws -> Duration
}

extension Bucket {
    /// A store that is told from others by its kind alone.
    package var storeIdentity: String { kind }
    /// Objects lead to no others, unless the store says so.
    package var holdsLinks: Bool { false }
    /// One call after the other.
    package var concurrency: Int { 1 }
    /// As many acts as calls.
    package var actsAtOnce: Int { concurrency }
    /// As many removals as calls.
    package var sweepsAtOnce: Int { concurrency }

    /// A store whose moves are one step has nothing to finish.
    package func finishMove(_ key: ObjectKey, run: RunID) async throws {}

    /// A folder is asked for nothing that anybody counts.
    package var traffic: String? { nil }

    /// A store does nothing on its own, unless it says so.
    package var settings: (any SettingsStore)? { nil }

    /// A store without folders has none to clear.
    package func clearFolders(above key: ObjectKey, within head: [UInt8]) async {}
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

/// What came of moving an object into or out of quarantine, or of removing it from there.
package enum MoveOutcome: Hashable, Sendable {
    case done
    /// The object is another version, or gone, or the place is taken; it is where it was.
    case stale(String)
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
