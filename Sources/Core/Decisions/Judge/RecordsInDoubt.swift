package import MooringModel

/// Records of which nobody knows what a reference means. Where one reference of a record is missing
/// and another may mean an object that lies elsewhere, that object would lose the record that it
/// belongs to: such a record is not removed.
package struct RecordsInDoubt: Sendable {
    private var records: Set<RecordIdentity> = []

    /// Those of some findings.
    package init(among findings: some Sequence<Finding> = []) {
        for finding in findings { insert(finding) }
    }

    /// Takes up the record of a finding that is in doubt.
    package mutating func insert(_ finding: Finding) {
        guard finding.isInDoubt, let record = finding.record else { return }
        records.insert(record.identity)
    }

    /// Holds back what would remove one of the records for a missing object. What removes a record
    /// because its parent is gone, says nothing of objects.
    package func withhold(_ finding: inout Finding) {
        guard finding.kind == .dangling, finding.action == .deleteRecord,
            finding.verdict == .settled, let record = finding.record,
            records.contains(record.identity)
        else { return }
        finding.needs = ProofNeed(proof: "no other reference of its record in doubt", after: nil)
    }
}

extension Finding {
    /// Whether it is about a reference of which nobody knows whether its object is gone.
    package var isInDoubt: Bool { kind == .dangling && verdict == .undecided }
}
