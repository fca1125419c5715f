import Foundation
import Testing

/// Holds Tests/Mutations/list.txt to the source: `make mutations` breaks each of these lines.
@Suite("The list of mutations")
struct MutationListTests {
    @Test("names twenty lines at least, each of which stands in its file exactly once")
    func list() throws {
        let root = Repository.root
        let text = try String(
            contentsOf: root.appendingPathComponent("Tests/Mutations/list.txt"), encoding: .utf8)
        var count = 0
        for block in text.components(separatedBy: "\n\n") {
            var fields: [String: String] = [:]
            for line in block.split(separator: "\n") where !line.hasPrefix("#") {
                let parts = line.components(separatedBy: ": ")
                fields[parts[0]] = parts.dropFirst().joined(separator: ": ")
            }
            if fields.isEmpty { continue }
            let file = try #require(fields["file"])
            let from = try #require(fields["from"])
            let source = try String(
                contentsOf: root.appendingPathComponent(file), encoding: .utf8)
            #expect(source.components(separatedBy: from).count == 2, "\(file): \(from)")
            #expect(fields["to"] != nil && fields["test"] != nil && fields["to"] != from)
            count += 1
        }
        #expect(count >= 20)
    }
}
