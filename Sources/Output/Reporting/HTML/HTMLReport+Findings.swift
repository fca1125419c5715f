import MooringModel

// The findings in `report.html` as they stand there where no script runs: a section for each kind,
// a list item for each finding, which opens by itself.

extension HTMLReport {
    /// What stands above the findings of a kind, of which there are so many.
    static func sectionHead(_ kind: FindingKind, total: Int) -> String {
        Templates.section.filled([
            "kind": kind.rawValue, "total": Figures.grouped(total), "meaning": kind.meaning,
            "advice": kind.advice,
        ])
    }

    /// One finding with everything that is known about it.
    static func rendered(_ finding: Finding, _ facts: FindingFacts) -> String {
        let cause = finding.cause.map { cause in
            "<span class=\"cause\" title=\"\(Markup.text(cause.meaning))\">\(cause.rawValue)</span>"
        }
        let size = finding.object.map { Figures.size($0.size) }
        return Templates.finding.filled([
            "verdict": finding.verdict.rawValue, "meaning": finding.verdict.meaning,
            "cause": cause ?? "", "title": foreign(facts.title, facts),
            "size": size ?? "", "facts": facts.facts.map { html(of: $0, facts) }.joined(),
        ])
    }

    /// What stands below the findings of a kind.
    static func sectionEnd(omission: String?) -> String {
        let note = omission.map { "<p class=\"omission\">\(Markup.text($0))</p>\n" } ?? ""
        return "</ol>\n\(note)</section>\n"
    }

    private static func html(of fact: FindingFacts.Fact, _ facts: FindingFacts) -> String {
        let lines = fact.lines.map { line in
            switch line {
            case .sentence(let bytes):
                // Keys that look the same stand in sentences too.
                "<dd>\(facts.needsASCII ? Markup.asciiBytes(bytes) : Markup.bytes(bytes))</dd>"
            case .foreign(let bytes): "<dd>\(foreign(bytes, facts))</dd>"
            }
        }
        return "<dt>\(Markup.text(fact.label))</dt>" + lines.joined() + "\n"
    }

    private static func foreign(_ bytes: [UInt8], _ facts: FindingFacts) -> String {
        let shown = facts.needsASCII ? Markup.asciiBytes(bytes) : Markup.bytes(bytes)
        return "<code><bdi>\(shown)</bdi></code>"
    }
}
