import MooringModel
import MooringSimulation

/// The two tables of Docs/SIMULATOR.md, found by exploring every interleaving: which protocol loses
/// what.
struct LossTables {
    /// One scenario only; nil for the tables.
    let scenario: String?
    /// One protocol only; nil for all.
    let audit: String?
    /// Whether the shortest way to each loss is told.
    let traces: Bool
    /// Whether one JSON document is printed instead.
    let json: Bool

    private struct Cell {
        let audit: AuditProtocol
        let scenario: Scenario
        let result: Explorer.Result

        var word: String { result.violation?.word ?? (result.isComplete ? "safe" : "unknown") }
    }

    /// Explores, prints, and tells whether every promise was kept: by the full protocols in the
    /// tables, or by the one that was named.
    func run() async -> Bool {
        var rows: [[Cell]] = []
        for (protocols, names) in tables() {
            for audit in protocols { rows.append(await explore(audit, names)) }
            if !json { show(rows.suffix(protocols.count), names) }
        }
        if json { printDocument(rows) }
        if traces, !json { tell(rows.flatMap { $0 }) }
        return rows.flatMap { $0 }.allSatisfy { cell in
            cell.word == "safe" || (audit == nil && !Self.isFull(cell.audit))
        }
    }

    private static func isFull(_ audit: AuditProtocol) -> Bool {
        audit.name == "full" || audit.name == "full-null"
    }

    private func tables() -> [(protocols: [AuditProtocol], scenarios: [String])] {
        if let scenario, (Scenario.all + Scenario.limits).contains(where: { $0.name == scenario }) {
            return [([AuditProtocol.named(audit ?? "full") ?? .full], [scenario])]
        }
        let all = [
            (AuditProtocol.removals, TableScenario.removals.map(\.rawValue)),
            (AuditProtocol.nullings, TableScenario.nullings.map(\.rawValue)),
        ]
        var chosen: [(protocols: [AuditProtocol], scenarios: [String])] = []
        for (protocols, scenarios) in all {
            let rows = protocols.filter { audit == nil || $0.name == audit }
            let columns = scenarios.filter { scenario == nil || $0 == scenario }
            if !rows.isEmpty, !columns.isEmpty { chosen.append((rows, columns)) }
        }
        guard chosen.isEmpty, let audit, let named = AuditProtocol.named(audit) else {
            return chosen
        }
        return [(protocols: [named], scenarios: scenario.map { [$0] } ?? all[0].1)]
    }

    // The cells of a row do not depend on each other.
    private func explore(_ audit: AuditProtocol, _ names: [String]) async -> [Cell] {
        await withTaskGroup(of: (Int, Cell).self) { group in
            for (place, name) in names.enumerated() {
                guard let scenario = Scenario.named(name) else { continue }
                group.addTask {
                    let result = scenario.explore(audit)
                    return (place, Cell(audit: audit, scenario: scenario, result: result))
                }
            }
            var cells: [(Int, Cell)] = []
            for await cell in group { cells.append(cell) }
            return cells.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func show(_ rows: some Collection<[Cell]>, _ names: [String]) {
        let first = rows.map { $0.first?.audit.name.utf8.count ?? 0 }.max() ?? 0
        let widths = names.enumerated().map { place, name in
            (Self.parts(name) + rows.map { $0[place].word }).map(\.utf8.count).max() ?? 0
        }
        let isNarrow = first + widths.reduce(0) { $0 + $1 + 2 } > 80
        let gap = isNarrow ? " " : "  "
        func show(_ head: String, _ texts: [String]) {
            let cells = zip(widths, texts).map { gap + pad($1, $0) }
            StandardOutput.line(trimmed(pad(head, first) + cells.joined()))
        }
        for head in Self.heads(names) { show("", head) }
        for row in rows { show(row.first?.audit.name ?? "", row.map(\.word)) }
        StandardOutput.line("")
    }

    // Long names are broken at a hyphen, so that a table keeps within 80 columns.
    private static func heads(_ names: [String]) -> [[String]] {
        let parts = names.map(parts)
        let height = parts.map(\.count).max() ?? 1
        return (0..<height).map { line in
            parts.map { lines in
                let place = line - (height - lines.count)
                return place >= 0 ? lines[place] : ""
            }
        }
    }

    private static func parts(_ name: String) -> [String] {
        var lines: [String] = []
        for word in name.split(separator: "-").map(String.init) {
            if let last = lines.last, last.utf8.count + word.utf8.count < 8 {
                lines[lines.count - 1] = last + "-" + word
            } else {
                if !lines.isEmpty { lines[lines.count - 1] += "-" }
                lines.append(word)
            }
        }
        return lines
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.utf8.count))
    }

    private func trimmed(_ line: String) -> String {
        var line = line[...]
        while line.last == " " { line = line.dropLast() }
        return String(line)
    }

    private func tell(_ cells: [Cell]) {
        for cell in cells where cell.result.violation != nil {
            StandardOutput.line("\(cell.audit.name), \(cell.scenario.name):")
            let (world, setting) = cell.scenario.start(cell.audit)
            for line in Narrator(world, setting).tell(cell.result.trace) {
                StandardOutput.line(line)
            }
            StandardOutput.line("")
        }
    }

    private func printDocument(_ rows: [[Cell]]) {
        let members = rows.map { row in
            JSONValue.Member(
                name: row.first?.audit.name ?? "",
                value: .object(
                    row.map { JSONValue.Member(name: $0.scenario.name, value: .string($0.word)) }))
        }
        StandardOutput.document(.object(members))
    }
}
