import Glibc
package import MooringModel

/// A run under way: its summary, how its steps ended, and who is told of both.
///
/// What stands in the summary is what the ledger keeps of the run, however it ends.
package final class CurrentRun {
    /// What a command shows while the run goes on.
    package enum Event {
        /// A sentence that people have to know.
        case note(String)
        /// Something was refused; the run goes on to its report.
        case refused(Refusal)
        /// A step that an earlier run had left open has ended.
        case resumed(StepResult)
        /// A step of this run has ended, or was ended by an earlier attempt at its plan.
        case ended(StepResult)
        /// A repair stays as it is, for a reason that is no failure.
        case stays(UndoStage.Item)
        /// What lies in quarantine, before any of it is removed for good.
        case held([Pipeline.QuarantineState])
        /// What a deletion request means now.
        case surveyed(EraseStage.Survey)
        /// What it means is removed for good from here on.
        case erasing
        /// Something that was to go could not be removed, in words without keys.
        case failure(String)
        /// Without rights nothing is changed: what would be done, what would go for good, and what
        /// is to be said of it.
        case dry([PlanStep], swept: [PlanStep], notes: [String])
    }

    /// What the ledger keeps of the run, as far as it is known by now.
    package var summary: RunSummary
    /// Its steps by how they ended.
    package private(set) var repairs = RunSummary.Repairs()
    private var isResumeLeftUndone = false
    private let tell: (Event) -> Void

    /// A run that begins, and who is told of it.
    package init(_ summary: RunSummary, tell: @escaping (Event) -> Void) {
        self.summary = summary
        self.tell = tell
    }

    /// Whether a step was not carried out, those that an earlier run had left open among them.
    package var leftUndone: Bool { repairs.stale + repairs.failed > 0 || isResumeLeftUndone }

    /// Tells of something beside the steps.
    func report(_ event: Event) { tell(event) }

    /// Keeps a sentence with the run, and tells it.
    package func note(_ sentence: String) {
        summary.notes.append(sentence)
        tell(.note(sentence))
    }

    /// Adds so many more planned steps.
    func plan(_ count: Int) { repairs.planned += count }

    /// Adds a step's end. An interrupted run tells in the ledger how far it came.
    func add(_ result: StepResult) {
        switch result.outcome {
        case nil: break
        case .done, .undone, .healed, .confirmed, .changed: repairs.done += 1
        case .stale, .putBack: repairs.stale += 1
        case .failed: repairs.failed += 1
        }
        summary.repairs = repairs
        tell(.ended(result))
    }

    /// Takes a step that an earlier run had left open. It is none of this run's planned ones, so
    /// it is in no sum; that it failed leaves something undone.
    func addResumed(_ result: StepResult) {
        if result.outcome == .failed { isResumeLeftUndone = true }
        tell(.resumed(result))
    }

    /// Refuses every change from here on; the run goes on to its report.
    func refuse(_ refusal: Refusal) {
        summary.status = .refused
        summary.reason = refusal.description
        tell(.refused(refusal))
    }

    /// Notes when the run ended, what memory it took, and what it sent to each store.
    package func finish(_ job: Job) {
        summary.finishedAt = job.clock()
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            // Linux counts in KiB.
            summary.peakMemory = Int64(usage.ru_maxrss) << 10
        }
        for bucket in job.buckets {
            guard let traffic = bucket.traffic else { continue }
            summary.notes.append("bucket \(bucket.name): \(traffic).")
        }
    }
}
