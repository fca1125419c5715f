import Testing

@Suite("Policies that the race model cannot make safe")
struct PolicyTests {
    private func refused(
        _ settings: App.Settings, _ reason: String, _ nearest: String
    ) throws {
        let app = try App(settings)
        let orphan = try app.orphan("s1")
        try app.dangling("d1")
        let doctor = try app.expect(2, "doctor").output
        let line = try #require(
            doctor.split(separator: "\n").first { $0.hasPrefix("FAILED  policy: ") }, "\(doctor)")
        #expect(line.contains(reason) && line.contains(nearest), "\(line)")
        #expect(try app.audit().count == 2)
        try app.expect(0, "check")
        for command in ["plan", "run"] {
            let errors = try app.expect(3, command).errors
            #expect(errors.contains(reason) && errors.contains(nearest), "\(errors)")
        }
        #expect(try app.newest("run")["status"].string == "refused")
        #expect(app.exists("files/" + orphan) && app.quarantined().isEmpty)
        #expect(try app.cover(of: "d1") != nil)
    }

    @Test("delete while a device may associate an object again", arguments: [true, false])
    func delete(applies: Bool) throws {
        var settings = App.Settings()
        settings.repair = "{apply: \(applies), orphan: delete, dangling: nullify}"
        try refused(settings, "race.relink is possible in app", "orphan: quarantine")
    }

    @Test("delete in an override")
    func override() throws {
        var settings = App.Settings()
        settings.repair = "{apply: true, overrides: [{cause: superseded, orphan: delete}]}"
        try refused(settings, "{cause: superseded, orphan: delete}", "race.relink: never")
    }

    @Test("any change of a store without a confirm scan")
    func unconfirmed() throws {
        var settings = App.Settings()
        settings.repair = "{apply: true}"
        settings.extra = "confirm: never"
        try refused(
            settings, "repair.orphan: quarantine, repair.dangling: nullify", "confirm: auto")
    }

    @Test("what is safe passes the doctor: waits of nothing, no retention, and looking only")
    func safe() throws {
        var settings = App.Settings()
        settings.race = "{preset: testing, relink: never, multipartWindow: 0s}"
        settings.repair = "{apply: true, orphan: delete, retention: 0s}"
        let app = try App(settings)
        try app.healthy()
        try app.expect(0, "doctor")
        try app.expect(0, "run")
        settings.repair = "{apply: true, orphan: keep, dangling: requery}"
        settings.extra = "confirm: never"
        try app.configure(settings)
        try app.expect(0, "doctor")
    }

    @Test("the doctor tells the grace of each source that has its own bounds")
    func ownBounds() throws {
        var settings = App.Settings()
        settings.source = "sqlite: ./app.sqlite\n    race: {preset: offline}"
        let app = try App(settings)
        let table = try app.expect(0, "doctor").output
        #expect(table.contains("race model: grace 3d1h (U "))
        #expect(table.contains("; C is measured when acting)"))
        #expect(table.contains("race model of app: grace 60d"))
    }
}
