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

/// Writes one object step's intent and outcome to the journal; many steps may do so at once.
struct ObjectJournal: Sendable {
    /// Writes the entries.
    let writer: JournalWriter
    /// Tells the time of each entry.
    let clock: @Sendable () -> Instant
    /// The run that acts.
    let run: RunID
    /// The plan; nil for an act that belongs to none.
    let plan: String?

    /// The journal of a job's run.
    init(_ job: Job, _ writer: JournalWriter, run: RunID, plan: String?) {
        self.writer = writer
        clock = job.clock
        self.run = run
        self.plan = plan
    }

    /// Writes the intent; returns the entry's number, under which the outcome follows.
    @inline(never)  // Swift 6.3.1's optimiser and asynchronous loops.
    func intend(_ step: PlanStep, undoes: Int64? = nil) async throws -> Int64 {
        try await writer.write(.intent(entry(step, undoes)))
    }

    /// Writes the outcome of a step; one that has no intent yet changed nothing.
    @inline(never)  // As above.
    func end(
        _ step: PlanStep, _ intent: Int64?, _ outcome: StepOutcome, _ reason: String?
    ) async throws -> (StepOutcome, String?) {
        let now = clock()
        if let intent {
            _ = try await writer.write(.outcome(intent, outcome, reason: reason, at: now))
        } else {
            _ = try await writer.write(
                .ended(entry(step, nil), outcome, reason: reason, at: now))
        }
        return (outcome, reason)
    }

    /// Leaves the intent of a step without an outcome, so that the next run goes on from it.
    func leaveOpen(
        _ step: PlanStep, _ intent: Int64?, _ reason: String
    ) async throws -> (StepOutcome, String?) {
        guard intent != nil else { return try await end(step, nil, .failed, reason) }
        return (.failed, StepJournal.unknown(reason))
    }

    /// Why a step has to wait, as of `StepJournal.waits`.
    func waits(_ step: PlanStep) async throws -> String? {
        try await writer.isOpen(step) ? StepJournal.openBefore : nil
    }

    /// Ends a step that nothing proves, as of `StepJournal.unproved`.
    func unproved(_ step: PlanStep, _ intent: Int64?) async throws -> (StepOutcome, String?) {
        try await end(step, intent, .failed, StepJournal.unproved)
    }

    private func entry(_ step: PlanStep, _ undoes: Int64?) -> JournalEntry {
        JournalEntry(run: run, plan: plan, step: step, intendedAt: clock(), undoes: undoes)
    }
}
