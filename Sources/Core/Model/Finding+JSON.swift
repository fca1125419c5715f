// The form that `findings.jsonl` and the ledger share. Bytes that are not UTF-8 stand in a second
// member, `keyBase64`, `idBase64` or `valueBase64`, beside their lossy text.

extension Finding {
    /// The finding as one line of `findings.jsonl` holds it; `owners`, `target`, `basis` and
    /// `rowToken` go to the ledger only.
    package func json(withOwners: Bool = false) -> JSONValue {
        .members([
            "id": .string(id), "kind": .string(kind.rawValue), "cause": .text(cause?.rawValue),
            "verdict": .string(verdict.rawValue), "bucket": .text(bucket),
            "key": .text(key?.text), "keyBase64": key.flatMap { .base64(unlessText: $0.bytes) },
            "candidates": candidates.isEmpty ? nil : .array(candidates.map(JSONValue.key)),
            "target": withOwners ? target?.json : nil,
            "object": object?.json, "objects": objects?.json,
            "basis": withOwners ? basis.json : nil,
            "record": record?.json, "rowToken": withOwners ? .text(rowToken) : nil,
            "records": records.isEmpty ? nil : .array(records.map(\.json)),
            "owners": withOwners && !owners.isEmpty
                ? .array(owners.map { RecordPlace(identity: $0).json }) : nil,
            "value": value.map { .string(String(decoding: $0, as: UTF8.self)) },
            "valueBase64": value.flatMap { .base64(unlessText: $0) },
            "indexes": indexes.isEmpty ? nil : .array(indexes.map { .integer(Int64($0)) }),
            "explanation": explanation?.json, "evidence": .texts(evidence),
            "firstSeen": .moment(firstSeen), "runs": .integer(Int64(runs)),
            "action": .text(action?.rawValue), "needs": needs?.json,
            "outcome": .text(outcome?.rawValue),
        ])
    }

    /// Reads a finding back from its JSON form.
    package init(json node: JSONNode) throws(DocumentError) {
        self.init(
            id: try node.required("id"), kind: try node.coded("kind"),
            cause: try node.codedIfPresent("cause"), verdict: try node.coded("verdict"))
        bucket = node["bucket"]?.string
        key = try node.bytes("key").map { ObjectKey($0) }
        for candidate in node["candidates"]?.elements ?? [] {
            if let text = candidate.stringBytes {
                candidates.append(ObjectKey(text))
            } else if let bytes = try candidate.bytes("key") {
                candidates.append(ObjectKey(bytes))
            }
        }
        if let place = node["target"] { target = try ObjectPlace(json: place) }
        if let object = node["object"] { self.object = try ObjectVersion(json: object) }
        if let objects = node["objects"] { self.objects = try ObjectSum(json: objects) }
        basis = try StoreBasis(json: node["basis"])
        if let record = node["record"] { self.record = try RecordPlace(json: record) }
        rowToken = node["rowToken"]?.string
        for record in node["records"]?.elements ?? [] {
            records.append(try RecordPlace(json: record))
        }
        for owner in node["owners"]?.elements ?? [] {
            owners.append(try RecordPlace(json: owner).identity)
        }
        value = try node.bytes("value")
        indexes = (node["indexes"]?.elements ?? []).compactMap { $0.integer.map(Int.init) }
        if let explanation = node["explanation"] {
            self.explanation = try Explanation(json: explanation)
        }
        evidence = (node["evidence"]?.elements ?? []).compactMap(\.string)
        firstSeen = try node.momentIfPresent("firstSeen")
        runs = node["runs"]?.integer.map { Int($0) } ?? 1
        action = try node.codedIfPresent("action")
        if let needs = node["needs"] {
            self.needs = ProofNeed(
                proof: try needs.required("proof"), after: try needs.momentIfPresent("after"))
        }
        outcome = try node.codedIfPresent("outcome")
    }
}

extension ObjectSum {
    /// `{count, bytes, examples}`.
    package var json: JSONValue {
        .members([
            "count": .integer(Int64(count)), "bytes": .integer(bytes),
            "examples": .array(examples.map(\.json)),
        ])
    }

    /// Reads a sum back.
    init(json node: JSONNode) throws(DocumentError) {
        var examples: [ObjectPlace] = []
        for place in node["examples"]?.elements ?? [] {
            examples.append(try ObjectPlace(json: place))
        }
        self.init(
            count: Int(try node.wholeNumber("count")), bytes: try node.wholeNumber("bytes"),
            examples: examples)
    }
}

extension ObjectVersion {
    /// `{size, etag, lastModified, version}`.
    package var json: JSONValue {
        .members([
            "size": .integer(size), "etag": .string(etag),
            "lastModified": .string(lastModified.iso8601),
            "version": versionID.map { .string($0) } ?? .null,
        ])
    }

    /// Reads a version back.
    package init(json node: JSONNode) throws(DocumentError) {
        self.init(
            size: try node.wholeNumber("size"), etag: try node.required("etag"),
            lastModified: try node.moment("lastModified"), versionID: node["version"]?.string)
    }
}

extension RecordPlace {
    /// `{source, model, id, field, index, version}`; a composite id also as `idParts`.
    package var json: JSONValue {
        .members([
            "source": .string(identity.source), "model": .string(identity.model),
            "id": .string(identity.id.text),
            "idBase64": .base64(unlessText: identity.id.joined),
            "idParts": identity.id.parts.count == 1
                ? nil : .array(identity.id.parts.map { .string(Base64.encode($0)) }),
            "field": .text(field), "index": .whole(index), "version": .whole(version),
        ])
    }

    /// Reads a place back.
    package init(json node: JSONNode) throws(DocumentError) {
        var id = RecordID(try node.bytes("id") ?? [])
        if let parts = node["idParts"]?.elements {
            id = RecordID(parts: parts.compactMap { $0.string.flatMap(Base64.decode) })
        }
        self.init(
            identity: RecordIdentity(
                source: try node.required("source"), model: try node.required("model"), id: id),
            field: node["field"]?.string, index: node["index"]?.integer.map { Int($0) },
            version: node["version"]?.integer)
    }
}

extension Explanation {
    /// `{workflow, step, until}`.
    package var json: JSONValue {
        .members([
            "workflow": .string(workflow), "step": .string(step),
            "until": .string(until.iso8601),
        ])
    }

    /// Reads an explanation back.
    package init(json node: JSONNode) throws(DocumentError) {
        self.init(
            workflow: try node.required("workflow"), step: try node.required("step"),
            until: try node.moment("until"))
    }
}

extension ProofNeed {
    /// `{proof, after}`.
    package var json: JSONValue {
        .members(["proof": .string(proof), "after": .moment(after) ?? .null])
    }
}

extension JSONValue {
    /// A key: a string, or an object with `key` and `keyBase64` where it is not UTF-8.
    package static func key(_ key: ObjectKey) -> JSONValue {
        guard let encoded = JSONValue.base64(unlessText: key.bytes) else {
            return .string(key.text)
        }
        return .members(["key": .string(key.text), "keyBase64": encoded])
    }

    /// The bytes in base64 when they are not UTF-8; nil when a string holds them.
    package static func base64(unlessText bytes: [UInt8]) -> JSONValue? {
        String(validating: bytes, as: UTF8.self) == nil ? .string(Base64.encode(bytes)) : nil
    }
}
