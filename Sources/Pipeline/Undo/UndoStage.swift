import MooringDecisions
package import MooringLedger
package import MooringModel
import MooringReconcile

/// Takes a run's repairs back, newest first, and finishes what a crash left open.
package struct UndoStage {
    private let job: Job
    private let run: RunID
    private let writer: JournalWriter

    /// A stage that acts in a run.
    package init(job: Job, run: RunID) {
        self.job = job
        self.run = run
        writer = JournalWriter(job.ledger)
    }

    /// A repair and whether it can be taken back.
    package struct Item: Hashable, Sendable {
        /// The journal entry of the repair, with its outcome.
        package let entry: JournalEntry
        /// Why it cannot be taken back; nil when it can.
        package let obstacle: String?

        /// Whether nothing is left undone by passing over it: it changed nothing, is as it should
        /// be, or was taken back before. A deleted object or record that cannot come back is a
        /// failure.
        var isNoFailure: Bool { !entry.step.isForGood }
    }

    /// That a run carried out no step of this id.
    struct NoSuchStep: Error, CustomStringConvertible {
        /// The run whose repairs are looked through.
        let run: RunID
        /// The id that was named.
        let step: String

        var description: String {
            "run \(run.text) carried out no step '\(step)'; mooring undo \(run.text) lists its "
                + "repairs"
        }
    }

    /// The repairs of a run that were carried out, newest first; or the one of this id, which must
    /// be there.
    package func items(of repaired: RunID, onlyStep step: String? = nil) throws -> [Item] {
        let entries = try job.ledger.journal(run: repaired)
        var items: [Item] = []
        for entry in entries.reversed()
        where entry.outcome == .done && (step == nil || entry.step.id == step) {
            items.append(Item(entry: entry, obstacle: try obstacle(entry)))
        }
        if let step, items.isEmpty { throw NoSuchStep(run: repaired, step: step) }
        return items
    }

    /// The commands whose runs can be taken back.
    package static let repairing: Set<String> = ["repair", "run", "sweep"]

    /// The run that a name means beside those that the ledger keeps: `latest` is the last one that
    /// has something in the journal, since a nightly run that had nothing to do hides no repair
    /// before it; a name that begins no kept run's may be that of one pruned run, whose repairs are
    /// still known. Nil where it is for the kept runs to tell.
    package static func repairedRun(_ name: String, _ ledger: Ledger) throws -> RunID? {
        let runs = try ledger.runs(limit: nil)
        if name == "latest" {
            return try runs.first {
                try repairing.contains($0.command) && !ledger.journal(run: $0.id).isEmpty
            }?.id
        }
        guard !runs.contains(where: { $0.id.text.hasPrefix(name) }) else { return nil }
        let pruned = try ledger.journalRuns(beginning: name)
        return pruned.count == 1 ? pruned.first : nil
    }

    /// The newest repair that can be taken back of each object whose key a text spells: of the
    /// first spelling that has one, in every bucket.
    package static func newest(of text: String, _ job: Job) throws -> [JournalEntry] {
        let keys = SubjectLook(job: job).keys(named: text)
        var found: [(key: ObjectKey, entry: JournalEntry)] = []
        for key in keys where found.allSatisfy({ $0.key == key.key }) {
            let bucket = job.buckets[key.bucket].name
            let entries = try job.ledger.journal(about: bucket, key: key.key)
            if let entry = entries.lastToUndo { found.append((key.key, entry)) }
        }
        return found.map(\.entry)
    }

    private func obstacle(_ entry: JournalEntry) throws -> String? {
        if entry.erasedBy != nil { return "what it acted on was erased on request" }
        if entry.step.strategy == .untag { return "the object was no orphan any more" }
        if entry.undoes != nil { return "it is itself an undo; run mooring audit and plan again" }
        switch entry.step.strategy {
        case .quarantine, .nullify, .relink, .repoint, .tag: break
        case .restore where entry.step.precondition.basis.marker != nil: break
        case .abort: return "the parts of an upload that was ended cannot be brought back"
        case .requery where entry.change != nil: break
        case .delete: return "a deleted object cannot be brought back"
        case .deleteRecord: return "a deleted record cannot be brought back"
        case .restore: return "a restored object is where a record references it"
        default: return "it changed nothing"
        }
        let isUndone = try job.ledger.journal(about: entry.step).contains {
            $0.undoes == entry.number && $0.outcome == .done
        }
        return isUndone ? "it was taken back before" : nil
    }

    /// Takes repairs back, those of objects in one bucket at once, and tells each result in order.
    func run(
        _ items: [Item], by rights: ActingRights, _ tell: (StepResult) -> Void
    ) async throws {
        var rest = items[...]
        while let first = rest.first {
            try job.interruption.check()
            let together = StepGroup.prefix(of: rest.map(\.entry.step))
            let width = first.entry.step.bucket.flatMap(rights.bucket)?.actsAtOnce ?? 1
            let work = OrderedWork(width: width, interruption: job.interruption)
            try await work.run(Array(rest.prefix(together))) {
                try await undo($0, by: rights)
            } tell: {
                tell($0)
            }
            rest = rest.dropFirst(together)
        }
    }

    /// Takes one repair back.
    func undo(_ item: Item, by rights: ActingRights) async throws -> StepResult {
        let entry = item.entry
        if let obstacle = item.obstacle {
            return StepResult(step: entry.step, outcome: .stale, reason: obstacle)
        }
        let journal = StepJournal(rights, writer, run: run, plan: nil)
        let told: StepEnding
        switch entry.step.strategy {
        case .quarantine:
            told = try await HeldObjectExecutor(journal: journal, undoes: entry.number)
                .carryOut(await held(entry))
        case .tag: told = try await TagExecutor(journal: journal).untag(entry)
        case .restore:
            told = try await UndeleteExecutor(journal: journal).deleteAgain(entry)
        default: told = try await putBack(entry, journal)
        }
        return StepResult(step: entry.step, outcome: told.outcome, reason: told.reason)
    }

    // What is given back is what this run put there, as it stands in quarantine now.
    private func held(_ entry: JournalEntry) async -> PlanStep {
        var step = entry.step
        step.strategy = .restore
        step.precondition.quarantinedBy = entry.quarantineRun
        if let bucket = step.bucket.flatMap(job.bucket), let key = step.key,
            let judged = step.precondition.object,
            case .present(let found) = await bucket.headQuarantined(key, run: entry.quarantineRun),
            bucket.holds(found, asJudged: judged)
        {
            step.precondition.object = found
        }
        return step.sealed()
    }

    private func putBack(_ entry: JournalEntry, _ journal: StepJournal) async throws -> StepEnding {
        guard let change = entry.change, let place = entry.step.record,
            let source = journal.rights.source(place.identity.source),
            let mapping = job.mapping(place.identity)
        else { return (.failed, "its record is no longer configured") }
        let reverse: RecordChange
        if entry.step.strategy == .requery {
            reverse = CopyChange.reverse(change)
        } else {
            switch await reversed(change, entry.step, mapping, journal.rights) {
            case .success(let change): reverse = change
            case .failure(let obstacle): return (obstacle.outcome, obstacle.reason)
            }
        }
        let intent = try await journal.intend(
            entry.step, change: reverse, undoes: entry.number)
        let end = await UndoWrite(write: RecordWrite(source: source, change: reverse)).carryOut()
        return try await journal.end(entry.step, intent, end)
    }
}

extension UndoStage {
    private struct Obstacle: Error {
        var outcome = StepOutcome.stale
        let reason: String
    }

    // Of the record as it is by now: what others wrote beside the field, at each login say, is no
    // reason to keep a reference from it.
    private func reversed(
        _ change: RecordChange, _ step: PlanStep, _ mapping: ModelMapping,
        _ rights: ActingRights
    ) async -> Result<RecordChange, Obstacle> {
        guard let context = RecordContext(step, rights) else {
            return .failure(Obstacle(reason: "its record is no longer configured"))
        }
        let rows: [[FieldValue]]
        do {
            rows = try await context.rows()
        } catch {
            return .failure(Obstacle(outcome: .failed, reason: "\(error)"))
        }
        guard rows.count == 1, context.reader.read(rows[0])?.isTombstone == false else {
            return .failure(Obstacle(reason: "the record is gone"))
        }
        let back = FieldChange.puttingBack(
            change, mapping: mapping, row: context.named(rows[0]), at: job.clock())
        return back.map { .success($0) }
            ?? .failure(Obstacle(reason: "the field holds another value now"))
    }
}
