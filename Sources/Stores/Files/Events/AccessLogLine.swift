import MooringModel

/// A line of S3's server access logs, read by position: fields that are newer stand at its end, and
/// a quote in the program's name is not escaped.
enum AccessLogLine {
    /// The line's event; nil where it is none.
    static func event(_ line: [UInt8]) -> LoggedEvent? {
        var cursor = Cursor(line[...])
        guard cursor.word() != nil, let bucket = cursor.text(),
            let time = cursor.between("[", "] ").flatMap(EventText.accessTime),
            let address = cursor.text(), let requester = cursor.text(),
            let request = cursor.text(), let operation = cursor.text(), let key = cursor.word(),
            cursor.request() != nil, let status = cursor.text(), let error = cursor.text()
        else { return nil }
        guard operation.contains("."), status == "-" || Int(status) != nil else { return nil }
        for _ in 0..<4 where cursor.word() == nil { return nil }
        _ = cursor.between("\"", "\" ") ?? cursor.text()
        let agent = cursor.upToLast("\"") ?? cursor.text()
        let version = cursor.text()
        let (actor, precision) = EventActor.requester(requester)
        let named = key.elementsEqual("-".utf8) ? nil : EventText.decoded(key)
        var event = LoggedEvent(
            time: time, precision: .seconds(1), source: .accessLog, act: operation,
            subject: .object(bucket: bucket, key: named), version: version.known,
            requestID: request.known, actor: actor, actorPrecision: precision)
        event.address = address.known
        event.agent = agent?.known
        event.remark = remark(status: status, error: error.known)
        return event
    }

    /// The event of a line in JSON, as CloudWatch Logs gets it; nil where it is none.
    static func event(_ node: JSONNode) -> LoggedEvent? {
        guard let bucket = node["bucket_name"]?.string, let operation = node["operation"]?.string,
            let (time, precision) = EventText.time(node["request_time"])
        else { return nil }
        let (actor, known) = EventActor.requester(node["requester"]?.string)
        var event = LoggedEvent(
            time: time, precision: precision, source: .accessLog, act: operation,
            subject: .object(
                bucket: bucket, key: node["key"]?.stringBytes.map { EventText.decoded($0) }),
            version: node["version_id"]?.string, requestID: node["request_id"]?.string,
            actor: actor, actorPrecision: known)
        event.address = node["remote_ip"]?.string
        event.agent = node["user_agent"]?.string
        event.remark = remark(
            status: EventText.texts(in: node["http_status"]).first.map {
                String(decoding: $0, as: UTF8.self)
            } ?? "-", error: node["error_code"]?.string)
        return event
    }

    private static func remark(status: String, error: String?) -> String? {
        guard let code = Int(status), code >= 400 else { return nil }
        return "it was refused: " + [status, error].compactMap { $0 }.joined(separator: " ")
    }

    private struct Cursor {
        private var rest: ArraySlice<UInt8>

        init(_ line: ArraySlice<UInt8>) {
            rest = line.last == 0x0D ? line.dropLast() : line
        }

        mutating func word() -> ArraySlice<UInt8>? {
            guard let first = rest.first, first != 0x20 else { return nil }
            let word = rest.prefix { $0 != 0x20 }
            rest = rest[word.endIndex...].dropFirst()
            return word
        }

        mutating func text() -> String? { word().map { String(decoding: $0, as: UTF8.self) } }

        // The text between two marks, the first of which comes next.
        mutating func between(_ start: String, _ end: String) -> String? {
            let end = Array(end.utf8)
            guard rest.starts(with: start.utf8) else { return nil }
            var place = rest.startIndex + start.utf8.count
            let first = place
            while place + end.count <= rest.endIndex {
                if rest[place...].starts(with: end) {
                    defer { rest = rest[(place + end.count)...] }
                    return String(decoding: rest[first..<place], as: UTF8.self)
                }
                place += 1
            }
            return nil
        }

        // The request's own line, behind whose quote a status follows; `-` where there is none.
        mutating func request() -> String? {
            guard rest.first == UInt8(ascii: "\"") else { return text() }
            var told = ""
            while let piece = between(told.isEmpty ? "\"" : "", "\" ") {
                told += piece
                let status = rest.prefix { $0 != 0x20 }
                let isStatus = status.count == 3 && status.allSatisfy { (0x30..<0x3A).contains($0) }
                if isStatus || status.elementsEqual("-".utf8) { return told }
                told += "\" "
            }
            return nil
        }

        // The text in quotes up to the last of them.
        mutating func upToLast(_ quote: Character) -> String? {
            guard rest.first == UInt8(ascii: "\""),
                let last = rest.lastIndex(of: UInt8(ascii: "\"")), last > rest.startIndex
            else { return nil }
            defer { rest = rest[(last + 1)...].drop { $0 == 0x20 } }
            return String(decoding: rest[(rest.startIndex + 1)..<last], as: UTF8.self)
        }
    }
}

extension String? {
    /// What a field tells; nil of `-`.
    fileprivate var known: String? { self == "-" || self == "" ? nil : self }
}

extension String {
    fileprivate var known: String? { self == "-" || isEmpty ? nil : self }
}
