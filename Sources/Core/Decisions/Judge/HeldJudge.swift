package import MooringModel

/// Why an object in quarantine is needed though no reference names it: one names another that is
/// there.
package enum HeldNeed: Hashable, Sendable {
    /// It is derived from the object at this key.
    case derivedFrom(ObjectKey)
    /// The object at this key is derived from it.
    case sourceOf(ObjectKey)
    /// This symbolic link leads to it.
    case linked(ObjectKey)

    fileprivate var text: String {
        switch self {
        case .derivedFrom(let source):
            "it is derived from \(Quoted.key(source)), which is there and referenced"
        case .sourceOf(let product):
            "\(Quoted.key(product)), which is there and referenced, is derived from it"
        case .linked(let link):
            "the symbolic link \(Quoted.key(link)) leads to it and is referenced"
        }
    }
}

/// Judges objects in quarantine that a record misses though it names only another one.
package enum HeldJudge {
    /// A `dangling/quarantined` finding, by which it is given back.
    package static func finding(
        _ object: QuarantinedObject, of bucket: String, neededBy need: HeldNeed,
        at place: RecordPlace, value: [UInt8]
    ) -> Finding {
        // One record may miss several objects of one source, so that the id is made from the
        // object's own key.
        var finding = Finding(
            id: FindingIdentity.reference(
                .dangling, record: place.identity, field: place.field ?? "",
                value: object.key.bytes),
            kind: .dangling, cause: .quarantined, verdict: .settled)
        finding.bucket = bucket
        finding.key = object.key
        finding.object = object.version
        finding.record = place
        finding.value = value
        finding.evidence = [need.text, Evidence.inQuarantine(object.run).text]
        return finding
    }
}
