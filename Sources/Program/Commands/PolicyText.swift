import MooringDecisions
import MooringModel
import MooringPipeline
import MooringReporting

/// The policy's matrix on the terminal, and as JSON.
struct PolicyText {
    /// The matrix.
    let table: PolicyTable
    /// What the stores cannot do.
    let lacks: StoreLacks
    /// The exceptions that name a model, a prefix or a source.
    let exceptions: [String]

    private static let strategies = Strategy.allCases.filter { $0 != .keep }

    /// The matrix in at most 80 columns.
    var lines: [String] {
        var lines = ["what is done          settled      explained  undecided  takes too"]
        var kind: FindingKind?
        for entry in table.entries {
            if entry.kind != kind {
                lines.append(entry.kind.rawValue)
                kind = entry.kind
            }
            lines += text(entry)
        }
        lines += ["", "what a strategy needs beside its verdict"]
        for strategy in Self.strategies {
            lines += Self.wrapped(
                "  " + Self.padded(strategy.rawValue, 15), table.proof(of: strategy) ?? "nothing")
        }
        let lacking = Self.strategies.map { ($0, lacks.of($0)) }.filter { !$0.1.isEmpty }
        lines += ["", lacking.isEmpty ? "the stores lack nothing" : "what the stores lack"]
        for (strategy, reasons) in lacking {
            for (place, reason) in reasons.enumerated() {
                let name = place == 0 ? strategy.rawValue : ""
                lines += Self.wrapped("  " + Self.padded(name, 15), reason)
            }
        }
        if !exceptions.isEmpty {
            lines += ["", "exceptions that name a model, a prefix or a source"]
            lines += exceptions.flatMap { Self.wrapped("  ", $0) }
        }
        for refusal in lacks.refusals {
            lines += Self.wrapped("REFUSED  ", "\(refusal.found); nearest: \(refusal.nearest)")
        }
        return lines
    }

    private func text(_ entry: PolicyTable.Entry) -> [String] {
        func action(_ verdict: Verdict) -> String {
            guard let action = entry.actions[verdict] else { return "-" }
            let waits =
                verdict == .explained && action != .keep
                && (action != .requery || entry.kind == .staleCopy)
            return waits ? "waits" : action.rawValue
        }
        let head =
            "  " + Self.padded(entry.cause?.rawValue ?? "(no causes)", 20)
            + Self.padded(action(.settled), 13) + Self.padded(action(.explained), 11)
            + Self.padded(action(.undecided), 11)
        let done = Set(entry.actions.values)
        let others = entry.strategies.filter { !done.contains($0) }.map(\.rawValue)
        return Self.wrapped(head, others.joined(separator: " "))
    }

    /// The matrix as one JSON value.
    var json: JSONValue {
        .members([
            "policy": .array(
                table.entries.map { entry in
                    .members([
                        "kind": .string(entry.kind.rawValue),
                        "cause": .text(entry.cause?.rawValue),
                        "settled": .text(entry.actions[.settled]?.rawValue),
                        "explained": .text(entry.actions[.explained]?.rawValue),
                        "undecided": .text(entry.actions[.undecided]?.rawValue),
                        "strategies": .texts(entry.strategies.map(\.rawValue)),
                    ])
                }),
            "strategies": .array(
                Self.strategies.map { strategy in
                    .members([
                        "strategy": .string(strategy.rawValue),
                        "proof": .text(table.proof(of: strategy)),
                        "lacks": .texts(lacks.of(strategy)),
                    ])
                }),
            "exceptions": .texts(exceptions),
            "refusals": .texts(lacks.refusals.map(\.found)),
        ])
    }

    // Words that do not fit go on below the first of them.
    private static func wrapped(_ head: String, _ text: String) -> [String] {
        var lines: [String] = []
        var line = head
        for word in text.split(separator: " ") {
            let isEmpty = line.utf8.count <= head.utf8.count
            if !isEmpty, line.utf8.count + 1 + word.utf8.count > 80 {
                lines.append(line)
                line = String(repeating: " ", count: head.utf8.count) + word
            } else {
                line += (isEmpty ? "" : " ") + word
            }
        }
        while line.last == " " { line.removeLast() }
        return lines + [line]
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.utf8.count))
    }
}
