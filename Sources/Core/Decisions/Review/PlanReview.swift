package import MooringModel

/// What people decided on the steps of some earlier plan, collected from their files.
///
/// Silence approves nothing, and of two words on one finding `keep` wins: a step that is left out
/// can be done tomorrow.
package struct ReviewWords: Sendable {
    private struct Entry {
        var isKept = false
        var approvals: [ReviewLine] = []
    }

    private var entries: [String: Entry] = [:]
    /// How many rows were read.
    package private(set) var count = 0

    /// Nobody's words.
    package init() {}

    /// Adds a row.
    package mutating func add(_ line: ReviewLine) {
        count += 1
        var entry = entries.removeValue(forKey: line.seen.finding) ?? Entry()
        switch line.word {
        case .approve: entry.approvals.append(line)
        case .keep: entry.isKept = true
        case nil: break
        }
        entries[line.seen.finding] = entry
    }

    /// Holds a plan of today to the words. `found` says whether today's run made a finding, planned
    /// or not.
    package func review(
        _ planned: [PlannedStep], found: (String) throws -> Bool
    ) rethrows -> PlanReview {
        var review = PlanReview()
        var steps: [String: [PlannedStep]] = [:]
        for step in planned {
            let entry = entries[step.step.finding]
            let fate = Self.fate(of: step, entry)
            review.counts[fate, default: 0] += 1
            if fate == .approved { review.steps.append(step.step) }
            if entry?.isKept == false { steps[step.step.finding, default: []].append(step) }
        }
        for (finding, entry) in entries where !entry.approvals.isEmpty {
            if entry.isKept {
                review.contradicted += 1
                continue
            }
            let today = steps[finding] ?? []
            let fits = today.contains { step in
                Self.fate(of: step, entry) == .approved
            }
            guard !fits, let line = entry.approvals.min(by: { $0.place < $1.place }) else {
                continue
            }
            review.changes.append(
                PlanReview.Change(
                    line: line, reason: Self.reason(entry, today, isFound: try found(finding))))
        }
        review.changes.sort { $0.line.place < $1.line.place }
        return review
    }

    private static func fate(of step: PlannedStep, _ entry: Entry?) -> PlanReview.Fate {
        guard let entry else { return .unmentioned }
        if entry.isKept { return .kept }
        if entry.approvals.isEmpty { return .undecided }
        let seen = step.seen
        return entry.approvals.contains { $0.seen == seen && $0.belongs(to: step) }
            ? .approved : .changed
    }

    private static func reason(
        _ entry: Entry, _ today: [PlannedStep], isFound: Bool
    ) -> PlanReview.Reason {
        guard !today.isEmpty else { return isFound ? .unplanned : .gone }
        let isTorn = entry.approvals.contains { line in
            today.contains { $0.seen == line.seen }
        }
        if isTorn { return .torn }
        let strategies = Set(today.map(\.step.strategy.rawValue))
        let isOther = entry.approvals.allSatisfy { line in
            line.strategy.map { !strategies.contains($0) } ?? false
        }
        return isOther ? .strategy : .changed
    }
}

/// What people's words make of a plan: some of its steps, and nothing else.
package struct PlanReview: Hashable, Sendable {
    /// What becomes of a step of today's plan.
    package enum Fate: String, Hashable, Sendable, CaseIterable {
        /// It stays.
        case approved
        /// Somebody wants things as they are.
        case kept
        /// It stands in a file, and nobody decided.
        case undecided
        /// It was approved as another one than it is now.
        case changed
        /// It stands in no file.
        case unmentioned
    }

    /// Why a step that was approved is not in the plan.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The run found nothing of it.
        case gone
        /// The run found it, and plans nothing about it.
        case unplanned
        /// Something else is planned about it.
        case strategy
        /// Its cause, its object or its record is another one now.
        case changed
        /// The row that approves it was put together of several.
        case torn
    }

    /// An approval of what is not there any more.
    package struct Change: Hashable, Sendable {
        /// The first row that approves it.
        package let line: ReviewLine
        /// Why it is not done.
        package let reason: Reason
    }

    /// The steps that stay, in the plan's own order.
    package fileprivate(set) var steps: [PlanStep] = []
    /// What became of every step of today's plan.
    package fileprivate(set) var counts: [Fate: Int] = [:]
    /// Approvals that are not done, in the order of files and lines.
    package fileprivate(set) var changes: [Change] = []
    /// How many findings are approved in one row and kept in another; they are kept.
    package fileprivate(set) var contradicted = 0
}
