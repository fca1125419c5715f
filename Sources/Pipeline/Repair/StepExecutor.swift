import MooringDecisions
import MooringModel

/// Where a step acts.
protocol StepPlace: Sendable {
    /// The step.
    var step: PlanStep { get }
    /// What its intent notes of a write to a record; nil of any other act.
    var change: RecordChange? { get }
    /// The entry that it takes back; nil of a step that takes nothing back.
    var undoes: Int64? { get }
}

extension StepPlace {
    /// No write to a record.
    var change: RecordChange? { nil }
    /// Nothing is taken back.
    var undoes: Int64? { nil }
}

/// Drives one kind of machine against real stores: it says what proves a step, which machine it
/// takes, and how each question and act is carried out.
protocol StepExecutor: Sendable {
    /// The protocol that decides what is asked and done.
    associatedtype Machine: StepMachine
    /// Where it acts.
    associatedtype Place: StepPlace

    /// Where intent and outcome go, and by what is acted.
    var journal: StepJournal { get }

    /// What a step begins with; throws the `StepEnd` of one that does not begin.
    func begin(_ step: PlanStep) async throws -> (Machine, Place)
    /// What a step goes on with that was left open behind its intent; throws as `begin`.
    func takeUp(_ entry: JournalEntry) async throws -> (Machine, Place)
    /// What is thrown is an answer that did not come.
    func ask(_ question: Machine.Question, _ place: inout Place) async throws -> Machine.Answer
    /// Acts on a store; what is thrown is an answer that did not come.
    func act(_ act: Machine.Act, _ place: Place) async throws -> Machine.Answer
    /// What is said of a step that was done; nil where nothing is to be said.
    func caveat(_ place: Place) async -> String?
}

extension StepExecutor {
    /// What the repair works with.
    var job: Job { journal.rights.job }

    /// Nothing is to be said of most.
    func caveat(_ place: Place) async -> String? { nil }

    /// Drives a step from its first question to its end, intent and outcome in the journal.
    func carryOut(_ step: PlanStep) async throws -> StepEnding {
        let (machine, place): (Machine, Place)
        do {
            (machine, place) = try await begin(step)
        } catch let end as StepEnd {
            return try await journal.end(step, nil, end)
        }
        return try await drive(machine, place)
    }

    /// Finishes a step that was left open behind its intent.
    func resume(_ entry: JournalEntry) async throws -> StepEnding {
        let (machine, place): (Machine, Place)
        do {
            (machine, place) = try await takeUp(entry)
        } catch let end as StepEnd {
            return try await journal.end(entry.step, entry.number, end)
        }
        return try await drive(machine, place, intent: entry.number)
    }

    /// Drives a machine to its end: the intent stands in the journal before the first act.
    func drive(_ start: Machine, _ begun: Place, intent before: Int64? = nil) async throws
        -> StepEnding
    {
        var (machine, place, intent) = (start, begun, before)
        var move = machine.start
        while true {
            switch move {
            case .ask(let question):
                move = machine.handle(await answer(to: question, &place))
            case .act(let act):
                if intent == nil {
                    intent = try await journal.intend(
                        place.step, change: place.change, undoes: place.undoes)
                }
                move = machine.handle(await answer(to: act, place))
            // What is as it should be already had nothing done to it.
            case .end(.finish(.confirmed, let reason)):
                return (.confirmed, reason)
            case .end(.finish(.done, nil)):
                let caveat = await caveat(place)
                return try await journal.end(place.step, intent, .finish(.done, reason: caveat))
            case .end(let end):
                return try await journal.end(place.step, intent, end)
            }
        }
    }

    private func answer(
        to question: Machine.Question, _ place: inout Place
    ) async -> Machine.Answer {
        do {
            return try await ask(question, &place)
        } catch {
            return .failed("\(error)")
        }
    }

    private func answer(to act: Machine.Act, _ place: Place) async -> Machine.Answer {
        do {
            return try await self.act(act, place)
        } catch {
            return .failed("\(error)")
        }
    }
}

extension StepExecutor where Machine: ObjectMachine, Place == ActPlace {
    /// Looks at the place's object.
    func ask(_ question: ObjectQuestion, _ place: inout ActPlace) async throws -> ObjectAnswer {
        try await place.answer(question)
    }
}
