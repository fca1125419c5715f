import MooringModel
import MooringText

/// What a page tells of all findings together, summed while they pass by.
struct PageSums {
    /// Findings and the bytes of their objects.
    struct Sum {
        /// How many.
        var findings = 0
        /// Held at the end of the range.
        var bytes: Int64 = 0

        /// Adds another sum.
        mutating func add(_ other: Sum) {
            findings += other.findings
            let (sum, overflow) = bytes.addingReportingOverflow(other.bytes)
            bytes = overflow ? .max : sum
        }
    }

    /// Sums by a name, which is empty where there is none; of hostile data with a million names no
    /// more are held than the limit.
    struct Named {
        /// The most names.
        static let limit = 1_000
        /// The sums by the bytes of a name as it is shown: two spellings of one text are two names.
        private(set) var sums: [[UInt8]: Sum] = [:]
        /// What stands for the names beyond.
        private(set) var others = Sum()

        /// Adds to a name's sum.
        mutating func add(_ name: String, _ sum: Sum) {
            let bytes = Array(name.utf8)
            if sums[bytes] == nil, sums.count >= Self.limit { return others.add(sum) }
            sums[bytes, default: Sum()].add(sum)
        }

        /// The largest by a measure, then by the bytes of the name; the rest as one, where there is
        /// one.
        func largest(_ count: Int, by measure: KeyPath<Sum, Int64>) -> (
            top: [(String, Sum)], rest: Sum
        ) {
            let sorted = sums.sorted { one, other in
                let (left, right) = (one.value[keyPath: measure], other.value[keyPath: measure])
                return left == right
                    ? one.key.lexicographicallyPrecedes(other.key) : left > right
            }
            var rest = others
            for entry in sorted.dropFirst(count) { rest.add(entry.value) }
            return (
                sorted.prefix(count).map { (String(decoding: $0.key, as: UTF8.self), $0.value) },
                rest
            )
        }
    }

    /// The most records that are told apart.
    static let recordLimit = 250_000

    /// Orphans by the first part of the key, by the owner's model, and by cause.
    private(set) var prefixes = Named()
    private(set) var models = Named()
    private(set) var causes = Named()
    /// Dangling references by field.
    private(set) var fields = Named()
    /// Records that hold a settled dangling reference which no step mended; no more than the limit.
    var recordCount: Int { records.count }
    // By hash: a name for each would take a hundred times the room.
    private var records: Set<Int> = []
    // By the day since the epoch; a moment has no more than 213,504 of them.
    private var days: [Int64: Sum] = [:]

    /// Adds a finding.
    mutating func add(_ finding: Finding) {
        guard !finding.isMended else { return }
        switch finding.kind {
        case .orphan: addOrphan(finding)
        case .dangling: addDangling(finding)
        default: break
        }
    }

    private mutating func addOrphan(_ finding: Finding) {
        let shown = ShownBytes(active: [], limit: 80)
        let sum = Sum(findings: 1, bytes: max(0, finding.object?.size ?? 0))
        let key = finding.key?.bytes ?? []
        let part = key.firstIndex(of: UInt8(ascii: "/")).map { Array(key[...$0]) }
        prefixes.add(part.map { shown.text($0) } ?? "", sum)
        models.add(finding.record.map { shown.text($0.identity.model) } ?? "", sum)
        causes.add(finding.cause?.rawValue ?? "", sum)
        if let time = finding.object?.lastModified {
            days[time.nanoseconds / 86_400_000_000_000, default: Sum()].add(sum)
        }
    }

    private mutating func addDangling(_ finding: Finding) {
        guard let record = finding.record else { return }
        let shown = ShownBytes(active: [], limit: 80)
        let field = record.identity.model + (record.field.map { ".\($0)" } ?? "")
        fields.add(shown.text(field), Sum(findings: 1, bytes: 0))
        if finding.verdict == .settled, records.count < Self.recordLimit {
            records.insert(record.identity.hashValue)
        }
    }

    /// Orphans by how long before a moment their object was last modified, the youngest first.
    func ages(at moment: Instant) -> [(name: String, sum: Sum)] {
        let bounds: [(name: String, days: Int64)] = [
            ("under a day", 1), ("1 to 7 days", 7), ("7 to 30 days", 30), ("30 to 90 days", 90),
            ("90 days to a year", 365), ("over a year", .max),
        ]
        var ages = bounds.map { (name: $0.name, sum: Sum()) }
        let today = moment.nanoseconds / 86_400_000_000_000
        for (day, sum) in days {
            let place = bounds.firstIndex { today - day < $0.days } ?? bounds.count - 1
            ages[place].sum.add(sum)
        }
        return ages
    }
}

extension PageSums.Sum {
    /// The number of findings, as a measure.
    var weight: Int64 { Int64(findings) }
}
