package import MooringModel
import MooringText

/// A step of a plan with what the finding behind it is: what a person is asked about.
package struct PlannedStep: Hashable, Sendable {
    /// The step.
    package let step: PlanStep
    /// The finding's kind; of a step that only takes a tag off, `orphan`.
    package let kind: FindingKind
    /// The finding's cause.
    package let cause: FindingCause?

    /// A step and its finding.
    package init(_ step: PlanStep, kind: FindingKind, cause: FindingCause?) {
        self.step = step
        self.kind = kind
        self.cause = cause
    }

    /// The bytes of the object that it is about; 0 where it is about records alone.
    package var bytes: Int64 { max(0, step.precondition.object?.size ?? 0) }

    /// What a person decides on who reads of the step now.
    package var seen: SeenState {
        var subject = step
        // The names of a step say nothing that the rest does not, and whoever else may own an
        // object is asked again at the moment of acting.
        (subject.id, subject.hash, subject.precondition.owners) = ("", "", [])
        // The owner of an orphan may be written every day; that is no other orphan. Another owner
        // is: whoever was asked about the first one did not see it.
        if !step.writesRecord {
            subject.record?.version = nil
            subject.precondition.recordVersion = nil
            subject.precondition.rowToken = nil
        }
        let document = JSONValue.members([
            "kind": .string(kind.rawValue), "cause": .text(cause?.rawValue),
            "step": subject.json,
        ])
        return SeenState(
            finding: step.finding,
            digest: String(
                FindingIdentity.sha256(document.rendered).prefix(SeenState.digestLength)))
    }
}

/// What somebody saw who decided on a step: the finding, and a digest of the rest: kind and cause,
/// strategy, object version or row, value and place. As soon as any of it is another, so is the
/// state, and what was decided on is no more.
///
/// One text holds all of it, and begins with a letter: spreadsheets write numbers and times anew
/// when they save a file, and an id of digits alone is a number to them.
package struct SeenState: Hashable, Sendable {
    /// The finding's id.
    package let finding: String
    /// The digest, in hexadecimal.
    package let digest: String

    /// 128 bits.
    static let digestLength = 32
    private static let scheme = "v1"

    /// A state.
    init(finding: String, digest: String) {
        self.finding = finding
        self.digest = digest
    }

    /// Reads a text; nil where it is none, is cut off, or is of another scheme.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[0] == Self.scheme, Self.isHexadecimal(parts[1]),
            Self.isHexadecimal(parts[2]), parts[2].utf8.count == Self.digestLength
        else { return nil }
        self.init(finding: parts[1], digest: parts[2])
    }

    /// `v1-FINDING-DIGEST`.
    package var text: String { "\(Self.scheme)-\(finding)-\(digest)" }

    /// Whether a text is digits of a finding's id and nothing else.
    static func isHexadecimal(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
