/// A request or an answer of HTTP/1.1, whole.
package struct Message: Sendable {
    /// `GET /path HTTP/1.1`, or `HTTP/1.1 200 OK`.
    package var first: String
    /// The headers in order, names as they came.
    package var headers: [(name: String, value: String)]
    /// The body, without any framing.
    package var body: [UInt8]

    /// A message.
    package init(
        first: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        self.first = first
        self.headers = headers
        self.body = body
    }

    /// The first value of a header, whatever the case of its name.
    package subscript(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }

    /// Takes a header out.
    package mutating func remove(_ name: String) {
        headers.removeAll { $0.name.lowercased() == name }
    }

    /// The words of the first line: method, target, version; or version, status, reason.
    package var words: [Substring] { first.split(separator: " ", maxSplits: 2) }

    /// An answer's status; 0 when the first line has none.
    package var status: Int { words.count > 1 ? Int(words[1]) ?? 0 : 0 }

    /// The first line and the headers, as they are sent.
    package var head: [UInt8] {
        Array(
            (first + "\r\n" + headers.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n").utf8)
    }

    /// Whether the sender closes the connection behind it.
    package var closes: Bool {
        self["connection"]?.lowercased() == "close" || first.hasPrefix("HTTP/1.0")
    }

    /// Reads the first line and the headers; nil when the connection ended before it.
    package static func head(from wire: Wire) throws -> Message? {
        guard let first = try wire.line() else { return nil }
        var message = Message(first: first)
        while let line = try wire.line(), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw WireError("a header without a colon") }
            let value = parts[1].drop { $0 == " " || $0 == "\t" }
            message.headers.append((String(parts[0]), String(value)))
        }
        return message
    }

    /// Reads the body that the headers announce; an answer's without any length goes to the end.
    package mutating func readBody(from wire: Wire, toEnd: Bool) throws {
        if self["transfer-encoding"]?.lowercased().contains("chunked") == true {
            while true {
                let line = try wire.line() ?? ""
                guard let count = Int(line.prefix { $0 != ";" }, radix: 16) else {
                    throw WireError("a chunk without a length")
                }
                if count == 0 { break }
                body += try wire.bytes(count)
                _ = try wire.line()
            }
            while let line = try wire.line(), !line.isEmpty {}
        } else if let length = self["content-length"].flatMap({ Int($0) }) {
            body = try wire.bytes(length)
        } else if toEnd {
            body = try wire.rest()
        }
    }

    /// Reads an answer to a request of a method, the interim ones left out.
    package static func answer(from wire: Wire, to method: String) throws -> Message {
        var answer: Message
        repeat {
            guard let head = try head(from: wire) else {
                throw WireError("the connection ended without an answer", isIdleEnd: true)
            }
            answer = head
        } while (100..<200).contains(answer.status)
        if method != "HEAD", answer.status != 204, answer.status != 304 {
            try answer.readBody(from: wire, toEnd: true)
        }
        return answer
    }
}
