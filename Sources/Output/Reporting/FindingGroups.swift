import MooringModel

/// What findings have in common: the kind, the cause where it is asked for, and the field or bucket
/// that they are about.
struct FindingGroup: Hashable {
    /// The kind.
    let kind: FindingKind
    /// The cause; nil where none is told apart.
    let cause: FindingCause?
    /// The record source or bucket; empty where a finding names neither.
    let site: String
    /// `MODEL.FIELD`, the model alone, or the bucket.
    let name: String

    /// The group of a finding.
    init(_ finding: Finding, byCause: Bool) {
        kind = finding.kind
        cause = byCause ? finding.cause : nil
        guard !Self.ofObjects.contains(finding.kind), let record = finding.record else {
            site = finding.bucket ?? finding.record?.identity.source ?? ""
            name = site
            return
        }
        site = record.identity.source
        name = record.identity.model + (record.field.map { ".\($0)" } ?? "")
    }

    /// A group without a cause that need not have findings.
    init(_ kind: FindingKind, site: String, name: String) {
        (self.kind, self.cause, self.site, self.name) = (kind, nil, site, name)
    }

    /// What stands for all places of a kind beyond the most that are told apart.
    init(restOf kind: FindingKind) {
        (self.kind, self.cause, self.site, self.name) = (kind, nil, "", "other places")
    }

    // Whoever may own such an object, it is the bucket that holds it.
    private static let ofObjects: Set<FindingKind> = [
        .orphan, .shared, .abandonedUpload, .mappingError,
    ]
}

/// A finding that stands for others, in few bytes.
struct FindingExample {
    /// The finding's id.
    let id: String
    /// What names it, at most 1,024 bytes of it.
    let title: [UInt8]
    /// Whether the title is shown in ASCII.
    let needsASCII: Bool
    /// Its verdict, with the cause where there is one, such as `settled, missing`.
    let verdict: String
    /// The record, as `SOURCE: MODEL/ID, field FIELD`; nil where the title is it, or there is none.
    let record: [UInt8]?

    /// A finding in few bytes.
    init(_ finding: Finding) {
        let facts = FindingFacts(finding)
        id = finding.id
        title = Array(facts.title.prefix(1_024))
        needsASCII = facts.needsASCII
        verdict = ([finding.verdict.rawValue] + [finding.cause?.rawValue].compactMap { $0 })
            .joined(separator: ", ")
        let record = finding.record.map { FindingFacts.text($0) }
        self.record = record == facts.title ? nil : record.map { Array($0.prefix(1_024)) }
    }
}

/// Findings counted by what they have in common, with a few examples of each; of hostile records
/// with a million attributes no more groups are held than the limit.
struct FindingGroups {
    /// What is known of a group.
    struct Sum {
        /// Findings of each verdict.
        var counts: [Verdict: Int] = [:]
        /// The first findings, as many as are kept.
        var examples: [FindingExample] = []
        /// The first record and bucket, by which the configuration names it.
        var record: RecordPlace?
        var bucket: String?

        /// Findings of every verdict.
        var total: Int { counts.values.reduce(0, +) }
    }

    /// The groups that were met.
    private(set) var sums: [FindingGroup: Sum] = [:]
    private let byCause: Bool
    private let limit: Int
    private let examples: Int

    /// No findings yet; at most so many groups and examples of each.
    init(byCause: Bool, limit: Int, examples: Int) {
        (self.byCause, self.limit, self.examples) = (byCause, limit, examples)
    }

    /// Adds a finding.
    mutating func add(_ finding: Finding) {
        var group = FindingGroup(finding, byCause: byCause)
        if sums[group] == nil, sums.count >= limit { group = FindingGroup(restOf: finding.kind) }
        var sum = sums[group] ?? Sum(record: finding.record, bucket: finding.bucket)
        sum.counts[finding.verdict, default: 0] += 1
        if sum.examples.count < examples { sum.examples.append(FindingExample(finding)) }
        sums[group] = sum
    }

    /// The groups in an order that does not depend on anything but them: by kind as pages have it,
    /// then by the bytes of site, name and cause.
    var ordered: [FindingGroup] { Self.ordered(Array(sums.keys)) }

    /// Groups in the same order.
    static func ordered(_ groups: [FindingGroup]) -> [FindingGroup] {
        let places = Dictionary(
            uniqueKeysWithValues: FindingKind.reportOrder.enumerated().map {
                ($0.element, $0.offset)
            })
        return groups.sorted { one, other in
            let (left, right) = (places[one.kind] ?? 0, places[other.kind] ?? 0)
            if left != right { return left < right }
            return zip(one.texts, other.texts).first { $0 != $1 }
                .map { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? false
        }
    }
}

extension FindingGroup {
    fileprivate var texts: [String] { [site, name, cause?.rawValue ?? ""] }
}
