/// What carrying out a plan's removals costs in storage: fees for objects that go before their
/// class's minimum, and what lies in quarantine for the retention. An estimate: a lifecycle rule
/// may have moved an object into its class long after its upload, which nothing tells, and then
/// its fee is higher.
package struct PlanCost: Hashable, Sendable {
    /// What becomes of an object.
    package enum Fate: Hashable, Sendable {
        /// It is copied into quarantine in its own class, and removed.
        case copied
        /// It stays as a version under a delete marker until a sweep.
        case hidden
        /// It is removed without a copy.
        case removed
    }

    /// What the objects of one class cost.
    package struct Share: Hashable, Sendable {
        /// How many there are.
        package var objects = 0
        /// Their bytes.
        package var bytes: Int64 = 0
        /// How many are charged for more bytes than they have.
        package var small = 0
        /// How many go before the minimum of their class, now or in a sweep.
        package var early = 0
        /// What is asked for those that go now.
        package var fees = 0.0
        /// What is asked for those that a sweep removes, if it comes when the retention is over.
        package var laterFees = 0.0
        /// What lies in quarantine costs for the retention, copies for their class's minimum at
        /// least.
        package var quarantine = 0.0
    }

    /// By what it is reckoned.
    package let terms: StorageTerms
    /// For how long things lie in quarantine.
    package let retention: Duration
    /// The shares, by class.
    package private(set) var shares: [String: Share] = [:]
    /// How many objects are in a class of which no price is known, by class.
    package private(set) var unpriced: [String: Int] = [:]
    /// How many are gone, or another version by now: their steps will be stale.
    package private(set) var changed = 0
    /// Why the class of others is not known, with how many there are.
    package private(set) var unknown: [String: Int] = [:]
    /// What lifecycle rules make of what lies in quarantine, in words, or why that is not known.
    package var rules: [String] = []

    /// A cost without objects.
    package init(terms: StorageTerms, retention: Duration) {
        self.terms = terms
        self.retention = retention
    }

    /// Whether nothing is to be told: everything is in classes without a minimum or a least size,
    /// and nothing stays in quarantine.
    package var isNothing: Bool {
        let isPlain = shares.values.allSatisfy {
            $0.early == 0 && $0.small == 0 && $0.quarantine == 0
        }
        return isPlain && unpriced.isEmpty && unknown.isEmpty && rules.isEmpty
    }

    /// Adds an object that has lain there for so long, with what a look told of its class.
    package mutating func add(
        _ answer: StorageClassAnswer, bytes: Int64, age: Duration, fate: Fate
    ) {
        switch answer {
        case .changed: changed += 1
        case .unknown(let reason): unknown[reason, default: 0] += 1
        case .told(let name):
            guard let fee = terms.fee(on: bytes, in: name, after: age),
                let kept = terms.price(of: bytes, in: name, for: retention),
                let own = terms.classes[name]
            else {
                unpriced[name, default: 0] += 1
                return
            }
            var share = shares[name] ?? Share()
            share.objects += 1
            let (sum, isOver) = share.bytes.addingReportingOverflow(bytes)
            share.bytes = isOver ? .max : sum
            if bytes < own.least { share.small += 1 }
            switch fate {
            case .copied:
                let rest = terms.fee(on: bytes, in: name, after: retention) ?? 0
                share.quarantine += kept + rest
                share.fees += fee
            case .removed: share.fees += fee
            case .hidden:
                share.quarantine += kept
                share.laterFees += terms.fee(on: bytes, in: name, after: age + retention) ?? 0
            }
            let end = fate == .hidden ? age + retention : age
            if end < own.minimum { share.early += 1 }
            shares[name] = share
        }
    }

    /// Where the prices come from that it is reckoned by.
    package var source: String {
        let isIndexed = shares.keys.contains { (terms.classes[$0]?.index ?? 0) > 0 }
        return terms.source(
            of: Set(shares.keys).union(isIndexed ? [StorageTerms.standardClass] : []))
    }

    private func sum(_ part: (Share) -> Double) -> Double {
        shares.values.reduce(0) { $0 + part($1) }
    }
    /// All fees that are asked for now.
    package var fees: Double { sum(\.fees) }
    /// All fees that a sweep at the end of the retention would be asked for.
    package var laterFees: Double { sum(\.laterFees) }
    /// What all that lies in quarantine costs for the retention.
    package var quarantine: Double { sum(\.quarantine) }

    /// The cost as one JSON value, amounts to millionths.
    package var json: JSONValue {
        func rounded(_ amount: Double) -> JSONValue { .number((amount * 1e6).rounded() / 1e6) }
        return .members([
            "currency": .string(terms.currency), "earlyDeletion": rounded(fees),
            "earlyDeletionAtSweep": rounded(laterFees), "quarantine": rounded(quarantine),
            "retention": .string(retention.label), "source": .string(source),
            "classes": .array(
                shares.sorted { $0.key < $1.key }.map { name, share in
                    .members([
                        "class": .string(name), "objects": .whole(share.objects),
                        "bytes": .integer(share.bytes), "early": .whole(share.early),
                        "belowLeastSize": .whole(share.small),
                        "earlyDeletion": rounded(share.fees),
                        "earlyDeletionAtSweep": rounded(share.laterFees),
                        "quarantine": rounded(share.quarantine),
                    ])
                }),
            "unpriced": .array(
                unpriced.sorted { $0.key < $1.key }.map {
                    .members(["class": .string($0.key), "objects": .whole($0.value)])
                }),
            "unknown": .whole(unknown.values.reduce(0, +)), "changed": .whole(changed),
            "rules": .texts(rules),
        ])
    }
}
