import Foundation
import MooringAWS
import MooringModel
import MooringS3
import PlainS3
import StoreConformance
import TestServers
import Testing

/// A new bucket on a real server, the adapter over it, and a way around the adapter.
struct S3Stage: Sendable {
    /// A kind of bucket that the tests run on.
    struct Scene: Sendable, CustomTestStringConvertible {
        var versioned = false
        /// As if the server did not see the condition of a deletion, as Ceph and rclone do.
        var ignoresDeletion = false
        /// As if it did not see any condition.
        var ignoresAll = false
        var neverReused = false
        var limits = CopyLimits()
        var kind = ServerKind.ministack

        var testDescription: String {
            kind.rawValue + (versioned ? ", versions" : "")
                + (ignoresDeletion || ignoresAll ? ", no conditions" : "")
        }

        var ignored: [String: Set<String>] {
            if ignoresAll {
                return [
                    "PUT": ["if-match", "if-none-match", "x-amz-copy-source-if-match"],
                    "POST": ["if-none-match"], "DELETE": ["if-match"],
                ]
            }
            return ignoresDeletion ? ["DELETE": ["if-match"]] : [:]
        }
    }

    static let quarantine = Array(".mooring/quarantine/".utf8)

    let scene: Scene
    let server: S3TestServer
    /// The bucket's name in the store.
    let store: String
    let caller: SpyCaller
    let bucket: S3Bucket

    init(_ scene: Scene, quarantineIn other: String? = nil) async throws {
        self.scene = scene
        server = try await S3TestServer.start(scene.kind)
        store = try await server.makeBucket(versioned: scene.versioned)
        caller = SpyCaller(Self.client(server), ignoring: scene.ignored)
        bucket = Self.adapter(scene, server, store, caller, other)
    }

    /// The adapter as another process would have it, which remembers nothing.
    func another() -> S3Bucket { Self.adapter(scene, server, store, caller, nil) }

    private static func adapter(
        _ scene: Scene, _ server: S3TestServer, _ store: String, _ caller: SpyCaller,
        _ other: String?
    ) -> S3Bucket {
        let isReused = !scene.neverReused
        return S3Bucket(
            name: "media", client: S3Client(place: place(server, store), caller: caller),
            quarantine: S3Quarantine(
                prefix: quarantine,
                in: other.map { S3Client(place: place(server, $0), caller: caller) }),
            limits: scene.limits, clock: { now() }, neverReused: { _ in !isReused })
    }

    static func place(_ server: S3TestServer, _ store: String) -> S3Place {
        S3Place(
            bucket: store,
            endpoint: Origin(
                isSecure: false, host: server.endpoint.host, port: server.endpoint.port),
            usesPath: true)
    }

    static func client(_ server: S3TestServer) -> AWSClient {
        AWSClient(
            signer: Signer(region: server.region, service: "s3"),
            credentials: GivenCredentials(
                Credentials(accessKeyID: server.accessKey, secretAccessKey: server.secretKey)),
            connections: 8, clock: { now() })
    }

    static func now() -> Instant {
        Instant(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9))
    }

    // MARK: Around the adapter

    func put(
        _ key: ObjectKey, _ content: String, headers: [(name: String, value: String)] = []
    ) async throws {
        let sent = headers.map { ($0.name, $0.value) }
        try await server.run {
            _ = try $0.put(
                store, key.bytes, Array(content.utf8),
                headers: sent.map { (name: $0.0, value: $0.1) })
        }
    }

    func remove(_ key: ObjectKey) async throws {
        try await server.run { _ = try $0.delete(store, key.bytes) }
    }

    func text(_ key: ObjectKey) async throws -> String? {
        try await server.run { try $0.get(store, key.bytes)?.body }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The content that a restore would bring back.
    func heldText(_ key: ObjectKey, _ run: RunID) async throws -> String? {
        let place = Self.place(key, run)
        return try await server.run { s3 -> [UInt8]? in
            guard let found = try s3.get(store, place.bytes) else { return nil }
            guard found["x-amz-meta-mooring-note"] != nil else { return found.body }
            let id = try JSONNode(parsing: found.body).required("version")
            return try s3.get(store, key.bytes, version: id)?.body
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    static func place(_ key: ObjectKey, _ run: RunID) -> ObjectKey {
        ObjectKey(quarantine + Array("\(run.text)/".utf8) + key.bytes)
    }

    /// The version that a note in quarantine is about, wherever it lies.
    func noted(_ key: ObjectKey, _ run: RunID) async throws -> ObjectVersion? {
        try await bucket.listedQuarantine().items.first { $0.key == key && $0.run == run }?.version
    }

    /// Everything that the bucket keeps of a key and of its place, markers included.
    func kept(_ key: ObjectKey, _ run: RunID) async throws -> [String] {
        let keys = [key.bytes, Self.place(key, run).bytes]
        return try await server.run { s3 in
            let all = scene.versioned ? try s3.versions(store) : try s3.list(store)
            return all.filter { keys.contains($0.key) }
                .map { $0.name + ($0.isMarker ? " (marker)" : "") }
        }
    }

    /// Looks as the journal's resume does: first what was interrupted is finished.
    func resumed(_ key: ObjectKey, _ run: RunID, by bucket: S3Bucket) async throws -> (
        held: ObjectVersion?, original: ObjectVersion?
    ) {
        try await bucket.finishMove(key, run: run)
        func version(_ answer: HeadAnswer) throws -> ObjectVersion? {
            switch answer {
            case .present(let version): return version
            case .absent: return nil
            case .unknown(let doubt): throw ServerError(doubt)
            }
        }
        return (
            try version(await bucket.headQuarantined(key, run: run)),
            try version(await bucket.head(key))
        )
    }
}
