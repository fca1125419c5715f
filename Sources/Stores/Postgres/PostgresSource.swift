import Glibc
package import MooringModel
import MooringText
import Synchronization

/// A record source on a PostgreSQL database.
///
/// A scan has a connection of its own and reads one snapshot; looks and writes share a few
/// connections. Calls of the client library block threads of their own, and a cancelled task stops
/// the server. Only `update` writes to the database.
package struct PostgresSource: ActingRecordSource {
    /// The source's name in the configuration.
    package let name: String
    /// `postgres`.
    package let kind = "postgres"
    /// A database can always be read again.
    package let isLive = true
    private let address: ServerAddress
    private let setup: SnapshotReader.Setup
    private let pool: SessionPool
    private let kindOfServer = ServerKindMark()
    private let clock: @Sendable () -> Instant

    /// The database at an address, which is a URL or keywords of the client library; its models
    /// tell which tables and columns are meant to hold what.
    ///
    /// `clock` defaults to the machine's and dates a scan's window.
    package init(
        name: String, address: String, mapping: RecordMapping, options: PostgresOptions,
        clock: (@Sendable () -> Instant)? = nil
    ) {
        self.name = name
        let address = ServerAddress(address)
        self.address = address
        setup = SnapshotReader.Setup(place: address.place, options: options, mapping: mapping)
        pool = SessionPool(address)
        self.clock = clock ?? { Self.machineTime() }
    }

    /// Reads a scope from one snapshot of the database; batches hold at most 1,000 rows and about
    /// 4 MiB of values, or one larger row. The next batch is read while one is received.
    package func scan(
        _ scope: RecordScope, _ receive: (RecordBatch) async throws -> Void
    ) async throws -> ScanResult {
        var window = ScanWindow(from: clock(), to: clock())
        let reader = SnapshotReader(scope, setup)
        do {
            let session = try await Session.open(address)
            do {
                var pending = session.begin { reader.next($0) }
                while let batch = try await session.value(of: pending) {
                    try Task.checkCancellation()
                    pending = session.begin { reader.next($0) }
                    try await receive(batch)
                }
                // A pass that was stopped looks like one that failed.
                try Task.checkCancellation()
            } catch {
                session.stop()
                throw error
            }
        } catch let failure as PostgresFailure {
            return ScanResult(
                window: ScanWindow(from: window.from, to: clock()),
                problems: [failure.problem(at: address.place)], consistency: "snapshot")
        }
        // What a replica shows is as old as the last transaction that it was sent.
        let from = min(window.from, reader.replayedTo ?? window.from)
        window = ScanWindow(from: from, to: clock())
        var result = ScanResult(
            window: window, problems: reader.problems, consistency: "snapshot")
        result.notes = reader.notes
        guard let isReplica = reader.isReplica, !kindOfServer.agrees(isReplica) else {
            return result
        }
        // An address of several servers, or a name that leads to several.
        var mixed = ScanResult(
            window: window,
            problems: reader.problems + [
                ScanProblem(
                    place: address.place,
                    reason: "the address leads to a primary and to a replica; name one of them")
            ], consistency: "snapshot")
        mixed.notes = reader.notes
        return mixed
    }

    /// Reads the rows of an identifier in one statement on the primary; a replica cannot tell.
    ///
    /// An id column matches by the bytes that `FieldValue.bytes` gives, whatever its type and
    /// collation.
    package func rows(
        table: String, idColumns: [String], id: RecordID, columns: [String]
    ) async throws -> [[FieldValue]] {
        try await look(at: table) { catalogue throws(PostgresFailure) in
            let inRecovery = try catalogue.connection.query(
                SQLText("SELECT pg_catalog.pg_is_in_recovery()"))
            guard !inRecovery.isTrue(0, 0) else {
                throw PostgresFailure(
                    "the server is a replica in recovery, which may lag behind",
                    hint: "name the primary")
            }
            let relation = try catalogue.relation(table)
            let known = try catalogue.columns(of: relation)
            let search = RowSearch(
                relation: relation, idColumns: try catalogue.require(idColumns, among: known),
                id: id)
            let wanted = try catalogue.require(columns, among: known)
            return try search.rows(selecting: wanted, in: catalogue.connection).map(\.values)
        }
    }

    /// The columns of a table or view but those that are computed.
    package func columns(table: String) async throws -> [String] {
        try await look(at: table) { catalogue throws(PostgresFailure) in
            try catalogue.columns(of: try catalogue.relation(table))
                .filter { !$0.isGenerated }.map { String(decoding: $0.name, as: UTF8.self) }
        }
    }

    /// The columns that take no NULL, and those whose values the server computes. Sources: the
    /// pages of PostgreSQL's documentation on pg_attribute, pg_type and pg_constraint.
    package func columnLimits(table: String) async throws -> [String: ColumnLimit] {
        try await look(at: table) { catalogue throws(PostgresFailure) in
            var limits: [String: ColumnLimit] = [:]
            for column in try catalogue.columns(of: try catalogue.relation(table)) {
                limits[String(decoding: column.name, as: UTF8.self)] =
                    column.isGenerated || column.isIdentity
                    ? .computed : column.takesNull ? nil : .noNull
            }
            return limits
        }
    }

    /// The foreign keys that the database declares; none where they cannot be read, which protects
    /// more.
    package func foreignColumns() async -> [ForeignColumn] {
        let tables = setup.mapping.models.map(\.table)
        do {
            return try await look(at: nil) { catalogue throws(PostgresFailure) in
                try catalogue.foreignColumns(spelled: tables)
            }
        } catch {
            return []
        }
    }

    /// The names of a table's columns, generated ones too.
    package func readableColumns(
        table: String, idColumns: [String], id: RecordID
    ) async throws -> [String] {
        try await look(at: table) { catalogue throws(PostgresFailure) in
            try catalogue.columns(of: try catalogue.relation(table))
                .map { String(decoding: $0.name, as: UTF8.self) }
        }
    }

    /// How far the server's clock is away from the time that its answer took.
    package func measureClock() async throws -> Duration? {
        let clock = clock
        return try await look(at: nil) { catalogue throws(PostgresFailure) in
            let before = clock()
            let answer = try catalogue.connection.query(
                SQLText(
                    """
                    SELECT (EXTRACT(epoch FROM pg_catalog.clock_timestamp()) * 1000000)
                        ::pg_catalog.int8::pg_catalog.text
                    """))
            let after = clock()
            guard let microseconds = answer.number(0, 0) else { return nil }
            let told = Instant(nanoseconds: microseconds &* 1_000)
            // The server tells whole microseconds.
            if told + .microseconds(1) < before { return before - told }
            return told > after ? told - after : .zero
        }
    }

    /// A replica proves nothing; a role that may not write keeps records from being written.
    package func limits() async throws -> RecordLimits {
        let mapping = setup.mapping
        var limits = try await look(at: nil) { catalogue throws(PostgresFailure) in
            try RoleLimits(mapping: mapping, catalogue: catalogue).limits()
        }
        if !kindOfServer.agrees(limits.proofs != nil), limits.proofs == nil {
            limits.proofs = "a scan was answered by a replica, which may lag behind the primary"
        }
        return limits
    }

    /// The tables that the role may not read, each with the statement that lets it.
    package func unreadable(_ scope: RecordScope) async throws -> [ScanProblem] {
        let (mapping, place) = (setup.mapping, address.place)
        return try await look(at: nil) { catalogue throws(PostgresFailure) in
            let role = try RoleLimits.currentRole(catalogue.connection)
            return try RoleLimits(mapping: mapping, catalogue: catalogue).unreadable(scope).map {
                ScanProblem(
                    place: tablePlace(place, catalogue.name(of: $0)),
                    reason: "the role may not read it; run " + PostgresFailure.grant($0, to: role))
            }
        }
    }

    /// Writes one record in one transaction that locks its row from its first read on.
    ///
    /// Refused are views, tables with rules, rows that others refer to, a value that the column's
    /// type or a trigger would change, and triggers that change other things that are mapped.
    package func update(_ change: RecordChange) async throws -> UpdateOutcome {
        let write = ConditionalUpdate(
            change: change, options: setup.options, mapping: setup.mapping)
        let place = tablePlace(address.place, change.table)
        let progress = CommitMark()
        do {
            // To its end even when the task is cancelled, so that what came of it is known.
            return try await withSession { session in
                try await session.finish { connection in
                    try write.run(connection) { progress.set() }
                }
            }
        } catch let failure as PostgresFailure {
            let isRefusal = !progress.isSet || failure.isRolledBack || failure.isOwnRefusal
            throw failure.storeError(at: place, isRefusal: isRefusal)
        }
    }

    /// Looks at the database in one short read-only transaction.
    func look<Value: Sendable>(
        at table: String?,
        _ body: @escaping @Sendable (Catalogue) throws(PostgresFailure) -> Value
    ) async throws -> Value {
        let options = setup.options
        do {
            return try await withSession { session in
                try await session.run { connection in
                    defer { connection.rollBack() }
                    try connection.begin(
                        "ISOLATION LEVEL READ COMMITTED READ ONLY",
                        statementTimeout: options.statementTimeout ?? .seconds(30),
                        lockTimeout: options.lockTimeout)
                    return try body(Catalogue(connection, schema: options.schema))
                }
            }
        } catch let failure as PostgresFailure {
            throw failure.storeError(
                at: table.map { tablePlace(address.place, $0) } ?? address.place)
        }
    }

    /// Uses a connection that is idle, or a new one. One that broke while nobody used it is told
    /// by asking it for nothing.
    private func withSession<Value: Sendable>(
        _ body: (Session) async throws -> Value
    ) async throws -> Value {
        var (session, isUsed) = try await pool.take()
        if isUsed {
            let isSound = try await session.run { connection in
                // That it fails is the answer.
                (try? connection.execute("SELECT 1")) != nil && connection.isIdle
            }
            if !isSound {
                await pool.clear()
                session = try await pool.take().session
            }
        }
        do {
            let value = try await body(session)
            await pool.giveBack(session)
            return value
        } catch let failure as PostgresFailure {
            if !failure.isLost { await pool.giveBack(session) }
            throw failure
        }
    }

    private static func machineTime() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(seconds: Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}

/// Which kind of server answered first in this process: a primary, or a replica.
private final class ServerKindMark: Sendable {
    private let isReplica = Mutex<Bool?>(nil)

    /// Whether a server is of the kind of the first one.
    func agrees(_ isReplica: Bool) -> Bool {
        self.isReplica.withLock { known in
            let first = known ?? isReplica
            known = first
            return first == isReplica
        }
    }
}
