import MooringModel
import TestServers
import Testing

@testable import MooringPostgres

@Suite(
    "The columns of a PostgreSQL table that do not take every write", .requires(.postgres),
    .timeLimit(.minutes(60)))
struct ColumnLimitTests {
    @Test("are told by the column, its domains and a check of it alone, and where it is computed")
    func limits() async throws {
        let stage = try await Stage(
            """
            CREATE DOMAIN filled AS text NOT NULL;
            CREATE DOMAIN named AS filled;
            CREATE DOMAIN checked AS text CHECK (VALUE IS NOT NULL);
            CREATE DOMAIN short AS text CHECK (length(VALUE) < 9);
            CREATE TABLE song (id text, a text NOT NULL, b named, c checked, d short,
                "E f" text CHECK ("E f" IS NOT NULL), g text CHECK (g <> ''),
                h text CHECK (h IS NOT NULL OR a <> ''), n bigint GENERATED ALWAYS AS IDENTITY,
                low text GENERATED ALWAYS AS (lower(a)) STORED);
            """)
        #expect(
            try await stage.source().columnLimits(table: "song")
                == [
                    "a": .noNull, "b": .noNull, "c": .noNull, "E f": .noNull, "n": .computed,
                    "low": .computed,
                ])
        await #expect(throws: StoreError.self) {
            try await stage.source().columnLimits(table: "sing")
        }
    }
}
