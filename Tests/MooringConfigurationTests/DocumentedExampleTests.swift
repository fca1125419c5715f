import Foundation
import MooringConfiguration
import MooringModel
import Testing

@Suite("The page on the configuration")
struct DocumentedExampleTests {
    @Test("its example is a configuration that is read without a complaint")
    func example() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "Docs/CONFIGURATION.md"), encoding: .utf8)
        let parts = page.components(separatedBy: "```")
        let example = try #require(parts.first { $0.hasPrefix("yaml\n") })
        let configuration = try Configuration.parse(
            String(example.dropFirst(5)), file: "/srv/app/mooring.yaml", environment: [:])
        #expect(configuration.warnings.isEmpty && configuration.guardsOff.isEmpty)
        #expect(configuration.records.first?.mapping.models.count == 3)
    }
}
