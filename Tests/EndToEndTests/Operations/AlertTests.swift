import TestServers
import Testing

/// Prometheus' rules and Grafana's dashboard ask for what runs really write.
@Suite("Alerts and dashboard")
struct AlertTests {
    private static let rules = OperationFile("mooring.alerts.yml")
    private static let tests = OperationFile("mooring.alerts.test.yml")
    private static let dashboard = OperationFile("mooring.dashboard.json")

    private func rules() async throws -> [JSON] {
        try await Self.rules.documents()[0]["groups"].elements.flatMap { $0["rules"].elements }
    }

    @Test("The rules are right, and tell what they are there for", .requiresOperationTools)
    func promtool() async throws {
        let check = try await OperationTools.run("promtool", "check", "rules", Self.rules.path)
        #expect(check.status == 0, "\(check.told)")
        let tests = try await OperationTools.run("promtool", "test", "rules", Self.tests.path)
        #expect(tests.status == 0, "\(tests.told)")
        // A rule that tells nothing would pass, were it not for these.
        let told = try await Self.tests.documents()[0]["tests"].elements
            .flatMap { $0["alert_rule_test"].elements }
        for rule in try await rules() {
            let own = told.filter { $0["alertname"].string == rule["alert"].string }
            let fires = own.filter { !$0["exp_alerts"].elements.isEmpty }
            #expect(!fires.isEmpty && fires.count < own.count, "\(rule["alert"].string ?? "")")
        }
    }

    @Test("Every rule asks for metrics and labels that are written", .requiresOperationTools)
    func metrics() async throws {
        let rules = try await rules()
        #expect(rules.count >= 10)
        for rule in rules {
            let query = try #require(rule["expr"].string)
            #expect(query.contains("mooring_"))
            #expect(try OperationFile.unknownNames(in: query) == [], "\(query)")
        }
        #expect(try OperationFile.unknownNames(in: "mooring_dangling{kid=\"x\"}").count == 2)
    }

    @Test("Every query of the dashboard is right, and has an answer", .requiresOperationTools)
    func dashboard() async throws {
        let page = try JSON(parsing: try Self.dashboard.text())
        let panels = page["panels"].elements
        #expect(panels.allSatisfy { $0["title"].string?.isEmpty == false })
        #expect(Set(panels.compactMap { $0["id"].integer }).count == panels.count)
        let queries = panels.flatMap { $0["targets"].elements }.compactMap { $0["expr"].string }
        #expect(queries.count > panels.count)
        for query in queries {
            #expect(try OperationFile.unknownNames(in: query) == [], "\(query)")
        }
        for variable in page["templating"]["list"].elements {
            let query = variable["definition"].string ?? ""
            #expect(try OperationFile.unknownNames(in: query) == [], "\(query)")
        }
        // Whatever a run writes is shown somewhere, but for what only a command writes.
        let shown = Set(queries.joined().matches(of: /mooring_[a-z_]+/).map { String($0.output) })
        #expect(try OperationFile.writtenNames().metrics.subtracting(shown) == [])
        try await check(queries)
    }

    // Prometheus' own parser takes queries in a file of rules.
    private func check(_ queries: [String]) async throws {
        let folder = Folder(path: try Folder.make())
        let rules = queries.enumerated().map { number, query in
            "- {record: \"query:\(number)\", expr: '\(query.replacing("'", with: "''"))'}"
        }
        try folder.write(
            "queries.yml",
            "groups:\n- name: queries\n  rules:\n  "
                + rules.joined(separator: "\n  ") + "\n")
        let answer = try await OperationTools.run(
            "promtool", "check", "rules", folder.path + "/queries.yml")
        #expect(answer.status == 0, "\(answer.told)")
        #expect(answer.told.contains("\(queries.count) rules found"), "\(answer.told)")
    }
}
