extension RunSummary {
    /// A gate of `check`, and the number that it was compared with.
    package struct Gate: Hashable, Sendable {
        /// The gate as the configuration writes it.
        package var gate: String
        /// The findings, bytes or fields that were counted.
        package var value: Int64
        /// All that they are a part of, of a gate that compares a share.
        package var whole: Int64?
        /// Whether the number passed.
        package var passed: Bool
        /// Which findings were counted; nil where something else was.
        package var counted: Counted?

        /// The findings that a gate counts.
        package struct Counted: Hashable, Sendable {
            /// Their kind.
            package var kind: FindingKind
            /// Their verdict; nil of all.
            package var verdict: Verdict?
            /// Whether they are only those that no earlier run saw.
            package var newOnly: Bool
            /// Whether their bytes are added up instead.
            package var bytes: Bool

            /// Findings of a kind.
            package init(kind: FindingKind, verdict: Verdict?, newOnly: Bool, bytes: Bool) {
                self.kind = kind
                self.verdict = verdict
                self.newOnly = newOnly
                self.bytes = bytes
            }
        }

        /// A gate's answer.
        package init(
            gate: String, value: Int64, whole: Int64? = nil, passed: Bool,
            counted: Counted? = nil
        ) {
            self.gate = gate
            self.value = value
            self.whole = whole
            self.passed = passed
            self.counted = counted
        }

        /// The part that was counted, from 0 to 1; nil of a gate that compares no share. What is
        /// found in nothing is all of it.
        package var share: Double? {
            whole.map { whole in
                value == 0 ? 0 : whole <= 0 ? 1 : min(1, Double(value) / Double(whole))
            }
        }

        /// `gate passed: dangling.settled == 0 (is 0)`.
        package var line: String {
            "gate \(passed ? "passed" : "FAILED"): \(gate) (is \(shown))"
        }

        /// What was measured, with its unit.
        package var shown: String {
            if let share, let whole { return "\(Measure.share(share)), \(value) of \(whole)" }
            return counted?.bytes == true ? Measure.bytes(value) : "\(value)"
        }
    }

    /// How a run's findings differ from those of an earlier one.
    package struct Change: Hashable, Sendable {
        /// The earlier run: the newest complete scan before this one.
        package var since: RunID
        /// Findings that the earlier run did not have, by kind; no kind stands with zero.
        package var new: [FindingKind: Int]
        /// Findings that only the earlier run had, by kind; no kind stands with zero.
        package var gone: [FindingKind: Int]

        /// A difference.
        package init(since: RunID, new: [FindingKind: Int], gone: [FindingKind: Int]) {
            self.since = since
            self.new = new
            self.gone = gone
        }
    }

    /// Whether it is what a scheduled job is run for: ended as it should, with every step that it
    /// meant to carry out. A gate that failed is a result, and no failure of the run.
    package var isSuccess: Bool {
        status == .complete && repairs.stale + repairs.failed == 0 && !isJudgedAsOf
    }
}

extension RunSummary.Gate {
    /// `{gate, value, whole, passed, kind, verdict, newOnly, bytes}`.
    package var json: JSONValue {
        .members([
            "gate": .string(gate), "value": .integer(value), "whole": .whole(whole),
            "passed": .bool(passed), "kind": .text(counted?.kind.rawValue),
            "verdict": .text(counted?.verdict?.rawValue),
            "newOnly": counted.map { .bool($0.newOnly) },
            "bytes": counted.map { .bool($0.bytes) },
        ])
    }

    /// Reads it back.
    init(json node: JSONNode) throws(DocumentError) {
        self.init(
            gate: try node.required("gate"), value: try node.wholeNumber("value"),
            whole: node["whole"]?.integer, passed: node["passed"]?.bool ?? false)
        if let kind: FindingKind = try node.codedIfPresent("kind") {
            counted = Counted(
                kind: kind, verdict: try node.codedIfPresent("verdict"),
                newOnly: node["newOnly"]?.bool ?? false, bytes: node["bytes"]?.bool ?? false)
        }
    }
}

extension RunSummary.Change {
    /// `{since, new, gone}`.
    package var json: JSONValue {
        .members([
            "since": .string(since.text), "new": .counts(new), "gone": .counts(gone),
        ])
    }

    /// Reads it back; a kind of a later version is left out.
    init(json node: JSONNode) throws(DocumentError) {
        guard let since = RunID(try node.required("since")) else {
            throw DocumentError("'since' is no run")
        }
        self.init(
            since: since, new: Self.counts(node["new"]), gone: Self.counts(node["gone"]))
    }

    private static func counts(_ node: JSONNode?) -> [FindingKind: Int] {
        var counts: [FindingKind: Int] = [:]
        for member in node?.members ?? [] {
            let kind = FindingKind(rawValue: String(decoding: member.name, as: UTF8.self))
            guard let kind, let count = member.value.integer, count > 0 else { continue }
            counts[kind] = Int(count)
        }
        return counts
    }
}

extension JSONValue {
    /// Numbers by kind, in the catalogue's order.
    static func counts(_ counts: [FindingKind: Int]) -> JSONValue {
        .object(
            FindingKind.allCases.compactMap { kind in
                counts[kind].map { Member(name: kind.rawValue, value: .integer(Int64($0))) }
            })
    }
}
