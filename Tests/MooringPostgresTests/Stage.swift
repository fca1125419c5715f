import Foundation
import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringPostgres

/// A database of a test's own, and sources on it.
struct Stage {
    let database: PostgresTestDatabase

    init(_ sql: String = "", encoding: String = "UTF8") async throws {
        database = try await PostgresTestServer.start().makeDatabase(encoding: encoding)
        if !sql.isEmpty { try database.run(sql) }
    }

    /// A source whose models lie in these tables, each with the columns that hold its keys.
    func source(
        _ address: String? = nil, keys: [String: [String]] = [:],
        options: PostgresOptions = PostgresOptions(lockTimeout: .milliseconds(300))
    ) -> PostgresSource {
        var models: [ModelMapping] = []
        for (table, columns) in keys {
            var model = ModelMapping(model: table)
            model.files = columns.map { FileField(field: $0) }
            models.append(model)
        }
        return PostgresSource(
            name: "app", address: address ?? database.openURL,
            mapping: RecordMapping(source: "app", models: models), options: options)
    }

    /// Makes a role with the password `secret` that may connect, and gives its address.
    func role(_ grants: String) throws -> String {
        let name = "role_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try database.run(
            "CREATE ROLE \(name) LOGIN PASSWORD 'secret'; "
                + grants.replacing("ROLE", with: name))
        return database.url(user: name + ":secret", port: database.server.port)
    }

    /// The values of a table's columns as the source reads them, one row after the other.
    func read(_ table: String, _ columns: String...) async throws -> [[FieldValue]] {
        let scan = try await source().read(
            .columns([TableColumns(table: table, columns: columns)]))
        try #require(scan.result.problems.isEmpty, "\(scan.result.problems)")
        return scan.batches.flatMap(\.rows)
    }
}

extension FieldValue {
    static func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }
    static func json(_ text: String) -> FieldValue { .json(Array(text.utf8)) }
}
