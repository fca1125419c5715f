import MooringModel

/// What a page's list shows of a finding without opening it, and what it is searched and sorted by.
struct PageRow {
    /// No object, or no time of one.
    static let none = Double.nan
    /// The number that stands for no code.
    static let noCode: UInt8 = 255

    /// Id, title, record and bucket as they are shown: with no tab, line feed or hidden character.
    let texts: [String]
    /// Bytes of its object; `none` where it names none.
    let bytes: Double
    /// When its object was last modified, in seconds since the epoch; `none` where it has none.
    let time: Double
    /// Places in the lists of `PageCodes`: severity, cause, verdict, action, outcome.
    let codes: [UInt8]

    /// The row of a finding. A key of any length that a store takes is whole in it.
    init(_ finding: Finding, _ facts: FindingFacts) {
        let shown = ShownBytes(active: [], limit: 1_024)
        let records = finding.records.count
        let record =
            finding.record.map(Self.text)
            ?? (records > 0 ? Array(Figures.counted(records, "record").utf8) : [])
        texts = [
            shown.text(finding.id), shown.text(facts.title, ascii: facts.needsASCII),
            shown.text(record, ascii: facts.needsASCII), shown.text(finding.bucket ?? ""),
        ]
        bytes = (finding.object?.size ?? finding.objects?.bytes).map { Double($0) } ?? Self.none
        time =
            finding.object.map { Double($0.lastModified.nanoseconds / 1_000_000_000) } ?? Self.none
        codes = [
            PageCodes.severities.code(Severity(finding.kind, finding.verdict)),
            PageCodes.causes.code(finding.cause), PageCodes.verdicts.code(finding.verdict),
            PageCodes.actions.code(finding.action), PageCodes.outcomes.code(finding.outcome),
        ]
    }

    // `SOURCE MODEL/ID.FIELD[INDEX]`.
    private static func text(_ place: RecordPlace) -> [UInt8] {
        let identity = place.identity
        let field = place.field.map { ".\($0)" + (place.index.map { "[\($0)]" } ?? "") } ?? ""
        return Array("\(identity.source) \(identity.model)/".utf8) + identity.id.joined
            + Array(field.utf8)
    }
}

/// The words that rows of a page name by number.
enum PageCodes {
    /// By gravity, the least first.
    static let severities: [Severity] = [.note, .warning, .error]
    /// The catalogue's, in its order.
    static let causes = FindingCause.allCases
    static let verdicts = Verdict.allCases
    static let actions = Strategy.allCases + [.untag]
    static let outcomes = StepOutcome.allCases
    /// The kinds in the order of every page.
    static let kinds = FindingKind.reportOrder
}

extension Array where Element: Equatable {
    /// The place of an element in a list that names all there are, as a page's rows hold it.
    fileprivate func code(_ element: Element?) -> UInt8 {
        element.flatMap { firstIndex(of: $0) }.map { UInt8($0) } ?? PageRow.noCode
    }
}

/// Rows as columns, from which a page shows, searches and sorts them without opening any.
///
/// The bytes are: the number of rows as 32 bits, 32 bits of zero, `bytes` and `time` of all as
/// doubles, each code of all as a byte, all little-endian; then a line of texts for each row, split
/// by tabs.
struct PageColumns {
    /// How many rows there are.
    private(set) var count = 0
    private var bytes: [UInt8] = []
    private var times: [UInt8] = []
    private var codes: [[UInt8]] = [[], [], [], [], []]
    private var text: [UInt8] = []

    /// Adds a row.
    mutating func add(_ row: PageRow) {
        count += 1
        Self.append(row.bytes.bitPattern, to: &bytes)
        Self.append(row.time.bitPattern, to: &times)
        for (place, code) in row.codes.enumerated() { codes[place].append(code) }
        for (place, field) in row.texts.enumerated() {
            if place > 0 { text.append(UInt8(ascii: "\t")) }
            text.append(contentsOf: field.utf8)
        }
        text.append(UInt8(ascii: "\n"))
    }

    /// The columns, one behind the other.
    var encoded: [UInt8] {
        var output: [UInt8] = []
        Self.append(UInt64(count), to: &output)
        return output + bytes + times + codes.joined() + text
    }

    private static func append(_ word: UInt64, to output: inout [UInt8]) {
        withUnsafeBytes(of: word.littleEndian) { output.append(contentsOf: $0) }
    }
}
