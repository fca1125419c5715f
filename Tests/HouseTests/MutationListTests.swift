import Foundation
import Testing

/// Holds Tests/Mutations/list.txt to the source: `make mutations` breaks each of these lines.
@Suite("The list of mutations")
struct MutationListTests {
    @Test("names twenty lines at least, each of which stands in its file exactly once")
    func list() throws {
        let mutations = try Self.mutations()
        for fields in mutations {
            let file = try #require(fields["file"])
            let from = try #require(fields["from"])
            let source = try Repository.text(file)
            #expect(source.components(separatedBy: from).count == 2, "\(file): \(from)")
            #expect(fields["to"] != nil && fields["to"] != from)
        }
        #expect(mutations.count >= 20)
    }

    @Test("names for each one test target, or one suite, so that no other's tests are run")
    func tests() throws {
        var places: [String: Set<String>] = [:]
        for path in Repository.files(below: "Tests", extensions: ["swift"]) {
            let target = String(path.split(separator: "/")[1])
            places[target] = [target]
            for line in try Repository.text(path).split(separator: "\n") {
                let words = line.split(separator: " ")
                guard let place = words.firstIndex(of: "struct"), place + 1 < words.count else {
                    continue
                }
                let name = words[place + 1].prefix { $0.isLetter || $0.isNumber }
                places[String(name), default: []].insert(target)
            }
        }
        for fields in try Self.mutations() {
            let test = try #require(fields["test"])
            let parts = test.split(separator: ".").map(String.init)
            var found = places[parts.last ?? ""] ?? []
            if parts.count > 1 { found.formIntersection([parts[0]]) }
            #expect(found.count == 1, "\(test): TARGET.SUITE where more targets have the suite")
        }
    }

    /// The blocks of the list. A field that stands twice in one is two mutations of which the
    /// first is never made.
    private static func mutations() throws -> [[String: String]] {
        var mutations: [[String: String]] = []
        for block in try Repository.text("Tests/Mutations/list.txt").components(
            separatedBy: "\n\n")
        {
            var fields: [String: String] = [:]
            for line in block.split(separator: "\n") where !line.hasPrefix("#") {
                let parts = line.components(separatedBy: ": ")
                let rest = parts.dropFirst().joined(separator: ": ")
                let earlier = fields.updateValue(rest, forKey: parts[0])
                #expect(earlier == nil, "put an empty line before the block of \(line)")
            }
            if !fields.isEmpty { mutations.append(fields) }
        }
        return mutations
    }
}
