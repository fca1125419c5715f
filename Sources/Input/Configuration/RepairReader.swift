import MooringModel
import MooringText

/// Reads `repair`.
struct RepairReader {
    /// The root of the file.
    let root: Section
    /// The sources and models that an exception may name.
    let known: RecordNames

    /// The policy; what could not be read was reported and has its default.
    func read() -> RepairPolicy {
        var policy = RepairPolicy()
        let kinds = StrategyTable.kinds.map(\.rawValue)
        let keys = ["apply"] + kinds + ["overrides", "retention"]
        guard let section = root.section("repair", known: keys) else { return policy }
        policy.apply = section.bool("apply") ?? policy.apply
        policy.retention = section.duration("retention") ?? policy.retention
        policy.strategies.merge(strategies(section)) { _, own in own }
        policy.overrides += readOverrides(section)
        return policy
    }

    private func strategies(_ section: Section) -> [FindingKind: Strategy] {
        var strategies: [FindingKind: Strategy] = [:]
        for kind in StrategyTable.kinds {
            guard let text = section.filled(kind.rawValue) else { continue }
            switch StrategyTable.strategy(text, for: kind) {
            case .success(let strategy): strategies[kind] = strategy
            case .failure(let refusal): section.context.report(refusal.message, line: text.line)
            }
        }
        return strategies
    }

    private func readOverrides(_ section: Section) -> [RepairPolicy.Override] {
        let conditions = ["model", "cause", "prefix", "source"]
        let kinds = StrategyTable.kinds.map(\.rawValue)
        let sections = section.sections("overrides", known: conditions + kinds) ?? []
        return sections.map { entry in
            if !conditions.contains(where: entry.has) {
                entry.context.report(
                    "an override needs a condition: \(conditions.inWords("or"))",
                    line: entry.line)
            }
            if !kinds.contains(where: entry.has) {
                entry.context.report(
                    "an override needs what to do, such as 'orphan: keep'", line: entry.line)
            }
            let strategies = strategies(entry)
            return RepairPolicy.Override(
                model: name(entry, "model", among: known.models),
                cause: cause(entry, for: strategies),
                prefix: entry.filled("prefix").map { ObjectKey($0.value) },
                source: name(entry, "source", among: known.sources), strategies: strategies)
        }
    }

    private func name(_ entry: Section, _ key: String, among known: NameList) -> String? {
        guard let text = entry.filled(key) else { return nil }
        if !known.contains(text.value) { entry.reportUnknown(key, text, among: known.all) }
        return text.value
    }

    // An exception that can never fit is a misunderstanding, and the files that it was to keep
    // would be removed.
    private func cause(
        _ entry: Section, for strategies: [FindingKind: Strategy]
    ) -> FindingCause? {
        guard let text = entry.filled("cause") else { return nil }
        guard let cause = FindingCause(rawValue: text.value) else {
            let causes = StrategyTable.kinds.flatMap { StrategyTable.causes(of: $0) }
            entry.reportUnknown("cause", text, among: causes.map(\.rawValue))
            return nil
        }
        for (kind, strategy) in strategies.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let causes = StrategyTable.causes(of: kind)
            guard !causes.contains(cause) else {
                if let refusal = StrategyTable.refusal(strategy, for: kind, cause) {
                    entry.context.report(refusal, line: text.line)
                }
                continue
            }
            let hint =
                causes.isEmpty
                ? "has no causes" : "has " + causes.map(\.rawValue).inWords("or")
            entry.context.report(
                "the cause '\(text.shown)' never belongs to '\(kind.rawValue)', which \(hint)",
                line: text.line)
        }
        return cause
    }
}
