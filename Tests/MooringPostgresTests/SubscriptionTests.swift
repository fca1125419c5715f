import MooringModel
import MooringPostgres
import StoreConformance
import TestServers
import Testing

/// Tables that another server fills.
@Suite("PostgreSQL subscribers")
struct SubscriptionTests {
    @Test(
        "a mapped table that a subscription fills proves nothing",
        arguments: ["", "PARTITION BY LIST (id)"])
    func subscriber(partitioned: String) async throws {
        let publisher = try await Stage(
            "CREATE TABLE song (id text PRIMARY KEY, cover text); CREATE PUBLICATION songs "
                + "FOR TABLE song; INSERT INTO song VALUES ('1', 'covers/1')")
        let subscriber = try await Stage(
            """
            CREATE TABLE song (id text PRIMARY KEY, cover text) \(partitioned);
            CREATE TABLE note (id text)
            """)
        if !partitioned.isEmpty {
            try subscriber.database.run("CREATE TABLE one PARTITION OF song DEFAULT")
        }
        let source = subscriber.source(keys: ["song": ["cover"]])
        #expect(try await source.limits().proofs == nil)
        let name = subscriber.database.name
        // It needs no slot to be in the catalogue. One could be made only once no transaction of
        // the other tests is open, and those wait for the thread that this one would hold.
        try subscriber.database.run(
            """
            CREATE SUBSCRIPTION \(name) CONNECTION 'host=127.0.0.1 user=owner password=secret
            port=\(publisher.database.server.port) dbname=\(publisher.database.name)'
            PUBLICATION songs WITH (create_slot = false, slot_name = NONE, enabled = false)
            """)
        defer { drop(name, subscriber.database) }
        let told = try await source.limits().proofs
        #expect(
            told
                == "table \"song\" is filled by a subscription of logical replication, which may "
                + "lag behind; name the database that publishes it")
        let role = try subscriber.role("GRANT SELECT ON song TO ROLE")
        #expect(
            try await subscriber.source(role, keys: ["song": ["cover"]]).limits().proofs == told)
        if !partitioned.isEmpty {
            let partition = subscriber.source(keys: ["one": ["cover"]])
            #expect(try await partition.limits().proofs != nil)
        }
        // What nobody mapped is no reason.
        #expect(try await subscriber.source(keys: ["note": ["id"]]).limits().proofs == nil)
    }

    // A database that has one cannot be removed.
    private func drop(_ name: String, _ database: PostgresTestDatabase) {
        do {
            try database.run("DROP SUBSCRIPTION \(name)")
        } catch {
            Issue.record(error)
        }
    }
}
