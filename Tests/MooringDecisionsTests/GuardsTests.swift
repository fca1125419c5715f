import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@Suite("Guards")
struct GuardsTests {
    private let guards = Guards(limits: Limits(), clockBound: .minutes(5))

    private func facts(_ change: (inout GuardFacts) -> Void) -> GuardFacts {
        var facts = GuardFacts()
        facts.references = 1_000
        facts.previousReferences = 1_000
        facts.objects = 100_000
        change(&facts)
        return facts
    }

    private func answer(
        _ name: String, _ acceptance: Acceptance = Acceptance(),
        _ change: (inout GuardFacts) -> Void
    ) throws -> RunSummary.Guard {
        try #require(
            guards.check(facts(change), accepting: acceptance).first { $0.name == name })
    }

    @Test("nothing is refused where nothing is wrong, in a fixed order")
    func calm() {
        let answers = guards.check(facts { _ in })
        #expect(
            answers.map(\.name)
                == ["complete", "referenceDrop", "orphanShare", "steps", "bytes", "clockBound"])
        #expect(answers.allSatisfy { !$0.refused && $0.hint == nil })
    }

    @Test("a side that was not read to its end is refused and named")
    func incomplete() throws {
        let answer = try answer("complete") { $0.incomplete = ["media", "app"] }
        #expect(answer.refused)
        #expect(answer.value == "incomplete: media, app")
        #expect(answer.hint?.contains("mooring audit") == true)
    }

    @Test(
        "orphans over the share are refused, at the share they are not",
        arguments: [(999, false), (1_000, false), (1_001, true)])
    func share(orphans: Int, refused: Bool) throws {
        #expect(try answer("orphanShare") { $0.orphansToRemove = orphans }.refused == refused)
    }

    @Test("no objects and yet orphans is everything")
    func shareOfNothing() throws {
        let answer = try answer("orphanShare") {
            $0.objects = 0
            $0.orphansToRemove = 1
        }
        #expect(answer.refused)
    }

    @Test(
        "steps over the limit are refused",
        arguments: [(9_999, false), (10_000, false), (10_001, true)])
    func steps(count: Int, refused: Bool) throws {
        #expect(try answer("steps") { $0.steps = count }.refused == refused)
    }

    @Test("bytes over the limit are refused", arguments: [(-1, false), (0, false), (1, true)])
    func bytes(over: Int64, refused: Bool) throws {

        #expect(try answer("bytes") { $0.bytesToRemove = (100 << 30) + over }.refused == refused)
    }

    @Test(
        "a loss of references over the limit is refused when orphans were removed",
        arguments: [(801, false), (800, false), (799, true), (1, true)])
    func drop(references: Int, refused: Bool) throws {
        let removing = try answer("referenceDrop") {
            $0.references = references
            $0.orphansToRemove = 1
        }
        #expect(removing.refused == refused)
        #expect(try answer("referenceDrop") { $0.references = references }.refused == false)
    }

    @Test("an empty set of references is refused, first run or not", arguments: [nil, 0, 5])
    func empty(previous: Int?) throws {
        let answer = try answer("referenceDrop") {
            $0.references = 0
            $0.previousReferences = previous
            $0.orphansToRemove = 1
        }
        #expect(answer.refused)
        #expect(answer.value == "no references")
    }

    @Test("a first run has nothing to compare with")
    func first() throws {
        let answer = try answer("referenceDrop") {
            $0.previousReferences = nil
            $0.orphansToRemove = 1
        }
        #expect(!answer.refused)
        #expect(answer.value.hasPrefix("no earlier run"))
    }

    @Test(
        "a clock that is off by more than the bound is refused, before or behind",
        arguments: [(300, false), (-300, false), (301, true), (-301, true)])
    func clock(seconds: Int64, refused: Bool) throws {
        let answer = try answer("clockBound") { $0.clock = .seconds(seconds) }
        #expect(answer.refused == refused)
        #expect(guards.clockAnswer(nil).refused == false)
    }

    @Test("an acceptance covers its own guard, up to its number")
    func acceptance() throws {
        let change = { (facts: inout GuardFacts) in facts.orphansToRemove = 12_000 }
        func refused(_ numbers: [String: Double]) throws -> Bool {
            try answer("orphanShare", Acceptance(numbers: numbers), change).refused
        }
        #expect(try refused(["orphanShare": 0.12]) == false)
        #expect(try refused(["orphanShare": 0.1199]))
        #expect(try refused(["steps": 1_000_000, "bytes": 1e18, "referenceDrop": 1]))
    }

    @Test("the clock and an incomplete scan cannot be accepted away")
    func unacceptable() {
        let everything = Acceptance(
            numbers: Dictionary(
                uniqueKeysWithValues: (Guards.acceptable + ["clockBound", "complete"]).map {
                    ($0, 1e18)
                }))
        let answers = guards.check(
            facts {
                $0.incomplete = ["app"]
                $0.clock = .hours(1)
            }, accepting: everything)
        #expect(answers.filter(\.refused).map(\.name) == ["complete", "clockBound"])
    }

    @Test("the value that a refusal prints is accepted when it is given back")
    func printedValues() throws {
        var generator = SeededGenerator("the value that a refusal prints")
        for _ in 0..<5_000 {
            let objects = generator.number(1...200_000)
            let orphans = generator.number(1...objects)
            let references = generator.number(0...objects)
            let change = { (facts: inout GuardFacts) in
                facts.objects = objects
                facts.orphansToRemove = orphans
                facts.previousReferences = objects
                facts.references = references
                facts.steps = 20_000 + orphans
                facts.bytesToRemove = Int64(200 << 30) + Int64(orphans)
            }
            var numbers: [String: Double] = [:]
            for answer in guards.check(facts(change)) where answer.refused {
                let hint = try #require(answer.hint)
                let flag = try #require(hint.split(separator: " ").last)
                let parts = flag.split(separator: "=")
                try #require(parts.count == 2 && parts[0] == answer.name, "\(hint)")
                numbers[answer.name] = try number(parts[1])
            }
            #expect(
                guards.check(facts(change), accepting: Acceptance(numbers: numbers))
                    .allSatisfy { !$0.refused }, "\(orphans) of \(objects), \(references)")
        }
    }

    // As the command line reads it: a percentage, bytes, or a count.
    private func number(_ text: Substring) throws -> Double {
        if text.hasSuffix("%") { return try #require(Double(text.dropLast())) / 100 }
        return try #require(Double(text.hasSuffix("B") ? text.dropLast() : text))
    }
}
