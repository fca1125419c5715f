import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringPostgres

@Suite("The words of PostgreSQL's refusals")
struct FailureWordsTests {
    @Test(
        "a state is said in words that hold no value, with the next step",
        arguments: [
            ("23502", "a NOT NULL constraint refused it", nil),
            ("23503", "the FOREIGN KEY constraint \"c\" refused it", nil),
            ("23505", "the UNIQUE constraint \"c\" refused it", nil),
            ("23514", "the CHECK constraint \"c\" refused it", nil),
            ("23P01", "the EXCLUDE constraint \"c\" refused it", nil),
            ("23001", "the constraint \"c\" refused it (23001)", nil),
            (
                "22021", "a text cannot be told in the encoding of the database or of UTF-8", nil
            ), ("22003", "a value does not fit its column's type (22003)", nil),
            ("P0001", "a trigger or a function refused it (P0001)", nil),
            ("XX000", "the server met an internal error (XX000)", "see the server's log"),
            ("42501", "secret (42501)", "GRANT the role what Docs/POSTGRES.md lists"),
            (
                "55P03", "secret (55P03)",
                "run again when nobody holds the lock, or raise lockTimeout"
            ),
            ("40001", "secret (40001)", "run again"),
            ("25006", "secret (25006)", "write to the primary, with a role that may"),
            ("53300", "secret (53300)", "run again when the server has a free connection"),
        ] as [(String, String, String?)])
    func states(state: String, reason: String, hint: String?) {
        let failure = PostgresFailure(state: state, words: "secret", name: "c")
        #expect(failure.reason == reason && failure.hint == hint)
    }

    @Test("what the server says of a hidden row and of time is taken for the next step")
    func words() {
        let hidden = PostgresFailure(
            state: "42501", words: "query would be affected by row-level security policy",
            name: nil)
        #expect(
            hidden.hint
                == "its policies would hide rows, and a hidden row protects nothing: read with a "
                + "role that has BYPASSRLS")
        let late = PostgresFailure(
            state: "57014", words: "canceling statement due to statement timeout", name: nil)
        #expect(late.hint == "give the source a longer statementTimeout")
        let lost = PostgresFailure(lost: "no reply")
        #expect(lost.reason == "the connection to the server was lost: no reply")
        #expect(lost.hint == "run again" && lost.isLost && !lost.isRolledBack)
    }
}

@Suite("What PostgreSQL refuses", .requires(.postgres), .timeLimit(.minutes(60)))
struct FailureTests {
    private static let noAddress =
        "the address of the server is neither a URL postgresql://… nor keywords such as 'host=… "
        + "dbname=…'"

    @Test("A server that cannot be reached is named with its reason, and no password")
    func connections() async throws {
        let stage = try await Stage()
        let (server, name) = (stage.database.server, stage.database.name)
        let cases = [
            ("postgresql://owner:hushhush@127.0.0.1:1/\(name)", "refused"),
            ("postgresql://owner:hushhush@127.0.0.1:\(server.port)/\(name)", "password"),
            ("postgresql://nobody:hushhush@127.0.0.1:\(server.port)/\(name)", "password"),
            ("postgresql://owner:secret@127.0.0.1:\(server.port)/nowhere", "does not exist"),
            (stage.database.openURL + "?sslmode=verify-full", "root certificate"),
            (
                "postgresql://owner:secret@127.0.0.1:\(server.port)/\(name)?sslmode=verify-full"
                    + "&sslrootcert=/etc/hostname", "certificate"
            ),
            ("service=nowhere", "nowhere"), ("postgresql://owner:hush%zz@h/d", Self.noAddress),
            ("host='hushhush", Self.noAddress),
        ]
        for (address, reason) in cases {
            let source = stage.source(address)
            let result = try await source.scan(.everything) { _ in }
            #expect(!result.isComplete)
            let text = result.problems.map(\.text).joined()
            #expect(text.contains(reason), "\(address): \(text)")
            let hint = "check the address, the role and the server, then run mooring doctor"
            #expect(text.contains(hint) || ["nowhere", Self.noAddress].contains(reason), "\(text)")
            #expect(!text.contains("hush") && !text.contains("secret"), "\(text)")
            let error = await #expect(throws: StoreError.self) { _ = try await source.limits() }
            #expect(error.map { !"\($0)".contains("hush") } == true)
        }
        let secure =
            "postgresql://owner:secret@localhost:\(server.port)/\(name)?hostaddr=127.0.0.1"
            + "&sslmode=verify-full&sslrootcert=\(server.certificate)"
        try stage.database.run("CREATE TABLE t (id text)")
        #expect(try await stage.source(secure).read(.everything).result.isComplete)
    }

    @Test("A connection that is lost in the middle leaves the scan incomplete")
    func lost() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE a (id int, body text); CREATE TABLE b (id int);
            INSERT INTO a SELECT n, repeat('x', 1000) FROM generate_series(1, 50000) AS n
            """)
        var rows = 0
        let result = try await stage.source().scan(.everything) { batch in
            if rows == 0 {
                try stage.database.run(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """)
            }
            rows += batch.rows.count
        }
        #expect(!result.isComplete)
        #expect(rows > 0 && rows < 50_000)
        #expect(result.problems.map(\.text).joined().contains("1 further tables"))
        #expect(try await stage.source().read(.everything).result.isComplete)
    }

    @Test("A statement that takes too long leaves its table out, and reads the others")
    func timeout() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE b (id int); INSERT INTO b VALUES (1);
            CREATE VIEW a AS SELECT n, pg_sleep(0.0005)::text FROM generate_series(1, 100000) AS n
            """)
        let source = stage.source(
            options: PostgresOptions(statementTimeout: .seconds(5)))
        let scan = try await source.read(
            .columns([
                TableColumns(table: "a", columns: ["n", "pg_sleep"]),
                TableColumns(table: "b", columns: ["id"]),
            ]))
        #expect(scan.result.problems.count == 1)
        #expect(scan.result.problems.first?.text.contains("statementTimeout") == true)
        #expect(scan.batches.filter { $0.table == "b" }.flatMap(\.rows) == [[.integer(1)]])
    }

    @Test("A cancelled scan stops the server's work at once")
    func cancellation() async throws {
        let stage = try await Stage("CREATE VIEW a AS SELECT 1 AS id, pg_sleep(300)::text")
        let source = stage.source()
        let scan = Task {
            try await source.read(
                .columns([TableColumns(table: "a", columns: ["id", "pg_sleep"])]))
        }
        let sleeping =
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND "
            + "query LIKE 'COPY%' AND state = 'active'"
        while try stage.database.rows(sleeping).isEmpty {
            try await Task.sleep(for: .milliseconds(20))
        }
        scan.cancel()
        await #expect(throws: CancellationError.self) { _ = try await scan.value }
        while try !stage.database.rows(sleeping).isEmpty {
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test("A connection that broke between two looks is made anew")
    func reconnects() async throws {
        let stage = try await Stage("CREATE TABLE t (id text); INSERT INTO t VALUES ('1')")
        let source = stage.source()
        for _ in 0..<3 {
            let rows = try await source.rows(
                table: "t", idColumns: ["id"], id: RecordID("1"), columns: ["id"])
            #expect(rows == [[.text("1")]])
            try stage.database.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """)
        }
    }

    @Test("In a database of bytes, bytes are read and written unchanged")
    func bytes() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE t (id text, cover text, list text[]);
            INSERT INTO t VALUES (convert_from('\\xff01', 'SQL_ASCII'), 'é',
                ARRAY[convert_from('\\xfe22', 'SQL_ASCII')])
            """, encoding: "SQL_ASCII")
        let source = stage.source()
        let held = try await stage.read("t", "id", "cover", "list")
        #expect(
            held == [[.text([0xFF, 1]), .text("é"), .json([91, 34, 0xFE, 92, 34, 34, 93])]])
        let id = RecordID([0xFF, 1])
        let row = try await source.rows(
            table: "t", idColumns: ["id"], id: id, columns: ["id", "cover", "list"])
        #expect(row == held)
        let change = RecordChange(
            table: "t", idColumns: ["id"], id: id,
            expected: [ColumnValue("cover", held[0][1]), ColumnValue("list", held[0][2])],
            assignments: [ColumnValue("cover", .text([0xE9])), ColumnValue("list", held[0][2])])
        #expect(try await source.update(change) == .written)
        #expect(try await stage.read("t", "cover", "list") == [[.text([0xE9]), held[0][2]]])
    }

    @Test("A LATIN1 database is read as UTF-8, and a text that it cannot hold is in no row")
    func latin() async throws {
        let stage = try await Stage(
            "CREATE TABLE t (id text, cover text)", encoding: "LATIN1")
        try stage.database.run("SET client_encoding TO 'UTF8'")
        try stage.database.run("INSERT INTO t VALUES ('é', 'ü')")
        let source = stage.source()
        #expect(try await stage.read("t", "id") == [[.text("é")]])
        func rows(_ id: String) async throws -> [[FieldValue]] {
            try await source.rows(
                table: "t", idColumns: ["id"], id: RecordID(id), columns: ["cover"])
        }
        #expect(try await rows("é") == [[.text("ü")]])
        #expect(try await rows("e\u{301}").isEmpty)
        #expect(try await rows("漢").isEmpty)
        let change = RecordChange(
            table: "t", idColumns: ["id"], id: RecordID("é"),
            expected: [ColumnValue("cover", .text("ü"))],
            assignments: [ColumnValue("cover", .text("漢"))])
        let error = await #expect(throws: StoreError.self) { _ = try await source.update(change) }
        #expect(error?.isRefusal == true)
        #expect(try await rows("é") == [[.text("ü")]])
    }

    @Test("A value that cannot be told is a problem, and never a row that is not there")
    func untold() async throws {
        let stage = try await Stage(
            """
            CREATE TABLE t (id text, cover text); CREATE TABLE u (id text);
            INSERT INTO t VALUES ('1', convert_from('\\x81', 'WIN1252')); INSERT INTO u VALUES ('2')
            """, encoding: "WIN1252")
        let scan = try await stage.source().read(.everything)
        #expect(scan.result.problems.map(\.text).joined().contains("\"t\""))
        #expect(scan.batches.flatMap(\.rows) == [[.text("2")]])
        await #expect(throws: StoreError.self) {
            _ = try await stage.source().rows(
                table: "t", idColumns: ["id"], id: RecordID("1"), columns: ["cover"])
        }
    }

    @Test("A replica is read with a note, proves nothing and is not written")
    func replica() async throws {
        let stage = try await Stage("CREATE TABLE t (id text); INSERT INTO t VALUES ('1')")
        let source = stage.source(stage.database.replicaURL)
        // Its database takes a moment to come.
        var scan = try await source.read(.everything)
        for _ in 0..<500 where !scan.result.isComplete || scan.batches.isEmpty {
            try await Task.sleep(for: .milliseconds(20))
            scan = try await source.read(.everything)
        }
        #expect(scan.batches.flatMap(\.rows) == [[.text("1")]])
        #expect(
            scan.result.notes.joined().contains("the server is a replica in recovery; "))
        let lag = "the server is a replica in recovery, which may lag behind"
        #expect(
            try await source.limits().proofs.map {
                [lag, "a scan was answered by a replica, which may lag behind the primary"]
                    .contains($0)
            } == true)
        let unread = stage.source(stage.database.replicaURL)
        #expect(try await unread.limits().proofs == lag)
        #expect(try await stage.source().limits() == RecordLimits())
        let error = await #expect(throws: StoreError.self) {
            _ = try await source.rows(
                table: "t", idColumns: ["id"], id: RecordID("1"), columns: ["id"])
        }
        #expect(error?.reason == lag && error?.hint == "name the primary")
        let change = RecordChange(
            .delete, table: "t", idColumns: ["id"], id: RecordID("1"),
            expected: [ColumnValue("id", .text("1"))], assignments: [])
        let refusal = await #expect(throws: StoreError.self) {
            _ = try await source.update(change)
        }
        #expect(refusal?.isRefusal == true)
    }

    @Test("A role that may not write says so before anything is planned")
    func readOnly() async throws {
        let stage = try await Stage("CREATE TABLE t (id text, cover text)")
        let keys = ["t": ["cover"]]
        let reader = try stage.role("GRANT SELECT ON t TO ROLE")
        #expect(
            try await stage.source(reader, keys: keys).limits().writes
                == "the role may update no column of the mapped tables")
        let writer = try stage.role(
            "GRANT SELECT ON t TO ROLE; GRANT UPDATE (cover) ON t TO ROLE")
        #expect(try await stage.source(writer, keys: keys).limits() == RecordLimits())
        try stage.database.run(
            "ALTER DATABASE \(stage.database.name) SET default_transaction_read_only = on")
        #expect(
            try await stage.source(writer, keys: keys).limits().writes
                == "transactions are read-only by default for this role or database")
    }
}
