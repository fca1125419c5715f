import Glibc
import TestServers
import Testing

/// What pipelines and dashboards read of a run, as the program writes it.
@Suite("Formats for programs, end to end")
struct MachineFormatTests {
    private static let formats = "[json, markdown, junit, sarif, prometheus, github]"
    private static let files = ["report.md", "junit.xml", "report.sarif", "metrics.prom"]

    private func app(gates: String = "[]") throws -> App {
        var settings = App.Settings()
        settings.race = "{preset: testing}"
        settings.report = "{directory: Reports/Runs, formats: \(Self.formats)}"
        settings.extra = "gates: \(gates)"
        return try App(settings)
    }

    private func newest(_ app: App) throws -> String {
        "Reports/Runs/" + (try #require(try app.runs().first?["id"].string))
    }

    private func sample(_ name: String, _ app: App, _ folder: String) throws -> Double {
        let lines = try #require(app.read(folder + "/metrics.prom")).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("mooring_" + name) }, "\(name)")
        return try #require(line.split(separator: " ").last.flatMap { Double($0) })
    }

    @Test("A check keeps its gates and the change, and tells them in every format, also later")
    func check() throws {
        let app = try app(gates: "[\"dangling.settled == 0\", \"orphan.bytes < 1GiB\"]")
        try app.orphan()
        try app.expect(0, "check")
        #expect(try app.report()["change"].isNull)
        let before = try #require(try app.report()["run"]["id"].string)
        try app.dangling()
        try app.expect(1, "check")
        let report = try app.report()
        #expect(report["gates"][0]["gate"].string == "dangling.settled == 0")
        #expect(report["gates"][0]["value"].integer == 1)
        #expect(report["gates"][0]["passed"].bool == false)
        #expect(report["gates"][1]["passed"].bool == true)
        #expect(report["change"]["since"].string == before)
        #expect(report["change"]["new"].names == ["dangling"])
        #expect(report["change"]["gone"].names == [])
        let folder = try newest(app)
        let names = Self.files + ["report.json"]
        let written = try names.map { try #require(app.read(folder + "/" + $0)) }
        #expect(written[0].contains("**1 of 2 gates failed.**"))
        #expect(written[1].contains("<failure message=\"dangling.settled == 0: the value is 1\""))
        let log = try JSON(parsing: written[2])["runs"][0]
        #expect(log["invocations"][0]["executionSuccessful"].bool == true)
        let places = log["results"].elements.map {
            $0["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].string
        }
        #expect(places == ["mooring.yaml", "mooring.yaml"])
        #expect(written[3].contains("mooring_gate_passed{command=\"check\",gate=\"dangling"))
        // A run is told in the same words once more.
        let run = try #require(report["run"]["id"].string)
        try app.expect(0, "audit")
        try app.expect(0, "report", run)
        for (name, text) in zip(names, written) {
            #expect(app.read(folder + "/" + name) == text, "\(name)")
        }
    }

    @Test("A run that could not read a side tells programs so, beside the last one that succeeded")
    func incomplete() throws {
        let app = try app(gates: "[\"dangling == 0\"]")
        try app.orphan()
        try app.expect(0, "check")
        let good = try newest(app)
        let success = try sample("last_success_timestamp_seconds", app, good)
        #expect(success == (try sample("last_run_timestamp_seconds", app, good)))
        // A run that only looks from another moment is no success of the job.
        try app.expect(0, "check", "--as-of", "2026-01-01T00:00:00Z")
        try app.rename("app.sqlite", to: "elsewhere")
        try app.expect(4, "check")
        let bad = try newest(app)
        #expect(bad != good)
        #expect(try sample("last_success_timestamp_seconds", app, bad) == success)
        #expect(try sample("last_run_timestamp_seconds", app, bad) >= success)
        #expect(try #require(app.read(bad + "/junit.xml")).contains("<error "))
        let page = try #require(app.read(bad + "/report.md"))
        #expect(page.contains("| `dangling == 0` | 0 | not judged |"))
        let log = try JSON(parsing: try #require(app.read(bad + "/report.sarif")))["runs"][0]
        #expect(log["invocations"][0]["executionSuccessful"].bool == false)
        #expect(log["results"].elements.isEmpty)
        #expect(app.read("Reports/Runs/latest/metrics.prom") != app.read(bad + "/metrics.prom"))
    }

    @Test("A run that an error ended tells programs so, in their formats alone")
    func failed() throws {
        let app = try app()
        try app.orphan()
        let plan = try #require(try app.plan().plan["id"].string)
        try app.expect(0, "repair", plan, "--apply")
        let success = try sample("last_success_timestamp_seconds", app, try newest(app))
        try app.expect(0, "audit")
        let refused = try app.expect(3, "repair", plan, "--apply")
        let folder = try newest(app)
        #expect(Self.files.allSatisfy { app.exists(folder + "/" + $0) })
        #expect(!app.exists(folder + "/report.json"))
        #expect(try sample("last_success_timestamp_seconds", app, folder) == success)
        #expect(try sample("run_status{command=\"repair\",status=\"refused\"}", app, folder) == 1)
        let xml = try #require(app.read(folder + "/junit.xml"))
        #expect(xml.contains("<error "), "\(refused.told)")
    }

    @Test("What a nightly run did about a finding stands beside it, also when told again")
    func outcome() throws {
        let app = try app()
        try app.orphan()
        try app.dangling()
        var settings = App.Settings()
        settings.race = "{preset: testing}"
        settings.repair = "{apply: true, orphan: quarantine, dangling: nullify}"
        settings.report = "{directory: Reports/Runs, formats: \(Self.formats)}"
        try app.configure(settings)
        for _ in 0..<3 { _ = try app.mooring("run") }
        let runs = try app.runs()
        let acting = try #require(runs.first { ($0["repairs"]["done"].integer ?? 0) > 0 })
        let run = try #require(acting["id"].string)
        for _ in 0..<2 {
            let outcomes = try app.outcomes(run)
            #expect(outcomes.count == acting["repairs"]["done"].integer)
            #expect(Set(outcomes.values) == ["done"])
            try app.expect(0, "report", run)
        }
    }

    @Test("A repair reports the findings of its steps, and the audit told again says the same")
    func repaired() throws {
        let app = try app()
        try app.orphan()
        try app.dangling()
        try app.expect(0, "audit")
        let plan = try app.plan()
        try app.song("s9", cover: App.cover("s9"))
        try app.expect(0, "repair", plan.path, "--apply")
        let done = try #require(try app.newest("repair")["id"].string)
        #expect(try app.report(done)["run"]["status"].string == "complete")
        let repaired = try app.outcomes(done)
        #expect(!repaired.isEmpty && repaired.values.allSatisfy { $0 == "done" })
        let audited = try #require(try app.newest("audit")["id"].string)
        #expect(try app.outcomes(audited).isEmpty)
        for run in [done, audited] {
            try app.expect(0, "report", run)
            #expect(try app.outcomes(run) == repaired)
        }
    }

    @Test("Readers that are not ours take every file", .requiresReportReaders)
    func readers() async throws {
        let app = try app(gates: "[\"dangling.settled == 0\", \"new.orphan <= 3\"]")
        for number in 1...3 { try app.orphan("s\(number)") }
        try app.dangling()
        let hostile = ["<img src=x>.png", "]]>--><!--.png", "=cmd().png", "a`|b](http.png"]
        for (number, name) in hostile.enumerated() {
            try app.write("files/public/\(name)", "hostile \(number)")
        }
        try app.expect(1, "check")
        try await ReportReaders.read(app.path + "/" + newest(app))
        try app.rename("app.sqlite", to: "elsewhere")
        try app.expect(4, "check")
        try await ReportReaders.read(app.path + "/" + newest(app))
    }
}

extension App {
    /// How steps ended, by the ids of the findings of a run's report.
    fileprivate func outcomes(_ run: String) throws -> [String: String] {
        let lines = try #require(read("Reports/Runs/\(run)/findings.jsonl"))
        var outcomes: [String: String] = [:]
        for line in lines.split(separator: "\n") {
            let finding = try JSON(parsing: String(line))
            outcomes[try #require(finding["id"].string)] = finding["outcome"].string
        }
        return outcomes
    }
}
