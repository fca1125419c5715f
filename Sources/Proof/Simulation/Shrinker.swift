/// Takes choices out of a failing simulation as long as it still fails in the same way, so that a
/// person can read what is left.
package struct Shrinker {
    private let start: World
    private let setting: Setting
    private let word: String

    /// A shrinker for simulations from a world that end in a violation of this word.
    package init(start: World, setting: Setting, word: String) {
        self.start = start
        self.setting = setting
        self.word = word
    }

    /// The fewest choices that were found to end in the same word; a replay takes each that is
    /// possible and passes over the others.
    package func shrink(_ choices: [Choice]) -> [Choice] {
        guard var kept = reduced(choices) else { return choices }
        var size = max(1, kept.count / 2)
        while true {
            var isShorter = false
            var place = 0
            while place < kept.count {
                let end = min(place + size, kept.count)
                let without = Array(kept[..<place]) + Array(kept[end...])
                if let shorter = reduced(without) {
                    isShorter = true
                    kept = shorter
                } else {
                    place = end
                }
            }
            if size == 1, !isShorter { return kept }
            size = size > 1 ? size / 2 : 1
        }
    }

    // The choices that were taken up to the violation; nil when there is none of this word.
    private func reduced(_ choices: [Choice]) -> [Choice]? {
        var world = start
        var taken: [Choice] = []
        for choice in choices where world.apply(choice, setting) {
            taken.append(choice)
            guard let violation = world.violation else { continue }
            return violation.word == word ? taken : nil
        }
        guard word == "left" || word == "nulled", world.isAtRest else { return nil }
        world.checkEnd(setting)
        return world.violation?.word == word ? taken : nil
    }
}

extension SeededSimulation {
    /// The choices of the seed's course that end in its violation, shrunk; nil when it has none.
    ///
    /// What is left behind at the end is not shrunk: with fewer runs anything would be left.
    package func failingTrace() -> [Choice]? {
        var choices: [Choice] = []
        guard let violation = run({ choices.append($0) }).violation else { return nil }
        if case .left = violation { return choices }
        return Shrinker(start: world, setting: setting, word: violation.word).shrink(choices)
    }
}
