import PlainS3
import TestServers
import Testing

@Suite("Records in DynamoDB", .requires(.ministack), .timeLimit(.minutes(60)))
struct DynamoDBTests {
    @Test("The demo's records give the same findings from there, and are repaired and restored")
    func demo() async throws {
        let app = try await DynamoDBApp()
        let expected = try app.demo.expected()
        try await app.move(", versionedTables: write")
        #expect(try app.demo.findings() == expected)
        try app.demo.round()
    }

    @Test("moto gives the same findings, and is repaired and restored", .requires(.moto))
    func moto() async throws {
        let app = try await DynamoDBApp(.moto)
        let expected = try app.demo.expected()
        try await app.move(", versionedTables: write")
        #expect(try app.demo.findings() == expected)
        try app.demo.round()
    }

    @Test("Tables under conflict detection are read, and no record of them is written")
    func versioned() async throws {
        let app = try await DynamoDBApp()
        let expected = try app.demo.expected()
        let proxy = try app.server.proxy()
        try await app.move(port: proxy.port)
        #expect(try app.demo.findings() == expected)
        let doctor = try app.demo.mooring("doctor")
        #expect(doctor.output.contains("records are not written"))
        _ = try app.demo.mooring("plan")
        let repair = try app.demo.mooring("repair", "Reports/Runs/latest/plan.json", "--apply")
        #expect([0, 5].contains(repair.status), "\(repair.told)")
        let calls = Set(proxy.log.compactMap { $0["x-amz-target"]?.split(separator: ".").last })
        let reads: Set<Substring> = [
            "Scan", "GetItem", "DescribeTable", "ListTables", "DescribeContinuousBackups",
            "DescribeTimeToLive",
        ]
        #expect(calls.isSubset(of: reads))
    }

    @Test("Tables of others are left to them by a list, and doctor says what a run reads")
    func tables() async throws {
        let app = try await DynamoDBApp()
        let expected = try app.demo.expected()
        let names = try app.demo.tables().map(\.name).joined(separator: ", ")
        let other = app.prefix + "Payroll"
        try await app.server.run { try $0.makeTable(other, hash: "id") }
        let proxy = try app.server.proxy()
        try await app.move(port: proxy.port, ", tables: [\(names)]")
        #expect(try app.demo.findings() == expected)
        let doctor = try app.demo.mooring("doctor")
        #expect(doctor.output.contains("read request units"), "\(doctor.told)")
        #expect(doctor.output.contains("does not name is not read"), "\(doctor.told)")
        let scans = proxy.log.filter { $0["x-amz-target"]?.hasSuffix(".Scan") == true }
        #expect(!scans.isEmpty)
    }

    @Test("Throttled scans end whole; one that gives up is incomplete and leaves with 4")
    func throttled() async throws {
        let app = try await DynamoDBApp()
        let expected = try app.demo.expected()
        let proxy = try app.server.proxy()
        try await app.move(port: proxy.port, ", readCapacity: 100000/s")
        let slower = FaultRule.Fault.answer(
            400, body: #"{"__type":"x#ProvisionedThroughputExceededException","message":""}"#)
        proxy.set(FaultRule(slower, turns: 2...5))
        #expect(try app.demo.findings() == expected)
        proxy.set(
            FaultRule(
                .answer(400, body: #"{"__type":"x#AccessDeniedException","message":"no"}"#),
                where: { $0["x-amz-target"]?.hasSuffix("Scan") == true }))
        let refused = try app.demo.mooring("audit")
        #expect(refused.status == 4, "\(refused.told)")
        #expect(refused.told.contains("dynamodb:Scan"))
        #expect(try app.demo.mooring("plan").status != 0)
    }

    @Test("Nothing is repaired while the service's clock, which dates the records, is far off")
    func clock() async throws {
        let app = try await DynamoDBApp()
        let proxy = try app.server.proxy()
        try await app.move(port: proxy.port, ", versionedTables: write")
        try app.demo.refusesAClock { seconds in
            proxy.set(FaultRule(.clock(ahead: seconds)))
        }
    }
}
