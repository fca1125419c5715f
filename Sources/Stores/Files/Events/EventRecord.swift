import MooringModel

/// Events in JSON, each known by what it has.
enum EventRecord {
    /// What a value in JSON is.
    enum Found: Hashable {
        /// Events, and why others beside them are none.
        case events([LoggedEvent], faults: [String])
        /// Something that tells of no object, such as a test of a notification.
        case nothing
        /// Why it is none.
        case fault(String)
    }

    // A queue's message in a topic's message in a log's line.
    private static let deepest = 4

    /// The events of a value; `time` is that of the line around it, where that tells one.
    static func read(
        _ node: JSONNode, at time: (Instant, Duration)? = nil, depth: Int = 0
    ) -> Found {
        if let records = (node["Records"] ?? node["logEvents"] ?? node["events"])?.elements {
            return several(records, depth)
        }
        if node["detail-type"] != nil { return bridged(node) }
        if let source = node["eventSource"]?.string {
            return switch source {
            case "aws:s3": one(notification(node))
            case "aws:dynamodb": one(stream(node))
            default: one(trail(node))
            }
        }
        if node["conflictType"] != nil { return one(conflict(node, time)) }
        if node["request_time"] != nil { return one(AccessLogLine.event(node)) }
        if node["Event"]?.string == "s3:TestEvent" || node["logType"] != nil { return .nothing }
        for name in ["message", "Message", "body", "Body"] where depth < deepest {
            guard let text = node[name]?.stringBytes else { continue }
            guard text.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
                return .fault("has no JSON object as its \(name)")
            }
            let inner: JSONNode
            do {
                inner = try JSONNode(parsing: text)
            } catch {
                return .fault("has a \(name) that is no JSON: \(error)")
            }
            return read(inner, at: EventText.time(node["timestamp"]) ?? time, depth: depth + 1)
        }
        return .fault("tells no event of a kind that is known")
    }

    private static func several(_ records: [JSONNode], _ depth: Int) -> Found {
        guard depth < deepest else { return .fault("is nested too deep") }
        var events: [LoggedEvent] = []
        var faults: [String] = []
        for record in records {
            switch read(record, depth: depth + 1) {
            case .events(let found, let others):
                events += found
                faults += others
            case .nothing: break
            case .fault(let reason): faults.append(reason)
            }
        }
        return .events(events, faults: faults)
    }

    private static func one(_ event: LoggedEvent?) -> Found {
        event.map { .events([$0], faults: []) } ?? .fault("lacks its time, or what it is about")
    }

    // MARK: Sorts

    private static func trail(_ node: JSONNode) -> LoggedEvent? {
        guard let act = node["eventName"]?.string,
            let (time, precision) = EventText.time(node["eventTime"])
        else { return nil }
        let asked = node["requestParameters"]
        let subject: LoggedEvent.Subject =
            if let table = asked?["tableName"]?.string {
                .record(
                    table: table, texts: EventText.texts(in: asked?["key"]), before: nil, after: nil
                )
            } else {
                .object(
                    bucket: asked?["bucketName"]?.string ?? "", key: asked?["key"]?.stringBytes)
            }
        let (actor, known) = EventActor.identity(node["userIdentity"])
        var event = LoggedEvent(
            time: time, precision: precision, source: .cloudTrail, act: act, subject: subject,
            version: node["responseElements"]?["x-amz-version-id"]?.string
                ?? asked?["versionId"]?.string,
            requestID: node["requestID"]?.string, actor: actor, actorPrecision: known)
        event.address = node["sourceIPAddress"]?.string
        event.agent = node["userAgent"]?.string
        event.remark = node["errorCode"]?.string.map { "it was refused: " + $0 }
        return event
    }

    private static func notification(_ node: JSONNode) -> LoggedEvent? {
        guard let act = node["eventName"]?.string, let s3 = node["s3"],
            let (time, precision) = EventText.time(node["eventTime"]),
            let bucket = s3["bucket"]?["name"]?.string,
            let key = s3["object"]?["key"]?.stringBytes
        else { return nil }
        let (actor, known) = EventActor.principal(node["userIdentity"]?["principalId"]?.string)
        var event = LoggedEvent(
            time: time, precision: precision, source: .notification, act: act,
            subject: .object(bucket: bucket, key: EventText.decoded(key, isForm: true)),
            version: s3["object"]?["versionId"]?.string,
            requestID: node["responseElements"]?["x-amz-request-id"]?.string, actor: actor,
            actorPrecision: known)
        event.address = node["requestParameters"]?["sourceIPAddress"]?.string
        return event
    }

    private static func bridged(_ node: JSONNode) -> Found {
        guard let detail = node["detail"], let act = node["detail-type"]?.string else {
            return .fault("lacks its detail")
        }
        if detail["eventSource"] != nil { return one(trail(detail)) }
        guard node["source"]?.string == "aws.s3" else { return .nothing }
        guard let (time, precision) = EventText.time(node["time"]),
            let bucket = detail["bucket"]?["name"]?.string,
            let key = detail["object"]?["key"]?.stringBytes
        else { return one(nil) }
        let (actor, known) = EventActor.requester(detail["requester"]?.string)
        var event = LoggedEvent(
            time: time, precision: precision, source: .eventBridge, act: act,
            subject: .object(bucket: bucket, key: key),
            version: detail["object"]?["version-id"]?.string,
            requestID: detail["request-id"]?.string, actor: actor, actorPrecision: known)
        event.address = detail["source-ip-address"]?.string
        let told = [detail["reason"]?.string, detail["deletion-type"]?.string].compactMap { $0 }
        event.remark = told.isEmpty ? nil : told.joined(separator: ", ")
        return one(event)
    }

    private static func stream(_ node: JSONNode) -> LoggedEvent? {
        guard let act = node["eventName"]?.string, let change = node["dynamodb"],
            let (time, _) = EventText.time(change["ApproximateCreationDateTime"])
        else { return nil }
        let parts = (node["eventSourceARN"]?.string ?? "").split(separator: "/")
        let table = parts.count > 1 ? String(parts[1]) : ""
        let (old, new) = (change["OldImage"], change["NewImage"])
        let isInsert = act == "INSERT"
        let isRemove = act == "REMOVE"
        let (actor, known) = EventActor.identity(node["userIdentity"])
        var event = LoggedEvent(
            time: time, precision: .seconds(1), source: .stream, act: act,
            subject: .record(
                table: table, texts: EventText.texts(in: change["Keys"]),
                before: old == nil && !isInsert ? nil : EventText.texts(in: old),
                after: new == nil && !isRemove ? nil : EventText.texts(in: new)),
            actor: actor, actorPrecision: known == .service ? .service : .none)
        event.requestID = nil
        return event
    }

    private static let decisions: Set<String> = ["REJECTED", "ADDED", "APPENDED", "MERGED"]

    private static func conflict(
        _ node: JSONNode, _ around: (Instant, Duration)?
    ) -> LoggedEvent? {
        guard let (time, precision) = EventText.time(node["timestamp"]) ?? around else {
            return nil
        }
        var event = LoggedEvent(
            time: time, precision: precision, source: .conflict,
            act: "conflict " + (node["conflictType"]?.string ?? ""),
            subject: .record(
                table: "", texts: EventText.texts(in: node["data"]), before: nil, after: nil),
            requestID: node["requestId"]?.string)
        let told = decided(node["data"], under: "")
        event.remark = told.isEmpty ? nil : told.joined(separator: ", ")
        return event
    }

    // What was decided of each field: `imageKeys REJECTED`.
    private static func decided(_ node: JSONNode?, under name: String) -> [String] {
        switch node?.kind {
        case .string(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            return decisions.contains(text) ? ["\(name) \(text)"] : []
        case .object(let members):
            return members.flatMap {
                decided($0.value, under: String(decoding: $0.name, as: UTF8.self))
            }
        case .array(let nodes): return nodes.flatMap { decided($0, under: name) }
        default: return []
        }
    }
}
