// How `report.json` holds the guards' answers and the numbers of fields.

extension RunSummary.Guard {
    /// A guard's answer as `report.json` holds it.
    package var json: JSONValue {
        .members([
            "name": .string(name), "place": .text(place), "limit": .string(limit),
            "value": .string(value), "number": number.map { .number($0) },
            "refused": .bool(refused), "cause": .text(cause), "acceptance": .text(acceptance),
            "accepted": .text(accepted), "hint": .text(hint),
        ])
    }

    /// Reads it back; one of an earlier version has no place and no number.
    init(json node: JSONNode) throws(DocumentError) {
        self.init(
            name: try node.required("name"), place: node["place"]?.string,
            limit: try node.required("limit"), value: try node.required("value"),
            refused: node["refused"]?.bool ?? false, hint: node["hint"]?.string)
        number = node["number"]?.number
        cause = node["cause"]?.string
        acceptance = node["acceptance"]?.string
        accepted = node["accepted"]?.string
    }

    /// The guard and its place in one word, such as `orphanShare:media`.
    package var title: String { name + (place.map { ":\($0)" } ?? "") }
}

extension RunSummary.Field {
    /// The field as `report.json` holds it.
    package var json: JSONValue {
        .members([
            "source": .string(source), "field": .string(field), "records": .whole(records),
            "held": .whole(held), "references": .whole(references), "listed": .whole(listed),
            "newestChange": .moment(newestChange),
        ])
    }

    /// Reads it back.
    init(json node: JSONNode) throws(DocumentError) {
        self.init(
            source: try node.required("source"), field: try node.required("field"),
            records: Int(try node.wholeNumber("records")),
            held: Int(try node.wholeNumber("held")),
            references: Int(try node.wholeNumber("references")),
            listed: Int(try node.wholeNumber("listed")),
            newestChange: try node.momentIfPresent("newestChange"))
    }
}
