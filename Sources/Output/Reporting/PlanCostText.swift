package import MooringModel

/// What a plan costs in storage, in sentences for a terminal.
package enum PlanCostText {
    /// The sentences, one line each; none where nothing is to be told.
    package static func lines(_ cost: PlanCost) -> [String] {
        guard !cost.isNothing else { return [] }
        var lines: [String] = []
        let early = cost.shares.filter { $0.value.fees > 0 }
        if cost.fees > 0 {
            lines.append(
                "cost: \(money(cost.fees, cost)) for removing objects before their class's minimum "
                    + "(" + classes(early) { "\($0.early)" } + ")")
        }
        if cost.quarantine > 0 {
            lines.append(
                "cost: \(money(cost.quarantine, cost)) for \(cost.retention.label) in quarantine, "
                    + "each object in the class that it has")
        }
        if cost.laterFees > 0 {
            lines.append(
                "cost: \(money(cost.laterFees, cost)) more if a sweep removes them then, before "
                    + "their class's minimum")
        }
        let small = cost.shares.filter { $0.value.small > 0 }
        if !small.isEmpty {
            lines.append(
                "cost: the store charges for more bytes than they have: "
                    + classes(small) { "\($0.small)" })
        }
        lines += unknowns(cost)
        lines += cost.rules.map { "cost: " + VisibleText.ascii($0) }
        guard !lines.isEmpty else { return [] }
        return lines + [
            "cost: reckoned from each upload; what a rule moved into its class later costs more",
            "  (prices: \(VisibleText.ascii(cost.source)))",
        ]
    }

    private static func unknowns(_ cost: PlanCost) -> [String] {
        var lines = cost.unpriced.sorted { $0.key < $1.key }.map { name, count in
            "cost: no price is known of \(Measure.count(count, "object")) in "
                + VisibleText.ascii(name) + " (prices: classes:)"
        }
        let unknown = cost.unknown.values.reduce(0, +)
        if let first = cost.unknown.keys.min() {
            lines.append(
                "cost: the class of \(Measure.count(unknown, "object")) is not known: "
                    + VisibleText.ascii(first))
        }
        return lines
    }

    private static func money(_ amount: Double, _ cost: PlanCost) -> String {
        Figures.money(amount, cost.terms.currency)
    }

    // `2 of STANDARD_IA (30d)`.
    private static func classes(
        _ shares: [String: PlanCost.Share], _ count: (PlanCost.Share) -> String
    ) -> String {
        shares.sorted { $0.key < $1.key }.map { name, share in
            "\(count(share)) of \(VisibleText.ascii(name))"
        }.joined(separator: ", ")
    }
}
