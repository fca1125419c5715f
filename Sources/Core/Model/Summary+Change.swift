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

        /// A gate's answer.
        package init(gate: String, value: Int64, whole: Int64? = nil, passed: Bool) {
            self.gate = gate
            self.value = value
            self.whole = whole
            self.passed = passed
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
    /// `{gate, value, whole, passed}`.
    package var json: JSONValue {
        .members([
            "gate": .string(gate), "value": .integer(value), "whole": .whole(whole),
            "passed": .bool(passed),
        ])
    }

    /// Reads it back.
    init(json node: JSONNode) throws(DocumentError) {
        self.init(
            gate: try node.required("gate"), value: try node.wholeNumber("value"),
            whole: node["whole"]?.integer, passed: node["passed"]?.bool ?? false)
    }
}

extension RunSummary.Change {
    /// `{since, new, gone}`.
    package var json: JSONValue {
        .members([
            "since": .string(since.text), "new": Self.json(new), "gone": Self.json(gone),
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

    private static func json(_ counts: [FindingKind: Int]) -> JSONValue {
        .object(
            FindingKind.allCases.compactMap { kind in
                counts[kind].map {
                    JSONValue.Member(name: kind.rawValue, value: .integer(Int64($0)))
                }
            })
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
