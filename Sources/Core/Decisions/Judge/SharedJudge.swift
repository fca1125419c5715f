package import MooringModel

/// A listed object that records reference, as its findings tell of it.
package struct ReferencedFacts: Sendable {
    /// The bucket's name.
    package let bucket: String
    /// The object as it was listed.
    package let object: ListedObject
    /// The places that reference it, one for each record, by the bytes of what they are called.
    package let places: [RecordPlace]

    /// Facts about a referenced object.
    package init(bucket: String, object: ListedObject, places: [RecordPlace]) {
        self.bucket = bucket
        self.object = object
        // Parts of a source are read in any order, and what a run says must not depend on that.
        self.places = places.sorted { $0.precedes($1) }
    }

    /// A finding about it, about which nothing is done.
    func finding(_ kind: FindingKind) -> Finding {
        var finding = Finding(
            id: FindingIdentity.object(kind, bucket: bucket, key: object.key), kind: kind,
            cause: nil, verdict: .settled)
        finding.bucket = bucket
        finding.key = object.key
        finding.object = object.version
        finding.action = .keep
        return finding
    }
}

/// Judges objects that several records reference.
package enum SharedJudge {
    /// What is said of one of them.
    package static func finding(_ facts: ReferencedFacts) -> Finding {
        var finding = facts.finding(.shared)
        finding.records = facts.places
        finding.evidence = ["\(facts.places.count) records reference one object"]
        return finding
    }
}
