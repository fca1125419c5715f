import Testing

/// What is told of an API of GraphQL that is configured by half; no server is asked.
@Suite("Sources: AppSync, configured by half")
struct AppSyncWordsTests {
    private func app(_ settings: String) throws -> App {
        var parts = App.Settings()
        parts.source = "appsync: {url: 'http://127.0.0.1:1/graphql'\(settings)}"
        return try App(parts)
    }

    @Test("without a key it is told where one may stand")
    func noKey() throws {
        let doctor = try app("").expect(2, "doctor")
        #expect(
            doctor.output.contains(
                "set MOORING_APPSYNC_API_KEY, or name the key's file under appsync as apiKeyFile"),
            "\(doctor.told)")
    }

    @Test("with auth: iam and no region it is refused before anything is asked")
    func noRegion() throws {
        let refused = try app(", auth: iam").expect(78, "audit")
        #expect(
            refused.errors.contains(
                "nobody says its region; write region: under appsync, or set AWS_REGION"),
            "\(refused.told)")
    }
}
