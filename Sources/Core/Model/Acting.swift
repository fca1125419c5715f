/// A source of records that can be written.
package protocol ActingRecordSource: RecordSource {
    /// Writes one record if, at that instant, exactly one row matches (of an insertion, none has
    /// its id); else changes nothing. After an error that is no refusal it may have been written,
    /// or may be later.
    func update(_ change: RecordChange) async throws -> UpdateOutcome

    /// Ends what an `update` of a process that died left behind where a reader may not end it.
    /// Called only where the journal holds an open intent to write here. Throws `StoreError` when
    /// it cannot.
    func endInterruptedWrite() async throws
}

extension ActingRecordSource {
    /// A write that died leaves nothing behind, unless the source says otherwise.
    package func endInterruptedWrite() async throws {}
}

/// A column with the value that a write expects in it, or sets.
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

    /// What is done: a removal assigns nothing, an insertion expects nothing.
    package let act: Act
    /// The table's name.
    package let table: String
    /// The id columns, in the order of the identifier's parts.
    package let idColumns: [String]
    /// The record's identifier, a part for each of `idColumns`.
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

/// A store of objects that can be changed: only `ActingRights` hands one out.
package protocol ActingBucket: Bucket {
    /// How many acts on different keys may be under way at once, so that its calls are used while
    /// some of them wait for something else.
    var actsAtOnce: Int { get }
    /// How many removals from quarantine may be under way at once; more where it removes many with
    /// one call.
    var sweepsAtOnce: Int { get }
    /// Where its lease is taken; nil as of `lease`.
    var leaseStore: (any LeaseStore)? { get }
    /// Where its marker is written; nil as of `marker`.
    var markerStore: (any MarkerStore)? { get }
    /// Where uploads are ended; nil as of `uploads`.
    var uploadStore: (any UploadStore)? { get }
    /// Where deletions by others are taken back; nil as of `versions`.
    var versionStore: (any VersionStore)? { get }
    /// Where objects are tagged; nil as of `tags`.
    var tagStore: (any TagStore)? { get }

    /// What the store can be trusted with, tried out on a small object of Mooring's own in the
    /// quarantine, once in a process: before the first act, and never in a command that changes
    /// nothing. Throws `StoreError` where the trial could not be made.
    func capabilities() async throws -> StoreCapabilities

    /// Finishes what an interrupted move of this key left half done, as far as that takes nothing
    /// from anybody, before somebody looks into the quarantine. Throws `StoreError` when it could
    /// not find out; then the next run has to ask again.
    func finishMove(_ key: ObjectKey, run: RunID) async throws

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

extension ActingBucket {
    /// What it is read by is what it is changed by.
    package var lease: (any LeaseReader)? { leaseStore }
    package var marker: (any MarkerReader)? { markerStore }
    package var uploads: (any UploadReader)? { uploadStore }
    package var versions: (any VersionReader)? { versionStore }
    package var tags: (any TagReader)? { tagStore }

    /// As many acts as calls.
    package var actsAtOnce: Int { concurrency }
    /// As many removals as calls.
    package var sweepsAtOnce: Int { concurrency }

    /// A store whose moves are one step has nothing to finish.
    package func finishMove(_ key: ObjectKey, run: RunID) async throws {}

    /// A store without folders has none to clear.
    package func clearFolders(above key: ObjectKey, within head: [UInt8]) async {}
}

/// What came of moving an object into or out of quarantine, or of removing it from there.
package enum MoveOutcome: Hashable, Sendable {
    case done
    /// The object is another version, or gone, or the place is taken; it is where it was.
    case stale(String)
}

/// What can be done about a store's open multipart uploads.
package protocol UploadStore: UploadReader {
    /// Removes the parts of an upload for good; stale when it is not open any more.
    func abort(_ upload: OpenUpload) async throws -> MoveOutcome
}

/// What a store that keeps versions can do about deletions that Mooring did not make.
package protocol VersionStore: VersionReader {
    /// Removes the marker, so that the version below is there again; stale when another version
    /// or marker lies on top by now.
    func undelete(_ key: ObjectKey, _ deletion: Deletion) async throws -> MoveOutcome

    /// Hides an object under a delete marker again where it still is the expected version.
    func deleteAgain(
        _ key: ObjectKey, expecting version: ObjectVersion
    ) async throws -> MoveOutcome

    /// Removes one older version or marker for good; no error when it is gone already.
    func remove(_ version: OlderVersion) async throws
}

/// What a store with tags can do with one of Mooring's own.
package protocol TagStore: TagReader {
    /// Adds Mooring's tag with a value to an object that still is the expected version, and keeps
    /// its other tags.
    func tag(
        _ key: ObjectKey, expecting version: ObjectVersion, value: String
    ) async throws -> MoveOutcome

    /// Takes Mooring's tag off again where it has this value, and keeps the others.
    func untag(
        _ key: ObjectKey, expecting version: ObjectVersion, value: String
    ) async throws -> MoveOutcome
}
