package import MooringModel

/// What a bucket's kind can and cannot do for a removal.
package struct StoreFacts: Hashable, Sendable {
    /// The bucket's name.
    package let name: String
    /// Whether an object is removed only if it is still the version that was judged, in one act.
    package let removesConditionally: Bool
    /// Whether every upload gives another version stamp, also one of the same bytes.
    package let tellsEveryUpload: Bool
    /// Whether devices may upload to a key that was used before: some field that means this bucket
    /// has no template, or one without `{uuid}`.
    package let reusesKeys: Bool

    /// Facts about a bucket.
    package init(
        name: String, removesConditionally: Bool, tellsEveryUpload: Bool, reusesKeys: Bool
    ) {
        self.name = name
        self.removesConditionally = removesConditionally
        self.tellsEveryUpload = tellsEveryUpload
        self.reusesKeys = reusesKeys
    }
}

/// Something that a policy asks for and the race model cannot make safe.
package struct PolicyRefusal: Hashable, Sendable {
    /// What the policy asks for, as the configuration spells it.
    package let asked: String
    /// Why it cannot be made safe.
    package let reason: String
    /// The nearest safe policy.
    package let nearest: String

    /// A refusal.
    package init(asked: String, reason: String, nearest: String) {
        self.asked = asked
        self.reason = reason
        self.nearest = nearest
    }

    /// What is asked and why it is refused.
    package var found: String { "\(asked) cannot be made safe: \(reason)" }
}

/// Holds a repair policy against the race model, before anything is planned.
///
/// Short waits are no reason for a refusal: bounds are what the configuration says about its
/// devices, and nobody else knows better. What is refused would be unsafe under any bounds, or
/// under the ones given.
package struct PolicySafety: Sendable {
    /// What the policy asks for.
    package let policy: RepairPolicy
    /// The bounds of each record source, by name.
    package let sources: [(name: String, bounds: RaceBounds)]
    /// Whether a confirm scan runs before anything is done.
    package let confirms: Bool
    /// The buckets in which something can be removed.
    package let stores: [StoreFacts]

    /// A policy with all that decides about its safety.
    package init(
        policy: RepairPolicy, sources: [(name: String, bounds: RaceBounds)], confirms: Bool,
        stores: [StoreFacts]
    ) {
        self.policy = policy
        self.sources = sources
        self.confirms = confirms
        self.stores = stores
    }

    /// Everything that is refused; empty when the policy is safe.
    package func refusals() -> [PolicyRefusal] {
        unconfirmed() + relinked() + unseen() + unconditional()
    }

    // Without pass B a key that moved to a record already read, or that stands in a field nobody
    // mapped, is taken for an orphan.
    private func unconfirmed() -> [PolicyRefusal] {
        let asks = asks { $0.changesStores }
        guard !confirms, !asks.isEmpty else { return [] }
        return [
            PolicyRefusal(
                asked: asks.joined(separator: ", "),
                reason: "confirm: never leaves out the scan that looks for each key in every "
                    + "record once more, so a record may need what would be changed",
                nearest: "confirm: auto, or keep in place of each")
        ]
    }

    // Two sightings and a settled owner do not see a device that associates the object again
    // between them and the removal, and there is nothing to restore it from.
    private func relinked() -> [PolicyRefusal] {
        let names = sources.filter(\.bounds.relinkPossible).map(\.name)
        guard !names.isEmpty else { return [] }
        return asks { $0 == .delete }.map { asked in
            PolicyRefusal(
                asked: asked,
                reason: "race.relink is possible in \(names.joined(separator: ", ")): a device "
                    + "that associates an existing object again would lose it for good",
                nearest: "orphan: quarantine, or race.relink: never where no device does that")
        }
    }

    // A removal that is conditional on a stamp passes when the same bytes were uploaded again,
    // by a device that sends its own upload once more too, so that templates do not help.
    private func unseen() -> [PolicyRefusal] {
        let names = stores.filter { !$0.tellsEveryUpload }.map(\.name)
        guard !names.isEmpty else { return [] }
        return asks { $0 == .delete }.map { asked in
            PolicyRefusal(
                asked: asked,
                reason: "\(names.joined(separator: ", ")) does not tell an object from the same "
                    + "bytes uploaded again, and the new one would be removed",
                nearest: "orphan: quarantine")
        }
    }

    private func unconditional() -> [PolicyRefusal] {
        let names = stores.filter { !$0.removesConditionally && $0.reusesKeys }.map(\.name)
        guard !names.isEmpty else { return [] }
        return asks { $0 == .delete || $0 == .quarantine }.map { asked in
            PolicyRefusal(
                asked: asked,
                reason: "\(names.joined(separator: ", ")) removes whatever lies at a key, and "
                    + "keys are used again, so an upload just before it would be lost",
                nearest: "orphan: keep, or templates with {uuid} for every field")
        }
    }

    // What the policy asks for that this is true of, in the order of the configuration.
    private func asks(_ isMeant: (Strategy) -> Bool) -> [String] {
        let own = FindingKind.allCases.compactMap { kind in
            policy.strategies[kind].flatMap { strategy in
                isMeant(strategy) ? "repair.\(kind.rawValue): \(strategy.rawValue)" : nil
            }
        }
        let exceptions = policy.overrides.flatMap { exception in
            FindingKind.allCases.compactMap { kind in
                exception.strategies[kind].flatMap { strategy in
                    isMeant(strategy)
                        ? "repair.overrides with {\(exception.conditions), \(kind.rawValue): "
                            + "\(strategy.rawValue)}" : nil
                }
            }
        }
        return own + exceptions
    }
}

extension Strategy {
    /// Whether it changes a bucket or a record.
    package var changesStores: Bool { self != .keep && self != .requery }
}

extension RepairPolicy.Override {
    /// The exception as the configuration writes it.
    package var text: String {
        let done = strategies.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.key.rawValue): \($0.value.rawValue)" }
        return "{" + ([conditions] + done).joined(separator: ", ") + "}"
    }

    fileprivate var conditions: String {
        let written = [
            model.map { "model: \($0)" }, cause.map { "cause: \($0.rawValue)" },
            prefix.map { "prefix: \($0.text)" }, source.map { "source: \($0)" },
        ]
        return written.compactMap { $0 }.joined(separator: ", ")
    }
}
