package import MooringConfiguration
package import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile

extension Job {
    /// An acceptance with those marked whose value names a run in which a person saw the guard
    /// refuse as large a number at the place, and with the short names that stand for several
    /// places.
    ///
    /// Refuses where the run is not in the ledger, ran under another configuration, did not refuse
    /// so, or is an old one beside the run that takes the acceptance: a number over half is taken
    /// only from somebody who looked at it, and what is left in a crontab covers no later accident.
    func reviewed(_ acceptance: Acceptance, in current: RunID?) throws -> Acceptance {
        var reviewed = acceptance
        reviewed.ambiguous = ambiguousPlaces
        for (key, text) in acceptance.texts.sorted(by: { $0.key < $1.key }) {
            guard let name = Acceptance.value(text).run else { continue }
            var found = try lacks(name, key, reviewed)
            if found == nil, let current { found = try age(name, beside: current) }
            if let found {
                throw Refusal(
                    .refused, found: found, refused: "--accept \(key)",
                    next: "mooring runs lists the runs, and mooring report RUN shows one")
            }
            reviewed.reviewed.insert(key)
        }
        return reviewed
    }

    // Why a run is too old to be the one that somebody looked at; nil where it is not.
    private func age(_ name: String, beside current: RunID) throws -> String? {
        let (now, expiry) = (clock(), configuration.limits.planExpiry)
        guard let id = RunID(name), id != current, let run = try ledger.run(id),
            run.startedAt > now || run.startedAt + expiry <= now
        else { return nil }
        let newest = try ledger.lastCompleteAudit(of: Pipeline.auditCommands) {
            $0.id != current && $0.configuration == configuration.fingerprint && !$0.isJudgedAsOf
        }
        guard newest?.id != id else { return nil }
        return "run \(name) is neither the newest complete run nor younger than \(expiry.label)"
    }

    // What keeps a run from standing for what was accepted by this name; nil where it does.
    private func lacks(
        _ name: String, _ key: String, _ acceptance: Acceptance
    ) throws -> String? {
        guard let id = RunID(name), let run = try ledger.run(id) else {
            return "the ledger knows no run '\(Quoted.brief(ObjectKey(name)))'"
        }
        let (guardName, place) = Acceptance.parts(key)
        guard place != nil || AcceptableGuard(rawValue: guardName)?.hasPlaces == false else {
            return "\(key) names no place, and a run is reviewed place by place"
        }
        guard run.configuration == configuration.fingerprint else {
            return "run \(name) ran under another configuration"
        }
        let seen = run.guards.filter { answer in
            answer.name == guardName && (answer.refused || answer.accepted != nil)
                && (place == nil
                    || answer.place.map { acceptance.names(key, guardName, at: $0) } ?? false)
        }
        guard !seen.isEmpty else { return "run \(name) was not refused by \(key)" }
        let written = acceptance.numbers[key] ?? 0
        // A share is written rounded up to a hundredth of a percent.
        let isShown = seen.compactMap(\.number).contains { number in
            let isShare = AcceptableGuard(rawValue: guardName)?.form == .share
            let shown = isShare ? (number * 10_000).rounded(.up) / 10_000 : number
            return Acceptance.covers(written, by: shown)
        }
        return isShown ? nil : "run \(name) showed less at \(key) than what is to be accepted"
    }

    private var ambiguousPlaces: Set<String> {
        var places: Set<GuardedPlace> = []
        for model in models {
            let own = GuardedPlace.model(source: model.source, model: model.mapping.model)
            places.formUnion([.source(model.source), own])
            for field in model.mapping.files.map(\.field) + model.mapping.relations.map(\.field) {
                places.insert(
                    .field(source: model.source, model: model.mapping.model, field: field))
            }
        }
        var names: [String: Int] = [:]
        for text in Set(places.map(\.text)) {
            names[text, default: 0] += 1
            if let short = GuardedPlace.short(text) { names[short, default: 0] += 1 }
        }
        return Set(names.filter { $0.value > 1 }.keys)
    }
}

extension Acceptance {
    /// Acceptances as a run or a plan keeps them; a value that cannot be read covers nothing.
    init(reading texts: [String: String]) {
        self.init(
            texts: texts,
            numbers: Dictionary(
                texts.compactMap { key, text in
                    guard let form = AcceptableGuard(rawValue: Self.parts(key).name)?.form,
                        // Swallowed: a text that is no number covers nothing, which refuses.
                        let number = try? form.number(Self.value(text).value)
                    else { return nil }
                    return (key, number)
                }, uniquingKeysWith: { first, _ in first }))
    }
}

extension AcceptableGuard.Form {
    /// The number that a text stands for; throws a sentence about what is needed.
    package func number(_ text: String) throws(QuantityError) -> Double {
        switch self {
        case .share: return try Quantity.share(text)
        case .size: return Double(try Quantity.size(text))
        case .count:
            guard let count = Int(text), count >= 0 else {
                throw QuantityError(needs: "needs a whole number", found: text)
            }
            return Double(count)
        }
    }
}
