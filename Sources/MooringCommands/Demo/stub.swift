package import MooringModel
package struct DemoSummary { package var text: String }
package enum DemoApp {
    package static func write(to directory: String, now: Instant) throws -> DemoSummary {
        DemoSummary(text: "")
    }
}
package enum ConfigurationDraft {
    package static func draft(database: String, objects: String, configurationFile: String)
        async throws -> String
    { "" }
}
