import CPostgres
import MooringModel
import MooringText
import Synchronization

/// One connection to a server, used by one thread at a time; only `cancel` may come from another.
final class PostgresConnection: @unchecked Sendable {
    /// The schemas in which tables without one are looked for, in their order, as the role has
    /// them.
    private(set) var searchPath: [[UInt8]] = []
    /// The role's own settings, which an app's triggers rely on, by name.
    private(set) var appSettings: [(name: String, value: [UInt8])] = []
    private let handle: OpaquePointer
    private let canceller: OpaquePointer?
    private let isCancelled = Atomic<Bool>(false)

    /// What values look like as texts, and which functions a name means: the same for every role.
    /// Row security raises an error instead of hiding rows.
    static let readingSettings = [
        ("search_path", "pg_catalog, pg_temp"), ("TimeZone", "UTC"), ("DateStyle", "ISO, MDY"),
        ("IntervalStyle", "postgres"), ("bytea_output", "hex"), ("extra_float_digits", "1"),
    ]

    /// Connects and prepares the session.
    init(_ address: ServerAddress) throws(PostgresFailure) {
        let parameters = try address.parameters()
        let connected = Self.withTexts(
            parameters.map { Array($0.name.utf8) }, parameters.map { Array($0.value.utf8) }
        ) { PQconnectdbParams($0, $1, 1) }
        guard let connected else { throw PostgresFailure("there is no memory to connect with") }
        guard PQstatus(connected) == CONNECTION_OK else {
            defer { PQfinish(connected) }
            throw PostgresFailure(
                "no connection: " + Self.words(connected),
                hint: "check the address, the role and the server, then run mooring doctor")
        }
        handle = connected
        canceller = PQgetCancel(connected)
        // The library would print what a server has to say to stderr.
        PQsetNoticeReceiver(connected, { _, _ in }, nil)
        try prepareSession()
    }

    deinit {
        PQfreeCancel(canceller)
        PQfinish(handle)
    }

    /// Whether the connection can take another transaction.
    var isIdle: Bool {
        PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE
            && !isCancelled.load(ordering: .relaxed)
    }

    /// Whether it is still there.
    var isAlive: Bool { PQstatus(handle) == CONNECTION_OK }

    /// Stops what is under way, and everything after it; from any thread. Waits for the server.
    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
        var message = [CChar](repeating: 0, count: 256)
        // Where the server cannot be told, it notices that nobody reads any more.
        PQcancel(canceller, &message, Int32(message.count))
    }

    /// Runs statements without parameters and drops their rows; gives the last one's tag.
    @discardableResult
    func execute(_ sql: SQLText) throws(PostgresFailure) -> String {
        try refuseCancelled()
        return try Self.withText(sql.bytes) { text throws(PostgresFailure) in
            let rows = try checked(PQexec(handle, text))
            return rows.tag
        }
    }

    /// Runs statements without parameters and drops their rows; gives the last one's tag.
    @discardableResult
    func execute(_ sql: String) throws(PostgresFailure) -> String { try execute(SQLText(sql)) }

    /// Runs one statement with parameters as texts, nil for NULL, each without a NUL; its rows
    /// come in the binary form.
    func query(
        _ sql: SQLText, _ parameters: [[UInt8]?] = []
    ) throws(PostgresFailure) -> PostgresRows {
        try refuseCancelled()
        return try Self.withText(sql.bytes) { text throws(PostgresFailure) in
            let result = Self.withOptionalTexts(parameters) {
                PQexecParams(handle, text, Int32(parameters.count), nil, $0, nil, nil, 1)
            }
            return try checked(result)
        }
    }

    /// Begins a COPY to this side.
    func beginCopy(_ sql: SQLText) throws(PostgresFailure) {
        try refuseCancelled()
        try Self.withText(sql.bytes) { text throws(PostgresFailure) in
            guard let result = PQexec(handle, text) else {
                throw PostgresFailure(lost: Self.words(handle))
            }
            if PQresultStatus(result) == PGRES_COPY_OUT {
                PQclear(result)
            } else {
                _ = try checked(result)
                throw PostgresFailure("the server did not begin a copy")
            }
        }
    }

    /// Passes the next message of a COPY on; false at its end. Throws where it did not come to its
    /// own end.
    func copy(
        _ receive: (UnsafeRawBufferPointer) throws(PostgresFailure) -> Void
    ) throws(PostgresFailure) -> Bool {
        try refuseCancelled()
        var buffer: UnsafeMutablePointer<CChar>?
        let count = PQgetCopyData(handle, &buffer, 0)
        guard count > 0, let buffer else {
            try endCopy(count)
            return false
        }
        defer { PQfreemem(buffer) }
        try receive(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
        return true
    }

    private func endCopy(_ count: Int32) throws(PostgresFailure) {
        guard count == -1 else { throw PostgresFailure(lost: Self.words(handle)) }
        var failure: PostgresFailure?
        while let result = PQgetResult(handle) {
            do {
                _ = try checked(result)
            } catch {
                failure = failure ?? error
                if error.isLost { break }
            }
        }
        if let failure { throw failure }
    }

    private func refuseCancelled() throws(PostgresFailure) {
        guard !isCancelled.load(ordering: .relaxed) else { throw PostgresFailure("cancelled") }
    }

    private func prepareSession() throws(PostgresFailure) {
        // Bytes of such a database have no meaning to the server, and pass unchanged both ways.
        if let encoding = PQparameterStatus(handle, "server_encoding"),
            String(cString: encoding) == "SQL_ASCII"
        {
            try execute("SET client_encoding TO 'SQL_ASCII'")
        }
        let path = try query(
            SQLText(
                "SELECT s::pg_catalog.text FROM pg_catalog.unnest("
                    + "pg_catalog.current_schemas(false)) AS s"))
        searchPath = (0..<path.count).compactMap { path.text($0, 0) }
        let settings = Self.readingSettings.map { "pg_catalog.current_setting('\($0.0)')" }
        let held = try query(SQLText("SELECT " + settings.joined(separator: ", ")))
        appSettings = Self.readingSettings.enumerated().map {
            ($1.0, held.text(0, $0) ?? [])
        }
    }

    /// Begins a transaction in which values are told alike for every role, with timeouts for each
    /// statement and for each wait for a lock; nil for none.
    func begin(
        _ mode: String, statementTimeout: Duration?, lockTimeout: Duration
    ) throws(PostgresFailure) {
        let settings =
            Self.readingSettings.map { "SET LOCAL \($0.0) TO \(Self.literal($0))" } + [
                "SET LOCAL row_security TO off",
                "SET LOCAL idle_in_transaction_session_timeout TO 0",
                "SET LOCAL statement_timeout TO \(statementTimeout?.wholeMilliseconds ?? 0)",
                "SET LOCAL lock_timeout TO \(lockTimeout.wholeMilliseconds)",
            ]
        try execute("BEGIN \(mode); " + settings.joined(separator: "; "))
    }

    /// Gives the open transaction the settings that an app's own has, or takes them back.
    func useAppSettings(_ isForApp: Bool) throws(PostgresFailure) {
        for (setting, own) in zip(Self.readingSettings, appSettings) {
            let value = isForApp ? own.value : Array(setting.1.utf8)
            _ = try query(
                SQLText("SELECT pg_catalog.set_config('\(setting.0)', $1, true)"), [value])
        }
    }

    /// Rolls the open transaction back, if there is one and the connection lives.
    func rollBack() {
        guard PQtransactionStatus(handle) != PQTRANS_IDLE, isAlive else { return }
        // If it fails the connection is not used again, which comes to the same.
        _ = try? execute("ROLLBACK")
    }

    /// Takes back what was done since a savepoint, so that the transaction goes on.
    func forget(savepoint: String) {
        // Where the transaction is gone, its next statement says so.
        _ = try? execute("ROLLBACK TO SAVEPOINT \(savepoint)")
    }

    // A list of schemas is a list of names, and no text.
    private static func literal(_ setting: (name: String, value: String)) -> String {
        setting.name == "search_path" ? setting.value : "'\(setting.value)'"
    }

    /// The result where it is one, else what it says is wrong.
    private func checked(_ result: OpaquePointer?) throws(PostgresFailure) -> PostgresRows {
        guard let result else { throw PostgresFailure(lost: Self.words(handle)) }
        let rows = PostgresRows(result)
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return rows
        default:
            guard let state = rows.field(UInt8(ascii: "C")) else {
                throw PostgresFailure(lost: Self.words(handle))
            }
            var failure = PostgresFailure(
                state: state, words: rows.field(UInt8(ascii: "M")) ?? "an error",
                name: rows.field(UInt8(ascii: "n")),
                isNested: rows.field(UInt8(ascii: "W")) != nil)
            failure.isLost = PQstatus(handle) != CONNECTION_OK
            throw failure
        }
    }

    // One line, without the password should a message ever repeat it.
    private static func words(_ handle: OpaquePointer) -> String {
        var words = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        if let password = PQpass(handle).map({ String(cString: $0) }), password.count > 2 {
            words = words.replacing(password, with: "…")
        }
        return words.split { $0.isNewline || $0 == "\t" }.joined(separator: " ")
    }
}

extension PostgresConnection {
    private static func withText<Result>(
        _ bytes: [UInt8], _ body: (UnsafePointer<CChar>) throws(PostgresFailure) -> Result
    ) throws(PostgresFailure) -> Result {
        guard !bytes.contains(0) else { throw PostgresFailure("a name holds a NUL") }
        let text = copy(bytes)
        defer { text.deallocate() }
        return try body(text)
    }

    private static func withTexts<Result>(
        _ names: [[UInt8]], _ values: [[UInt8]],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) ->
            Result
    ) -> Result {
        let names = names.map { UnsafePointer(copy($0)) as UnsafePointer<CChar>? } + [nil]
        let values = values.map { UnsafePointer(copy($0)) as UnsafePointer<CChar>? } + [nil]
        defer { (names + values).forEach { $0?.deallocate() } }
        return body(names, values)
    }

    private static func withOptionalTexts<Result>(
        _ texts: [[UInt8]?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let pointers = texts.map { $0.map { UnsafePointer(copy($0)) } }
        defer { pointers.forEach { $0?.deallocate() } }
        return body(pointers.isEmpty ? [nil] : pointers)
    }

    /// A C string, to be deallocated.
    private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar> {
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for (index, byte) in bytes.enumerated() { text[index] = CChar(bitPattern: byte) }
        text[bytes.count] = 0
        return text
    }
}

extension Duration {
    /// Whole milliseconds, at least 1 and at most what the server takes.
    fileprivate var wholeMilliseconds: Int64 {
        min(max(nanoseconds / 1_000_000, 1), Int64(Int32.max))
    }
}
