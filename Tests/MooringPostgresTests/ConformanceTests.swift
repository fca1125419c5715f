import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringPostgres

/// The conformance suite's tables in a database of their own.
private struct TableFixture: RecordFixture {
    let stage: Stage
    let source: any ActingRecordSource

    init() async throws {
        let types = ["version": "bigint", "file": "bigint"]
        stage = try await Stage(
            RecordConformance.tables.map { name, columns in
                let list = columns.map { "\"\($0)\" \(types[$0] ?? "text")" }
                return "CREATE TABLE \"\(name)\" (\(list.joined(separator: ", ")))"
            }.joined(separator: "; "))
        source = stage.source()
    }

    func insert(_ table: String, _ row: [FieldValue]) async throws {
        let places = row.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        _ = try stage.database.bytes(
            "INSERT INTO \"\(table)\" VALUES (\(places))", row.map(\.bytes))
    }

    func stored(_ table: String) async throws -> [[FieldValue]] {
        let columns = RecordConformance.tables.first { $0.name == table }?.columns ?? []
        return try stage.database.bytes("SELECT * FROM \"\(table)\"").map { row in
            zip(columns, row).map { column, bytes in
                guard let bytes else { return .null }
                guard ["version", "file"].contains(column) else { return .text(bytes) }
                return .integer(Int64(String(decoding: bytes, as: UTF8.self)) ?? -1)
            }
        }
    }
}

struct ConformanceTests {
    @Test(
        "A PostgreSQL database does what every live record source does", .requires(.postgres))
    func conforms() async throws {
        var traits = RecordTraits()
        traits.mixesClasses = false
        traits.holdsAnyBytes = false
        traits.holdsNUL = false
        try await RecordConformance(traits) { try await TableFixture() }.verify()
    }
}
