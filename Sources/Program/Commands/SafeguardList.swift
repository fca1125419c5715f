import MooringModel
import MooringSimulation

/// Every safeguard of the full protocol, taken out alone: the scenarios that notice it.
struct SafeguardList {
    /// Whether the shortest way to each loss is told.
    let traces: Bool
    /// Whether one JSON document is printed instead.
    let json: Bool

    private struct Finding {
        let without: String
        let word: String
        let lines: [String]
    }

    /// Explores and prints; whether the full protocol keeps every promise, and each safeguard is
    /// missed where it should be.
    func run() -> Bool {
        var isKept = true
        var members: [JSONValue.Member] = []
        for scenario in Scenario.all {
            let full = scenario.explore(.full)
            let word = full.violation?.word ?? "safe"
            isKept = isKept && word == "safe"
            if !json {
                StandardOutput.line("\(scenario.name): \(word), \(full.states) states")
                StandardOutput.line("  \(scenario.summary)")
            }
            var words = [JSONValue.Member(name: "full", value: .string(word))]
            for (safeguards, wanted) in scenario.breaks {
                let finding = explore(scenario, safeguards, wanted)
                isKept = isKept && finding.word == wanted
                words.append(
                    JSONValue.Member(
                        name: "without " + finding.without, value: .string(finding.word)))
                if !json { show(finding) }
            }
            members.append(JSONValue.Member(name: scenario.name, value: .object(words)))
        }
        if json { StandardOutput.document(.object(members)) }
        return isKept
    }

    private func explore(
        _ scenario: Scenario, _ safeguards: Safeguards, _ wanted: String
    ) -> Finding {
        let result = scenario.explore(without: safeguards, word: wanted)
        let names = Safeguards.names.filter { safeguards.contains($0.safeguard) }.map(\.name)
        let (world, setting) = scenario.start(without: safeguards, word: wanted)
        return Finding(
            without: names.joined(separator: ", "), word: result.violation?.word ?? "safe",
            lines: traces ? Narrator(world, setting).tell(result.trace) : [])
    }

    private func show(_ finding: Finding) {
        StandardOutput.line("  without \(finding.without): \(finding.word)")
        for line in finding.lines { StandardOutput.line(line) }
    }
}
