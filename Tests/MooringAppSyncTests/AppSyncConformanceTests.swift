import Foundation
import MooringModel
import StoreConformance
import TestServers
import Testing

/// An API with the tables of the conformance suite; what the app does goes to its rows directly.
private struct APIFixture: RecordFixture {
    static let models = """
        {"Song": {"fields": {"id": "ID!", "cover": "String", "version": "Int"}},
         "Pair": {"fields": {"pk": "ID!", "sk": "String!", "file": "Int"}, "key": ["pk", "sk"]},
         "Setting": {"fields": {"name": "String!", "value": "String"}, "key": ["name"]}}
        """

    let stage: AppSyncStage
    var source: any ActingRecordSource { stage.source }

    init() async throws { stage = try await AppSyncStage(models: Self.models, types: "{}") }

    private func columns(_ table: String) -> [String] {
        RecordConformance.tables.first { $0.name == table }?.columns ?? []
    }

    func insert(_ table: String, _ row: [FieldValue]) async throws {
        let members = zip(columns(table), row).map { column, value in
            let text: JSONValue =
                switch value {
                case .integer(let number): .integer(number)
                case .text(let bytes): .string(String(decoding: bytes, as: UTF8.self))
                default: .null
                }
            return JSONValue.Member(name: column, value: text)
        }
        let document = JSONValue.object([
            JSONValue.Member(name: table, value: .array([.object(members)]))
        ])
        try stage.api.load(String(decoding: document.rendered, as: UTF8.self))
    }

    func stored(_ table: String) async throws -> [[FieldValue]] {
        try stage.api.rows(table).map { row in
            columns(table).map { column in
                switch row[column] {
                case let text as String: .text(Array(text.utf8))
                case let number as NSNumber: .integer(number.int64Value)
                default: .null
                }
            }
        }
    }
}

/// The API does what every live record source has to do.
@Suite("AppSync: conformance", .requires(.appsync), .timeLimit(.minutes(60)))
struct AppSyncConformanceTests {
    @Test("The conformance suite of record sources")
    func conformance() async throws {
        var traits = RecordTraits()
        traits.mixesClasses = false
        traits.holdsAnyBytes = false
        traits.holdsEmptyID = false
        traits.holdsDuplicates = false
        try await RecordConformance(traits) { try await APIFixture() }.verify()
    }
}
