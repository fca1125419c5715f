import MooringConfiguration
import MooringDecisions
import MooringModel

/// The guards of a deletion request: the limits on steps and bytes and, where a whole level or
/// bucket is meant, on the share of all objects.
enum EraseGuards {
    /// The guards' answers; throws where one refuses.
    static func check(
        _ survey: EraseStage.Survey, _ scope: ErasureScope, _ configuration: Configuration,
        accepting acceptance: Acceptance
    ) throws -> [RunSummary.Guard] {
        // Who asks for a deletion has decided already; nothing is to be reviewed first.
        let words = AcceptingWords(command: "mooring erase", needsReview: false)
        var facts = GuardFacts()
        facts.steps = survey.items.count
        facts.bytesToRemove = survey.bytes
        // A request means one prefix in all buckets, so they are taken together.
        var acts = GuardFacts.Acts(share: PlacedShare(.orphanShare, .bucket("all")))
        acts.planned = survey.items.count
        acts.total = survey.listed
        facts.acts = [acts]
        let asked: Set<AcceptableGuard> =
            AcceptableGuard.amounts.union(scope.coversWhole ? [.orphanShare] : [])
        let guards = Guards(
            limits: configuration.limits, clockBound: configuration.race.clockBound,
            words: words
        ).plan(facts, accepting: acceptance).filter { $0.isOne(of: asked) }
        if let refusal = Refusal(guards: guards, refused: "the deletion request", words: words) {
            throw refusal
        }
        return guards
    }
}
