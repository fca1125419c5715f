import MooringDecisions
import MooringLedger
import MooringModel

/// What lies in a bucket's quarantine: of each key the object that was put there last.
///
/// Last by the ledger's own order: a run's id is a time, and that of a clock that was ahead stays
/// the greatest for long. A run that the ledger does not know may be older or newer than those it
/// knows, as behind a ledger from a backup; where it knows none, their ids decide.
struct NewestQuarantined {
    /// What lies at a place, or at several that a reference may mean.
    enum Answer: Hashable {
        case nothing
        case object(QuarantinedObject)
        /// Two objects of which nobody knows which was put there last.
        case either(QuarantinedObject, QuarantinedObject)

        /// The one object that lies there; nil also where there are two.
        var object: QuarantinedObject? {
            guard case .object(let object) = self else { return nil }
            return object
        }

        /// Why none of two is given back; nil where there are no two.
        var doubt: String? {
            guard case .either(let one, let other) = self else { return nil }
            return "runs \(one.run.text) and \(other.run.text) both hold an object of its key; "
                + "the newer is unknown: mooring ledger rebuild, undo RUN"
        }

        /// Whether the object is the first of two, so that one finding tells of both.
        func isFirst(_ object: QuarantinedObject) -> Bool {
            guard case .either(object, _) = self else { return false }
            return true
        }

        /// Leaves a finding that would give one of two back to a person.
        func withhold(_ finding: inout Finding) {
            guard let doubt else { return }
            finding.verdict = .undecided
            finding.action = .keep
            finding.needs = nil
            finding.evidence.append(doubt)
        }
    }

    private var objects: [ObjectKey: [QuarantinedObject]] = [:]
    private let order: [RunID: Int64]

    /// Nothing yet, of runs in this order.
    private init(order: [RunID: Int64]) {
        self.order = order
    }

    /// What lies in each bucket's quarantine, of runs in this order.
    static func ofEach<Bucket: Hashable>(
        _ held: some Sequence<(Bucket, QuarantinedObject)>, order: [RunID: Int64]
    ) -> [Bucket: NewestQuarantined] {
        var newest: [Bucket: NewestQuarantined] = [:]
        for (bucket, object) in held {
            newest[bucket, default: NewestQuarantined(order: order)]
                .objects[object.key, default: []].append(object)
        }
        return newest
    }

    /// What lies at one of these places: of several, at the first place, and of the objects under
    /// any identity the one that was put there last.
    func answer(of patterns: [KeyPattern]) -> Answer {
        for pattern in patterns {
            let answer: Answer
            if case .exact(let key) = pattern {
                answer = newest(objects[key] ?? [])
            } else {
                answer = newest(objects.filter { pattern.matches($0.key) }.flatMap(\.value))
            }
            if answer != .nothing { return answer }
        }
        return .nothing
    }

    /// The object at one of these places; nil also where two of them may be the one.
    func object(of patterns: [KeyPattern]) -> QuarantinedObject? {
        answer(of: patterns).object
    }

    private func newest(_ held: [QuarantinedObject]) -> Answer {
        let unknown = held.filter { order[$0.run] == nil }
        let known = held.max { (order[$0.run] ?? -1, $0.key) < (order[$1.run] ?? -1, $1.key) }
        guard let known, order[known.run] != nil else {
            return unknown.max { ($0.run, $0.key) < ($1.run, $1.key) }.map { .object($0) }
                ?? .nothing
        }
        let other = unknown.filter {
            $0.version.size != known.version.size || $0.version.etag != known.version.etag
        }.max { ($0.run, $0.key) < ($1.run, $1.key) }
        return other.map { .either(known, $0) } ?? .object(known)
    }
}

extension Job {
    /// The places of the runs of objects in quarantine, in the ledger's order.
    func order(of objects: [QuarantinedObject]) throws -> [RunID: Int64] {
        try ledger.order(of: Set(objects.map(\.run)), rebuilt: RebuildStage.note)
    }
}
