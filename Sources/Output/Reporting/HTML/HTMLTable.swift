/// A table of a page, not yet escaped.
struct HTMLTable {
    /// One cell.
    enum Cell {
        case text(String)
        case number(String)
        /// A word with a class of the style sheet.
        case mark(String, String)
        /// A word with a place in the same page.
        case link(String, String)
        /// Foreign bytes, such as a key.
        case code([UInt8])
        /// A command to be copied; nothing where it is empty.
        case command(String)
        /// What was rendered already.
        case rendered(String)
    }

    /// What it tells.
    let caption: String
    /// A heading for each column.
    let headings: [String]
    /// Its rows, each as long as the headings are.
    let rows: [[Cell]]

    /// The table with its caption; a sentence instead where there are no rows.
    var html: String {
        let title = Markup.text(caption)
        guard let first = rows.first else { return "<p class=\"none\">\(title): none.</p>\n" }
        // What scrolls must be reachable by the keyboard, and so needs a name.
        var html = "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"\(title)\">"
        html += "\n<table>\n<caption>\(title)</caption>\n<thead><tr>"
        for (index, heading) in headings.enumerated() {
            let isNumber = if case .number = first[index] { true } else { false }
            html += "<th scope=\"col\"\(isNumber ? " class=\"number\"" : "")>"
            html += Markup.text(heading) + "</th>"
        }
        html += "</tr></thead>\n<tbody>\n"
        for row in rows { html += "<tr>" + row.map(Self.cell).joined() + "</tr>\n" }
        return html + "</tbody>\n</table></div>\n"
    }

    private static func cell(_ cell: Cell) -> String {
        switch cell {
        case .text(let text): "<td>\(Markup.text(text))</td>"
        case .number(let text):
            "<td class=\"number\(text == "0" || text == "0 B" ? " zero" : "")\">"
                + "\(Markup.text(text))</td>"
        case .mark(let text, let style):
            "<td><span class=\"mark \(style)\">\(Markup.text(text))</span></td>"
        case .link(let text, let target):
            "<td><a href=\"\(Markup.text(target))\">\(Markup.text(text))</a></td>"
        case .code(let bytes): "<td><code><bdi>\(Markup.bytes(bytes))</bdi></code></td>"
        case .command(let text):
            text.isEmpty ? "<td></td>" : "<td><code>\(Markup.text(text))</code></td>"
        case .rendered(let html): "<td>\(html)</td>"
        }
    }
}
