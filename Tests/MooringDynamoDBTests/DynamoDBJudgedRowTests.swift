import MooringModel
import StoreConformance
import TestServers
import Testing

@testable import MooringDynamoDB

@Suite("What an act reads of an item, and what pass B saw of it")
struct DynamoDBJudgedRowTests {
    // Each kind of value; items have few attributes in common, so that a batch pads its rows.
    private static let attributes = [
        #""s":{"S":""}"#, #""s":{"S":"e\u0301 \u0000 \"x\" </script>\n"}"#,
        #""n":{"N":"12345678901234567890.12345"}"#, #""n":{"N":"-9223372036854775808"}"#,
        #""n":{"N":"0.1"},"s":{"S":"x"}"#, #""n":{"N":"1E+100"}"#, #""b":{"B":"AP9c"}"#,
        #""t":{"BOOL":true},"u":{"BOOL":false}"#, #""x":{"NULL":true}"#,
        #""l":{"L":[{"S":"a"},{"N":"1.5"},{"NULL":true},{"B":"AA=="},{"L":[]}]}"#,
        #""m":{"M":{"b":{"S":"1"},"a":{"M":{"z":{"BOOL":false},"y":{"N":"7"}}}}}"#,
        #""m":{"M":{}},"l":{"L":[]}"#, #""q":{"SS":["b","a","\u00e9"]}"#,
        #""q":{"NS":["10","9","1.5"]}"#, #""q":{"BS":["/w==","AA=="]}"#,
        #""m":{"M":{"k":{"SS":["b","a"]},"n":{"N":"12345678901234567890"}}}"#,
        #""\u0020odd.name#":{"S":"v"},"at":{"S":"2026-11-22T03:04:05.5+01:00"}"#, #""y":{"S":"y"}"#,
    ]

    private static func verify(_ kind: ServerKind) async throws {
        let stage = try await Stage(kind)
        try await stage.makeTable("Rich", hash: "pk", range: "sk")
        try await stage.makeTable("One")
        for (number, text) in attributes.enumerated() {
            try await stage.put(
                "Rich", #"{"pk":{"S":"p\u00e9"},"sk":{"S":"s/\#(number)"},\#(text)}"#)
            try await stage.put("One", #"{"id":{"S":"i'\#(number)"},\#(text)}"#)
        }
        var model = ModelMapping(model: "One")
        model.files = [FileField(field: "cover")]
        model.changed = "at"
        for segments in [1, 3] {
            let source = stage.source {
                $0.segments = segments
                $0.models = [model]
            }
            let count = attributes.count
            let pairs = ["pk", "sk"]
            #expect(try await source.readsAtTheActWhatWasScanned("Rich", id: pairs) == count)
            #expect(try await source.readsAtTheActWhatWasScanned("One", id: ["id"]) == count)
        }
    }

    @Test("on MiniStack", .requires(.ministack))
    func ministack() async throws { try await Self.verify(.ministack) }

    @Test("on moto", .requires(.moto))
    func moto() async throws { try await Self.verify(.moto) }

    @Test("an export tells the same in both passes, and serves no act")
    func export() async throws {
        let export = try WrittenExport()
        let names = ["id", "s", "n", "b", "t", "u", "x", "l", "m", "q", " odd.name#", "at", "y"]
        try export.write([
            Self.attributes.enumerated().map {
                #"{"Item":{"id":{"S":"\#($0)"},\#($1)}}"#
            }
        ])
        try await export.source().isACopyThatServesNoAct("Song", names)
    }
}
