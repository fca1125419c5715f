import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringDynamoDB

/// Tables of a real server for the suite that every source passes.
private struct TableFixture: RecordFixture {
    let stage: Stage
    let source: any ActingRecordSource

    init(_ kind: ServerKind) async throws {
        stage = try await Stage(kind)
        source = stage.source()
        try await stage.makeTable("Song")
        try await stage.makeTable("Pair", hash: "pk", range: "sk")
        try await stage.makeTable("Setting", hash: "name")
    }

    func insert(_ table: String, _ row: [FieldValue]) async throws {
        let columns = RecordConformance.tables.first { $0.name == table }?.columns ?? []
        var item = RequestBody()
        for (column, value) in zip(columns, row) {
            if let typed = try AttributeWriter.typed(value) { item.add(column, typed) }
        }
        try await stage.put(table, String(decoding: item.text, as: UTF8.self))
    }

    func stored(_ table: String) async throws -> [[FieldValue]] {
        let columns = RecordConformance.tables.first { $0.name == table }?.columns ?? []
        let scan = TableColumns(table: table, columns: columns)
        return try await stage.source { $0.isConsistent = true }.read(.columns([scan]))
            .batches.flatMap(\.rows)
    }
}

@Suite("DynamoDB does what every live source does")
struct ConformanceTests {
    private static func verify(_ kind: ServerKind) async throws {
        var traits = RecordTraits()
        traits.mixesClasses = false
        traits.holdsAnyBytes = false
        traits.holdsEmptyID = false
        traits.holdsDuplicates = false
        traits.hasFixedColumns = false
        try await RecordConformance(traits) { try await TableFixture(kind) }.verify()
    }

    @Test("on MiniStack", .requires(.ministack))
    func ministack() async throws { try await Self.verify(.ministack) }

    @Test("on moto", .requires(.moto))
    func moto() async throws { try await Self.verify(.moto) }
}
