/// A request in the one form that both sides of a signature compute.
struct CanonicalRequest {
    /// The bytes that are hashed and signed.
    let bytes: [UInt8]
    /// The names of the headers that are signed, sorted, with semicolons between them.
    let signedHeaders: String

    // What a proxy on the way may change without changing what is asked.
    private static let unsigned: Set<String> = [
        "authorization", "connection", "expect", "te", "transfer-encoding", "user-agent",
        "x-amzn-trace-id",
    ]

    /// The form of a request with these headers; Host is added. `query` is encoded and sorted.
    init(
        _ request: AWSRequest, query: String, headers: [(name: String, value: String)],
        bodyHash: String
    ) {
        let lines = Self.lines(headers + [("host", request.origin.authority)])
        signedHeaders = lines.map(\.name).joined(separator: ";")
        var form: [UInt8] = []
        form.reserveCapacity(1_024)
        func add(_ text: String) {
            form += text.utf8
            form.append(UInt8(ascii: "\n"))
        }
        add(request.method)
        add(PercentEncoding.path(request.path.isEmpty ? [UInt8(ascii: "/")] : request.path))
        add(query)
        for line in lines {
            form += line.name.utf8
            form.append(UInt8(ascii: ":"))
            form += line.value
            form.append(UInt8(ascii: "\n"))
        }
        add("")
        add(signedHeaders)
        form += bodyHash.utf8
        bytes = form
    }

    // A name that comes more than once is one line, its values in their order.
    private static func lines(
        _ headers: [(name: String, value: String)]
    ) -> [(name: String, value: [UInt8])] {
        var lines: [(name: String, value: [UInt8])] = []
        for (name, value) in headers {
            let name = name.lowercased()
            if unsigned.contains(name) { continue }
            if let place = lines.firstIndex(where: { $0.name == name }) {
                lines[place].value.append(UInt8(ascii: ","))
                lines[place].value += trimmed(value)
            } else {
                lines.append((name, trimmed(value)))
            }
        }
        return lines.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    // Blanks at the ends go, and a run of them inside counts as one.
    private static func trimmed(_ value: String) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(value.utf8.count)
        for byte in value.utf8 {
            let isBlank = byte == UInt8(ascii: " ")
            if isBlank, kept.isEmpty || kept.last == UInt8(ascii: " ") { continue }
            kept.append(byte)
        }
        if kept.last == UInt8(ascii: " ") { kept.removeLast() }
        return kept
    }
}
