import MooringAWS
import MooringModel
import Testing

@testable import MooringDynamoDB

@Suite("Tables that other regions have replicas of")
struct GlobalTableTests {
    private static let replicas = #""Replicas":[{"RegionName":"us-east-1"}],"#

    private func caller(_ members: String) -> ScriptedCaller {
        ScriptedCaller { request in
            switch request.call {
            case "DescribeTable":
                let table = String(decoding: AWSResponse.table.body, as: UTF8.self)
                return .json(table.replacing(#"{"Table":{"#, with: #"{"Table":{"# + members))
            case "GetItem": return .json(#"{"Item":{"id":{"S":"1"},"x":{"S":"a"}}}"#)
            default: return .json("{}")
            }
        }
    }

    @Test(
        "They prove nothing and are not written, unless they are strongly consistent",
        arguments: [
            ("", true), (#""Replicas":[],"#, true), (replicas, false),
            (#""GlobalTableVersion":"2017.11.29","#, false),
            (replicas + #""MultiRegionConsistency":"EVENTUAL","#, false),
            (replicas + #""MultiRegionConsistency":"STRONG","#, true),
        ])
    func replicated(_ members: String, _ isTrusted: Bool) async throws {
        for isOnlyWriter in [false, true] {
            let caller = caller(members)
            let source = caller.source {
                $0.models = [ModelMapping(model: "Song")]
                $0.writesVersioned = true
                $0.isOnlyWriter = isOnlyWriter
            }
            let isWritten = isTrusted || isOnlyWriter
            let proofs = try await source.limits().proofs
            #expect((proofs == nil) == isWritten)
            #expect(isWritten || proofs?.contains("writers: thisRegion") == true)
            let change = RecordChange(
                table: "Song", idColumns: ["id"], id: RecordID("1"),
                expected: [ColumnValue("x", .text(Array("a".utf8)))],
                assignments: [ColumnValue("x", .null)])
            if isWritten {
                #expect(try await source.update(change) == .written)
            } else {
                let error = await #expect(throws: StoreError.self) {
                    _ = try await source.update(change)
                }
                #expect(error?.isRefusal == true)
            }
            #expect(caller.sent.contains { $0.call == "UpdateItem" } == isWritten)
        }
    }
}
