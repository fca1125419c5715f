package import MooringModel

/// Judges values of file fields that are no usable keys.
package enum InvalidKeyJudge {
    /// What is said of one of them; where the whole value could not be read, it hides references.
    package static func finding(
        at place: RecordPlace, value: [UInt8], reason: String, hidesReferences: Bool
    ) -> Finding {
        var finding = Finding(
            id: FindingIdentity.reference(
                .invalidKey, record: place.identity, field: place.field ?? "", value: value),
            kind: .invalidKey, cause: nil, verdict: .settled)
        finding.record = place
        finding.value = value
        finding.evidence = [reason]
        if hidesReferences {
            finding.evidence.append("every object whose name stands in it is protected")
        }
        finding.action = .keep
        return finding
    }
}
