/// Explores every interleaving of a small configuration, breadth first, until no new state is
/// left or a violation is found; the first one found has the shortest trace.
package struct Explorer {
    /// What an exploration found.
    package struct Result: Sendable {
        /// The first violation; nil when no state has one.
        package let violation: Violation?
        /// The choices that lead there; empty when there is none.
        package let trace: [Choice]
        /// How many states were visited.
        package let states: Int
        /// How many steps were taken.
        package let steps: Int
        /// Whether every state was visited: the bound was not reached.
        package let isComplete: Bool
    }

    private let setting: Setting
    private let start: World
    private let bound: Int

    /// An exploration from a world; it gives up after `bound` states.
    package init(_ start: World, _ setting: Setting, bound: Int = 20_000_000) {
        self.start = start
        self.setting = setting
        self.bound = bound
    }

    private struct Arrival {
        let from: Int32
        let choice: Choice
    }

    /// Explores, looking for whatever `matters`.
    package func run(_ matters: (Violation) -> Bool = { _ in true }) -> Result {
        let relevance = StateRelevance(setting)
        var known: Set<StateCode> = [StateCode(start, relevance)]
        var arrivals: [Arrival] = [Arrival(from: -1, choice: .tick)]
        var layer: [(world: World, number: Int32)] = [(start, 0)]
        var steps = 0
        while !layer.isEmpty {
            var next: [(world: World, number: Int32)] = []
            for (world, number) in layer {
                for choice in world.choices(setting) {
                    var copy = world
                    guard copy.apply(choice, setting) else { continue }
                    steps += 1
                    if let violation = copy.violation {
                        guard matters(violation) else { continue }
                        let trace = trace(arrivals, number) + [choice]
                        return Result(
                            violation: violation, trace: trace, states: known.count,
                            steps: steps, isComplete: false)
                    }
                    guard known.insert(StateCode(copy, relevance)).inserted else { continue }
                    arrivals.append(Arrival(from: number, choice: choice))
                    next.append((copy, Int32(arrivals.count - 1)))
                }
            }
            guard known.count < bound else {
                return Result(
                    violation: nil, trace: [], states: known.count, steps: steps,
                    isComplete: false)
            }
            layer = next
        }
        return Result(
            violation: nil, trace: [], states: known.count, steps: steps, isComplete: true)
    }

    private func trace(_ arrivals: [Arrival], _ end: Int32) -> [Choice] {
        var choices: [Choice] = []
        var number = end
        while number > 0 {
            choices.append(arrivals[Int(number)].choice)
            number = arrivals[Int(number)].from
        }
        return choices.reversed()
    }
}
