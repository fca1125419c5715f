import MooringDecisions
import MooringModel
import MooringReconcile

// Attributes that nobody mapped, but that hold orphans' keys.

extension JudgeStage {
    private static let examples = 3

    /// Adds `unmapped-reference`: one for each attribute, with what it protects.
    func addUnmapped(_ result: inout Result) {
        let matches = Dictionary(grouping: confirmation.protecting) { Attribute($0.place) }
        for (attribute, matches) in matches {
            result.findings.append(finding(attribute, matches))
        }
        addUnmappedHeld(&result)
    }

    private func finding(
        _ attribute: Attribute, _ matches: [ConfirmScan.UnmappedMatch]
    ) -> Finding {
        var finding = Finding(
            id: FindingIdentity.attribute(
                source: attribute.source, table: attribute.model, field: attribute.field),
            kind: .unmappedReference, cause: nil, verdict: .undecided)
        var sum = ObjectSum()
        let sorted = matches.sorted { one, other in
            let (left, right) = (candidate(one), candidate(other))
            return left.bucket == right.bucket
                ? left.object.key < right.object.key : left.bucket < right.bucket
        }
        for match in sorted {
            let candidate = candidate(match)
            let place = ObjectPlace(
                bucket: job.buckets[candidate.bucket].name, key: candidate.object.key)
            sum.add(
                candidate.object.version.size,
                example: sum.examples.count < Self.examples ? place : nil)
        }
        guard let first = sorted.first else { return finding }
        let object = candidate(first).object
        finding.bucket = sum.examples.first?.bucket
        finding.key = object.key
        if sum.count == 1 { finding.object = object.version }
        finding.candidates = sum.count > 1 ? sum.examples.map(\.key) : []
        finding.objects = sum
        finding.record = first.place
        // The attribute's text may say more than the key, and that is nobody's business.
        finding.value = object.key.bytes
        finding.evidence = evidence(attribute, first, sum)
        finding.action = .keep
        return finding
    }

    private static func shown(_ text: String) -> String {
        Quoted.bare(Array(text.utf8))
    }

    private func candidate(_ match: ConfirmScan.UnmappedMatch) -> OrphanCandidate {
        observations.orphans[match.wanted]
    }

    private func evidence(
        _ attribute: Attribute, _ match: ConfirmScan.UnmappedMatch, _ sum: ObjectSum
    ) -> [String] {
        let name = "\(attribute.model).\(attribute.field)"
        let isOne = sum.count == 1
        let protected =
            isOne
            ? "the object is protected"
            : "\(Measure.count(sum.count, "object")) of \(Measure.bytes(sum.bytes)) are protected"
        let key = isOne ? "the key" : "their keys"
        if match.isMappedField {
            return [protected, "\(name) is mapped, but holds \(key) in another form"]
        }
        if match.isEnd {
            return [
                protected,
                "\(name) is not mapped, and holds the end of \(isOne ? "the key" : "their keys")",
                "if these are references, add a level whose prefix is what stands before them, and "
                    + line(attribute) + "; if not, add to source "
                    + "\(Self.shown(attribute.source)): \(past(attribute))",
            ]
        }
        let inside = match.isWhole ? "" : " inside another value"
        return [
            protected, "\(name) is not mapped, and holds \(key)\(inside)",
            "if these are references, add \(line(attribute)); if it says what was, or lists the "
                + "bucket, add to source \(Self.shown(attribute.source)): \(past(attribute))",
        ]
    }

    // What the configuration needs, so that an attribute holds references.
    private func line(_ attribute: Attribute) -> String {
        let field = Self.shown(attribute.field)
        return model(of: attribute) == nil
            ? "{model: \(Self.shown(attribute.model)), files: [{field: \(field)}]} under 'models'"
            : "{field: \(field)} under 'files' of \(Self.shown(attribute.model))"
    }

    // What it needs, so that it holds none.
    private func past(_ attribute: Attribute) -> String {
        let table = model(of: attribute)?.table ?? attribute.model
        return "notReferences: [\(Self.shown(table + "." + attribute.field))]"
    }

    private func model(of attribute: Attribute) -> ModelMapping? {
        job.models.first {
            $0.source == attribute.source && $0.mapping.model == attribute.model
        }?.mapping
    }
}
