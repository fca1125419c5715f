import Glibc
import Testing

/// Each kind, cause and strategy with the real program: what an audit says, what a plan and a
/// repair do, what undo gives back, and that a second audit rests.
@Suite("The matrix of strategies")
struct MatrixTests {
    private func repair(_ given: MatrixCase, isOverride: Bool) -> String {
        let (kind, strategy) = (given.row.kind, given.act.strategy)
        return isOverride
            ? MatrixApp.idle
                + ", overrides: [{cause: \(given.row.cause), \(kind): \(strategy)}]"
            : MatrixApp.idle.replacing("\(kind): keep", with: "\(kind): \(strategy)")
    }

    private func configure(_ world: MatrixApp, _ given: MatrixCase, isOverride: Bool) throws {
        let relink = given.act.strategy == "delete" ? ", relink: never" : ""
        try world.configure(
            repair: repair(given, isOverride: isOverride), race: "{\(given.row.race)\(relink)}")
    }

    private func finding(_ world: MatrixApp, _ row: MatrixRow) throws -> Finding {
        let findings = try world.app.audit()
        let found = findings.filter { $0.kind == row.kind }
        #expect(found.count == 1, "\(findings.labels)")
        // The object that a reference may mean is told beside it, and is as much in doubt.
        #expect(findings.allSatisfy { $0.kind == row.kind || $0.label.hasSuffix("/undecided") })
        return try #require(found.first)
    }

    private func steps(_ world: MatrixApp) throws -> [String] {
        try world.app.expect(0, "plan")
        let plan = try JSON(
            parsing: try #require(world.app.read("Reports/Runs/latest/plan.json")))
        return plan["steps"].elements.compactMap { $0["strategy"].string }
    }

    @Test("what the audit says, the repair does and undo takes back", arguments: MatrixCase.all)
    func act(_ given: MatrixCase) throws {
        let (row, act) = (given.row, given.act)
        let world = try MatrixApp()
        try row.plant(world)
        // What the policy says in general, unless an exception stands by default.
        try configure(world, given, isOverride: false)
        let first = try finding(world, row)
        #expect(first.label == "\(row.kind)/\(row.cause)/\(row.verdict)")
        #expect(first.key == row.key)
        #expect(first.action == (row.general ?? act.strategy))
        if row.general == nil {
            #expect(first.proof == (act.runs > 1 ? "second sighting" : nil))
        }
        for number in 1..<max(act.runs, 2) {
            if act.runs > 1 { sleep(row.apart) }
            if number == max(act.runs, 2) - 1 { try configure(world, given, isOverride: true) }
            let next = try finding(world, row)
            #expect(next.action == (number < act.runs - 1 ? first.action : act.strategy))
            #expect((next.proof == nil) == (number >= act.runs - 1), "\(next.proof ?? "")")
        }
        try repair(world, given)
    }

    private func repair(_ world: MatrixApp, _ given: MatrixCase) throws {
        let act = given.act
        let before = try world.holdings()
        #expect(try steps(world) == (act.isStep ? [act.strategy] : []))
        let file = "Reports/Runs/latest/plan.json"
        try world.app.expect(0, "repair", file)
        #expect(before.changes(to: try world.holdings()) == [], "a dry run changes nothing")
        try world.app.expect(0, "repair", file, "--apply")
        let after = try world.holdings()
        let written = before.changes(to: after).filter {
            // A copy's times are its authority's: they differ from run to run.
            !$0.hasPrefix("phone Song 's1'._lastChangedAt")
        }
        #expect(written == act.changes)
        #expect(try world.app.openIntents() == 0)
        guard act.isStep, !act.changes.isEmpty else { return }
        // The copy that was brought up to date, or the record that was, is told no more.
        let rest = try world.app.audit()
        #expect(!rest.contains { $0.kind == given.row.kind && $0.cause == given.row.cause })
        #expect(try steps(world) == [])
        try undo(world, act, before, after)
    }

    private func undo(
        _ world: MatrixApp, _ act: MatrixRow.Act, _ before: Holdings, _ after: Holdings
    ) throws {
        let dry = try world.app.expect(0, "undo", "latest").output
        #expect(dry.contains(act.isUndone ? "would undo" : "stays"), "\(dry)")
        #expect(after == (try world.holdings()))
        let isLost = ["delete", "delete-record"].contains(act.strategy)
        let told = try world.app.expect(isLost ? 5 : 0, "undo", "latest", "--apply").output
        let left = before.changes(to: try world.holdings())
        guard act.isUndone else {
            if isLost { #expect(told.contains("cannot be brought back"), "\(told)") }
            #expect(after == (try world.holdings()))
            return
        }
        // Devices have to learn of what was taken back, so that the version moves on once more.
        #expect(
            left
                == act.changes.filter { $0.hasPrefix("app") && $0.hasSuffix("._version = 2") }
                .map { $0.dropLast() + "3" })
    }

    @Test("the table of these tests is the program's own, and what a row does not take is refused")
    func refused() throws {
        let world = try MatrixApp()
        try world.configure(repair: MatrixApp.idle)
        let told = try world.app.expect(0, "doctor", "--policy", "--json").json()
        let entries = told["policy"].elements
        let strategies = [
            "keep", "requery", "tag", "quarantine", "delete", "relink", "nullify", "restore",
            "repoint", "delete-record", "abort",
        ]
        // What only stores with tags and uploads take; these tests know folders.
        let absent = ["tag"]
        for row in MatrixRow.all {
            let entry = try #require(
                entries.first {
                    $0["kind"].string == row.kind && $0["cause"].string == row.cause
                })
            let taken = entry["strategies"].elements.compactMap(\.string)
            #expect(taken.filter { !absent.contains($0) } == row.acts.map(\.strategy))
            let others = strategies.filter { !taken.contains($0) }
            let exceptions = others.map { "    - {cause: \(row.cause), \(row.kind): \($0)}" }
            try world.configure(repair: MatrixApp.idle)
            let config = try #require(world.app.read("mooring.yaml")).replacing(
                "repair: {\(MatrixApp.idle)}",
                with: "repair:\n  overrides:\n" + exceptions.joined(separator: "\n")
            )
            try world.app.write("mooring.yaml", config)
            let errors = try world.app.expect(78, "doctor").errors.split(separator: "\n")
            let first = try #require(
                config.split(separator: "\n", omittingEmptySubsequences: false)
                    .firstIndex { $0.hasPrefix("    - {cause:") })
            for (place, strategy) in others.enumerated() {
                let line = errors.first { $0.contains("mooring.yaml:\(first + place + 1)") }
                let told = String(line ?? "")
                #expect(
                    told.contains("never fits the cause '\(row.cause)', which takes keep")
                        || told.contains("strategy for '\(row.kind)': '\(strategy)'"),
                    "\(strategy): \(errors)")
            }
        }
    }

    @Test("a general policy that a cause does not take keeps it, or gives it back")
    func fallsBack() throws {
        for row in MatrixRow.all {
            let world = try MatrixApp()
            try row.plant(world)
            let others = MatrixRow.all.filter { $0.kind == row.kind }.flatMap(\.acts)
                .map(\.strategy)
            for strategy in Set(others) where !row.acts.map(\.strategy).contains(strategy) {
                try world.configure(
                    repair: MatrixApp.idle.replacing(
                        "\(row.kind): keep", with: "\(row.kind): \(strategy)"))
                let found = try finding(world, row)
                #expect(
                    found.action == (row.cause == "quarantined" ? "restore" : "keep"),
                    "\(row.cause) \(strategy)")
                #expect(found.proof == nil)
            }
        }
    }
}
