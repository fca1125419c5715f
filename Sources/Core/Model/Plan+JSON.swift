// The form of `plan.json`, which the ledger keeps too.

extension Plan {
    /// The name and version of the form.
    package static let schema = "mooring.plan/1"

    /// The plan as `plan.json` holds it.
    package var json: JSONValue {
        .members([
            "schema": .string(Self.schema), "id": .string(id), "run": .string(run.text),
            "configuration": .string(configuration), "createdAt": .moment(createdAt),
            "expiresAt": .moment(expiresAt), "confirmedAt": .moment(confirmedAt),
            "accepted": .texts(accepted),
            "steps": .array(steps.map(\.json)),
        ])
    }

    /// Reads a plan; whether its steps are as they were saved is not checked here.
    package init(json node: JSONNode) throws(DocumentError) {
        guard node["schema"]?.string == Self.schema else {
            throw DocumentError("'schema' is not \(Self.schema)")
        }
        guard let run = RunID(try node.required("run")) else {
            throw DocumentError("'run' is not a run's name")
        }
        let accepted = node["accepted"]?.texts ?? [:]
        guard let nodes = node["steps"]?.elements else {
            throw DocumentError("'steps' is not a list")
        }
        var steps: [PlanStep] = []
        for step in nodes { steps.append(try PlanStep(json: step)) }
        self.init(
            id: try node.required("id"), run: run,
            configuration: try node.required("configuration"),
            createdAt: try node.moment("createdAt"), expiresAt: try node.moment("expiresAt"),
            confirmedAt: try node.moment("confirmedAt"), accepted: accepted, steps: steps)
    }
}

extension PlanStep {
    /// The step as `plan.json` holds it.
    package var json: JSONValue {
        .members([
            "id": .string(id), "hash": .string(hash), "strategy": .string(strategy.rawValue),
            "finding": .string(finding), "bucket": .text(bucket), "key": .text(key?.text),
            "keyBase64": key.flatMap { .base64(unlessText: $0.bytes) },
            "target": target?.json, "record": record?.json,
            "precondition": precondition.json,
        ])
    }

    /// Reads a step.
    package init(json node: JSONNode) throws(DocumentError) {
        var target: ObjectPlace?
        if let place = node["target"] { target = try ObjectPlace(json: place) }
        var record: RecordPlace?
        if let place = node["record"] { record = try RecordPlace(json: place) }
        guard let precondition = node["precondition"] else {
            throw DocumentError("'precondition' is missing")
        }
        self.init(
            id: try node.required("id"), hash: try node.required("hash"),
            strategy: try node.coded("strategy"), finding: try node.required("finding"),
            bucket: node["bucket"]?.string, key: try node.bytes("key").map { ObjectKey($0) },
            target: target, record: record, precondition: try Precondition(json: precondition))
    }

    /// The bytes that `hash` is taken of: the step without its hash.
    package var hashedContent: [UInt8] {
        var copy = self
        copy.hash = ""
        return copy.json.rendered
    }
}

extension ObjectPlace {
    /// `{bucket, key}`, with `keyBase64` where the key is no text.
    package var json: JSONValue {
        .members([
            "bucket": .string(bucket), "key": .string(key.text),
            "keyBase64": .base64(unlessText: key.bytes),
        ])
    }

    /// Reads a place.
    package init(json node: JSONNode) throws(DocumentError) {
        guard let key = try node.bytes("key") else { throw DocumentError("'key' is missing") }
        self.init(bucket: try node.required("bucket"), key: ObjectKey(key))
    }
}

extension Precondition {
    /// The precondition as a step holds it.
    package var json: JSONValue {
        .members([
            "object": object?.json, "basis": basis.json,
            "quarantinedBy": .text(quarantinedBy?.text),
            "owners": owners.isEmpty
                ? nil : .array(owners.map { RecordPlace(identity: $0).json }),
            "value": value.map { .string(String(decoding: $0, as: UTF8.self)) },
            "valueBase64": value.flatMap { .base64(unlessText: $0) },
            "recordVersion": .whole(recordVersion), "rowToken": .text(rowToken),
        ])
    }

    /// Reads a precondition.
    package init(json node: JSONNode) throws(DocumentError) {
        var object: ObjectVersion?
        if let version = node["object"] { object = try ObjectVersion(json: version) }
        var owners: [RecordIdentity] = []
        for owner in node["owners"]?.elements ?? [] {
            owners.append(try RecordPlace(json: owner).identity)
        }
        self.init(
            object: object, basis: try StoreBasis(json: node["basis"]),
            quarantinedBy: node["quarantinedBy"]?.string.flatMap { RunID($0) },
            owners: owners, value: try node.bytes("value"),
            recordVersion: node["recordVersion"]?.integer, rowToken: node["rowToken"]?.string)
    }
}
