import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

/// The guards of a plan: what the run's own scan found, and the shares of what is to be done.
struct PlanGuards {
    /// What the stage works with.
    let job: Job
    /// The run whose findings are repaired.
    let run: RunSummary

    private static let ofPlans = AcceptableGuard.amounts.union(AcceptableGuard.shares)

    /// That all of them let a plan pass, with what they said.
    struct Passed {
        /// What each guard said, none of which refuses.
        let answers: [RunSummary.Guard]

        fileprivate init(_ answers: [RunSummary.Guard]) {
            self.answers = answers
        }
    }

    /// Throws where one refuses, and writes down which losses were accepted.
    func check(_ tally: Tally, accepting acceptance: Acceptance) throws -> Passed {
        let guards = job.guards(for: run.command == "run" ? "run" : "plan", of: run.id)
        var facts = GuardFacts()
        facts.steps = tally.steps
        facts.bytesToRemove = tally.bytesToRemove
        facts.acts = try PlacedTotals(run, job.ledger).acts(tally.acts, of: job)
        let scanned =
            guards.again(
                run.guards.filter { !$0.isOne(of: Self.ofPlans) }, accepting: acceptance)
            + (try clock(guards))
        let answers = scanned + guards.plan(facts, accepting: acceptance).map(withCause)
        if let refusal = Refusal(
            guards: answers, refused: "a repair plan for run \(run.id.text)", words: guards.words)
        {
            throw refusal
        }
        try accept(scanned)
        return Passed(answers)
    }

    // A plan is no run: what it is judged by is the clock of now against that of the last one.
    private func clock(_ guards: Guards) throws -> [RunSummary.Guard] {
        var answer = guards.clockAnswer(nil, behind: try job.clockBehind(at: job.clock()))
        guard answer.refused else { return [] }
        answer.hint =
            "one of the two clocks was wrong: set this machine's clock; where it is right, run "
            + "mooring audit twice, then mooring plan"
        return [answer]
    }

    // What the scan told of the likely cause, the plan need not find out again.
    private func withCause(_ answer: RunSummary.Guard) -> RunSummary.Guard {
        var answer = answer
        if answer.refused {
            answer.cause =
                run.guards.first {
                    $0.name == answer.name && $0.place == answer.place
                }?.cause
        }
        return answer
    }

    private func accept(_ answers: [RunSummary.Guard]) throws {
        for answer in answers where answer.accepted != nil {
            guard let place = answer.place else { continue }
            if answer.acceptable == .objectDrop {
                try job.ledger.accept(.objects, [place], of: run.id)
            }
            if answer.acceptable == .referenceDrop {
                let own = job.fieldPlaces.filter { [$0.place.text, $0.source].contains(place) }
                // A source that is no longer configured has a count by its own name.
                try job.ledger.accept(.references, own.map(\.place.text) + [place], of: run.id)
                let models = job.models.filter { [$0.place.text, $0.source].contains(place) }
                try job.ledger.accept(.rows, models.map(\.place.text), of: run.id)
            }
        }
    }
}
