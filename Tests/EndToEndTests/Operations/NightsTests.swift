import Glibc
import SeededNumbers
import Testing

/// A month of the nightly job on one app: what it tells each morning, and the trend that it leaves.
@Suite("A month of nights")
struct NightsTests {
    /// What happened to the app before a night.
    private enum Day: Equatable {
        case quiet
        case orphans(Int)
        case dangling(Int)
        /// The database cannot be read that night.
        case unreadable
        /// The files are not mounted that night.
        case unmounted
    }

    /// What the app and its ledger are to hold, told without looking at them.
    private struct Expected {
        var dangling = 0
        var done = 0
        var nights: [(day: Day, dangling: Int)] = []
    }

    private func days(_ random: inout SeededGenerator) -> [Day] {
        var days: [Day] = (0..<30).map { _ in
            switch random.number(0...3) {
            case 0: .orphans(random.number(1...3))
            case 1: .dangling(random.number(1...2))
            default: .quiet
            }
        }
        // A fault is told apart best between nights that are quiet.
        let places = [random.number(3...13), random.number(16...26)].shuffled(using: &random)
        for (place, day) in zip(places, [Day.unreadable, .unmounted]) {
            days.replaceSubrange(place - 1...place + 1, with: [.quiet, day, .quiet])
        }
        days[0] = .dangling(2)
        // One more that is complete in place of the one that is not, and one beyond the trend.
        return days + [.quiet]
    }

    private func app() throws -> App {
        var settings = App.Settings()
        settings.race = "{preset: testing}"
        settings.repair = "{apply: true, orphan: quarantine, dangling: keep}"
        settings.limits = "{orphanShare: 50%, recordShare: 50%, objectDrop: 20%}"
        settings.report = "{directory: Reports/Runs, formats: [json, html]}"
        let app = try App(settings)
        for number in 0..<30 { try app.healthy("healthy-\(number)") }
        return app
    }

    private func live(_ day: Day, _ number: Int, _ app: App, _ expected: inout Expected) throws {
        switch day {
        case .orphans(let count):
            for one in 0..<count { try app.orphan("orphan-\(number)-\(one)", "night \(number)") }
            expected.done += count
        case .dangling(let count):
            for one in 0..<count { try app.dangling("dangling-\(number)-\(one)") }
            expected.dangling += count
        case .quiet, .unreadable, .unmounted: break
        }
        expected.nights.append((day, expected.dangling))
    }

    /// Runs the job on a day's app, and wants the status and the words that fit it.
    private func night(_ day: Day, _ app: App) throws {
        if day == .unreadable { try app.rename("app.sqlite", to: "elsewhere") }
        if day == .unmounted { try unmount(app) }
        let run = try app.mooring("run", "--quiet")
        let told = run.output + run.errors
        switch day {
        case .quiet: #expect(run.status == 0 && told.isEmpty, "\(run.told)")
        case .orphans, .dangling:
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.told)")
            #expect((1...30).contains(told.split(separator: "\n").count), "\(told)")
        case .unreadable: #expect(run.status == 4 && told.contains("app"), "\(run.told)")
        case .unmounted: #expect(run.status == 3 && told.contains("objectDrop"), "\(run.told)")
        }
        if day == .unreadable { try app.rename("elsewhere", to: "app.sqlite") }
        if day == .unmounted {
            try app.rename("files/.mooring/store", to: "elsewhere/.mooring/store")
            app.remove("files")
            try app.rename("elsewhere", to: "files")
        }
    }

    // An empty folder that is the store which the ledger knows, as a mount that went half.
    private func unmount(_ app: App) throws {
        try app.rename("files", to: "elsewhere")
        for folder in ["files", "files/.mooring"] {
            try #require(mkdir(app.path + "/" + folder, 0o755) == 0)
        }
        try app.rename("elsewhere/.mooring/store", to: "files/.mooring/store")
    }

    @Test("Thirty nights are a trend from the oldest to the newest, and quiet ones say nothing")
    func month() throws {
        var random = SeededGenerator("month")
        let app = try app()
        var expected = Expected()
        for (number, day) in days(&random).enumerated() {
            try live(day, number, app, &expected)
            try night(day, app)
        }
        let runs = Array(try app.runs().reversed())
        #expect(runs.count == expected.nights.count)
        let whole = zip(expected.nights, runs).filter { $0.0.day != .unreadable }
        let trend = try app.report()["trend"].elements
        #expect(trend.count == 30 && whole.count == 30)
        for (past, (night, run)) in zip(trend, whole) { try compare(past, night, run) }
        // Together they did what the days left to do, and the ledger says the same.
        #expect(trend.reduce(0) { $0 + ($1["repairs"]["done"].integer ?? 0) } == expected.done)
        #expect(app.quarantined().count == expected.done)
        try checkPages(app, runs)
        try checkFirstNight(app, runs)
        // A month holds thirty: one more night pushes the first one out.
        try night(.quiet, app)
        let later = try app.report()["trend"].elements
        #expect(later.count == 30)
        #expect(later.first?["run"].string == trend[1]["run"].string)
    }

    private func compare(_ past: JSON, _ night: (day: Day, dangling: Int), _ run: JSON) throws {
        #expect(past["run"].string == run["id"].string)
        #expect(past["finishedAt"].string == run["finishedAt"].string)
        #expect(past["orphanBytes"].integer == run["counts"]["orphan"]["bytes"].integer ?? 0)
        #expect(past["repairs"]["done"].integer == run["repairs"]["done"].integer)
        for kind in Set(past["findings"].names + run["counts"].names) {
            let counts = run["counts"][kind]
            let sum = ["settled", "explained", "undecided"].reduce(0) {
                $0 + (counts[$1].integer ?? 0)
            }
            #expect(past["findings"][kind].integer ?? 0 == sum, "\(kind)")
        }
        let orphans = if case .orphans(let count) = night.day { count } else { 0 }
        #expect(past["findings"]["orphan"].integer ?? 0 == orphans, "\(night.day)")
        // Where nothing is mounted, every record misses its file.
        let missing = (past["findings"]["dangling"].integer ?? 0) - night.dangling
        #expect(night.day == .unmounted ? missing >= 30 : missing == 0, "\(night.day)")
    }

    private func checkPages(_ app: App, _ runs: [JSON]) throws {
        let names = runs.compactMap { $0["id"].string }
        let index = try #require(app.read("Reports/Runs/index.html"))
        #expect(index.contains("<h1>\(names.count) runs</h1>"))
        for name in names { #expect(index.contains("\(name)/report.html\">\(name)</a>")) }
        for line in ["Orphans", "Dangling references"] {
            #expect(index.contains("aria-label=\"\(line) of the last 30 scans\""))
        }
        let page = try #require(app.read("Reports/Runs/latest/report.html"))
        for tile in ["dangling references", "bytes of orphans", "repairs", "all findings"] {
            #expect(page.contains("aria-label=\"\(tile) of the last 30 runs\""), "\(tile)")
        }
        let listed = try app.expect(0, "runs").output.split(separator: "\n")
        #expect(listed.count == names.count)
        for (line, name) in zip(listed, names.reversed()) { #expect(line.hasPrefix(name)) }
        let statuses = runs.map { $0["status"].string ?? "" }
        #expect(statuses.filter { $0 == "refused" }.count == 1)
        #expect(statuses.filter { $0 == "incomplete" }.count == 1)
    }

    /// What the first night found is known since then: as often as a complete run has judged it.
    private func checkFirstNight(_ app: App, _ runs: [JSON]) throws {
        let first = try #require(runs.first?["id"].string)
        let old = try app.findings(in: first).filter { $0.kind == "dangling" }
        #expect(old.count == 2)
        let known = try app.findings()
        for finding in old {
            let now = try known.about(try #require(finding.key), kind: "dangling")
            #expect(now.json["id"].string == finding.json["id"].string)
            #expect(now.json["firstSeen"].string == finding.json["firstSeen"].string)
            #expect((now.json["runs"].integer ?? 0) >= 28, "\(now.json)")
        }
    }
}
