import MooringModel
import SeededNumbers
import Testing

@Suite struct RoundTripTests {
    private let rounds = 60

    private func read(_ value: JSONValue) throws -> JSONNode {
        let line = value.rendered
        #expect(!line.contains(0x0A), "one finding, one line")
        #expect(String(validating: line, as: UTF8.self) != nil, "JSON is UTF-8")
        return try JSONNode(parsing: line)
    }

    @Test("A finding is read back byte for byte, with its owners where they are written")
    func findings() throws {
        var generator = SeededGenerator("RoundTrip.findings")
        for _ in 0..<rounds {
            let finding = generator.finding()
            #expect(try Finding(json: try read(finding.json(withOwners: true))) == finding)
            var shown = finding
            shown.owners = []
            #expect(try Finding(json: try read(finding.json())) == shown)
        }
    }

    @Test("A plan is read back byte for byte, and so are the bytes its hashes are taken of")
    func plans() throws {
        var generator = SeededGenerator("RoundTrip.plans")
        for _ in 0..<rounds {
            let plan = generator.plan()
            let copy = try Plan(json: try JSONNode(parsing: plan.json.prettyRendered))
            #expect(copy == plan)
            #expect(copy.steps.map(\.hashedContent) == plan.steps.map(\.hashedContent))
        }
    }

    @Test("A step's hash is taken of everything but the hash")
    func hashedContent() {
        var generator = SeededGenerator("RoundTrip.hashedContent")
        let step = generator.step()
        var other = step
        other.hash += "x"
        #expect(other.hashedContent == step.hashedContent)
        other.key = ObjectKey((step.key?.bytes ?? []) + [0x78])
        #expect(other.hashedContent != step.hashedContent)
        // Two keys that show as one text are two steps.
        var left = step
        var right = step
        left.key = ObjectKey([0xFF])
        right.key = ObjectKey([0xFE])
        #expect(left.hashedContent != right.hashedContent)
    }

    @Test("A journal entry's intent is read back byte for byte")
    func entries() throws {
        var generator = SeededGenerator("RoundTrip.entries")
        for _ in 0..<rounds {
            let entry = generator.entry()
            #expect(try JournalEntry(json: try read(entry.json)) == entry)
        }
    }

    @Test("A summary is read back as it was")
    func summaries() throws {
        var generator = SeededGenerator("RoundTrip.summaries")
        for _ in 0..<rounds {
            let summary = generator.summary()
            let node = try JSONNode(parsing: summary.json.prettyRendered)
            #expect(try RunSummary(json: node) == summary)
        }
    }

    @Test(
        "A plan of another form, or without a member, is refused",
        arguments: [
            "schema", "run", "id", "createdAt", "expiresAt", "confirmedAt", "configuration",
            "steps",
        ])
    func incompletePlans(name: String) throws {
        var generator = SeededGenerator("RoundTrip.incompletePlans")
        guard case .object(let members) = generator.plan().json else {
            Issue.record("a plan is an object")
            return
        }
        let rest = JSONValue.object(members.filter { $0.name != name })
        let node = try JSONNode(parsing: rest.rendered)
        #expect(throws: DocumentError.self) { try Plan(json: node) }
    }
}
