package import MooringModel

/// A gate, and the number that it was compared with.
package struct GateAnswer: Hashable, Sendable {
    /// The gate.
    package let gate: Gate
    /// The findings, or bytes, that were counted.
    package let measured: Int64
    /// All that they are a part of, as the run counted it; 0 of a gate that compares no share.
    package let whole: Int64

    /// An answer.
    package init(gate: Gate, measured: Int64, whole: Int64 = 0) {
        self.gate = gate
        self.measured = measured
        self.whole = whole
    }

    /// The answer as a run's summary keeps it.
    package var answer: RunSummary.Gate {
        var answer = RunSummary.Gate(
            gate: gate.text, value: measured, whole: gate.share == nil ? nil : whole,
            passed: false,
            counted: RunSummary.Gate.Counted(
                kind: gate.kind, verdict: gate.verdict, newOnly: gate.newOnly,
                bytes: gate.countsBytes))
        answer.passed =
            if let wanted = gate.share, let share = answer.share {
                gate.comparison.holds(share, wanted)
            } else {
                gate.comparison.holds(measured, gate.value)
            }
        return answer
    }
}

extension Gate.Comparison {
    /// Whether it holds between a measured number, on its left, and a wanted one.
    package func holds<Number: Comparable>(_ measured: Number, _ wanted: Number) -> Bool {
        switch self {
        case .equal: measured == wanted
        case .unequal: measured != wanted
        case .less: measured < wanted
        case .atMost: measured <= wanted
        case .greater: measured > wanted
        case .atLeast: measured >= wanted
        }
    }
}

extension Gate {
    /// What the findings of the gate are a part of, as a run counted it: objects, their bytes,
    /// references or records.
    package func whole(in run: RunSummary) -> Int64 {
        switch kind.whole {
        case .objects:
            run.buckets.reduce(0) { $0 + (countsBytes ? $1.bytes : Int64($1.objects)) }
        case .references: run.records.reduce(0) { $0 + Int64($1.references) }
        case .records: run.records.reduce(0) { $0 + Int64($1.records) }
        case nil: 0
        }
    }
}
