import Glibc
import PlainS3
import TestServers
import Testing

/// The small app with its files in a bucket of a real S3 server. Objects there are as old as the
/// test, so devices have no time at all (`testing`), and `settle` waits for the stores' clocks.
final class StoreApp: App {
    let server: S3TestServer
    let bucket: String
    private let keys: (id: String, secret: String)

    /// What a test may have otherwise.
    struct Options {
        var settings = App.Settings(race: "{preset: testing}")
        /// Where the program looks for the server; nil for where it is.
        var endpoint: String?
        /// Further settings below `s3:`, each with a comma behind it.
        var further = ""
        /// Another bucket's name, and other keys, than are right.
        var bucket: String?
        var accessKey: String?
        var secretKey: String?
        /// Further lines of the bucket's configuration, and further buckets.
        var lines = ""
    }

    /// Makes a bucket and an app that keeps its files there.
    convenience init(_ store: S3Store, _ options: Options = Options()) async throws {
        let server = try await store.server()
        let bucket = try await server.makeBucket(versioned: store.isVersioned)
        try self.init(server, bucket, options)
    }

    /// An app that keeps its files in a bucket that is there.
    init(_ server: S3TestServer, _ bucket: String, _ options: Options = Options()) throws {
        self.server = server
        self.bucket = bucket
        keys = (options.accessKey ?? server.accessKey, options.secretKey ?? server.secretKey)
        var settings = options.settings
        settings.bucket = Self.line(
            server, options.bucket ?? bucket, options.endpoint ?? "\(server.endpoint)",
            options.further)
        if !options.lines.isEmpty { settings.bucket += "\n    " + options.lines }
        try super.init(settings, mode: "WAL")
    }

    /// A bucket's kind and its settings, as one line of `mooring.yaml`.
    static func line(
        _ server: S3TestServer, _ bucket: String, _ endpoint: String, _ further: String = ""
    ) -> String {
        let certificate = server.endpoint.certificate.map { ", caBundle: \"\($0)\"" } ?? ""
        return "s3: {bucket: \(bucket), region: \(server.region), \(further)"
            + "endpoint: \"\(endpoint)\", pathStyle: true\(certificate)}"
    }

    override var environment: [String: String] {
        ["AWS_ACCESS_KEY_ID": keys.id, "AWS_SECRET_ACCESS_KEY": keys.secret]
    }

    // MARK: Objects

    /// Puts an object; its age is its server's affair.
    override func put(_ key: String, _ content: String = "content", age: Int = Age.old) throws {
        try server.s3.put(bucket, key, content)
    }

    /// An object's content; nil when there is none.
    func content(_ key: String) throws -> String? { try server.s3.text(bucket, key) }

    /// Every object but Mooring's own, with its content.
    func objects() throws -> [String: String] {
        var found: [String: String] = [:]
        for entry in try server.s3.list(bucket) where !entry.name.hasPrefix(".mooring/") {
            found[entry.name] = try content(entry.name)
        }
        return found
    }

    /// The keys of what lies in quarantine, sorted.
    func held() throws -> [String] {
        let place = ".mooring/quarantine/"
        return try server.s3.list(bucket, prefix: place).compactMap { entry in
            let parts = entry.name.dropFirst(place.count).split(separator: "/", maxSplits: 1)
            return parts.count == 2 ? String(parts[1]) : nil
        }.sorted()
    }

    /// What trials left behind, and a lease that was not given back, in words; an empty lease is
    /// none.
    func litter() throws -> [String] {
        try server.s3.list(bucket, prefix: ".mooring/").filter {
            $0.name.contains(".probe-") || $0.name == ".mooring/lease" && $0.size > 0
        }.map(\.name)
    }

    /// Lets the clocks move on past what a whole second may hide.
    func settle() { usleep(2_600_000) }

    // MARK: The program

    /// Runs `mooring`, wants an exit status, and no secret in what it prints or leaves behind.
    @discardableResult
    override func expect(
        _ status: Int32, _ arguments: String..., at place: SourceLocation = #_sourceLocation
    ) throws -> Program.Result {
        let result = try Program.run(arguments, in: path, environment: environment)
        #expect(
            result.status == status,
            "mooring \(arguments.joined(separator: " ")): \(result.told)", sourceLocation: place)
        #expect(!result.told.contains(keys.secret), "the secret is told", sourceLocation: place)
        // Another process reads: one that closes a database's file drops its locks on it.
        let found = Folder.command(["grep", "-rqF", keys.secret, path])
        #expect(found == 1, "the secret is in a file below \(path)", sourceLocation: place)
        return result
    }

    /// Refused at the first call: wants the status, and words in what is printed on stderr.
    func expectRefusal(
        _ status: Int32, _ arguments: [String] = ["audit"], naming words: [String],
        at place: SourceLocation = #_sourceLocation
    ) throws {
        let result = try Program.run(arguments, in: path, environment: environment)
        #expect(result.status == status, "\(result.told)", sourceLocation: place)
        for word in words {
            #expect(
                result.told.contains(word), "\(word) is not in: \(result.told)",
                sourceLocation: place)
        }
        #expect(!result.told.contains(keys.secret), "the secret is told", sourceLocation: place)
    }
}
