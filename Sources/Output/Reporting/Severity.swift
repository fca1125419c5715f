import MooringModel

/// How grave a finding is, as SARIF names it.
enum Severity: String, Comparable {
    case note, warning, error

    /// Of a finding: that of its kind; less where the verdict leaves a doubt, and least where a
    /// device in flight explains it.
    init(_ kind: FindingKind, _ verdict: Verdict) {
        switch verdict {
        case .settled: self = kind.severity
        case .explained: self = .note
        case .undecided: self = min(kind.severity, .warning)
        }
    }

    /// By gravity.
    static func < (one: Severity, other: Severity) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}

extension FindingKind {
    /// How grave a settled finding of the kind is: an error is something that users meet.
    var severity: Severity {
        switch self {
        case .dangling, .exposed, .mappingError: .error
        case .orphan, .invalidKey, .emptyObject, .danglingRelation, .unmappedReference: .warning
        case .shared, .abandonedUpload, .staleCopy: .note
        }
    }
}
