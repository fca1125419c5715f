import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringPostgres

@Suite("The foreign keys of a PostgreSQL database", .requires(.postgres), .timeLimit(.minutes(60)))
struct ForeignKeyTests {
    private static let tables = """
        CREATE SCHEMA other;
        CREATE TABLE song (id text PRIMARY KEY, cover text UNIQUE, tenant text,
            up text REFERENCES song, UNIQUE (tenant, id));
        CREATE TABLE other.song (id text PRIMARY KEY);
        CREATE TABLE other."Play" (song text REFERENCES song, cover text REFERENCES song (cover),
            own text REFERENCES other.song, tenant text, "a ""b" text,
            FOREIGN KEY ("a ""b", tenant) REFERENCES song (id, tenant));
        CREATE TABLE "odd.t" (song text, FOREIGN KEY (song) REFERENCES song NOT VALID);
        CREATE TABLE parts (id text, song text REFERENCES song) PARTITION BY LIST (id);
        CREATE TABLE part PARTITION OF parts DEFAULT;
        CREATE TABLE free (song text);
        """

    private func told(_ source: PostgresSource) async -> Set<String> {
        Set(
            await source.foreignColumns().map {
                "\($0.table).\($0.column) > \($0.target).\($0.targetColumn)"
            })
    }

    @Test("Are told column by column, in every schema, under each name that rows come by")
    func columns() async throws {
        let stage = try await Stage(Self.tables)
        let own: Set<String> = [
            "song.up > song.id", "other.Play.song > song.id", "other.Play.cover > song.cover",
            "other.Play.own > other.song.id", "other.Play.tenant > song.tenant",
            "other.Play.a \"b > song.id", "\"odd.t\".song > song.id", "parts.song > song.id",
        ]
        let found = await told(stage.source())
        #expect(found.filter { !$0.hasPrefix("part.") } == own)
        let mapped = await told(
            stage.source(keys: ["public.song": ["cover"], "other.\"Play\"": ["cover"]]))
        #expect(mapped.isSuperset(of: own))
        #expect(mapped.contains("other.\"Play\".song > public.song.id"))
        #expect(mapped.contains("public.song.up > public.song.id"))
        #expect(mapped.contains("other.\"Play\".own > other.song.id"))
        #expect(!mapped.contains("other.\"Play\".own > public.song.id"))
        // The names are those of the batches.
        let scan = try await stage.source(keys: ["public.song": ["cover"]]).read(.everything)
        #expect(scan.result.isComplete, "\(scan.result.problems)")
    }

    @Test("Are none where a mapped table is missing, or nobody answers: that protects more")
    func none() async throws {
        let stage = try await Stage(Self.tables)
        #expect(await stage.source(keys: ["nowhere": ["cover"]]).foreignColumns() == [])
        let closed = stage.source("postgresql://owner@127.0.0.1:1/none")
        #expect(await closed.foreignColumns() == [])
    }

    /// The removal of the row of a table with this id, as it is now in every column.
    private func removal(
        _ source: PostgresSource, _ table: String, _ idColumns: [String], _ id: RecordID
    ) async throws -> RecordChange {
        let columns = try await source.columns(table: table)
        let rows = try await source.rows(
            table: table, idColumns: idColumns, id: id, columns: columns)
        return RecordChange(
            .delete, table: table, idColumns: idColumns, id: id,
            expected: zip(columns, try #require(rows.first)).map { ColumnValue($0, $1) },
            assignments: [])
    }

    // The table `t` has the rows (x, 1) and (x, 2) of composite and single keys.
    private static let parent = """
        CREATE SCHEMA other; CREATE SCHEMA hidden;
        CREATE TABLE t (a text, b int, n bigint UNIQUE, v text, PRIMARY KEY (a, b));
        INSERT INTO t VALUES ('x', 1, 10, 'v'), ('x', 2, 20, 'v');
        """
    private static let references = [
        "CREATE TABLE other.c (p text, q int, FOREIGN KEY (p, q) REFERENCES t ON DELETE CASCADE); "
            + "INSERT INTO other.c VALUES ('x', 1)",
        "CREATE TABLE other.c (q int, p text, FOREIGN KEY (q, p) REFERENCES t (b, a) "
            + "ON DELETE SET NULL); INSERT INTO other.c VALUES (1, 'x')",
        "CREATE TABLE other.t (p text, q int, FOREIGN KEY (p, q) REFERENCES public.t "
            + "DEFERRABLE INITIALLY DEFERRED); INSERT INTO other.t VALUES ('x', 1)",
        // Another type than the column that it refers to.
        "CREATE TABLE hidden.\"c \"\"d\" (\"n m\" int REFERENCES t (n)); "
            + "INSERT INTO hidden.\"c \"\"d\" VALUES (10)",
        "CREATE TABLE c (p text, q int, FOREIGN KEY (p, q) REFERENCES t NOT VALID); "
            + "INSERT INTO c VALUES ('x', 1)",
        "CREATE TABLE c (p text, q int, FOREIGN KEY (p, q) REFERENCES t ON DELETE CASCADE) "
            + "PARTITION BY LIST (q); CREATE TABLE other.c1 PARTITION OF c DEFAULT; "
            + "INSERT INTO c VALUES ('x', 1)",
        "ALTER TABLE t ADD p text DEFAULT 'x', ADD q int DEFAULT 1; "
            + "ALTER TABLE t ADD FOREIGN KEY (p, q) REFERENCES t ON DELETE CASCADE",
    ]

    @Test(
        "A row that any of them refers to stays, whatever the schema and however many columns",
        arguments: references)
    func referred(reference: String) async throws {
        let stage = try await Stage(Self.parent + reference)
        let source = stage.source()
        let id = RecordID(parts: [Array("x".utf8), Array("1".utf8)])
        let removal = try await removal(source, "t", ["a", "b"], id)
        let error = await #expect(throws: StoreError.self) { try await source.update(removal) }
        #expect(error?.reason.contains("refer to it by a foreign key") == true, "\(error as Any)")
        #expect(error?.isRefusal == true)
        #expect(try stage.database.rows("SELECT count(*) FROM t") == [["2"]])
    }

    @Test("A row to which they could refer, and no row does, goes")
    func free() async throws {
        let stage = try await Stage(
            Self.parent + """
                CREATE TABLE other.c (p text, q int, n int REFERENCES t (n),
                    FOREIGN KEY (p, q) REFERENCES t ON DELETE CASCADE);
                INSERT INTO other.c VALUES ('x', 2, 20), ('x', NULL, NULL), (NULL, 1, NULL);
                CREATE TABLE other.t (a text, b int, PRIMARY KEY (a, b));
                INSERT INTO other.t VALUES ('x', 1);
                CREATE TABLE d (p text, q int, FOREIGN KEY (p, q) REFERENCES other.t);
                INSERT INTO d VALUES ('x', 1)
                """)
        let source = stage.source()
        let id = RecordID(parts: [Array("x".utf8), Array("1".utf8)])
        let removal = try await removal(source, "t", ["a", "b"], id)
        #expect(try await source.update(removal) == .written)
        #expect(try stage.database.rows("SELECT b FROM t") == [["2"]])
        #expect(try stage.database.rows("SELECT count(*) FROM other.c") == [["3"]])
    }
}
