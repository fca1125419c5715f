package import MooringConfiguration
package import MooringDecisions
import MooringLedger
import MooringModel

extension Job {
    /// An acceptance with those marked whose value names a run in which a person saw the guard
    /// refuse at the place.
    ///
    /// Refuses where the run is not in the ledger, or did not refuse so: a number over half is
    /// taken only from somebody who looked.
    func reviewed(_ acceptance: Acceptance) throws -> Acceptance {
        var reviewed = acceptance
        for (key, text) in acceptance.texts.sorted(by: { $0.key < $1.key }) {
            guard let name = Acceptance.value(text).run else { continue }
            let (guardName, place) = Acceptance.parts(key)
            let next = "mooring runs lists the runs, and mooring report RUN shows one"
            guard let id = RunID(name), let run = try ledger.run(id) else {
                throw Refusal(
                    .refused, found: "the ledger knows no run '\(Shown.brief(ObjectKey(name)))'",
                    refused: "--accept \(key)", next: next)
            }
            let answers = run.guards.filter { $0.name == guardName }
            let isSeen = answers.contains { answer in
                (answer.refused || answer.accepted != nil)
                    && (place.map { text in
                        answer.place.map { Place.isNamed($0, by: text) } ?? false
                    } ?? true)
            }
            guard isSeen else {
                throw Refusal(
                    .refused, found: "run \(name) was not refused by \(key)",
                    refused: "--accept \(key)", next: next)
            }
            reviewed.reviewed.insert(key)
        }
        return reviewed
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
                        // What was written was read before it was kept.
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
