package import MooringModel

/// What is known of an attribute that nobody mapped, and that holds orphans' keys.
package struct UnmappedFacts: Sendable {
    /// Where the first of the keys stands; a table that nobody mapped is its model.
    package let place: RecordPlace
    /// The table of the model, where one reads the attribute's rows.
    package let table: String?
    /// The objects with their buckets' names, in the order of buckets and keys; at least one.
    package let objects: [(bucket: String, object: ListedObject)]
    /// Whether a key is the attribute's whole value, or only the end of its path stands there.
    package let isWhole, isEnd: Bool
    /// Whether the mapping names the attribute as a file field, and the key stands inside.
    package let isMappedField: Bool

    /// Facts about an attribute.
    package init(
        place: RecordPlace, table: String?, objects: [(bucket: String, object: ListedObject)],
        isWhole: Bool, isEnd: Bool, isMappedField: Bool
    ) {
        self.place = place
        self.table = table
        self.objects = objects
        self.isWhole = isWhole
        self.isEnd = isEnd
        self.isMappedField = isMappedField
    }
}

/// Judges attributes that nobody mapped, but that hold objects' keys.
package enum UnmappedJudge {
    private static let examples = 3

    /// One finding for an attribute, with what it protects, and what to add to the configuration.
    package static func finding(_ facts: UnmappedFacts) -> Finding {
        let identity = facts.place.identity
        var finding = Finding(
            id: FindingIdentity.attribute(
                source: identity.source, table: identity.model, field: facts.place.field ?? ""),
            kind: .unmappedReference, cause: nil, verdict: .undecided)
        var sum = ObjectSum()
        for (bucket, object) in facts.objects {
            let isExample = sum.examples.count < examples
            sum.add(
                object.version.size,
                example: isExample ? ObjectPlace(bucket: bucket, key: object.key) : nil)
        }
        guard let first = facts.objects.first else { return finding }
        finding.bucket = first.bucket
        finding.key = first.object.key
        if sum.count == 1 { finding.object = first.object.version }
        finding.candidates = sum.count > 1 ? sum.examples.map(\.key) : []
        finding.objects = sum
        finding.record = facts.place
        // The attribute's text may say more than the key, and that is nobody's business.
        finding.value = first.object.key.bytes
        finding.evidence = evidence(facts, sum)
        finding.action = .keep
        return finding
    }

    /// A finding about an object in quarantine that is given back. A record that took its key up
    /// while it went there misses it by now, and no dangling reference tells of that, since nobody
    /// mapped the attribute.
    package static func finding(
        giveBack object: QuarantinedObject, of bucket: String, at place: RecordPlace,
        isMappedField: Bool
    ) -> Finding {
        var finding = Finding(
            id: FindingIdentity.reference(
                .unmappedReference, record: place.identity, field: place.field ?? "",
                value: object.key.bytes),
            kind: .unmappedReference, cause: nil, verdict: .settled)
        finding.bucket = bucket
        finding.key = object.key
        finding.object = object.version
        finding.record = place
        finding.value = object.key.bytes
        let attribute = "\(place.identity.model).\(place.field ?? "")"
        finding.evidence = [
            isMappedField
                ? "\(attribute) is mapped, but holds the key in another form"
                : "\(attribute) is not mapped, and holds the key",
            Evidence.inQuarantine(object.run).text,
        ]
        finding.action = .restore
        return finding
    }

    private static func evidence(_ facts: UnmappedFacts, _ sum: ObjectSum) -> [String] {
        let name = "\(facts.place.identity.model).\(facts.place.field ?? "")"
        let isOne = sum.count == 1
        let protected =
            isOne
            ? "the object is protected"
            : "\(Measure.count(sum.count, "object")) of \(Measure.bytes(sum.bytes)) are protected"
        let key = isOne ? "the key" : "their keys"
        if facts.isMappedField {
            return [protected, "\(name) is mapped, but holds \(key) in another form"]
        }
        let past = "add to source \(shown(facts.place.identity.source)): \(past(facts))"
        if facts.isEnd {
            return [
                protected,
                "\(name) is not mapped, and holds the end of \(key)",
                "if these are references, add a level whose prefix is what stands before them, and "
                    + "\(line(facts)); if not, \(past)",
            ]
        }
        let inside = facts.isWhole ? "" : " inside another value"
        return [
            protected, "\(name) is not mapped, and holds \(key)\(inside)",
            "if these are references, add \(line(facts)); if it says what was, or lists the "
                + "bucket, \(past)",
        ]
    }

    private static func shown(_ text: String) -> String { Quoted.bare(Array(text.utf8)) }

    // What the configuration needs, so that an attribute holds references.
    private static func line(_ facts: UnmappedFacts) -> String {
        let (model, field) = (facts.place.identity.model, shown(facts.place.field ?? ""))
        return facts.table == nil
            ? "{model: \(shown(model)), files: [{field: \(field)}]} under 'models'"
            : "{field: \(field)} under 'files' of \(shown(model))"
    }

    // What it needs, so that it holds none.
    private static func past(_ facts: UnmappedFacts) -> String {
        let table = facts.table ?? facts.place.identity.model
        return "notReferences: [\(shown(table + "." + (facts.place.field ?? "")))]"
    }
}
