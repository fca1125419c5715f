// The form in which the ledger keeps the journal. Column values are base64 with their storage
// class, since they must come back byte for byte.

extension JournalEntry {
    /// The entry without its number and outcome, which the ledger keeps in columns.
    package var json: JSONValue {
        .members([
            "run": .string(run.text), "plan": .text(plan), "step": step.json,
            "intendedAt": .moment(intendedAt), "change": change?.json, "undoes": .whole(undoes),
            "erasedBy": .text(erasedBy?.text),
        ])
    }

    /// Reads an entry back; number and outcome are the caller's to fill in.
    package init(json node: JSONNode) throws(DocumentError) {
        guard let run = RunID(try node.required("run")), let step = node["step"] else {
            throw DocumentError("'run' or 'step' is missing")
        }
        var change: RecordChange?
        if let written = node["change"] { change = try RecordChange(json: written) }
        self.init(
            run: run, plan: node["plan"]?.string, step: try PlanStep(json: step),
            intendedAt: try node.moment("intendedAt"), change: change,
            undoes: node["undoes"]?.integer)
        erasedBy = node["erasedBy"]?.string.flatMap { RunID($0) }
    }

    /// The entry with nothing left in it of its object and record: what it did, in which bucket
    /// or out of which run's quarantine, and in which run stays.
    package func erased(by run: RunID) -> JournalEntry {
        var copy = JournalEntry(
            run: self.run, plan: plan,
            step: PlanStep(
                id: "erased", hash: "", strategy: step.strategy, finding: "",
                bucket: step.bucket, key: ObjectKey([]), record: nil,
                precondition: Precondition(quarantinedBy: step.precondition.quarantinedBy)),
            intendedAt: intendedAt, undoes: undoes)
        copy.number = number
        copy.outcome = outcome
        copy.reason = reason == nil ? nil : "erased"
        copy.endedAt = endedAt
        copy.erasedBy = run
        return copy
    }
}

extension RecordChange {
    /// The write as the journal holds it.
    package var json: JSONValue {
        .members([
            "act": act == .update ? nil : .string(act.rawValue),
            "table": .string(table), "idColumns": .texts(idColumns),
            "id": .texts(id.parts.map(Base64.encode)),
            "expected": .array(expected.map(\.json)),
            "assignments": .array(assignments.map(\.json)),
        ])
    }

    /// Reads a write back.
    package init(json node: JSONNode) throws(DocumentError) {
        var expected: [ColumnValue] = []
        for value in node["expected"]?.elements ?? [] {
            expected.append(try ColumnValue(json: value))
        }
        var assignments: [ColumnValue] = []
        for value in node["assignments"]?.elements ?? [] {
            assignments.append(try ColumnValue(json: value))
        }
        let parts = (node["id"]?.elements ?? []).compactMap { $0.string.flatMap(Base64.decode) }
        self.init(
            node["act"] == nil ? .update : try node.coded("act"),
            table: try node.required("table"),
            idColumns: (node["idColumns"]?.elements ?? []).compactMap(\.string),
            id: RecordID(parts: parts), expected: expected, assignments: assignments)
    }
}

extension ColumnValue {
    /// `{column, class, value}`.
    package var json: JSONValue {
        .members([
            "column": .string(column), "class": .string(value.storageClass),
            "value": value.storedBytes.map { .string(Base64.encode($0)) },
        ])
    }

    /// Reads a column's value back.
    package init(json node: JSONNode) throws(DocumentError) {
        let bytes = node["value"]?.string.flatMap(Base64.decode) ?? []
        let text = String(decoding: bytes, as: UTF8.self)
        let value: FieldValue
        switch try node.required("class") {
        case "absent": value = .absent
        case "null": value = .null
        case "integer":
            guard let number = Int64(text) else { throw DocumentError("'value' is no integer") }
            value = .integer(number)
        case "real":
            guard let number = Double(text) else { throw DocumentError("'value' is no number") }
            value = .real(number)
        case "text": value = .text(bytes)
        case "blob": value = .blob(bytes)
        case "json": value = .json(bytes)
        case "attribute": value = .attribute(bytes)
        default: throw DocumentError("'class' has an unknown value")
        }
        self.init(try node.required("column"), value)
    }
}

extension FieldValue {
    /// The bytes that with the storage class make the whole value; nil where there is none.
    package var storedBytes: [UInt8]? {
        if case .attribute(let bytes) = self { return bytes }
        return bytes
    }

    /// The name of the storage class: `absent`, `null`, `integer`, `real`, `text`, `blob`, `json`
    /// or `attribute`.
    package var storageClass: String {
        switch self {
        case .absent: "absent"
        case .null: "null"
        case .integer: "integer"
        case .real: "real"
        case .text: "text"
        case .blob: "blob"
        case .json: "json"
        case .attribute: "attribute"
        }
    }
}
