package import MooringModel
import MooringText

extension PostgresSource {
    /// The cluster's system identifier and the database's oid: neither is the same in another
    /// cluster, nor in a database that was dropped and made anew. What a role may not read is told.
    package func identity() async throws -> SourceIdentity {
        try await look(at: nil) { catalogue throws(PostgresFailure) in
            var identity = SourceIdentity()
            let rows = try catalogue.connection.query(
                SQLText(
                    """
                    SELECT d.oid::pg_catalog.text, pg_catalog.has_function_privilege(
                        'pg_catalog.pg_control_system()', 'EXECUTE')
                    FROM pg_catalog.pg_database AS d
                    WHERE d.datname = pg_catalog.current_database()
                    """))
            if rows.count == 1, let oid = rows.text(0, 0) {
                identity.parts["database"] = String(decoding: oid, as: UTF8.self)
            }
            guard rows.count == 1, rows.isTrue(0, 1) else {
                identity.unread = [
                    "the role may not run pg_control_system(), which tells the cluster; to let it: "
                        + "GRANT EXECUTE ON FUNCTION pg_catalog.pg_control_system() TO the role"
                ]
                return identity
            }
            let control = try catalogue.connection.query(
                SQLText(
                    """
                    SELECT system_identifier::pg_catalog.text
                    FROM pg_catalog.pg_control_system()
                    """))
            if control.count == 1, let id = control.text(0, 0) {
                identity.parts["cluster"] = String(decoding: id, as: UTF8.self)
            }
            return identity
        }
    }
}
