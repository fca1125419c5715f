import Glibc
package import MooringModel
import MooringText

/// A record source on an SQLite database file.
///
/// Each call opens the file anew, so none of them sees a stale page or keeps a lock. Calls block
/// their thread while they read, at most `busyTimeout` of it for another process's lock. The file
/// is never created, and only `update` writes to the database,
/// and `endInterruptedWrite`.
package struct SQLiteSource: ActingRecordSource {
    /// The source's name in the configuration.
    package let name: String
    /// `sqlite`, or `datastore` for a device's copy.
    package var kind: String { file.device == nil ? "sqlite" : "datastore" }
    /// Where a device's copy keeps the writes that it has not sent yet.
    package var outbox: OutboxTable? { file.device == nil ? nil : .dataStore }
    /// Whether the file is the app's own, and not a copy that somebody took earlier.
    package let isLive: Bool
    /// How the file is read.
    let file: DatabaseFile
    private let clock: @Sendable () -> Instant

    /// The database at a path.
    ///
    /// `isLive: false` is a copy that nobody writes to: it serves no update. A long scan of a live
    /// database outside of WAL mode reads a copy in `scratch`.
    /// With `device` it is a device's copy with these models; `mapping` tells what no trigger may
    /// change beside a write. `clock` defaults to the machine's and
    /// dates a scan's window.
    package init(
        name: String, path: String, isLive: Bool = true, scratch: String = "/tmp",
        mapping: RecordMapping? = nil, device: [DeviceModel]? = nil,
        busyTimeout: Duration = .seconds(5),
        clock: (@Sendable () -> Instant)? = nil
    ) {
        self.name = name
        self.isLive = isLive
        self.clock = clock ?? { Self.machineTime() }
        self.file = DatabaseFile(
            path: path, isLive: isLive, busyTimeout: busyTimeout,
            scratch: scratch,
            device: device.map { DeviceTables(models: $0) }, mapped: MappedColumns(mapping))
    }

    /// Reads a scope from one snapshot of the database; batches hold at most 1,000 rows and about
    /// 4 MiB of values and the row that exceeds them.
    package func scan(
        _ scope: RecordScope, _ receive: (RecordBatch) async throws -> Void
    ) async throws -> ScanResult {
        let from = clock()
        var scan = SnapshotScan(file: file, scope: scope)
        defer { scan.close() }
        while let batch = scan.next() { try await receive(batch) }
        return ScanResult(
            window: ScanWindow(from: from, to: clock()), problems: scan.problems,
            consistency: "snapshot")
    }

    /// Reads the rows of an identifier in one transaction.
    ///
    /// An id column matches by the bytes that `FieldValue.bytes` gives, whatever its type and
    /// collation.
    package func rows(
        table: String, idColumns: [String], id: RecordID, columns: [String]
    ) async throws -> [[FieldValue]] {
        do throws(SQLiteFailure) {
            return try inTransaction { connection throws(SQLiteFailure) in
                let schema = try Schema(connection, device: file.device)
                let found = try schema.table(table)
                let known = try schema.columns(of: found)
                let search = RowSearch(
                    table: found.name, idColumns: try schema.require(idColumns, among: known),
                    id: id)
                let wanted = try schema.selecting(columns, among: known)
                return try search.rows(selecting: wanted, in: connection)
            }
        } catch {
            throw error.storeError(at: place(ofTable: table))
        }
    }

    /// The columns of a table or view but those that are computed, or that no row holds.
    package func columns(table: String) async throws -> [String] {
        try columns(of: table) { !$0.isGenerated && !$0.isHidden }
    }

    /// The names of a table's columns, generated ones too; not those that no row holds.
    package func readableColumns(
        table: String, idColumns: [String], id: RecordID
    ) async throws -> [String] {
        try columns(of: table) { !$0.isHidden }
    }

    private func columns(
        of table: String, where isWanted: (Schema.Column) -> Bool
    ) throws -> [String] {
        do throws(SQLiteFailure) {
            return try inTransaction { connection throws(SQLiteFailure) in
                let schema = try Schema(connection, device: file.device)
                return try schema.columns(of: try schema.table(table))
                    .filter(isWanted)
                    .map { String(decoding: $0.name, as: UTF8.self) }
            }
        } catch {
            throw error.storeError(at: place(ofTable: table))
        }
    }

    /// Writes one record in one transaction that holds the write lock from its first read on.
    ///
    /// Refused are views, the tables inside virtual ones, a value that the column's type or a
    /// trigger would change, and triggers that change other things that are mapped.
    package func update(_ change: RecordChange) async throws -> UpdateOutcome {
        // What fails before the commit, or while it waits for a lock, is rolled back.
        var isCommitting = false
        do throws(SQLiteFailure) {
            guard isLive else {
                throw SQLiteFailure("this is a copy of a database, and a copy is never written")
            }
            return try ConditionalUpdate(change: change, file: file).run { isCommitting = true }
        } catch {
            throw error.storeError(
                at: place(ofTable: change.table),
                isRefusal: !isCommitting || error.isBusy)
        }
    }

    /// Rolls back the transaction of a process that died: outside of WAL mode it leaves a journal
    /// that only a connection which may write rolls back, and until then no reader gets in.
    package func endInterruptedWrite() async throws {
        guard isLive else { return }
        do throws(SQLiteFailure) {
            try MountedFile.refuseSecondName(of: file.path)
            let connection = try SQLiteConnection(
                path: file.path, mode: .readWrite, busyTimeout: file.busyTimeout)
            defer { connection.close() }
            try connection.begin()
        } catch {
            throw error.storeError(at: file.path)
        }
    }

    /// Runs a short read in place.
    func inTransaction<Value>(
        _ body: (SQLiteConnection) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        let session = try ReadSession(inPlace: file)
        defer { session.close() }
        return try body(session.connection)
    }

    private func place(ofTable table: String) -> String {
        tablePlace(file.path, Array(table.utf8))
    }

    private static func machineTime() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(seconds: Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}

/// The place of a table in messages.
func tablePlace(_ path: String, _ table: [UInt8]) -> String {
    "\(path), table \(quotedName(table))"
}
