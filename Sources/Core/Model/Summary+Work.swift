// What a run did, and what the rest waits for: the parts of a report that people act on.

extension RunSummary {
    /// A step of the run that has ended.
    package struct EndedStep: Hashable, Sendable {
        /// The step's name within its plan or run, as `undo --step` takes it.
        package var id: String
        /// What was done, or was to be done.
        package var strategy: Strategy
        /// The finding's id.
        package var finding: String
        /// The object, and the record whose reference it is about.
        package var bucket: String?
        package var key: ObjectKey?
        package var record: RecordPlace?
        /// How it ended.
        package var outcome: StepOutcome
        /// Why, where there is something to say.
        package var reason: String?
        /// Whether `mooring undo` takes it back.
        package var canBeUndone: Bool

        /// What the journal says of a step; nil of one that has not ended, and of one whose
        /// object was erased on request.
        package init?(_ entry: JournalEntry) {
            guard let outcome = entry.outcome, entry.erasedBy == nil else { return nil }
            let step = entry.step
            id = step.id
            strategy = step.strategy
            finding = step.finding
            bucket = step.bucket
            key = step.key
            record = step.record
            self.outcome = outcome
            reason = entry.reason
            canBeUndone = outcome == .done && entry.undoes == nil && step.canBeUndone
        }

        /// Whether it was left undone.
        package var isLeftUndone: Bool {
            switch outcome {
            case .stale, .failed, .putBack: true
            case .done, .undone, .healed, .confirmed, .changed: false
            }
        }
    }

    /// The most ended steps that a report tells; the journal has them all.
    package static let keptSteps = 100

    /// Keeps a step's end, as far as there is room. A step that was left undone takes the place of
    /// the last one that was not.
    package mutating func keep(_ step: EndedStep) {
        if done.count < Self.keptSteps {
            done.append(step)
        } else if step.isLeftUndone,
            let place = done.lastIndex(where: { !$0.isLeftUndone })
        {
            done.remove(at: place)
            done.append(step)
        }
    }

    /// Findings of a kind that are there, summed by what it takes until something is done.
    package struct Waiting: Hashable, Sendable {
        /// What it takes.
        package enum Reason: String, Hashable, Sendable, CaseIterable {
            /// Nothing: the next plan takes them.
            case ready
            /// A proof, which `proof` names.
            case proof
            /// Time: a device in flight may still be the reason.
            case explained
            /// A person: a doubt is left.
            case undecided
            /// Another policy: it keeps them.
            case policy
            /// A person: no strategy is for this kind.
            case hand
        }

        /// The findings' kind.
        package var kind: FindingKind
        /// What it takes.
        package var reason: Reason
        /// The proof that is missing; of that reason alone.
        package var proof: String?
        /// How many findings there are.
        package var findings = 0
        /// Bytes of their objects.
        package var bytes: Int64 = 0
        /// When time does away with the reason for the first and for the last of them; nil where
        /// time alone does not.
        package var first: Instant?
        package var last: Instant?

        /// None yet.
        package init(kind: FindingKind, reason: Reason, proof: String? = nil) {
            self.kind = kind
            self.reason = reason
            self.proof = proof
        }
    }

    /// The most complete scans in a trend: a month of nights.
    package static let trendLength = 30

    /// The numbers of a complete scan, for a trend.
    package struct Past: Hashable, Sendable {
        /// The run.
        package var run: RunID
        package var finishedAt: Instant
        /// Its findings by kind; no kind stands with zero.
        package var findings: [FindingKind: Int]
        /// Bytes of its orphans.
        package var orphanBytes: Int64
        /// Its steps.
        package var repairs: Repairs

        /// The numbers of a run; nil of one that has not ended.
        package init?(_ run: RunSummary) {
            guard let end = run.finishedAt else { return nil }
            self.run = run.id
            finishedAt = end
            findings = run.counts.mapValues(\.total).filter { $0.value > 0 }
            orphanBytes = run.counts[.orphan]?.bytes ?? 0
            repairs = run.repairs
        }
    }
}

extension RunSummary.EndedStep {
    /// `{id, strategy, finding, bucket, key, record, outcome, reason, canBeUndone}`.
    package var json: JSONValue {
        .members([
            "id": .string(id), "strategy": .string(strategy.rawValue),
            "finding": .string(finding), "bucket": .text(bucket),
            "key": .text(key?.text), "keyBase64": key.flatMap { .base64(unlessText: $0.bytes) },
            "record": record?.json, "outcome": .string(outcome.rawValue),
            "reason": .text(reason), "canBeUndone": .bool(canBeUndone),
        ])
    }
}

extension RunSummary.Waiting {
    /// `{kind, reason, proof, findings, bytes, first, last}`.
    package var json: JSONValue {
        .members([
            "kind": .string(kind.rawValue), "reason": .string(reason.rawValue),
            "proof": .text(proof), "findings": .whole(findings), "bytes": .integer(bytes),
            "first": .moment(first), "last": .moment(last),
        ])
    }

    /// Reads it back.
    init(json node: JSONNode) throws(DocumentError) {
        self.init(
            kind: try node.coded("kind"), reason: try node.coded("reason"),
            proof: node["proof"]?.string)
        findings = Int(try node.wholeNumber("findings"))
        bytes = try node.wholeNumber("bytes")
        first = try node.momentIfPresent("first")
        last = try node.momentIfPresent("last")
    }
}

extension RunSummary.Past {
    /// `{run, finishedAt, findings, orphanBytes, repairs}`.
    package var json: JSONValue {
        .members([
            "run": .string(run.text), "finishedAt": .moment(finishedAt),
            "findings": .counts(findings), "orphanBytes": .integer(orphanBytes),
            "repairs": repairs.json,
        ])
    }
}
