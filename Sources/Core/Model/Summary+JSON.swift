// The form of `report.json`, which the ledger keeps too.

extension RunSummary {
    /// The name and version of the form.
    package static let schema = "mooring.report/1"

    /// The run as `report.json` holds it.
    package var json: JSONValue {
        .members([
            "schema": .string(Self.schema),
            "run": .members([
                "id": .string(id.text), "command": .string(command),
                "version": .string(programVersion), "startedAt": .moment(startedAt),
                "finishedAt": .moment(finishedAt), "status": .string(status.rawValue),
                "reason": .text(reason), "configuration": .string(configuration),
                "confirmedAt": .moment(confirmedAt), "lastSuccess": .moment(lastSuccess),
                "peakMemory": .whole(peakMemory),
                "spilled": spilled == 0 ? nil : .integer(Int64(spilled)),
            ]),
            "records": .array(records.map(\.json)), "buckets": .array(buckets.map(\.json)),
            "counts": countsJSON, "guards": .array(guards.map(\.json)),
            "gates": .array(gates.map(\.json)), "change": change?.json,
            "fields": .array(fields.map(\.json)),
            "accepted": accepted.isEmpty ? nil : .texts(accepted),
            "repairs": repairs.json, "done": .array(done.map(\.json)),
            "waiting": .array(waiting.map(\.json)),
            "trend": trend.isEmpty ? nil : .array(trend.map(\.json)),
            "cost": costJSON, "notes": .texts(notes),
        ])
    }

    /// The counts of all kinds that were found, by kind.
    package var countsJSON: JSONValue {
        .object(
            FindingKind.allCases.compactMap { kind in
                counts[kind].map { JSONValue.Member(name: kind.rawValue, value: $0.json) }
            })
    }

    /// Reads a summary back.
    package init(json node: JSONNode) throws(DocumentError) {
        guard let run = node["run"], let id = RunID(try run.required("id")) else {
            throw DocumentError("'run' is missing")
        }
        self.init(
            id: id, command: try run.required("command"),
            programVersion: try run.required("version"),
            startedAt: try run.moment("startedAt"),
            configuration: run["configuration"]?.string ?? "")
        finishedAt = try run.momentIfPresent("finishedAt")
        status = try run.coded("status")
        reason = run["reason"]?.string
        confirmedAt = try run.momentIfPresent("confirmedAt")
        lastSuccess = try run.momentIfPresent("lastSuccess")
        peakMemory = run["peakMemory"]?.integer
        spilled = run["spilled"]?.integer.map { Int($0) } ?? 0
        for source in node["records"]?.elements ?? [] { records.append(try Records(json: source)) }
        for bucket in node["buckets"]?.elements ?? [] { buckets.append(try Objects(json: bucket)) }
        for member in node["counts"]?.members ?? [] {
            let name = String(decoding: member.name, as: UTF8.self)
            guard let kind = FindingKind(rawValue: name) else { continue }
            counts[kind] = Count(json: member.value)
        }
        for answer in node["guards"]?.elements ?? [] { guards.append(try Guard(json: answer)) }
        for gate in node["gates"]?.elements ?? [] { gates.append(try Gate(json: gate)) }
        if let change = node["change"] { self.change = try Change(json: change) }
        for field in node["fields"]?.elements ?? [] { fields.append(try Field(json: field)) }
        accepted = node["accepted"]?.texts ?? [:]
        if let repairs = node["repairs"] { self.repairs = Repairs(json: repairs) }
        for sum in node["waiting"]?.elements ?? [] { waiting.append(try Waiting(json: sum)) }
        if let cost = node["cost"] { prices = try Prices(json: cost) }
        notes = (node["notes"]?.elements ?? []).compactMap(\.string)
    }
}

extension RunSummary.Records {
    /// The source as `report.json` holds it.
    package var json: JSONValue {
        .object(
            [
                .init(name: "name", value: .string(name)),
                .init(name: "kind", value: .string(kind)),
                .init(name: "records", value: .integer(Int64(records))),
                .init(name: "references", value: .integer(Int64(references))),
            ] + scan.members)
    }

    /// Reads it back.
    init(json node: JSONNode) throws(DocumentError) {
        self.init(
            name: try node.required("name"), kind: try node.required("kind"),
            records: Int(try node.wholeNumber("records")),
            references: Int(try node.wholeNumber("references")),
            scan: try ScanResult.Summary(json: node))
    }
}

extension RunSummary.Objects {
    /// The bucket as `report.json` holds it.
    package var json: JSONValue {
        .object(
            [
                .init(name: "name", value: .string(name)),
                .init(name: "kind", value: .string(kind)),
                .init(name: "objects", value: .integer(Int64(objects))),
                .init(name: "bytes", value: .integer(bytes)),
                .init(name: "quarantined", value: .integer(Int64(quarantined))),
                .init(name: "quarantinedBytes", value: .integer(quarantinedBytes)),
            ] + scan.members)
    }

    /// Reads it back.
    init(json node: JSONNode) throws(DocumentError) {
        self.init(
            name: try node.required("name"), kind: try node.required("kind"),
            objects: Int(try node.wholeNumber("objects")), bytes: try node.wholeNumber("bytes"),
            quarantined: node["quarantined"]?.integer.map { Int($0) } ?? 0,
            quarantinedBytes: node["quarantinedBytes"]?.integer ?? 0,
            scan: try ScanResult.Summary(json: node))
    }
}

extension ScanResult.Summary {
    /// The members that stand beside a side's own.
    var members: [JSONValue.Member] {
        let value = JSONValue.members([
            "complete": .bool(complete), "consistency": .string(consistency),
            "window": .members(["from": .moment(window.from), "to": .moment(window.to)]),
            "requests": .integer(Int64(requests)),
            "problems": problems.isEmpty ? nil : .texts(problems),
            "problemCount": problemCount == 0 ? nil : .integer(Int64(problemCount)),
        ])
        if case .object(let members) = value { return members }
        return []
    }

    /// Reads it back.
    init(json node: JSONNode) throws(DocumentError) {
        guard let window = node["window"] else { throw DocumentError("'window' is missing") }
        self.init(
            complete: node["complete"]?.bool ?? false,
            consistency: node["consistency"]?.string ?? "",
            window: ScanWindow(from: try window.moment("from"), to: try window.moment("to")),
            requests: node["requests"]?.integer.map { Int($0) } ?? 0,
            problems: (node["problems"]?.elements ?? []).compactMap(\.string),
            problemCount: node["problemCount"]?.integer.map { Int($0) } ?? 0)
    }
}

extension RunSummary.Count {
    /// The counts of one kind.
    package var json: JSONValue {
        .members([
            "settled": .whole(settled), "explained": .whole(explained),
            "undecided": .whole(undecided), "bytes": .integer(bytes),
            "settledBytes": .integer(settledBytes), "new": .whole(new),
        ])
    }

    /// Reads them back; a number that is missing is zero.
    init(json node: JSONNode) {
        func number(_ name: String) -> Int64 { node[name]?.integer ?? 0 }
        settled = Int(number("settled"))
        explained = Int(number("explained"))
        undecided = Int(number("undecided"))
        bytes = number("bytes")
        settledBytes = number("settledBytes")
        new = Int(number("new"))
    }
}

extension RunSummary.Repairs {
    /// The counts of steps.
    package var json: JSONValue {
        .members([
            "planned": .whole(planned), "done": .whole(done), "stale": .whole(stale),
            "failed": .whole(failed),
        ])
    }

    /// Reads them back; a number that is missing is zero.
    init(json node: JSONNode) {
        func number(_ name: String) -> Int { node[name]?.integer.map { Int($0) } ?? 0 }
        planned = number("planned")
        done = number("done")
        stale = number("stale")
        failed = number("failed")
    }
}
