import Foundation
package import PlainS3

/// A running S3 server that the tests of this process share; each test makes buckets of its own.
package struct S3TestServer: Sendable, CustomStringConvertible {
    /// Which server it is.
    package let kind: ServerKind
    /// Where it listens.
    package let endpoint: Endpoint
    /// The key id that every server knows, and its secret.
    package let accessKey = "test"
    package let secretKey = "testsecret"
    /// The region to sign for.
    package let region = "us-east-1"
    /// The folder with its data and logs; of rclone, `s3/BUCKET` below it holds the objects.
    package let folder: String
    /// A client that knows nothing of Mooring: for arranging, and for looking afterwards. It goes
    /// to the server's plain port, whatever the endpoint is.
    package let s3: PlainS3

    /// Where a server listens on this machine's loopback.
    package struct Endpoint: Sendable, CustomStringConvertible {
        /// `http` or `https`.
        package let scheme: String
        /// An address, or a name that the certificate is good for.
        package let host: String
        /// The port.
        package let port: Int
        /// The file with the certificate to trust; nil for plain HTTP.
        package var certificate: String?

        /// `http://127.0.0.1:PORT`.
        package var description: String { "\(scheme)://\(host):\(port)" }
    }

    package var description: String { "\(kind.rawValue) at \(endpoint)" }

    private init(_ kind: ServerKind, _ ports: Servers.Ports, _ endpoint: Endpoint) {
        self.kind = kind
        self.endpoint = endpoint
        folder = ports.data
        s3 = PlainS3(port: ports.plain, accessKey: accessKey, secretKey: secretKey)
    }

    /// MiniStack.
    package static func ministack() async throws -> S3TestServer { try await start(.ministack) }
    /// rclone's S3 server.
    package static func rclone() async throws -> S3TestServer { try await start(.rclone) }
    /// Ceph's gateway. Beside `accessKey` it knows the accounts `stranger`, who owns none of the
    /// tests' buckets, and `reader`, who may only read; both with the same secret.
    package static func ceph() async throws -> S3TestServer { try await start(.ceph) }

    /// Any of them over plain HTTP.
    package static func start(_ kind: ServerKind) async throws -> S3TestServer {
        let ports = try await Servers.shared.ports(kind)
        return S3TestServer(
            kind, ports, Endpoint(scheme: "http", host: "127.0.0.1", port: ports.plain))
    }

    /// The same Ceph with the same buckets, over TLS with a certificate that only its own file
    /// vouches for.
    package static func cephSecure() async throws -> S3TestServer {
        let ports = try await Servers.shared.ports(.ceph)
        return S3TestServer(
            .ceph, ports,
            Endpoint(
                scheme: "https", host: "127.0.0.1", port: ports.secure,
                certificate: ports.data + "/tls.crt"))
    }

    /// The same Ceph with the same buckets, through a gateway that answers 503 SlowDown to all
    /// but four requests at a time.
    package static func cephThrottled() async throws -> S3TestServer {
        let ports = try await Servers.shared.ports(.ceph)
        return S3TestServer(
            .ceph, ports, Endpoint(scheme: "http", host: "127.0.0.1", port: ports.slow))
    }

    /// Makes a bucket with a name that nobody had.
    package func makeBucket(versioned: Bool = false) async throws -> String {
        let name = "test-" + UUID().uuidString.lowercased()
        try await run { try $0.makeBucket(name, versioned: versioned) }
        return name
    }

    /// Runs blocking calls on a thread of their own, so that other tests go on.
    @discardableResult
    package func run<Value: Sendable>(
        _ calls: @escaping @Sendable (PlainS3) throws -> Value
    ) async throws -> Value {
        let s3 = s3
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try calls(s3) }) }
        }
    }

    /// Puts many objects, sixteen at a time.
    package func fill(
        _ bucket: String, _ objects: [(key: [UInt8], content: [UInt8])]
    ) async throws {
        let lanes = 16
        try await withThrowingTaskGroup { group in
            for lane in 0..<lanes {
                let share = stride(from: lane, to: objects.count, by: lanes).map { objects[$0] }
                group.addTask {
                    try await run { s3 in
                        for (key, content) in share {
                            do {
                                try s3.put(bucket, key, content)
                            } catch {
                                // rclone answers 500 when two make one folder at once.
                                try s3.put(bucket, key, content)
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// A client of another account, or an anonymous one, at the plain port.
    package func client(accessKey: String?, secretKey: String? = nil) -> PlainS3 {
        PlainS3(port: s3.port, accessKey: accessKey, secretKey: secretKey ?? self.secretKey)
    }

    /// Puts a fault proxy before the endpoint, which has to be a plain one.
    package func proxy() throws -> FaultProxy { try FaultProxy(port: endpoint.port) }
}
