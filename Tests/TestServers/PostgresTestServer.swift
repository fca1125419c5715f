import CPostgres
import Foundation

/// A running PostgreSQL that the tests of this process share; each test makes databases of its own.
package struct PostgresTestServer: Sendable {
    /// Where the server listens on 127.0.0.1, and where a standby of it does.
    package let port: Int
    package let replicaPort: Int
    /// The file with the server's certificate, good for `localhost`, which only that file vouches
    /// for.
    package let certificate: String
    /// The superuser, and its password.
    package static let user = "owner"
    package static let password = "secret"

    /// The server; starts it when nobody has.
    package static func start() async throws -> PostgresTestServer {
        let ports = try await Servers.shared.ports(.postgres)
        return PostgresTestServer(
            port: ports.plain, replicaPort: ports.replica, certificate: ports.data + "/tls.crt")
    }

    /// Makes a database with a name that nobody had.
    package func makeDatabase(encoding: String = "UTF8") throws -> PostgresTestDatabase {
        let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        let server = PostgresTestDatabase(server: self, name: "postgres")
        try server.run(
            "CREATE DATABASE \(name) ENCODING '\(encoding)' LOCALE 'C' TEMPLATE template0")
        return PostgresTestDatabase(server: self, name: name)
    }
}

/// One database of a test, spoken to as an app does, by blocking calls.
package final class PostgresTestDatabase: @unchecked Sendable {
    /// The server.
    package let server: PostgresTestServer
    /// The database's name.
    package let name: String
    private let port: Int
    private let lock = NSLock()
    private var connection: OpaquePointer?

    /// A database that exists, on the server or on its standby's port.
    package init(server: PostgresTestServer, name: String, port: Int? = nil) {
        self.server = server
        self.name = name
        self.port = port ?? server.port
    }

    deinit { PQfinish(connection) }

    /// The address without its password.
    package var url: String { url(user: PostgresTestServer.user, port: server.port) }

    /// The address of the superuser with its password, which no configuration may hold.
    package var openURL: String { url(user: "owner:secret", port: server.port) }

    /// The same of the standby.
    package var replicaURL: String { url(user: "owner:secret", port: server.replicaPort) }

    /// An address of this database.
    package func url(user: String, port: Int) -> String {
        "postgresql://\(user)@127.0.0.1:\(port)/\(name)"
    }

    /// Runs statements; parameters of a single one are texts, given as bytes without NUL.
    package func run(_ sql: String, _ values: [UInt8]?...) throws {
        _ = try rows(sql, values)
    }

    /// All rows as texts, nil for NULL.
    package func rows(_ sql: String, _ values: [[UInt8]?] = []) throws -> [[String?]] {
        try bytes(sql, values).map { row in
            row.map { $0.map { String(decoding: $0, as: UTF8.self) } }
        }
    }

    /// All rows as the server writes their texts.
    package func bytes(_ sql: String, _ values: [[UInt8]?] = []) throws -> [[[UInt8]?]] {
        try lock.withLock {
            let connection = try connected()
            let texts = values.map { value in
                value.map { strdup(($0.map(CChar.init(bitPattern:)) + [0])) }
            }
            defer { texts.forEach { free($0 ?? nil) } }
            let pointers = texts.map { UnsafePointer($0 ?? nil) }
            let result =
                values.isEmpty
                ? PQexec(connection, sql)
                : PQexecParams(
                    connection, sql, Int32(values.count), nil, pointers, nil, nil, 0)
            defer { PQclear(result) }
            guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
                throw ServerError(String(cString: PQerrorMessage(connection)))
            }
            return (0..<PQntuples(result)).map { row in
                (0..<PQnfields(result)).map { column in
                    guard PQgetisnull(result, row, column) == 0,
                        let start = PQgetvalue(result, row, column)
                    else { return nil }
                    let count = Int(PQgetlength(result, row, column))
                    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
                }
            }
        }
    }

    private func connected() throws -> OpaquePointer {
        if let connection { return connection }
        guard let made = PQconnectdb(url(user: "owner:secret", port: port)),
            PQstatus(made) == CONNECTION_OK
        else {
            throw ServerError("no connection to database \(name)")
        }
        PQsetNoticeReceiver(made, { _, _ in }, nil)
        connection = made
        return made
    }
}
