/// The catalogue of findings; a code is never used for anything else.
package enum FindingKind: String, Hashable, Sendable, Codable, CaseIterable {
    case orphan, dangling, shared, exposed
    case invalidKey = "invalid-key"
    case emptyObject = "empty-object"
    case abandonedUpload = "abandoned-upload"
    case danglingRelation = "dangling-relation"
    case staleCopy = "stale-copy"
    case unmappedReference = "unmapped-reference"
    case mappingError = "mapping-error"
}

/// Why a finding of a kind exists, as far as the evidence tells.
package enum FindingCause: String, Hashable, Sendable, Codable, CaseIterable {
    case unassociated, cleared, superseded, detached, ownerless, unattributed
    case lostUpdate = "lost-update"
    case unknownIdentity = "unknown-identity"
    case missing, deleted, quarantined, misplaced, twin, foreign, vanished
    case missingParent = "missing-parent"
    case tombstonedParent = "tombstoned-parent"
    case joinEnd = "join-end"
    case behind, pending
    case deletedUpstream = "deleted-upstream"
    case prefix, encoding, unicode, `case`, slash, url
}

/// What the race model says of a candidate.
package enum Verdict: String, Hashable, Sendable, Codable, CaseIterable {
    /// No workflow within the bounds leads to this state.
    case settled
    /// A device in flight may still be the reason.
    case explained
    /// A doubt is left, which the evidence names.
    case undecided
}

/// Which workflow may still explain a finding, and until when.
package struct Explanation: Hashable, Sendable {
    /// The device workflow's name.
    package var workflow: String
    /// The step that may still come.
    package var step: String
    /// When nothing can come any longer: neither this step nor any other that would do.
    package var until: Instant

    /// An explanation.
    package init(workflow: String, step: String, until: Instant) {
        self.workflow = workflow
        self.step = step
        self.until = until
    }
}

/// What a settled finding still waits for before the policy may act on it.
package struct ProofNeed: Hashable, Sendable {
    /// The proof, such as `second sighting` or `settled owner`.
    package var proof: String
    /// The earliest moment at which it can be had; nil when time alone does not bring it.
    package var after: Instant?

    /// A missing proof.
    package init(proof: String, after: Instant?) {
        self.proof = proof
        self.after = after
    }
}

/// A record, or one place in it, that a finding speaks of.
package struct RecordPlace: Hashable, Sendable {
    /// The record's identity; of an owner that an orphan's key names, there may be no such record.
    package var identity: RecordIdentity
    /// The field; nil when the whole record is meant.
    package var field: String?
    /// The index in a list; nil elsewhere.
    package var index: Int?
    /// The record's version when it was read; nil when the mapping names none.
    package var version: Int64?

    /// A place in a record.
    package init(
        identity: RecordIdentity, field: String? = nil, index: Int? = nil, version: Int64? = nil
    ) {
        self.identity = identity
        self.field = field
        self.index = index
        self.version = version
    }

    /// Whether it stands before another place, by the bytes of source, model, identifier and field.
    package func precedes(_ other: RecordPlace) -> Bool {
        let (own, others) = (texts, other.texts)
        return zip(own, others).first { $0 != $1 }.map { $0.lexicographicallyPrecedes($1) }
            ?? false
    }

    private var texts: [[UInt8]] {
        [
            Array(identity.source.utf8), Array(identity.model.utf8), identity.id.joined,
            Array((field ?? "").utf8),
        ]
    }
}

/// Several objects, of which a few are named.
package struct ObjectSum: Hashable, Sendable {
    /// How many they are.
    package private(set) var count = 0
    /// Their bytes; held at the end of the range, since a listing may claim any size.
    package private(set) var bytes: Int64 = 0
    /// A few of them.
    package private(set) var examples: [ObjectPlace] = []

    /// None.
    package init() {}

    /// A sum that was taken before.
    init(count: Int, bytes: Int64, examples: [ObjectPlace]) {
        (self.count, self.bytes, self.examples) = (count, bytes, examples)
    }

    /// Adds an object of a size, and names it where a place is given.
    package mutating func add(_ size: Int64, example: ObjectPlace?) {
        count += 1
        let (sum, overflow) = bytes.addingReportingOverflow(max(0, size))
        bytes = overflow ? .max : sum
        if let example { examples.append(example) }
    }
}

/// A judged difference between records and objects: candidate, verdict and evidence.
package struct Finding: Hashable, Sendable {
    /// The same in every run: it depends only on what the finding is about.
    package var id: String
    /// The code of the catalogue; `id` depends on it too.
    package var kind: FindingKind
    /// Why it is, where the kind has causes.
    package var cause: FindingCause?
    /// What the race model says.
    package var verdict: Verdict
    /// The bucket's name; of a foreign reference, the name that the record holds.
    package var bucket: String?
    /// The object's full key; of a dangling reference, the resolved one.
    package var key: ObjectKey?
    /// Every key that is possible, where there are several.
    package var candidates: [ObjectKey] = []
    /// The one object that a reference without its own may mean, where the field can name it;
    /// not written to reports.
    package var target: ObjectPlace?
    /// The object's version, where there is an object; the target's, where there is one.
    package var object: ObjectVersion?
    /// The objects that an attribute protects, of an unmapped reference.
    package var objects: ObjectSum?
    /// What must hold of the store beside the object; not written to reports.
    package var basis = StoreBasis()
    /// The record that holds the reference; of an orphan, its owner.
    package var record: RecordPlace?
    /// One text for the version of the record's row as it was read, where it has no version of its
    /// own; not written to reports.
    package var rowToken: String?
    /// All records, of a shared object.
    package var records: [RecordPlace] = []
    /// The records that may own an orphan by its key; not written to reports.
    package var owners: [RecordIdentity] = []
    /// What the record holds.
    package var value: [UInt8]?
    /// Every index at which a list holds the value, when there are several.
    package var indexes: [Int] = []
    /// The workflow that may explain it.
    package var explanation: Explanation?
    /// What led to the verdict, one sentence each.
    package var evidence: [String] = []
    /// When the first run saw it.
    package var firstSeen: Instant?
    /// How many runs saw it, this one included.
    package var runs: Int = 1
    /// What the policy would do; nil where nothing can be done about the kind.
    package var action: Strategy?
    /// What the action still waits for.
    package var needs: ProofNeed?
    /// How the step ended that its run carried out about it; nil where there was none. The journal
    /// keeps it, and not the finding.
    package var outcome: StepOutcome?

    /// A finding; everything else starts empty.
    package init(id: String, kind: FindingKind, cause: FindingCause?, verdict: Verdict) {
        self.id = id
        self.kind = kind
        self.cause = cause
        self.verdict = verdict
    }

    /// The object that it is about, or that its reference misses; nil where it names none.
    package var objectPlace: ObjectPlace? {
        guard let bucket, let key else { return nil }
        return ObjectPlace(bucket: bucket, key: key)
    }

    /// Whether its run has mended it, or found it gone.
    package var isMended: Bool { outcome == .done || outcome == .healed }
}
