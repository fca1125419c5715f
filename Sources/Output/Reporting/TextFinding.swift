import MooringModel

/// One finding in lines of ASCII.
struct TextFinding {
    private let finding: Finding
    private let facts: FindingFacts
    private let layout: TextLayout

    /// The most columns of one foreign value, which may be megabytes long.
    private static let valueLimit = 8_192
    private static let labelWidth = 11

    /// A finding in a layout.
    init(_ finding: Finding, _ layout: TextLayout) {
        self.finding = finding
        self.facts = FindingFacts(finding)
        self.layout = layout
    }

    /// The key on one line, then owner, the last reason, and what it needs.
    var example: [String] {
        let title = VisibleText.ascii(facts.title)
        var lines = [
            "    "
                + (layout.cutsKeys
                    ? VisibleText.ascii(facts.title, width: layout.width - 4) : title)
        ]
        for label in ["owner", "record", "records", "value", "explained", "why", "needs"] {
            guard let fact = facts.facts.first(where: { $0.label == label }) else { continue }
            // Of an owner the first line says who; of the reasons, the last one decided.
            guard let line = label == "why" ? fact.lines.last : fact.lines.first else { continue }
            if case .sentence(let bytes) = line, bytes == facts.title { continue }
            lines += labelled(label, [line], indent: "      ", limit: 2 * layout.width)
        }
        return lines
    }

    /// Everything that is known about the finding.
    var full: [String] {
        let cause = finding.cause.map { ", \($0.rawValue)" } ?? ""
        var lines = layout.wrapped("\(finding.verdict.rawValue)\(cause)")
        lines += layout.wrapped(text(facts.title, Self.valueLimit), first: "  ", rest: "  ")
        for fact in facts.facts {
            lines += labelled(fact.label, fact.lines, indent: "  ", limit: Self.valueLimit)
        }
        return lines
    }

    private func labelled(
        _ label: String, _ lines: [FindingFacts.Line], indent: String, limit: Int
    ) -> [String] {
        let blanks = String(repeating: " ", count: indent.utf8.count + Self.labelWidth)
        var first = indent + TextLayout.column(label, Self.labelWidth)
        var output: [String] = []
        for line in lines {
            let bytes =
                switch line {
                case .sentence(let bytes), .foreign(let bytes): bytes
                }
            output += layout.wrapped(text(bytes, limit), first: first, rest: blanks)
            first = blanks
        }
        return output
    }

    private func text(_ bytes: [UInt8], _ limit: Int) -> String {
        // Cut before escaping, so that a value of megabytes is not escaped as a whole.
        guard bytes.count > limit else { return VisibleText.ascii(bytes, width: limit) }
        return VisibleText.ascii(bytes.prefix(limit / 2)) + "..."
            + VisibleText.ascii(bytes.suffix(limit / 2))
    }
}
