import MooringAWS
import MooringModel
import StoreConformance
import Testing

@testable import MooringDynamoDB

@Suite("Which tables are read, and how fast")
struct TableChoiceTests {
    private static let names = ["app.Song", "app.Plays", "app.Payroll", "Others"]

    private func caller(_ members: String = "") -> ScriptedCaller {
        ScriptedCaller { request in
            switch request.call {
            case "ListTables":
                let names = Self.names.map { "\"\($0)\"" }.joined(separator: ",")
                return .json(#"{"TableNames":[\#(names)]}"#)
            case "DescribeTable":
                let table = String(decoding: AWSResponse.table.body, as: UTF8.self)
                return .json(table.replacing(#"{"Table":{"#, with: #"{"Table":{"# + members))
            default: return .json(#"{"Items":[{"id":{"S":"1"}}],"Count":1}"#)
            }
        }
    }

    private func source(_ caller: ScriptedCaller, _ tables: [String]?) -> DynamoDBSource {
        caller.source {
            $0.names = TableNames(prefix: "app.")
            $0.tables = tables?.map { Glob($0) }
            $0.models = [ModelMapping(model: "Song")]
            $0.rate = .ofTable
        }
    }

    @Test(
        "The confirm scan reads the tables of the list, the mapped ones, and no others",
        arguments: [
            (nil, ["Song", "Plays", "Payroll"]), (["Song", "Pl*"], ["Song", "Plays"]),
            (["Plays"], ["Song", "Plays"]), (["*"], ["Song", "Plays", "Payroll"]),
        ] as [([String]?, [String])])
    func chosen(_ tables: [String]?, _ expected: [String]) async throws {
        let caller = caller()
        let scan = try await source(caller, tables).read(.everything)
        #expect(scan.result.isComplete, "\(scan.result.problems)")
        #expect(Set(scan.batches.map(\.table)) == Set(expected))
        #expect(!caller.sent.contains { $0.call == "Scan" && $0.text.contains("Others") })
    }

    @Test("An entry that fits no table may be a slip, and makes the scan incomplete")
    func slips() async throws {
        let scan = try await source(caller(), ["Song", "Payrol"]).read(.everything)
        #expect(!scan.result.isComplete)
        let reason = scan.result.problems.first?.reason ?? ""
        #expect(reason.contains(#"no table fits "Payrol" of tables"#), "\(reason)")
        #expect(scan.batches.map(\.table) == ["Song"])
    }

    @Test(
        "A scan takes half of what its table gives, unless the settings say how much",
        arguments: [
            (#""ProvisionedThroughput":{"ReadCapacityUnits":90},"#, 45),
            (#""ProvisionedThroughput":{"ReadCapacityUnits":1},"#, 1),
            (#""ProvisionedThroughput":{"ReadCapacityUnits":0},"#, ReadBudgets.onDemand),
            (#""BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"#, ReadBudgets.onDemand),
            (#""OnDemandThroughput":{"MaxReadRequestUnits":200},"#, 100),
            (#""OnDemandThroughput":{"MaxReadRequestUnits":-1},"#, ReadBudgets.onDemand),
        ])
    func rates(_ members: String, _ rate: Int) async throws {
        let caller = caller(members)
        let source = source(caller, ["Song"])
        _ = try await source.read(.everything)
        let scan = try #require(caller.sent.first { $0.call == "Scan" })
        #expect(scan.text.contains(#""Limit":\#(rate)}"#), "\(scan.text)")
        let fixed = self.caller(members)
        let other = fixed.source {
            $0.names = TableNames(prefix: "app.")
            $0.rate = .fixed(7)
        }
        _ = try await other.read(
            .columns([TableColumns(table: "Song", columns: ["id"])]))
        #expect(fixed.sent.map(\.call) == ["Scan"])
        #expect(fixed.sent[0].text.contains(#""Limit":7}"#))
    }

    @Test("What a run reads is told by table and in whole, and so is what is left to others")
    func cost() async throws {
        let caller = caller(#""ItemCount":12,"TableSizeBytes":40960,"#)
        let told = try await source(caller, ["Song", "Plays"]).cost([
            .columns([TableColumns(table: "Song", columns: ["id"])]), .everything,
        ])
        #expect(told.count == 4)
        #expect(
            told[0] == #"table "app.Plays": 12 items, 40 KiB, read with at most 1500 units a "#
                + "second (on demand)")
        for (members, why) in [
            (
                #""ProvisionedThroughput":{"ReadCapacityUnits":90},"#,
                "at most 45 units a second (half of what is provisioned)"
            ),
            (
                #""OnDemandThroughput":{"MaxReadRequestUnits":200},"#,
                "at most 100 units a second (half of its maximum)"
            ),
        ] {
            let told = try await source(self.caller(members), ["Song"]).cost([.everything])
            #expect(told.first?.hasSuffix(why) == true, "\(told)")
        }
        // Song is read twice: 5 units as they come, and 10 consistently.
        #expect(told[2].hasPrefix("a run reads 2 tables, 80 KiB: about 25 read request units"))
        #expect(told[3].contains(#"1 table that tables: does not name is not read"#))
        #expect(told[3].hasSuffix(#"protects a file: "app.Payroll""#))
    }
}
