import MooringModel
import MooringPipeline
import Testing

/// One round of repair as the naive model sees it: what was there before, what was done, and what
/// is there after it. Everything that is not as it should be is a sentence.
struct RepairCheck {
    let draft: DraftApp
    let naive: NaiveModel
    let before, after: AppState
    let findings: [Finding]
    let results: [StepResult]
    /// Whether no earlier run saw what this one repaired.
    let isFirstRun: Bool

    private let references: [NaiveModel.Reference]
    private let done: [StepResult]
    private let byName: [AppState.Name: [StepResult]]

    init(
        _ draft: DraftApp, _ before: AppState, _ after: AppState, _ findings: [Finding],
        _ results: [StepResult], isFirstRun: Bool
    ) {
        (self.draft, self.before, self.after) = (draft, before, after)
        (self.findings, self.results, self.isFirstRun) = (findings, results, isFirstRun)
        naive = NaiveModel(draft)
        references = naive.references(in: before)
        done = results.filter { $0.outcome == .done }
        byName = Dictionary(grouping: done.filter { $0.step.mayWriteRecord }) {
            $0.step.record.map(AppState.name) ?? AppState.Name(source: "", table: "", id: [])
        }
    }

    /// What is wrong; empty when all is well.
    func problems() -> [String] {
        objectProblems() + givenBackProblems() + rowProblems() + referenceProblems()
            + relationProblems() + removalProblems() + copyProblems() + policyProblems()
    }

    // MARK: Objects

    private func objectProblems() -> [String] {
        var problems: [String] = []
        for (place, thing) in before.objects where after.objects[place] != thing {
            let steps = done.filter {
                $0.step.bucket == place.bucket && $0.step.key?.bytes == place.key
                    && [.quarantine, .delete].contains($0.step.strategy)
            }
            if steps.isEmpty { problems.append("\(place) went without a step") }
            if naive.isProtected(place, in: before, references) {
                let found = findings.filter {
                    $0.bucket == place.bucket && $0.key?.bytes == place.key
                }
                problems.append(
                    "\(place) was needed and is gone, after \(found.map(\.evidence))")
            }
            let isYoung = draft.objects.contains {
                $0.isYoung && $0.bucket == place.bucket && $0.key == place.key
            }
            if isYoung, isFirstRun { problems.append("\(place) was young and is gone") }
            let isHeld = after.held.contains { $0.key.place == place && $0.value == thing }
            let isDeleted = steps.contains { $0.step.strategy == .delete }
            if isHeld == isDeleted { problems.append("\(place) is neither held nor deleted") }
        }
        for (place, thing) in after.objects where before.objects[place] != thing {
            let wasHeld = before.held.contains { $0.key.place == place && $0.value == thing }
            let isRestored = done.contains {
                $0.step.strategy == .restore && $0.step.bucket == place.bucket
                    && $0.step.key?.bytes == place.key
            }
            if !wasHeld || !isRestored { problems.append("\(place) came from nowhere") }
        }
        for (place, thing) in before.held where after.held[place] != thing {
            if after.objects[place.place] != thing {
                problems.append("\(place) left quarantine and is not at its key")
            }
        }
        return problems
    }

    // What a record means and lies in quarantine comes back.
    private func givenBackProblems() -> [String] {
        let records = before.records
        return references.compactMap { reference in
            // Two rows with one id are judged by one of their identities.
            guard records[reference.name]?.count == 1, !reference.isTombstone, !reference.isInvalid,
                !naive.isPresent(reference, in: before),
                before.held.keys.contains(where: { reference.means($0.place) }),
                !naive.isPresent(reference, in: after)
            else { return nil }
            return "\(reference) means what lies in quarantine still"
        }
    }

    // MARK: Rows

    private func rowProblems() -> [String] {
        var problems: [String] = []
        let (old, new) = (before.records, after.records)
        for name in new.keys where old[name] == nil { problems.append("\(name) came") }
        for (name, rows) in old {
            let left = new[name] ?? []
            if rows == left { continue }
            guard let steps = byName[name], rows.count == 1 else {
                problems.append("\(name) was written without a step, or as one of two")
                continue
            }
            guard let row = left.first else {
                if !steps.contains(where: \.step.mayRemoveRecord) {
                    problems.append("\(name) is gone without a step")
                }
                continue
            }
            var named: Set<String> = ["version", "changed"]
            for step in steps {
                if let field = step.step.record?.field { named.insert(field) }
                if step.step.strategy == .deleteRecord { named.insert("deleted") }
                if step.step.strategy == .requery { named.formUnion(row.keys) }
            }
            for (column, value) in row where !named.contains(column) {
                if rows[0][column] != value {
                    problems.append("\(name).\(column) was changed, and no step names it")
                }
            }
        }
        return problems
    }

    private func referenceProblems() -> [String] {
        let rows = after.records
        return references.compactMap { reference in
            let steps = byName[reference.name] ?? []
            let isRefreshed = reference.isCopy && steps.contains { $0.step.strategy == .requery }
            let isRemoved = steps.contains { $0.step.strategy == .deleteRecord }
            // Removed records have a rule of their own.
            if isRefreshed || isRemoved { return nil }
            let values = (rows[reference.name] ?? []).flatMap {
                NaiveModel.values($0[reference.field.column] ?? .null, reference.field)
            }
            let isHeld = values.contains {
                $0.key == reference.value && $0.bucket == reference.held
            }
            if isHeld { return nil }
            return loss(of: reference, steps)
        }
    }

    private func loss(
        of reference: NaiveModel.Reference, _ steps: [StepResult]
    ) -> String? {
        let what = "\(reference)"
        if reference.isCopy { return "\(what) was taken out of a copy" }
        if reference.isTombstone { return "\(what) was taken out of a tombstone" }
        if naive.isPresent(reference, in: before) || naive.isPresent(reference, in: after) {
            return "\(what) was taken out, and its object is there"
        }
        let own = steps.filter {
            $0.step.record?.field == reference.field.column
                && $0.step.precondition.value == reference.value
        }
        if own.contains(where: { $0.step.strategy == .repoint }) {
            return naive.references(in: after).contains {
                $0.name == reference.name && naive.isPresent($0, in: after)
            } ? nil : "\(what) was pointed nowhere"
        }
        guard own.contains(where: { $0.step.strategy == .nullify }) else {
            return "\(what) was taken out, and no step names it"
        }
        if !reference.isOne { return "\(what) may mean several objects, and was nulled" }
        if naive.isElsewhere(reference, in: before) {
            return "\(what) was nulled, and an object lies elsewhere that it may mean"
        }
        let isSettled = Self.isOld(reference.name, in: before) && !draft.policy.isOptimistic
        if isFirstRun, !draft.isReal, !isSettled || model(reference.name)?.hasChanged == false {
            return "\(what) was nulled without the proof of its record's age or of two runs"
        }
        return nil
    }

    private func relationProblems() -> [String] {
        let rows = after.records
        return before.rows.flatMap { row -> [String] in
            let name = AppState.name(of: row)
            // Of two rows with one id neither is written, which is checked by itself.
            guard row.source == "app", let found = rows[name], found.count == 1,
                let left = found.first
            else { return [] }
            return (naive.model(row.table)?.relations ?? []).compactMap { relation in
                let old = row.values[relation.column] ?? .null
                guard left[relation.column] != old, let value = old.bytes,
                    naive.hasParent(value, relation, in: before) || naive.isTombstone(row)
                else { return nil }
                return "\(name).\(relation.column) was nulled, and its parent is there"
            }
        }
    }

    private func removalProblems() -> [String] {
        var problems: [String] = []
        for result in done where result.step.strategy == .deleteRecord {
            guard let name = result.step.record.map(AppState.name),
                let row = before.rows.first(where: { AppState.name(of: $0) == name })
            else {
                problems.append("\(result.step.id) removed what was not there")
                continue
            }
            if isFirstRun, !draft.isReal { problems.append("\(name) was removed in one run") }
            if name.source != "app" { problems.append("\(name) was removed, and is a copy") }
            let finding = findings.first { $0.id == result.step.finding }
            if finding?.kind == .danglingRelation {
                let relation = naive.model(name.table)?.relations.first {
                    $0.column == result.step.record?.field
                }
                guard let relation, let value = row.values[relation.column]?.bytes,
                    !naive.hasParent(value, relation, in: before)
                else {
                    problems.append("\(name) was removed, and its parent is there")
                    continue
                }
            } else {
                for reference in references where reference.name == name {
                    if naive.isPresent(reference, in: before)
                        || naive.isElsewhere(reference, in: before) || !reference.isOne
                    {
                        problems.append("\(name) was removed, and \(reference) may be there")
                    }
                }
            }
        }
        return problems
    }

    // A refreshed copy says what its authority says, or said before this repair wrote it.
    private func copyProblems() -> [String] {
        var problems: [String] = []
        let (old, new) = (before.records, after.records)
        for (name, steps) in byName where name.source == "phone" {
            guard steps.allSatisfy({ $0.step.strategy == .requery }) else {
                problems.append("\(name) is a copy, and more than refreshed")
                continue
            }
            let authority = AppState.Name(source: "app", table: name.table, id: name.id)
            let sides = [old[authority]?.first, new[authority]?.first]
            guard let copy = new[name]?.first else {
                if sides.allSatisfy({ $0 != nil }) {
                    problems.append("\(name) was removed, and its authority has it")
                }
                continue
            }
            for (column, value) in copy where !sides.contains(where: { $0?[column] == value }) {
                problems.append("\(name).\(column) is not what its authority says")
            }
        }
        return problems
    }

    // MARK: The policy

    private func policyProblems() -> [String] {
        results.compactMap { result in
            guard let finding = findings.first(where: { $0.id == result.step.finding }) else {
                return "\(result.step.id) stems from no finding"
            }
            let isHeld = finding.cause == .quarantined || finding.kind == .unmappedReference
            let isGivenBack = isHeld && result.step.strategy == .restore
            let wanted = draft.policy.wants(finding)
            guard isGivenBack || wanted == result.step.strategy.rawValue else {
                return "\(result.step.id) where the policy says \(wanted)"
            }
            return nil
        }
    }

    private func model(_ name: AppState.Name) -> AppModel? { naive.model(name.table) }

    private static func isOld(_ name: AppState.Name, in state: AppState) -> Bool {
        (state.records[name] ?? []).allSatisfy {
            [.moment(World.longAgo), .text(World.longAgo.iso8601)].contains($0["changed"])
        }
    }
}

extension PlanStep {
    /// Whether the step is one on a record.
    var mayWriteRecord: Bool { ![.quarantine, .delete, .restore].contains(strategy) }

    /// Whether a row may be gone after the step.
    var mayRemoveRecord: Bool { strategy == .deleteRecord || strategy == .requery }
}
