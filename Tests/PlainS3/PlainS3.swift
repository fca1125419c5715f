import Crypto
import Synchronization

/// A small blocking S3 client for tests: path style, plain HTTP on loopback, signed with code of
/// its own. It is for arranging and for looking afterwards; it retries nothing but a connection
/// that had gone idle.
package final class PlainS3: Sendable {
    /// The port of 127.0.0.1 where the server listens.
    package let port: Int
    private let signature: Signature?
    private let idle = Mutex<[UncheckedWire]>([])

    // A wire is used by one call at a time: it is in the list, or a call has it.
    private struct UncheckedWire: @unchecked Sendable { let wire: Wire }

    /// A client; without a key its requests are anonymous.
    package init(
        port: Int, accessKey: String?, secretKey: String = "", region: String = "us-east-1"
    ) {
        self.port = port
        signature = accessKey.map {
            Signature(accessKey: $0, secretKey: secretKey, region: region)
        }
    }

    /// What a request asks for.
    package struct Call {
        /// The method, in capitals.
        package var method: String
        /// The bucket; empty for the service itself.
        package var bucket: String
        /// The key; nil for the bucket itself.
        package var key: [UInt8]?
        /// Parameters, raw.
        package var query: [(name: String, value: String)] = []
        /// Further headers, names in small letters.
        package var headers: [(name: String, value: String)] = []
        /// The body.
        package var body: [UInt8] = []

        /// A call about a bucket, or about an object in it.
        package init(_ method: String, _ bucket: String, _ key: [UInt8]? = nil) {
            self.method = method
            self.bucket = bucket
            self.key = key
        }
    }

    /// Sends a call and returns the answer, whatever its status.
    package func send(_ call: Call) throws -> Message {
        // An idle connection may have been closed at the other end, which shows only on use.
        while let wire = idle.withLock({ $0.popLast() })?.wire {
            do {
                return try exchange(call, over: wire)
            } catch let error as WireError where error.isIdleEnd {
                continue
            }
        }
        return try exchange(call, over: Wire(port: port))
    }

    private func exchange(_ call: Call, over wire: Wire) throws -> Message {
        let path = "/" + call.bucket + (call.key.map { "/" + Self.encoded($0, keeping: "/") } ?? "")
        let query = call.query.map {
            Self.encoded(Array($0.name.utf8)) + "=" + Self.encoded(Array($0.value.utf8))
        }.sorted().joined(separator: "&")
        let host = "127.0.0.1:\(port)"
        var headers = call.headers
        if let signature {
            headers += signature.headers(
                method: call.method, target: (path, query), host: host, headers: headers,
                body: call.body)
        }
        headers += [("host", host), ("content-length", String(call.body.count))]
        let target = path + (query.isEmpty ? "" : "?" + query)
        let request = Message(first: "\(call.method) \(target) HTTP/1.1", headers: headers)
        do {
            try wire.send(request.head + call.body)
        } catch {
            throw WireError("\(error)", isIdleEnd: true)
        }
        let answer = try Message.answer(from: wire, to: call.method)
        if !answer.closes { idle.withLock { $0.append(UncheckedWire(wire: wire)) } }
        return answer
    }

    /// Bytes percent-encoded as S3 wants them.
    static func encoded(_ bytes: [UInt8], keeping: String = "") -> String {
        var text: [UInt8] = []
        for byte in bytes {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: text.append(byte)
            case _ where keeping.utf8.contains(byte): text.append(byte)
            default: text += Array("%".utf8) + Array(hex([byte]).uppercased().utf8)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// An answer that was not the one that a test's arranging needs.
package struct UnexpectedAnswer: Error, CustomStringConvertible {
    /// The call, the status, and the answer's body.
    package let description: String

    /// The answer to a call.
    init(_ call: PlainS3.Call, _ answer: Message) {
        let key = call.key.map { "/" + String(decoding: $0, as: UTF8.self) } ?? ""
        description =
            "\(call.method) \(call.bucket)\(key) \(call.query): \(answer.first) "
            + String(decoding: answer.body.prefix(500), as: UTF8.self)
    }
}
