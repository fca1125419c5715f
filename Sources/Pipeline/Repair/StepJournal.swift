import MooringDecisions
import MooringLedger
import MooringModel

/// Writes the journal for steps that are carried out at once, and looks into it: what comes while
/// a transaction is being written goes together into the next. No step's thread waits for the disk.
actor JournalWriter {
    private typealias Line = (line: JournalLine, end: CheckedContinuation<Int64, any Error>)
    private typealias Look = (step: PlanStep, end: CheckedContinuation<Bool, any Error>)

    private let ledger: Ledger
    private var lines: [Line] = []
    private var looks: [Look] = []
    private var isWorking = false

    // More than that in one transaction saves nothing.
    private static let batch = 256

    /// A writer of a ledger's journal.
    init(_ ledger: Ledger) {
        self.ledger = ledger
    }

    /// Writes a line, which is on disk when the call returns, and gives its entry's number.
    func write(_ line: JournalLine) async throws -> Int64 {
        try await withCheckedThrowingContinuation { end in
            lines.append((line, end))
            work()
        }
    }

    /// Whether an earlier entry about the step's object, or its record, has no outcome.
    func isOpen(_ step: PlanStep) async throws -> Bool {
        try await withCheckedThrowingContinuation { end in
            looks.append((step, end))
            work()
        }
    }

    private func work() {
        guard !isWorking, !lines.isEmpty || !looks.isEmpty else { return }
        isWorking = true
        let (nextLooks, nextLines) = (looks, Array(lines.prefix(Self.batch)))
        looks = []
        lines.removeFirst(nextLines.count)
        // Of its own, so that no cancelled step takes its neighbours' lines with it.
        Task {
            await look(nextLooks)
            await write(nextLines)
            isWorking = false
            work()
        }
    }

    private func look(_ looks: [Look]) async {
        guard !looks.isEmpty else { return }
        do {
            let answers = try await ledger.hasOpenIntents(about: looks.map(\.step))
            for (answer, look) in zip(answers, looks) { look.end.resume(returning: answer) }
        } catch {
            for look in looks { look.end.resume(throwing: error) }
        }
    }

    // A line that contradicts what is stored stops none of its neighbours.
    private func write(_ lines: [Line]) async {
        guard !lines.isEmpty else { return }
        do {
            let numbers = try await ledger.writeBeside(lines.map(\.line))
            for (number, line) in zip(numbers, lines) { line.end.resume(returning: number) }
        } catch {
            guard lines.count > 1 else {
                for line in lines { line.end.resume(throwing: error) }
                return
            }
            for line in lines { await write([line]) }
        }
    }
}

/// What is told of a step: how it ended, and why.
typealias StepEnding = (outcome: StepOutcome, reason: String?)

/// Writes a step's intent and its end to the journal; many steps may do so at once.
struct StepJournal: Sendable {
    /// The rights under which its steps act.
    let rights: ActingRights
    /// Writes the entries, those of several steps together.
    let writer: JournalWriter
    /// The run that acts.
    let run: RunID
    /// The plan; nil for an act that belongs to none.
    let plan: String?

    /// The journal of a run that may act.
    init(_ rights: ActingRights, _ writer: JournalWriter, run: RunID, plan: String?) {
        self.rights = rights
        self.writer = writer
        self.run = run
        self.plan = plan
    }

    /// Writes the intent; returns the entry's number, under which the end follows.
    func intend(
        _ step: PlanStep, change: RecordChange? = nil, undoes: Int64? = nil
    ) async throws -> Int64 {
        try await writer.write(
            .intent(
                JournalEntry(
                    run: run, plan: plan, step: step, intendedAt: rights.job.clock(),
                    change: change,
                    undoes: undoes)))
    }

    /// Ends a step, or leaves its intent without an outcome, so that the next run goes on from it.
    /// A step that has no intent changed nothing, so that nothing of it is left open.
    func end(_ step: PlanStep, _ intent: Int64?, _ end: StepEnd) async throws -> StepEnding {
        let told: StepEnding
        switch end {
        case .finish(let outcome, let reason): told = (outcome, reason)
        case .leaveOpen(let doubt):
            guard intent == nil else { return (.failed, Self.unknown(doubt)) }
            told = (.failed, doubt)
        }
        let now = rights.job.clock()
        guard let intent else {
            let entry = JournalEntry(run: run, plan: plan, step: step, intendedAt: now)
            _ = try await writer.write(
                .ended(entry, told.outcome, reason: told.reason, at: now))
            return told
        }
        _ = try await writer.write(.outcome(intent, told.outcome, reason: told.reason, at: now))
        return told
    }

    private static func unknown(_ doubt: String) -> String {
        "\(doubt); what it did is not known, and the next run goes on from there"
    }

    /// Ends a step before it begins where an earlier one on its object is open, which may have
    /// taken its reference out and have to put that back.
    func refuseOpen(_ step: PlanStep) async throws {
        if try await writer.isOpen(step) { throw StepEnd.openBefore }
    }
}

extension StepEnd {
    /// Of a step that waits for an earlier one.
    static let openBefore = StepEnd.finish(
        .stale, reason: "what an earlier step on this object did is not known yet")

    /// Of one that nothing proves: its plan was made by hand, or its journal was changed.
    static let unproved = StepEnd.finish(
        .failed, reason: "the step is not as it was planned, so that nothing proves it")

    /// Of one of an earlier version.
    static let mixesRuns = StepEnd.finish(.stale, reason: mixedRuns)
    static let mixedRuns =
        "it was planned into another run's quarantine; run mooring audit and plan again"

    /// Of one that needs a bucket which the configuration does not name.
    static let noBucket = StepEnd.leaveOpen(reason: "its bucket is not configured any more")

    /// The same of a record's source, model or field.
    static let noRecord = StepEnd.leaveOpen(
        reason: "its record or bucket is not configured any more")
}
