import MooringModel

// Where the orphans and dangling references of `report.html` are: tables with a bar in each row.

extension HTMLReport {
    /// The most bars of a group.
    private static let barLimit = 8

    private enum Measure {
        case bytes, findings

        var path: KeyPath<PageSums.Sum, Int64> { self == .bytes ? \.bytes : \.weight }
        var headings: [String] { self == .bytes ? ["bytes", "orphans"] : ["references"] }
    }

    private struct Group {
        let caption: String
        let heading: String
        let sums: PageSums.Named
        var measure = Measure.bytes
        /// What stands for an empty name.
        let lack: String
        /// The filter that shows a name's findings, as the page's address holds it.
        let filter: (String) -> String
    }

    /// The tables; none where there is neither an orphan nor a dangling reference.
    static func shares(_ sums: PageSums, _ summary: RunSummary) -> String {
        let groups = [
            Group(
                caption: "Orphans by first part of the key", heading: "key", sums: sums.prefixes,
                lack: "no folder", filter: { "kind=orphan&q=" + percentEncoded($0) }),
            Group(
                caption: "Orphans by model of the owner", heading: "model", sums: sums.models,
                lack: "no known owner", filter: { "kind=orphan&q=" + percentEncoded($0 + "/") }),
            Group(
                caption: "Orphans by cause", heading: "cause", sums: sums.causes,
                lack: "no cause", filter: { "kind=orphan&cause=" + percentEncoded($0) }),
            Group(
                caption: "Dangling references by field", heading: "field", sums: sums.fields,
                measure: .findings, lack: "no field",
                filter: { "kind=dangling&q=" + percentEncoded($0.replacing(".", with: "/ .")) }),
        ]
        let ages = sums.ages(at: summary.finishedAt ?? summary.startedAt)
        let most = ages.map(\.sum.bytes).max() ?? 0
        let aged = ages.filter { $0.sum.findings > 0 }.map { age in
            bar(.text(age.name), age.sum, .bytes, most: most)
        }
        let tables =
            groups.dropLast().map(bars)
            + [
                table("Orphans by age", ["age", ""] + Measure.bytes.headings, aged),
                bars(groups[groups.count - 1]),
            ]
        guard tables.contains(where: { !$0.isEmpty }) else { return "" }
        return "<div class=\"shares\">\n\(tables.joined())</div>\n"
    }

    private static func bars(_ group: Group) -> String {
        let path = group.measure.path
        let (top, rest) = group.sums.largest(barLimit, by: path)
        let most = max(top.first?.1[keyPath: path] ?? 0, rest[keyPath: path])
        var rows = top.map { name, sum in
            let label: HTMLTable.Cell =
                name.isEmpty ? .text(group.lack) : .link(name, "#" + group.filter(name))
            return bar(label, sum, group.measure, most: most)
        }
        if rest.findings > 0 {
            rows.append(bar(.text("all others"), rest, group.measure, most: most))
        }
        return table(group.caption, [group.heading, ""] + group.measure.headings, rows)
    }

    private static func bar(
        _ label: HTMLTable.Cell, _ sum: PageSums.Sum, _ measure: Measure, most: Int64
    ) -> [HTMLTable.Cell] {
        let share = most > 0 ? Double(sum[keyPath: measure.path]) / Double(most) : 0
        let size: [HTMLTable.Cell] = measure == .bytes ? [.number(Figures.size(sum.bytes))] : []
        return [label, .rendered(Drawing.bar(share))] + size
            + [.number(Figures.grouped(sum.findings))]
    }

    private static func table(
        _ caption: String, _ headings: [String], _ rows: [[HTMLTable.Cell]]
    ) -> String {
        rows.isEmpty ? "" : HTMLTable(caption: caption, headings: headings, rows: rows).html
    }

    /// A text as the value of a parameter in an address.
    static func percentEncoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                String(Unicode.Scalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
