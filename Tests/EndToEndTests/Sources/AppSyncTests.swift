import Foundation
import TestServers
import Testing

/// The whole program against records behind an API of GraphQL.
@Suite("Sources: AppSync", .requires(.appsync), .timeLimit(.minutes(60)))
struct AppSyncTests {
    @Test("The demo behind an API has the same findings, and survives a repair and its undo")
    func demo() async throws {
        let app = try await AppSyncApp()
        let expected = try app.demo.expected()
        try app.move(", mergedRepairs: write")
        #expect(try app.demo.findings() == expected)
        let doctor = try app.demo.mooring("doctor")
        #expect(doctor.status == 0, "\(doctor.told)")
        #expect(doctor.output.contains("appsync, 6 tables readable, live"), "\(doctor.told)")
        try app.demo.round()
    }

    @Test("An API that shows versions is not written unsaid, and refused where none are said")
    func versionsUnsaid() async throws {
        let app = try await AppSyncApp()
        try app.move()
        #expect(try app.demo.mooring("audit").status == 0)
        let steps = try app.demo.mooring("plan", "--json").json()["steps"].elements
        let strategies = Set(steps.compactMap { $0["strategy"].string })
        #expect(strategies.isDisjoint(with: ["nullify", "repoint", "relink"]), "\(strategies)")
        let doctor = try app.demo.mooring("doctor")
        #expect(doctor.output.contains("does not say how it settles them"), "\(doctor.told)")
        try app.race("conflicts: none")
        let audit = try app.demo.mooring("audit")
        #expect(audit.status == 4, "\(audit.told)")
        let refused = try app.demo.mooring("doctor")
        #expect(refused.told.contains("race says conflicts: none"), "\(refused.told)")
    }

    @Test("Signed requests that the API does not take are told with the right that they need")
    func unsigned() async throws {
        let app = try await AppSyncApp()
        let folder = app.demo.folder.path + "/app"
        try FileManager.default.createDirectory(
            atPath: folder + "/.aws", withIntermediateDirectories: false)
        try "[default]\naws_access_key_id = test\naws_secret_access_key = testsecret\n".write(
            toFile: folder + "/.aws/credentials", atomically: true, encoding: .utf8)
        try app.move(", auth: iam, region: us-east-1")
        let doctor = try app.demo.mooring("doctor")
        #expect(doctor.status == 2)
        #expect(
            doctor.output.contains(
                "allow appsync:GraphQL on the API to the credentials' user or role"),
            "\(doctor.told)")
    }

    @Test("A schema's file stands in for an API that does not tell its own")
    func schemaFile() async throws {
        let app = try await AppSyncApp()
        let file = app.demo.folder.path + "/app/api.graphql"
        try app.api.schema.write(toFile: file, atomically: true, encoding: .utf8)
        try app.move(", schema: api.graphql")
        let audit = try app.demo.mooring("audit")
        #expect(audit.status == 0, "\(audit.told)")
        #expect(try app.api.log().contains("__schema") == false)
        try "type Song @model {\n  id ID!\n}\n".write(
            toFile: file, atomically: true, encoding: .utf8)
        let broken = try app.demo.mooring("audit")
        #expect(broken.status == 78, "\(broken.told)")
        #expect(broken.errors.contains("api.graphql:2:6: found"), "\(broken.told)")
    }

    @Test("Partial data makes the run incomplete: nothing is planned")
    func partialData() async throws {
        let app = try await AppSyncApp()
        try app.move()
        try app.api.fault(#"[{"kind": "partial", "on": "listSongs", "after": 2, "times": 1}]"#)
        let audit = try app.demo.mooring("audit")
        #expect(audit.status == 4, "\(audit.told)")
        let plan = try app.demo.mooring("plan")
        #expect(plan.status == 4, "\(plan.told)")
    }

    @Test(
        "Where the API merges, records are not written unless the policy asks for it in words",
        arguments: ["automerge", "lambda"])
    func merging(_ conflicts: String) async throws {
        let app = try await AppSyncApp(mode: "automerge")
        try app.move()
        try app.race("conflicts: \(conflicts)")
        let audit = try app.demo.mooring("audit")
        #expect(audit.status == 0, "\(audit.told)")
        let steps = try app.demo.mooring("plan", "--json").json()["steps"].elements
        let strategies = Set(steps.compactMap { $0["strategy"].string })
        #expect(strategies.isDisjoint(with: ["nullify", "repoint", "relink"]), "\(strategies)")
        #expect(strategies.contains("quarantine"))
        let doctor = try app.demo.mooring("doctor")
        #expect(doctor.output.contains("mergedRepairs: write"), "\(doctor.told)")
    }

    @Test(
        "A token's absences prove nothing, unless the configuration says that it sees all records",
        arguments: [
            ("", nil, "seesAll: true"), (", seesAll: true", nil, nil),
            (", seesAll: true", "{allow: private}", nil),
            (", seesAll: true", "{allow: owner}", "owner or dynamic group"),
        ] as [(String, String?, String?)])
    func hiddenRecords(_ setting: String, _ rule: String?, _ refusal: String?) async throws {
        let app = try await AppSyncApp(auth: ["token": true])
        let folder = app.demo.folder.path + "/app"
        try app.api.token(seconds: 600).write(
            toFile: folder + "/token", atomically: true, encoding: .utf8)
        var settings = ", auth: cognito, tokenFile: token" + setting
        if let rule {
            settings += ", schema: api.graphql"
            try app.written.replacing("AUTH", with: rule).write(
                toFile: folder + "/api.graphql", atomically: true, encoding: .utf8)
        }
        try app.move(settings)
        let audit = try app.demo.mooring("audit")
        #expect(audit.status == 0, "\(audit.told)")
        let steps = try app.demo.mooring("plan", "--json").json()["steps"].elements
        #expect(steps.isEmpty == (refusal != nil), "\(steps.count) steps")
        let doctor = try app.demo.mooring("doctor")
        #expect(doctor.output.contains("nothing is repaired") == (refusal != nil))
        #expect(doctor.output.contains(refusal ?? "live"), "\(doctor.told)")
    }

    @Test("A repair that the API merged away is told as one that did not hold")
    func mergedAway() async throws {
        let app = try await AppSyncApp(mode: "automerge")
        try app.move(", mergedRepairs: write")
        try app.race("conflicts: automerge")
        _ = try app.demo.findings()
        let steps = try app.demo.mooring("plan", "--json").json()["steps"].elements
        let step = try #require(
            steps.first {
                $0["strategy"].string == "nullify"
                    && $0["record"]["field"].string == "coverArtKey"
            })
        let id = try #require(step["record"]["id"].string)
        // A device writes between each read and the mutation.
        try app.api.fault(
            """
            [{"kind": "write", "on": "updateSong", "model": "Song",
              "values": {"id": "\(id)", "title": "Renamed"}}]
            """)
        let repair = try app.demo.mooring("repair", "Reports/Runs/latest/plan.json", "--apply")
        #expect(repair.status == 5, "\(repair.told)")
        #expect(repair.output.contains("did not hold"), "\(repair.told)")
        let row = try #require(try app.api.rows("Song").first { $0["id"] as? String == id })
        #expect(row["coverArtKey"] is String)
    }

    @Test("Nothing is repaired while the API's clock, which dates the records, is far off")
    func clock() async throws {
        let app = try await AppSyncApp()
        let proxy = try FaultProxy(port: app.api.port)
        try app.move(port: proxy.port)
        try app.demo.refusesAClock { seconds in
            proxy.set(FaultRule(.clock(ahead: seconds)))
        }
    }

    @Test("A key that is missing or wrong is told, and shown nowhere")
    func key() async throws {
        let app = try await AppSyncApp()
        try app.move()
        for key in ["", "da2-wrong"] {
            let audit = try Program.run(
                ["audit"], in: app.demo.folder.path + "/app",
                environment: ["MOORING_APPSYNC_API_KEY": key])
            #expect(audit.status == 4, "\(audit.told)")
            #expect(!audit.told.contains("da2-wrong"))
            let report = try String(
                contentsOfFile: try app.demo.lastReport(), encoding: .utf8)
            #expect(report.contains(key.isEmpty ? "is not set" : "HTTP 401"), "\(report)")
            #expect(!report.contains("da2-wrong"))
        }
    }
}

extension DemoApp {
    /// The text report of the last run, complete or not.
    func lastReport() throws -> String {
        let runs = folder.path + "/app/Reports/Runs"
        let names = try FileManager.default.contentsOfDirectory(atPath: runs)
        let last = try #require(names.filter { !["latest", "index.html"].contains($0) }.max())
        return "\(runs)/\(last)/report.txt"
    }
}
