import MooringDecisions
import MooringModel
import Testing

@Suite("The guard on mapping errors")
struct MappingGuardTests {
    private let refusing = MappingGuard.answer(
        value: "50% (50 of 100, case)", isMappingError: true, hint: "look there")

    @Test("it stands with the other guards where an audit answered it, and cannot be accepted")
    func answer() throws {
        var facts = GuardFacts()
        facts.answers = [refusing]
        let guards = Guards(limits: Limits(), clockBound: .minutes(5)).check(
            facts, accepting: Acceptance(texts: ["mappingError": "1"], numbers: ["mappingError": 1])
        )
        let answer = try #require(MappingGuard.answer(in: guards))
        #expect(answer.refused && answer.hint == "look there")
        #expect(answer.limit == "less than 50% by one rewrite")
        #expect(AcceptableGuard(rawValue: MappingGuard.name) == nil)
        #expect(MappingGuard.answer(value: "", isMappingError: false, hint: "x").hint == nil)
    }

    @Test("it holds every action back but what is given back from quarantine")
    func hold() {
        for strategy in Strategy.allCases {
            let isHeld = strategy == .restore
            var finding = Finding(
                id: "f", kind: isHeld ? .dangling : .orphan, cause: isHeld ? .quarantined : nil,
                verdict: .settled)
            finding.action = strategy
            finding.bucket = "media"
            finding.key = ObjectKey("a")
            MappingGuard.withhold(&finding)
            #expect(finding.action == strategy)
            #expect(finding.needs == (strategy == .restore ? nil : MappingGuard.need))
            #expect(Planner.acts(on: finding) == (strategy == .restore))
        }
        var bare = Finding(id: "f", kind: .shared, cause: nil, verdict: .settled)
        MappingGuard.withhold(&bare)
        #expect(bare.needs == nil)
    }
}
