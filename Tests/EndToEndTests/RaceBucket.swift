import Glibc
import PlainS3
import TestServers
import Testing

/// Where the files of a race lie, looked at without any of Mooring's code.
protocol RaceBucket {
    /// The kind and its settings, as one line of `mooring.yaml`.
    var configuration: String { get }
    /// What a device is told of it.
    var place: String { get }
    /// What programs need in their environment to reach it.
    var environment: [String: String] { get }
    /// Whether versions or honoured conditions guard what may come again at its key.
    var isGuarded: Bool { get }
    /// Whether Mooring may take an orphan at a key away.
    func mayTake(_ key: String) -> Bool
    /// Puts a file that nobody touches.
    func rest(_ key: String) throws
    /// The files by key, what lies in quarantine left out; contents as texts.
    func objects() throws -> [String: String]
    /// The keys of what lies in quarantine, once for each version.
    func held() throws -> [String]
    /// What a race that has come to rest must not leave behind beside files, in words.
    func litter() throws -> [String]
}

/// A folder as the bucket.
struct FolderRaceBucket: RaceBucket {
    private let folder: Folder
    let place: String

    init(_ path: String) throws {
        place = path
        folder = Folder(path: path)
        for name in ["", "/songs", "/albums", "/posts"] {
            try #require(mkdir(path + name, 0o755) == 0)
        }
    }

    var configuration: String { "directory: ./files" }
    var environment: [String: String] { [:] }
    let isGuarded = true
    func mayTake(_ key: String) -> Bool { true }
    func rest(_ key: String) throws { try folder.write(key, "rest", age: Age.day) }

    func objects() -> [String: String] {
        var found: [String: String] = [:]
        for (name, bytes) in folder.files(below: ".") {
            let key = String(decoding: name, as: UTF8.self)
            if !key.hasPrefix(".mooring/") { found[key] = String(decoding: bytes, as: UTF8.self) }
        }
        return found
    }

    func held() -> [String] {
        folder.files(below: ".mooring/quarantine").keys.map { name in
            let parts = name.split(separator: UInt8(ascii: "/"), maxSplits: 1)
            return String(decoding: parts.last ?? [], as: UTF8.self)
        }
    }

    func litter() -> [String] { [] }
}

/// A bucket of a real S3 server.
struct S3RaceBucket: RaceBucket {
    private static let quarantine = ".mooring/quarantine/"
    private let server: S3TestServer
    private let name: String
    private let isVersioned: Bool
    let isGuarded: Bool

    /// A new bucket of a server.
    init(_ server: S3TestServer, versioned: Bool) async throws {
        self.server = server
        name = try await server.makeBucket(versioned: versioned)
        isVersioned = versioned
        isGuarded = versioned || server.kind == .ministack
    }

    var configuration: String {
        "s3: {bucket: \(name), region: \(server.region), endpoint: \"\(server.endpoint)\", "
            + "pathStyle: true}"
    }

    var place: String { "\(server.endpoint)/\(name)" }

    var environment: [String: String] {
        ["AWS_ACCESS_KEY_ID": server.accessKey, "AWS_SECRET_ACCESS_KEY": server.secretKey]
    }

    // Without a guard only what goes whose key holds a {uuid}, so that it never comes again.
    func mayTake(_ key: String) -> Bool { isGuarded || !key.hasPrefix("songs/") }

    func rest(_ key: String) throws { try server.s3.put(name, key, "rest") }

    func objects() throws -> [String: String] {
        var found: [String: String] = [:]
        for entry in try server.s3.list(name) where !entry.name.hasPrefix(".mooring/") {
            found[entry.name] = try server.s3.text(name, entry.name)
        }
        return found
    }

    func held() throws -> [String] {
        try server.s3.list(name, prefix: Self.quarantine).compactMap { entry in
            let parts = entry.name.dropFirst(Self.quarantine.count).split(
                separator: "/", maxSplits: 1)
            return parts.count == 2 && !parts[0].hasPrefix(".") ? String(parts[1]) : nil
        }
    }

    // What was written for the quarantine goes with all its versions, so that nothing piles up.
    func litter() throws -> [String] {
        guard isVersioned else { return [] }
        let versions = try server.s3.versions(name, prefix: Self.quarantine)
        let live = Set(versions.filter { $0.isLatest && !$0.isMarker }.map(\.name))
        return versions.filter { !live.contains($0.name) }.map {
            "left behind: a \($0.isMarker ? "marker" : "version") of \($0.name)"
        }
    }
}
