import TestServers
import Testing

@Suite(
    "S3 by a role, and by hosts of another kind", .requires(.ministack), .timeLimit(.minutes(60)))
struct S3RoleTests {
    private static let role =
        "role: {arn: 'arn:aws:iam::000000000000:role/night', "
        + "externalId: w-1, session: nightly}, "

    private func app(_ further: String = "") async throws -> StoreApp {
        var options = StoreApp.Options()
        options.further = further
        return try await StoreApp(.ministack, options)
    }

    private func run(
        _ app: StoreApp, _ variables: [String: String]
    ) throws -> Program.Result {
        try Program.run(
            ["audit"], in: app.path, environment: app.environment.merging(variables) { $1 })
    }

    @Test("a role of the configuration is asked for, and nobody else stands in for it")
    func role() async throws {
        let app = try await app(Self.role)
        let there = try run(app, ["AWS_ENDPOINT_URL_STS": "\(app.server.endpoint)"])
        #expect(there.status == 0, "\(there.told)")
        // The credentials at hand are not used instead.
        let nowhere = try run(app, ["AWS_ENDPOINT_URL_STS": "ftp://127.0.0.1"])
        #expect(nowhere.status == 4, "\(nowhere.told)")
        #expect(nowhere.told.contains("none of the role of the configuration"))
    }

    @Test(
        "hosts of FIPS or IPv6 that are asked for are not forgotten for the one that is named",
        arguments: ["AWS_USE_FIPS_ENDPOINT", "AWS_USE_DUALSTACK_ENDPOINT"])
    func variants(_ variable: String) async throws {
        let app = try await app()
        let refused = try run(app, [variable: "true"])
        #expect(refused.status == 78, "\(refused.told)")
        #expect(refused.told.contains("bucket 'media': \(variable) asks for hosts"))
        let odd = try run(app, [variable: "yes"])
        #expect(odd.status == 78 && odd.told.contains("says neither true nor false"))
        #expect(try run(app, [variable: "false"]).status == 0)
    }
}
