import MooringLedger
import MooringModel

/// Writes the journal for steps that are carried out at once: what comes while a transaction is
/// being written goes together into the next.
actor JournalWriter {
    private let ledger: Ledger
    private var waiting: [(line: JournalLine, end: CheckedContinuation<Int64, any Error>)] = []
    private var isScheduled = false

    // More than that in one transaction saves nothing.
    private static let batch = 256

    /// A writer of a ledger's journal.
    init(_ ledger: Ledger) {
        self.ledger = ledger
    }

    /// Writes a line, which is on disk when the call returns, and gives its entry's number.
    func write(_ line: JournalLine) async throws -> Int64 {
        try await withCheckedThrowingContinuation { end in
            waiting.append((line, end))
            guard !isScheduled else { return }
            isScheduled = true
            Task { self.flush() }
        }
    }

    private func flush() {
        isScheduled = false
        while !waiting.isEmpty {
            let lines = Array(waiting.prefix(Self.batch))
            waiting.removeFirst(lines.count)
            write(lines)
        }
    }

    // A line that contradicts what is stored stops none of its neighbours.
    private func write(_ lines: [(line: JournalLine, end: CheckedContinuation<Int64, any Error>)]) {
        do {
            let numbers = try ledger.write(lines.map(\.line))
            for (number, line) in zip(numbers, lines) { line.end.resume(returning: number) }
        } catch {
            guard lines.count > 1 else {
                for line in lines { line.end.resume(throwing: error) }
                return
            }
            for line in lines { write([line]) }
        }
    }
}

/// Writes one object step's intent and outcome to the journal; many steps may do so at once.
struct ObjectJournal: Sendable {
    /// Where the entries stand.
    let ledger: Ledger
    /// Writes them.
    let writer: JournalWriter
    /// Tells the time of each entry.
    let clock: @Sendable () -> Instant
    /// The run that acts.
    let run: RunID
    /// The plan; nil for an act that belongs to none.
    let plan: String?

    /// The journal of a job's run.
    init(_ job: Job, _ writer: JournalWriter, run: RunID, plan: String?) {
        ledger = job.ledger
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
    func waits(_ step: PlanStep) throws -> String? { try StepJournal.waits(step, ledger) }

    /// Ends a step that nothing proves, as of `StepJournal.unproved`.
    func unproved(_ step: PlanStep, _ intent: Int64?) async throws -> (StepOutcome, String?) {
        try await end(step, intent, .failed, StepJournal.unproved)
    }

    private func entry(_ step: PlanStep, _ undoes: Int64?) -> JournalEntry {
        JournalEntry(run: run, plan: plan, step: step, intendedAt: clock(), undoes: undoes)
    }
}
