package import MooringModel

/// What a guard measured at a place, before anything that was accepted is looked at.
struct MeasuredGuard {
    /// The guard's name.
    var name: String
    /// Where it measured; nil of a whole plan or sweep.
    var place: GuardedPlace?
    /// The limit and the value in words.
    var limit: String
    var value: String
    /// The value by itself: a share of one, a count or bytes.
    var number: Double
    /// Whether it is over the limit.
    var exceeds: Bool
    /// Whether it is too large for a ready command: over half, or on an empty side.
    var isGrave = false
    /// How the number is written behind `--accept`, rounded so that it covers the number.
    var covering: String
    /// What is most likely wrong; nil where the numbers do not tell.
    var cause: String?
    /// What to look at before it is accepted.
    var review: String

    /// The answer under what was accepted. `isOnly` says that no other place of this guard exceeds
    /// its limit.
    func answer(
        _ acceptance: Acceptance, isOnly: Bool, _ words: AcceptingWords
    ) -> RunSummary.Guard {
        let accepted =
            exceeds
            ? acceptance.covering(self, isOnly: isOnly, needsReview: words.needsReview) : nil
        var answer = RunSummary.Guard(
            name: name, place: place?.text, limit: limit, value: value,
            refused: exceeds && accepted == nil)
        answer.number = number
        answer.accepted = accepted
        guard answer.refused else { return answer }
        answer.cause = cause
        if !isGrave || !words.needsReview { answer.acceptance = "\(answer.title)=\(covering)" }
        answer.hint = words.hint(review, answer.acceptance)
        return answer
    }

    /// A share rounded up to a hundredth of a percent, so that accepting it covers the number.
    static func covering(_ share: Double) -> String {
        Measure.share((share * 10_000).rounded(.up) / 10_000)
    }
}

/// How a refusal says in which words it can be accepted.
package struct AcceptingWords: Hashable, Sendable {
    /// The command that takes `--accept`, such as `mooring run`.
    package let command: String
    /// Whether a number over half takes the id of a reviewed run.
    package let needsReview: Bool
    /// The run that is to be reviewed; nil where none was written.
    package let run: String?

    private static let turn = "; to accept it: "

    /// Words for a command.
    package init(
        command: String = "mooring plan", needsReview: Bool = true, run: String? = nil
    ) {
        self.command = command
        self.needsReview = needsReview
        self.run = run
    }

    /// What to do next about one refusal.
    package func hint(_ review: String, _ acceptance: String?) -> String {
        guard let acceptance else {
            let look = run.map { " (mooring report \($0))" } ?? ""
            return review + look
                + "; only a run that was reviewed can be accepted (--help says how)"
        }
        return review + Self.turn + line([acceptance])
    }

    /// What to do next about several refusals: what to look at, then one command for all of them
    /// where each of them has one.
    package func next(_ refusing: [RunSummary.Guard]) -> String {
        let acceptances = refusing.compactMap(\.acceptance)
        guard refusing.count > 1, !acceptances.isEmpty else {
            return refusing.compactMap(\.hint).joined(separator: "; ")
        }
        var reviews: [String] = []
        for hint in refusing.compactMap(\.hint) {
            let review = hint.split(separator: Self.turn, maxSplits: 1).first.map(String.init)
            if let review, !reviews.contains(review) { reviews.append(review) }
        }
        let words = reviews.joined(separator: "; ")
        guard acceptances.count == refusing.count else { return words }
        return words + "; to accept all of it: " + line(acceptances)
    }

    private func line(_ acceptances: [String]) -> String {
        command
            + acceptances.map { " --accept " + ShellWord.quoting($0, plain: "._-/:=%@") }.joined()
    }
}
