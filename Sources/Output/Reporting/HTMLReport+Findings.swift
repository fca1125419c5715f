import MooringModel

// The findings in `report.html`: a section for each kind, a list item for each finding.

extension HTMLReport {
    /// Sections of more findings than this begin closed.
    private static let openLimit = 20

    /// What stands above the findings of a kind, of which there are so many.
    static func sectionHead(_ kind: FindingKind, total: Int) -> String {
        Templates.section.filled([
            "kind": kind.rawValue, "total": Figures.grouped(total), "meaning": kind.meaning,
            "advice": kind.advice, "open": total <= openLimit ? " open" : "",
        ])
    }

    /// One finding with everything that is known about it.
    static func rendered(_ finding: Finding) -> String {
        let facts = FindingFacts(finding)
        let cause = finding.cause.map { cause in
            "<span class=\"cause\" title=\"\(Markup.text(cause.meaning))\">\(cause.rawValue)</span>"
        }
        return Templates.finding.filled([
            "verdict": finding.verdict.rawValue, "meaning": finding.verdict.meaning,
            "cause": cause ?? "", "title": foreign(facts.title, facts),
            "facts": facts.facts.map { html(of: $0, facts) }.joined(),
        ])
    }

    /// What stands below the findings of a kind.
    static func sectionEnd(omission: String?) -> String {
        let note = omission.map { "<p class=\"omission\">\(Markup.text($0))</p>\n" } ?? ""
        return "</ol>\n\(note)</details>\n"
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
