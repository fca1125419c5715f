import MooringModel
import Testing

@Suite("What a plan costs in storage")
struct PlanCostTests {
    private let terms = StorageTerms.aws
    private let gib: Int64 = 1 << 30

    private func isNear(_ amount: Double?, _ wanted: Double) -> Bool {
        amount.map { abs($0 - wanted) < 1e-9 } ?? false
    }

    @Test("an object that goes early is charged for the rest of its class's minimum")
    func fees() {
        // The days that are left, of a month of 30.
        for (name, age, wanted) in [
            ("STANDARD", Duration.zero, 0.0), ("STANDARD_IA", .days(10), 0.0125 * 20 / 30),
            ("STANDARD_IA", .days(30), 0), ("STANDARD_IA", .days(400), 0),
            ("ONEZONE_IA", .days(0), 0.01), ("GLACIER_IR", .days(60), 0.004),
            ("STANDARD_IA", .zero - .days(1), 0.0125),
        ] {
            #expect(isNear(terms.fee(on: gib, in: name, after: age), wanted), "\(name) \(age)")
        }
        let overhead = Double(32 << 10) / Double(1 << 30)
        let index = Double(8 << 10) / Double(1 << 30) * 0.023
        for (name, price, months) in [("GLACIER", 0.0036, 3.0), ("DEEP_ARCHIVE", 0.00099, 6.0)] {
            #expect(
                isNear(
                    terms.fee(on: gib, in: name, after: .zero),
                    ((1 + overhead) * price + index) * months), "\(name)")
        }
        #expect(terms.fee(on: gib, in: "INTELLIGENT_TIERING", after: .zero) == nil)
    }

    @Test("a small object is charged for 128 KiB in the classes that have a least size")
    func small() {
        let least = terms.price(of: 128 << 10, in: "STANDARD_IA", for: .days(30))
        #expect(terms.price(of: 1, in: "STANDARD_IA", for: .days(30)) == least)
        #expect(terms.price(of: 1, in: "GLACIER_IR", for: .days(30)) != nil)
        #expect(
            isNear(
                terms.price(of: 1, in: "STANDARD", for: .days(30)), 0.023 / Double(1 << 30)))
    }

    @Test("a copy is charged anew, a version later, a removal at once")
    func fates() {
        func cost(_ fate: PlanCost.Fate, age: Duration, _ retention: Duration) -> PlanCost {
            var cost = PlanCost(terms: terms, retention: retention)
            cost.add(.told("GLACIER_IR"), bytes: gib, age: age, fate: fate)
            return cost
        }
        let copied = cost(.copied, age: .days(60), .days(30))
        #expect(isNear(copied.fees, 0.004) && copied.laterFees == 0)
        #expect(isNear(copied.quarantine, 0.012), "90 days, though it lies there for 30")
        let long = cost(.copied, age: .days(90), .days(120))
        #expect(long.fees == 0 && isNear(long.quarantine, 0.016))
        let hidden = cost(.hidden, age: .days(30), .days(30))
        #expect(hidden.fees == 0 && isNear(hidden.quarantine, 0.004))
        #expect(isNear(hidden.laterFees, 0.004), "30 of 90 days are left when the sweep comes")
        #expect(hidden.shares["GLACIER_IR"]?.early == 1)
        let removed = cost(.removed, age: .days(89), .days(30))
        #expect(isNear(removed.fees, 0.004 / 30) && removed.quarantine == 0)
    }

    @Test("absurd sizes end sums, and no program")
    func absurd() {
        var dear = terms
        dear.classes["COLD"] = .init(1, least: .max, overhead: .max, index: .max)
        var cost = PlanCost(terms: dear, retention: .days(30))
        for _ in 0..<3 { cost.add(.told("COLD"), bytes: .max, age: .zero, fate: .copied) }
        #expect(cost.shares["COLD"]?.bytes == .max && cost.quarantine.isFinite)
    }

    @Test("prices of AWS's list are told with their classes beside the file's own")
    func sources() {
        var mixed = terms
        mixed.source = "the configuration"
        mixed.listed = ["GLACIER", "STANDARD", "STANDARD_IA"]
        func source(_ names: [String]) -> String {
            var cost = PlanCost(terms: mixed, retention: .days(30))
            for name in names { cost.add(.told(name), bytes: 1, age: .zero, fate: .copied) }
            return cost.source
        }
        let list = StorageTerms.aws.source
        #expect(source(["GLACIER_IR"]) == "the configuration")
        #expect(source(["STANDARD_IA"]) == "the configuration; of STANDARD_IA: \(list)")
        #expect(source(["GLACIER"]) == "the configuration; of GLACIER, STANDARD: \(list)")
    }

    @Test("a rule moves things after days, or on a date, of which nobody knows how far it is")
    func rules() {
        var rule = LifecycleRule(name: "cold", isEnabled: true, prefix: ObjectKey(""))
        rule.transitions = [
            .init(days: 29, target: "A"), .init(days: 30, target: "B"),
            .init(days: nil, target: "C"), .init(days: .max, target: "D"),
            .init(days: 0, target: "E"),
        ]
        let moves = rule.moves(within: .days(30))
        #expect(moves.count == 3 && moves.allSatisfy { $0.contains("what lies in quarantine") })
        #expect(moves[0].contains("to A after 29d") && moves[2].contains("to E after 0d"))
        #expect(moves[1].contains("to C on a date of its own"))
    }

    @Test("what is not known is counted and never reckoned with nothing")
    func unknown() {
        var cost = PlanCost(terms: terms, retention: .days(30))
        #expect(cost.isNothing)
        cost.add(.told("STANDARD"), bytes: 1, age: .days(1), fate: .removed)
        cost.add(.changed, bytes: 1, age: .days(1), fate: .removed)
        #expect(cost.isNothing && cost.changed == 1)
        cost.add(.told("EXPRESS_X"), bytes: 1, age: .days(1), fate: .removed)
        cost.add(.unknown("no answer"), bytes: 1, age: .days(1), fate: .removed)
        #expect(!cost.isNothing && cost.unpriced == ["EXPRESS_X": 1])
        #expect(cost.unknown == ["no answer": 1] && cost.fees == 0)
        let text = String(decoding: cost.json.rendered, as: UTF8.self)
        #expect(text.contains("\"unpriced\":[{\"class\":\"EXPRESS_X\",\"objects\":1}]"), "\(text)")
    }
}
