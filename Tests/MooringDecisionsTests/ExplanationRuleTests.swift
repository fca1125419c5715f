import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@Suite("Explanations")
struct ExplanationRuleTests {
    private let race = RaceModel(bounds: RaceBounds(), clock: .seconds(2))

    private func explanation(
        _ state: DifferenceState, _ shape: FieldShape? = nil, age: Duration
    ) -> Explanation? {
        ExplanationRule.explanation(
            of: Difference(state, shape: shape, since: now - age), under: race, at: now)
    }

    @Test("while an association may come it is named, with the end of all explanations")
    func association() throws {
        let young = try #require(explanation(.ownerHoldsNothing, .scalar, age: .minutes(1)))
        #expect(young.workflow == "create" && young.step == "associate")
        #expect(young.until == now - .minutes(1) + race.grace)
        let last = explanation(
            .ownerHoldsNothing, .scalar, age: .hours(1) + .seconds(2) - .nanoseconds(1))
        #expect(last?.workflow == "create")
    }

    @Test("after U and C only a copy that is written back is left, and after G nothing")
    func writeBack() throws {
        for state in DifferenceState.orphans {
            let later = try #require(explanation(state, age: .hours(1) + .seconds(2)))
            #expect(later.workflow == "write back" && later.step == "write back")
            #expect(explanation(state, age: race.grace - .nanoseconds(1)) != nil)
            #expect(explanation(state, age: race.grace) == nil)
        }
    }

    @Test("a dangling reference may be that of a record about to be deleted, until G is over")
    func dangling() throws {
        let young = try #require(explanation(.objectIsAbsent, age: .minutes(1)))
        #expect(young.workflow == "delete both, file first" && young.step == "delete record")
        #expect(young.until == now - .minutes(1) + race.grace)
        #expect(explanation(.objectIsAbsent, age: race.grace) == nil)
    }

    @Test("all of them are listed, each with its own end, and the last ends with G")
    func all() {
        let difference = Difference(
            .ownerHoldsAnother, shape: .scalar, since: now - .minutes(1))
        let all = ExplanationRule.explanations(of: difference, under: race, at: now)
        #expect(
            all.map(\.workflow) == [
                "add or update", "same key again", "multipart upload", "background upload",
                "create", "write back",
            ])
        for explanation in all {
            let isCopy = explanation.workflow == "write back"
            let wait = isCopy ? race.grace : .hours(1) + .seconds(2)
            #expect(explanation.until == difference.since + wait)
        }
        let later = ExplanationRule.explanations(of: difference, under: race, at: now + .days(1))
        #expect(later.map(\.workflow) == ["write back"])
    }

    @Test("there is an explanation exactly until G is over, under any bounds and at any age")
    func verdict() {
        var random = SeededGenerator("ExplanationRuleTests.verdict")
        for _ in 0..<2_000 {
            let race = RaceModel(bounds: random.bounds(), clock: random.time(90))
            let edge = Duration.nanoseconds(Int64(random.number(-1...1)))
            let age = random.bool() ? race.grace + edge : random.time(5_000_000)
            let difference = Difference(
                random.one(of: DifferenceState.allCases),
                shape: random.maybe {
                    $0.one(of: FieldShape.allCases)
                }, since: now - age)
            let found = ExplanationRule.explanation(of: difference, under: race, at: now)
            #expect(found?.until == (age < race.grace ? now - age + race.grace : nil))
            let all = ExplanationRule.explanations(of: difference, under: race, at: now)
            #expect(all.map(\.until).max() == found?.until)
            #expect(all.first?.workflow == found?.workflow && all.first?.step == found?.step)
        }
    }
}
