import MooringModel
import MooringText

/// One pass over a scope, batch by batch, all of it from one snapshot; used on the thread of its
/// session alone until the pass is over.
///
/// It does not throw: what fails becomes a problem, and the pass goes on with what is left.
final class SnapshotReader: @unchecked Sendable {
    /// What kept the pass from being complete, so far.
    private(set) var problems: [ScanProblem] = []
    /// What has to be said of it and is no problem.
    private(set) var notes: [String] = []
    /// The moment that a replica has come to; nil on a primary, or where a replica cannot tell.
    private(set) var replayedTo: Instant?
    /// Whether the server is a replica.
    private(set) var isReplica: Bool?

    private let scope: RecordScope
    private let setup: Setup
    private var reads: [TableRead]?
    private var position = 0
    private var current: CopyReader?

    /// What the source knows beside the scope.
    struct Setup: Sendable {
        /// The server's name in messages.
        let place: String
        /// How the database is read.
        let options: PostgresOptions
        /// The models that lie in it.
        let mapping: RecordMapping
    }

    /// What to read of one table.
    private struct TableRead {
        let place: String
        let name: String
        let columns: [String]
        let forms: [ValueForm]
        let sql: SQLText
    }

    /// A pass that has not begun.
    init(_ scope: RecordScope, _ setup: Setup) {
        self.scope = scope
        self.setup = setup
    }

    /// The next batch; nil when everything that can be read has been.
    func next(_ connection: PostgresConnection) -> RecordBatch? {
        if reads == nil {
            do {
                reads = try plan(connection)
            } catch {
                reads = []
                problems.append(error.problem(at: setup.place))
            }
        }
        while let reads, position < reads.count {
            if let batch = step(reads[position], connection) { return batch }
            guard connection.isAlive || position == reads.count else {
                problems.append(
                    ScanProblem(
                        place: setup.place,
                        reason: "the snapshot was lost with the connection; "
                            + "\(reads.count - position) further tables were not read"))
                position = reads.count
                return nil
            }
        }
        connection.rollBack()
        return nil
    }

    // The next batch of a table; nil when it has ended, well or not.
    private func step(_ read: TableRead, _ connection: PostgresConnection) -> RecordBatch? {
        do {
            if current == nil {
                try connection.execute("SAVEPOINT mooring")
                try connection.beginCopy(read.sql)
                current = CopyReader(table: read.name, columns: read.columns, forms: read.forms)
            }
            if let batch = try current?.next(connection) { return batch }
            try connection.execute("RELEASE SAVEPOINT mooring")
        } catch {
            problems.append(error.problem(at: read.place))
            // The snapshot outlives the failure; where it does not, the next table says so.
            if connection.isAlive { connection.forget(savepoint: "mooring") }
        }
        current = nil
        position += 1
        return nil
    }

    private func plan(
        _ connection: PostgresConnection
    ) throws(PostgresFailure) -> [TableRead] {
        let (statement, lock) = (setup.options.statementTimeout, setup.options.lockTimeout)
        try connection.begin("READ ONLY", statementTimeout: statement, lockTimeout: lock)
        var catalogue = Catalogue(connection, schema: setup.options.schema)
        let wanted = try relations(catalogue, isFinal: false)
        try LockRoom(
            for: Set(wanted.map(\.relation)), share: setup.options.lockShare, on: connection
        ).require()
        try connection.execute("ROLLBACK")
        try connection.begin(
            "ISOLATION LEVEL REPEATABLE READ READ ONLY", statementTimeout: statement,
            lockTimeout: lock)
        // Before the snapshot is taken, with the first query: a table that is truncated or
        // rewritten after that would look empty in it.
        let known = Set(wanted.map(\.relation.oid))
        let unlocked = lockAll(Set(wanted.map(\.relation)), connection)
        let role =
            unlocked.isEmpty ? [] : try RoleLimits.currentRole(connection)
        catalogue = Catalogue(connection, schema: setup.options.schema)
        try tellReplica(connection)
        var reads: [TableRead] = []
        for item in try relations(catalogue, isFinal: true) {
            let place = tablePlace(setup.place, item.name)
            if let failure = unlocked[item.relation.oid] {
                problems.append(failure.granting(item.relation, to: role).problem(at: place))
                continue
            }
            guard known.contains(item.relation.oid) else {
                problems.append(
                    ScanProblem(place: place, reason: "came while the scan began; run again"))
                continue
            }
            do {
                reads.append(try read(item, catalogue, place))
            } catch {
                problems.append(error.problem(at: place))
            }
        }
        return reads
    }

    private func lockAll(
        _ relations: Set<Catalogue.Relation>, _ connection: PostgresConnection
    ) -> [UInt32: PostgresFailure] {
        var failures: [UInt32: PostgresFailure] = [:]
        // Always in one order, so that two scans never wait for each other.
        for relation in relations.sorted(by: { $0.oid < $1.oid }) {
            // The server locks no other kinds for a client.
            guard [.table, .partitioned, .view].contains(relation.kind) else { continue }
            var sql = SQLText("SAVEPOINT mooring; LOCK TABLE ")
            sql.append(.relation(relation))
            sql.append(" IN ACCESS SHARE MODE; RELEASE SAVEPOINT mooring")
            do {
                try connection.execute(sql)
            } catch {
                failures[relation.oid] = error
                connection.forget(savepoint: "mooring")
            }
        }
        return failures
    }

    private typealias Item = (name: String, columns: [String]?, relation: Catalogue.Relation)

    /// What the scope asks for; what is missing becomes a problem the second time only.
    private func relations(
        _ catalogue: Catalogue, isFinal: Bool
    ) throws(PostgresFailure) -> [Item] {
        switch scope {
        case .columns(let wanted):
            var items: [Item] = []
            for request in wanted {
                do {
                    items.append(
                        (request.table, request.columns, try catalogue.relation(request.table)))
                } catch {
                    if error.isLost { throw error }
                    guard isFinal else { continue }
                    problems.append(error.problem(at: tablePlace(setup.place, request.table)))
                }
            }
            return items
        case .all: return try everything(catalogue, isFinal: isFinal)
        }
    }

    // Each table under every name that the configuration has for it, since rows are told by that.
    private func everything(
        _ catalogue: Catalogue, isFinal: Bool
    ) throws(PostgresFailure) -> [Item] {
        var names: [UInt32: [String]] = [:]
        for table in Set(setup.mapping.models.map(\.table)).sorted() {
            do {
                names[try catalogue.relation(table).oid, default: []].append(table)
            } catch {
                if error.isLost { throw error }
                guard isFinal else { continue }
                problems.append(error.problem(at: tablePlace(setup.place, table)))
            }
        }
        let all = try catalogue.relations()
        let foreign = all.count { $0.kind == .foreign && names[$0.oid] == nil }
        if isFinal, foreign > 0 {
            notes.append("\(foreign) foreign tables belong to other servers and were not read")
        }
        let kinds: [Catalogue.Kind] = [.table, .partitioned, .materialized]
        let items = all.flatMap { relation -> [Item] in
            if let own = names[relation.oid] { return own.map { ($0, nil, relation) } }
            guard kinds.contains(relation.kind), !relation.isPartition else { return [] }
            let name = catalogue.name(of: relation)
            let spelled = TableName.spelled(schema: relation.schema, relation.name)
            return scope.leavesOut(name) || scope.leavesOut(spelled) ? [] : [(name, nil, relation)]
        }
        if isFinal, items.isEmpty {
            // Nothing to read proves nothing: more likely it is not the database that was meant.
            problems.append(ScanProblem(place: setup.place, reason: "the database holds no table"))
        }
        return items
    }

    private func read(
        _ item: Item, _ catalogue: Catalogue, _ place: String
    ) throws(PostgresFailure) -> TableRead {
        let known = try catalogue.columns(of: item.relation)
        let columns = try item.columns.map { names throws(PostgresFailure) in
            try catalogue.require(names, among: known)
        }
        if let columns { checkKinds(item.name, columns, catalogue.connection, place) }
        let read = columns ?? known
        var sql = SQLText("COPY (SELECT ")
        sql.append(read.map(\.expression), separator: ", ")
        sql.append(" FROM ")
        sql.append(.relation(item.relation))
        sql.append(" AS m) TO STDOUT (FORMAT binary)")
        return TableRead(
            place: place, name: item.name,
            columns: item.columns ?? read.map { String(decoding: $0.name, as: UTF8.self) },
            forms: read.map(\.form), sql: sql)
    }

    // A key that is looked for in a number or a time is a mistake in the configuration, and nothing
    // that it says of files holds.
    private func checkKinds(
        _ table: String, _ columns: [Column], _ connection: PostgresConnection, _ place: String
    ) {
        let models = setup.mapping.models.filter { $0.table == table }
        let keys = Set(models.flatMap { $0.files.map { Array($0.column.utf8) } })
        for column in columns where keys.contains(column.name) && !column.holdsKeys {
            problems.append(
                ScanProblem(
                    place: place,
                    reason: "column \(quotedName(column.name)) is of type "
                        + "\(String(decoding: column.type, as: UTF8.self)), which holds no keys"))
        }
        let times = Set(
            models.filter { $0.zone == nil }.compactMap(\.changed).map { Array($0.utf8) })
        let zone = connection.appSettings.first { $0.name == "TimeZone" }?.value ?? []
        let zoneName = String(decoding: zone, as: UTF8.self)
        guard !["UTC", "Etc/UTC", "GMT", "Etc/GMT"].contains(zoneName) else { return }
        for column in columns where column.baseType == 1_114 && times.contains(column.name) {
            notes.append(
                "table \(quotedName(Array(table.utf8))): column \(quotedName(column.name)) is a "
                    + "timestamp without time zone and counts as up to 12 h younger than it "
                    + "reads; the role's TimeZone is \(zoneName): where the app writes that, "
                    + "say zone: \(zoneName)")
        }
    }

    private func tellReplica(_ connection: PostgresConnection) throws(PostgresFailure) {
        let rows = try connection.query(
            SQLText(
                """
                SELECT pg_catalog.pg_is_in_recovery(),
                    (EXTRACT(epoch FROM pg_catalog.pg_last_xact_replay_timestamp()) * 1000000)
                        ::pg_catalog.int8::pg_catalog.text
                """))
        isReplica = rows.isTrue(0, 0)
        guard rows.isTrue(0, 0) else { return }
        replayedTo = rows.number(0, 1).map { Instant(nanoseconds: $0 &* 1_000) }
        let state = replayedTo.map { "its newest transaction is from \($0.iso8601)" }
        notes.append(
            "the server is a replica in recovery; \(state ?? "it cannot tell how far it is")")
    }
}

/// The place of a table in messages.
func tablePlace(_ place: String, _ table: String) -> String {
    "\(place), table \(quotedName(Array(table.utf8)))"
}
