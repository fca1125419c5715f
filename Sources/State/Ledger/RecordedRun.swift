import GRDB
import MooringModel

/// Where a run stands in its series, and what its findings say of the run itself: with that a row
/// reads as the run recorded it.
struct RecordedRun {
    /// The series' number.
    let series: Int64
    /// The run's place in the series, from 1.
    let place: Int64
    /// What is added to the count of runs in every row.
    let counted: Int64
    /// How many findings it recorded of each kind and verdict; nil where some were erased since.
    let totals: FindingTotals?

    private let words: [String: String]

    /// What is kept of a run that recorded its findings to their end; nil for any other.
    init?(_ run: RunID, _ db: Database) throws {
        let select = try db.cachedStatement(
            sql: """
                SELECT \(Self.columns), totals FROM recording
                WHERE run = (SELECT number FROM run WHERE id = ?)
                """)
        guard let row = try Row.fetchOne(select, arguments: [run.text]) else { return nil }
        try self.init(row, from: 0, totals: (row[4] as Blob?).map(FindingTotals.init(parsing:)))
    }

    /// The columns of `recording` in the order in which `init(_:from:totals:)` takes them.
    static let columns =
        "recording.series, recording.place, recording.counted, recording.words"

    /// The run in a row whose columns begin at an index.
    init(_ row: Row, from index: Int, totals: FindingTotals? = nil) throws {
        (series, place, counted) = (row[index], row[index + 1], row[index + 2])
        words = try document(row[index + 3]) { $0.texts ?? [:] }
        self.totals = totals
    }

    /// The condition under which a row is of a run at a place, which is bound twice.
    static let holds = "first <= ? AND (last IS NULL OR last >= ?)"

    /// By how much a row's own count of runs differs at a place, which is bound once.
    static let offset = offset(at: "?")

    /// The same at a place that another column names.
    static func offset(at place: String) -> String {
        """
        ifnull((SELECT findingCount.runs FROM findingCount
            WHERE findingCount.finding = finding.number AND findingCount.place <= \(place)
            ORDER BY findingCount.place DESC LIMIT 1), 0)
        """
    }

    /// The finding as the run recorded it, from a row's document, its count and its offset.
    func finding(_ stored: Blob, runs: Int64, offset: Int64) throws -> Finding {
        try RunWords.restored(
            try document(stored, Finding.init(json:)), runs: Int(runs + offset + counted),
            words: words)
    }
}

/// How many findings a run recorded, by kind and verdict.
struct FindingTotals: Hashable {
    private var counts: [String: Int] = [:]

    /// None.
    init() {}

    /// Totals as they were stored; what is no number is left out.
    init(parsing blob: Blob) throws {
        for (name, text) in try document(blob, { $0.texts ?? [:] }) { counts[name] = Int(text) }
    }

    /// Adds so many findings of a kind and a verdict, or takes them away.
    mutating func add(_ count: Int, kind: String, verdict: String) {
        counts[Self.name(kind, verdict), default: 0] += count
    }

    /// How many of them fit the kinds and verdicts of a filter.
    func count(_ filter: FindingFilter) -> Int {
        let kinds = filter.kinds.isEmpty ? Set(FindingKind.allCases) : filter.kinds
        let verdicts = filter.verdicts.isEmpty ? Set(Verdict.allCases) : filter.verdicts
        return kinds.reduce(0) { sum, kind in
            verdicts.reduce(sum) { $0 + (counts[Self.name(kind.rawValue, $1.rawValue)] ?? 0) }
        }
    }

    /// The totals as a column holds them.
    var blob: Blob {
        Blob(JSONValue.texts(counts.filter { $0.value != 0 }.mapValues(String.init)).rendered)
    }

    private static func name(_ kind: String, _ verdict: String) -> String { "\(kind)/\(verdict)" }
}
