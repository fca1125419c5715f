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

    @Test("A document of another form is refused with the member that is wrong")
    func wrongMembers() throws {
        func reason<Value>(
            _ text: String, _ read: (JSONNode) throws(DocumentError) -> Value
        ) throws -> String {
            let node = try JSONNode(parsing: Array(text.utf8))
            do {
                _ = try read(node)
                return ""
            } catch {
                return "\(error)"
            }
        }
        let head = #""schema":"mooring.plan/1""#
        let run = #""run":"20261122T000000Z-abcdef""#
        for (text, words) in [
            ("{}", "'schema' is not mooring.plan/1"),
            (#"{"schema":"mooring.plan/2"}"#, "'schema' is not mooring.plan/1"),
            ("{\(head),\"run\":\"x\"}", "'run' is not a run's name"),
            ("{\(head),\(run),\"steps\":7}", "'steps' is not a list"),
            ("{\(head),\(run),\"steps\":[{}]}", "'precondition' is missing"),
        ] {
            let told = try reason(text) { node throws(DocumentError) in try Plan(json: node) }
            #expect(told.contains(words), "\(told)")
        }
        let entry = try reason("{\(run)}") { node throws(DocumentError) in
            try JournalEntry(json: node)
        }
        #expect(entry.contains("'run' or 'step' is missing"), "\(entry)")
        for (text, words) in [
            (#"{"class":"integer","value":"eA=="}"#, "'value' is no integer"),
            (#"{"class":"real","value":"eA=="}"#, "'value' is no number"),
            (#"{"class":"x"}"#, "'class' has an unknown value"),
        ] {
            let told = try reason(text) { node throws(DocumentError) in
                try ColumnValue(json: node)
            }
            #expect(told.contains(words), "\(told)")
        }
        let place = try reason(#"{"bucket":"media"}"#) { node throws(DocumentError) in
            try ObjectPlace(json: node)
        }
        #expect(place.contains("'key' is missing"), "\(place)")
        let summary = try reason("{}") { node throws(DocumentError) in
            try RunSummary(json: node)
        }
        #expect(summary.contains("'run' is missing"), "\(summary)")
        let untried = try StoreCapabilities.Trial(json: nil)
        #expect(untried == .unknown("it was not tried"))
        let trial = try reason(#"{"result":"x"}"#) { node throws(DocumentError) in
            try StoreCapabilities.Trial(json: node)
        }
        #expect(trial.contains("'result' has an unknown value"), "\(trial)")
    }
}
