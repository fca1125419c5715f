import MooringModel

/// The findings of one kind as a page holds them: columns of many, and blocks of whole ones that
/// are opened one at a time. They wait in two files, so that memory holds one block of each.
final class PageBlocks {
    /// How many findings stand in a block.
    struct Sizes {
        /// Rows of one block of columns.
        var columns = 10_000
        /// Whole findings in one block.
        var details = 1_000
        /// A block of whole findings ends earlier at so many bytes.
        var detailBytes = 4 << 20
    }

    /// Findings that were added, kept or not.
    private(set) var total = 0
    private var added = 0
    private let kind: FindingKind
    private let sizes: Sizes
    private let limit: Int
    private let columnsFile: OutputFile
    private let detailsFile: OutputFile
    private var columns = PageColumns()
    private var details: [UInt8] = []
    private var detailCount = 0
    /// Where both files end behind each block of columns, and how many findings stand before.
    private var ends: [(rows: Int, columns: Int, details: Int)] = []

    /// No findings yet; files of the kind's own lie at a path. No more than `limit` are kept.
    init(
        _ kind: FindingKind, path: String, limit: Int, sizes: Sizes
    ) throws(ReportError) {
        (self.kind, self.limit, self.sizes) = (kind, limit, sizes)
        columnsFile = try OutputFile(creating: path + ".columns")
        detailsFile = try OutputFile(creating: path + ".details")
    }

    /// Adds a finding, or counts it where enough are kept.
    func add(_ finding: Finding, _ facts: FindingFacts) throws(ReportError) {
        total += 1
        added += 1
        guard added <= limit else { return }
        columns.add(PageRow(finding, facts))
        details += PageDetail.line(finding, facts) + [0x0A]
        detailCount += 1
        if columns.count == sizes.columns {
            try endBlock()
        } else if detailCount == sizes.details || details.count >= sizes.detailBytes {
            try endDetails()
        }
    }

    /// Counts a finding that is not kept.
    func skip() { total += 1 }

    /// The findings of whole blocks that fit into a number, and at least those of the first one.
    func kept(within share: Int) throws(ReportError) -> Int {
        try endBlock()
        return (ends.last { $0.rows <= share } ?? ends.first)?.rows ?? 0
    }

    /// Appends the columns of the first findings, so many as `kept` said.
    func appendColumns(to page: OutputFile, kept: Int) throws(ReportError) {
        let end = ends.first { $0.rows == kept }?.columns ?? 0
        try page.append(contentsOf: columnsFile, upTo: end)
    }

    /// Appends the blocks of the same findings, whole.
    func appendDetails(to page: OutputFile, kept: Int) throws(ReportError) {
        let end = ends.first { $0.rows == kept }?.details ?? 0
        try page.append(contentsOf: detailsFile, upTo: end)
    }

    /// Removes both files.
    func remove() throws(ReportError) {
        try columnsFile.remove()
        try detailsFile.remove()
    }

    private func endBlock() throws(ReportError) {
        guard columns.count > 0 else { return }
        try endDetails()
        try columnsFile.append(
            element("columns", rows: columns.count, try Gzip.compressed(columns.encoded)))
        let rows = (ends.last?.rows ?? 0) + columns.count
        ends.append((rows, columnsFile.size, detailsFile.size))
        columns = PageColumns()
    }

    private func endDetails() throws(ReportError) {
        guard detailCount > 0 else { return }
        try detailsFile.append(
            element("details", rows: detailCount, try Gzip.compressed(details)))
        details.removeAll(keepingCapacity: true)
        detailCount = 0
    }

    // A block of data, which no browser runs.
    private func element(_ name: String, rows: Int, _ block: [UInt8]) -> String {
        "<script type=\"application/gzip\" class=\"\(name)\" data-kind=\"\(kind.rawValue)\" "
            + "data-rows=\"\(rows)\">\(Base64.encode(block))</script>\n"
    }

    /// How many findings each of several kinds may have of a page that holds `limit`: small kinds
    /// are whole, and the others share evenly what is left.
    static func shares(of totals: [FindingKind: Int], limit: Int) -> [FindingKind: Int] {
        var shares: [FindingKind: Int] = [:]
        var rest = limit
        let rising = totals.sorted { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
        for (place, entry) in rising.enumerated() {
            let share = min(entry.value, rest / (rising.count - place))
            shares[entry.key] = share
            rest -= share
        }
        return shares
    }
}

/// A whole finding as a page holds it, to be opened.
enum PageDetail {
    /// The most bytes of a finding's JSON in a page; one object may be shared by a million records.
    static let jsonLimit = 64 << 10

    /// `{facts: [[label, isForeign, line…]…], command, finding}` on one line; `finding` is left out
    /// where it is larger than the limit.
    static func line(_ finding: Finding, _ facts: FindingFacts) -> [UInt8] {
        let shown = ShownBytes(active: [], limit: 2_048)
        let told = (facts.facts + timeline(finding)).map { fact in
            var isForeign = false
            let lines = fact.lines.map { line in
                switch line {
                case .sentence(let bytes): return shown.text(bytes, ascii: facts.needsASCII)
                case .foreign(let bytes):
                    isForeign = true
                    return shown.text(bytes, ascii: facts.needsASCII)
                }
            }
            return JSONValue.array(
                [.string(fact.label), .bool(isForeign)] + lines.map { .string($0) })
        }
        let head = JSONValue.members([
            "facts": .array(told),
            "command": .string("mooring explain \(ShellWord.quoting(shown.text(finding.id)))"),
        ]).rendered
        // The lists are bounded before they are rendered, not afterwards.
        guard finding.records.count + finding.candidates.count < 500 else { return head }
        let json = finding.json().rendered
        guard json.count <= jsonLimit else { return head }
        return head.dropLast() + Array(",\"finding\":".utf8) + json + [UInt8(ascii: "}")]
    }

    /// What is dated about a finding, in the order of time; nothing of a single moment.
    private static func timeline(_ finding: Finding) -> [FindingFacts.Fact] {
        let moments: [(Instant?, String)] = [
            (finding.object?.lastModified, "the object was written"),
            (finding.firstSeen, "the first audit that found it"),
            (finding.explanation?.until, "until here a device in flight may be the reason"),
            (
                finding.needs?.after,
                "the earliest moment of its \(finding.needs?.proof ?? "proof")"
            ),
        ]
        let dated = moments.compactMap { moment, text in moment.map { ($0, text) } }
            .sorted { $0.0 < $1.0 }
        guard dated.count > 1 else { return [] }
        let lines = dated.map { moment, text in
            FindingFacts.Line.sentence(Array("\(Figures.time(moment)) \(text)".utf8))
        }
        return [FindingFacts.Fact(label: "timeline", lines: lines)]
    }
}
