import MooringModel

/// What a report says of one finding, in order and not yet escaped; text and HTML share it.
struct FindingFacts {
    /// One fact: a label and its lines.
    struct Fact {
        /// The label, one or two words of lower case.
        let label: String
        /// What is said.
        let lines: [Line]
    }

    /// One line of a fact.
    enum Line {
        /// A sentence, which may quote foreign bytes.
        case sentence([UInt8])
        /// Foreign bytes alone, such as a key.
        case foreign([UInt8])
    }

    /// The bytes that name the finding: its key, else its record, else its value, else its id.
    let title: [UInt8]
    /// Whether keys are shown in ASCII, since two of them look the same otherwise.
    let needsASCII: Bool
    /// Everything else.
    let facts: [Fact]

    /// The most lines of one fact; one object may be shared by a million records.
    static let lineLimit = 20

    /// The facts of a finding.
    init(_ finding: Finding) {
        title =
            finding.key?.bytes ?? finding.record.map(Self.text) ?? finding.value
            ?? Array(Self.name(finding).utf8)
        needsASCII = finding.cause == .twin || finding.cause == .unicode
        facts = (Self.subject(finding) + Self.judgement(finding)).filter { !$0.lines.isEmpty }
    }

    // A mapping error is about a bucket as a whole.
    private static func name(_ finding: Finding) -> String {
        guard finding.kind == .mappingError, let bucket = finding.bucket else { return finding.id }
        return "bucket \(bucket)"
    }

    private static func subject(_ finding: Finding) -> [Fact] {
        let owner = finding.kind == .orphan ? "owner" : "record"
        let value = finding.value == finding.key?.bytes ? nil : finding.value
        return [
            Fact(label: "bucket", lines: sentences(finding.bucket)),
            Fact(label: "object", lines: sentences(finding.object.map(text))),
            Fact(label: owner, lines: finding.record.map { [.sentence(text($0))] } ?? []),
            Fact(label: "records", lines: limited(finding.records) { .sentence(text($0)) }),
            Fact(label: "value", lines: value.map { [.foreign($0)] } ?? []),
            Fact(label: "indexes", lines: sentences(indexes(finding.indexes))),
            Fact(label: "candidates", lines: limited(finding.candidates) { .foreign($0.bytes) }),
        ]
    }

    private static func judgement(_ finding: Finding) -> [Fact] {
        let explanation = finding.explanation.map {
            "workflow \($0.workflow), step \($0.step) may still come; explained until "
                + Figures.time($0.until)
        }
        let needs = finding.needs.map {
            $0.proof + ($0.after.map { ", at the earliest \(Figures.time($0))" } ?? "")
        }
        let seen = finding.firstSeen.map {
            "first \(Figures.time($0)), in \(Figures.counted(finding.runs, "run"))"
        }
        return [
            Fact(label: "explained", lines: sentences(explanation)),
            Fact(label: "why", lines: limited(finding.evidence) { .sentence(Array($0.utf8)) }),
            Fact(label: "needs", lines: sentences(needs)),
            Fact(label: "action", lines: sentences(finding.action?.rawValue)),
            Fact(label: "seen", lines: sentences(seen)),
            Fact(label: "id", lines: sentences(finding.id)),
        ]
    }

    /// `SOURCE: MODEL/ID, field FIELD[INDEX], version N`.
    static func text(_ place: RecordPlace) -> [UInt8] {
        let identity = place.identity
        var rest = ""
        if let field = place.field {
            rest += ", field \(field)" + (place.index.map { "[\($0)]" } ?? "")
        }
        if let version = place.version { rest += ", version \(version)" }
        return Array("\(identity.source): \(identity.model)/".utf8) + identity.id.joined
            + Array(rest.utf8)
    }

    /// Size, time, ETag and version of an object, as one line.
    static func text(_ object: ObjectVersion) -> String {
        "\(Figures.size(object.size)), last modified \(Figures.time(object.lastModified)), "
            + "ETag \(object.etag)" + (object.versionID.map { ", version \($0)" } ?? "")
    }

    private static func sentences(_ text: String?) -> [Line] {
        text.map { [.sentence(Array($0.utf8))] } ?? []
    }

    private static func limited<Element>(
        _ elements: [Element], _ line: (Element) -> Line
    ) -> [Line] {
        let shown = elements.prefix(lineLimit).map(line)
        let rest = elements.count - shown.count
        return rest == 0 ? shown : shown + sentences("and \(Figures.grouped(rest)) more")
    }

    private static func indexes(_ indexes: [Int]) -> String? {
        guard !indexes.isEmpty else { return nil }
        let shown = indexes.prefix(lineLimit).map(String.init).joined(separator: ", ")
        let rest = indexes.count - lineLimit
        return rest > 0 ? "\(shown) and \(Figures.grouped(rest)) more" : shown
    }
}
