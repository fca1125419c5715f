import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringAppSync

@Suite(
    "AppSync: what an act reads of a record, and what pass B saw of it", .requires(.appsync),
    .timeLimit(.minutes(60)))
struct AppSyncJudgedRowTests {
    private static let models = """
        {"Rich": {"fields": {"id": "ID!", "text": "String", "number": "Int", "real": "Float",
          "flag": "Boolean", "list": "[String]", "numbers": "[Float]", "file": "S3Object",
          "files": "[S3Object]", "json": "AWSJSON", "at": "AWSDateTime", "stamp": "AWSTimestamp",
          "postID": "ID"}, "one": {"post": "Pair"}},
         "Pair": {"fields": {"pk": "ID!", "sk": "Int!", "note": "String"}, "key": ["pk", "sk"]}}
        """
    private static let types = """
        {"S3Object": {"bucket": "String!", "key": "String!", "region": "String", "place": "Place"},
         "Place": {"latitude": "Float", "names": "[String]"}}
        """
    private static let rows = #"""
        {"Rich": [
          {"id": "empty"},
          {"id": "nulls", "text": null, "list": null, "file": null, "real": null},
          {"id": "e\u0301\u0000/'", "text": "", "number": -2147483648, "real": -0.0, "flag": false,
           "list": [], "numbers": [], "files": [], "json": "{\"b\" : 1, \"a\":[1.0]}"},
          {"id": "x", "text": "line\n\"q\" </script> \\u0041 \ud83d\ude00", "number": 2147483647,
           "real": 1e300, "flag": true, "list": ["a", null, "a"], "numbers": [0.1, 1, null, 1e-7],
           "file": {"region": null, "key": "k", "bucket": "b",
                    "place": {"names": ["n", null], "latitude": 1.0}},
           "files": [null, {"bucket": "b", "key": "l/\u00e9"}], "at": "2026-11-22T03:04:05.5+01:00",
           "stamp": 1790000000, "postID": "p"},
          {"id": "one", "real": 1, "numbers": [1.0, 3]}],
         "Pair": [{"pk": "p", "sk": 1, "note": "n"}, {"pk": "p", "sk": -2},
                  {"pk": "p/1", "sk": 1}]}
        """#

    @Test(
        "Every kind of field is the same by a list and by a record's own query",
        arguments: ["none", "optimistic", "automerge"])
    func values(mode: String) async throws {
        let stage = try await AppSyncStage(
            mode: mode, models: Self.models, types: Self.types, options: { $0.pageSize = 2 })
        try stage.api.load(Self.rows)
        #expect(try await stage.source.readsAtTheActWhatWasScanned("Rich", id: ["id"]) == 5)
        #expect(try await stage.source.readsAtTheActWhatWasScanned("Pair", id: ["pk", "sk"]) == 3)
    }
}
