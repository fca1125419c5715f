import MooringModel
import MooringReporting
import Testing

@Suite("A plan's cost in words")
struct PlanCostTextTests {
    private func cost(_ add: (inout PlanCost) -> Void) -> [String] {
        var cost = PlanCost(terms: .aws, retention: .days(30))
        add(&cost)
        return PlanCostText.lines(cost)
    }

    @Test("fees, quarantine, small objects and what is not known stand a line each")
    func lines() {
        let gib: Int64 = 1 << 30
        let told = cost {
            $0.add(.told("STANDARD_IA"), bytes: 1_000 * gib, age: .days(10), fate: .copied)
            $0.add(.told("GLACIER_IR"), bytes: 7, age: .days(1), fate: .removed)
            $0.add(.told("GLACIER"), bytes: 500 * gib, age: .days(1), fate: .hidden)
            $0.add(.told("NEW\u{1B}"), bytes: 7, age: .days(1), fate: .copied)
            $0.add(.unknown("HeadObject: no answer"), bytes: 7, age: .days(1), fate: .copied)
        }
        #expect(
            told == [
                "cost: about USD 8.33 for removing objects before their class's minimum "
                    + "(1 of GLACIER_IR, 1 of STANDARD_IA)",
                "cost: about USD 14.30 for 30d in quarantine, each object in the class that it has",
                "cost: about USD 3.54 more if a sweep removes them then, before their class's "
                    + "minimum",
                "cost: the store charges for more bytes than they have: 1 of GLACIER_IR",
                "cost: no price is known of 1 object in NEW\\x1b (prices: classes:)",
                "cost: the class of 1 object is not known: HeadObject: no answer",
                "cost: reckoned from each upload; what a rule moved into its class later costs "
                    + "more",
                "  (prices: S3 Standard in us-east-1, November 2026)",
            ], "\(told)")
    }

    @Test("nothing is told where nothing is asked for")
    func nothing() {
        #expect(cost { _ in }.isEmpty)
        #expect(cost { $0.add(.told("STANDARD"), bytes: 9, age: .zero, fate: .removed) }.isEmpty)
    }
}
