import Glibc
import Testing

/// What is mounted somewhere below a bucket's folder is no part of the bucket, and nobody knows
/// whether it will be there the next night.
@Suite(
    "Mounts in a bucket's folder",
    .enabled(if: SmallDisk.isPossible, "skipped: mounting is not allowed here, which only root may")
)
struct MountedFolderTests {
    /// What is mounted.
    enum Kind: CaseIterable {
        /// A file system of its own.
        case disk
        /// A folder of the same file system, from elsewhere.
        case folder
    }

    private static let count = 6

    private func app(_ ignore: String? = nil) throws -> App {
        var settings = App.Settings(race: "{preset: testing}")
        settings.repair = "{orphan: quarantine, dangling: nullify, apply: true, retention: 0s}"
        settings.bucket = "directory: ./files"
        if let ignore { settings.bucket += "\n    ignore: [\"\(ignore)\"]" }
        return try App(settings)
    }

    private func list(_ number: Int) -> String { "[\"albums/a\(number)-\(App.uuid(1))\"]" }

    /// Albums whose images will lie on a mount, and a record that has its file.
    private func fill(_ app: App) throws {
        for number in 0..<Self.count { try app.album("a\(number)", list(number)) }
        try app.healthy()
        for folder in ["files/public", "files/public/albums"] {
            try #require(mkdir(app.path + "/" + folder, 0o755) == 0)
        }
    }

    private func mount(_ kind: Kind, in app: App) throws -> Mounted {
        let mounted = try Mounted(kind, "files/public/albums", in: app)
        for number in 0..<Self.count {
            try app.write(
                "files/public/albums/a\(number)-\(App.uuid(1))", "image", age: Age.old)
        }
        return mounted
    }

    private func expectUntouched(_ app: App, at place: SourceLocation = #_sourceLocation) throws {
        for number in 0..<Self.count {
            let keys = try app.database.text("SELECT imageKeys FROM Album WHERE id = 'a\(number)'")
            #expect(keys == list(number), sourceLocation: place)
        }
        #expect(app.quarantined().isEmpty, sourceLocation: place)
    }

    @Test(
        "The bucket is incomplete while it is there, and what is gone with it is in doubt",
        arguments: Kind.allCases)
    func mounted(kind: Kind) throws {
        let app = try app()
        try fill(app)
        let mounted = try mount(kind, in: app)
        for _ in 0..<3 { try app.expect(4, "run") }
        try app.expect(4, "plan")
        let run = try #require(try app.newest("run")["id"].string)
        let problems = try app.report(run)["buckets"][0]["problems"].elements.compactMap(\.string)
        #expect(problems.contains { $0.contains("mounted here") }, "\(problems)")
        try expectUntouched(app)
        mounted.end()
        for _ in 0..<3 { try app.expect(0, "run") }
        try expectUntouched(app)
        let dangling = try app.findings().filter { $0.kind == "dangling" }
        #expect(dangling.count == Self.count)
        #expect(dangling.allSatisfy { $0.verdict == "undecided" })
    }

    @Test(
        "Ignored in words it is no problem, and what is referenced below it stays in doubt",
        arguments: Kind.allCases)
    func ignored(kind: Kind) throws {
        let app = try app("public/albums/**")
        try fill(app)
        let mounted = try mount(kind, in: app)
        defer { mounted.end() }
        for _ in 0..<3 { try app.expect(0, "run") }
        try expectUntouched(app)
        #expect(app.exists("files/public/albums/a0-\(App.uuid(1))"))
    }

    @Test(
        "Two keys of one file, by a folder that is mounted within its own bucket, are no orphan",
        arguments: [nil, "public/albums/**"])
    func within(ignore: String?) throws {
        let app = try app(ignore)
        try fill(app)
        for number in 0..<Self.count { try app.put("public/real/a\(number)-\(App.uuid(1))") }
        let mounted = try Mounted(
            from: app.path + "/files/public/real", "files/public/albums", in: app)
        defer { mounted.end() }
        #expect(app.exists("files/public/albums/a0-\(App.uuid(1))"))
        for _ in 0..<3 { try app.expect(ignore == nil ? 4 : 0, "run") }
        try expectUntouched(app)
        for number in 0..<Self.count {
            #expect(app.exists("files/public/albums/a\(number)-\(App.uuid(1))"))
        }
    }

    @Test("A database whose file alone is mounted is neither read nor written")
    func database() throws {
        let app = try App()
        try app.healthy()
        try app.put("public/stray")
        try #require(mkdir(app.path + "/data", 0o755) == 0)
        try app.write("data/app.sqlite", "", age: Age.old)
        let mounted = try Mounted(from: app.path + "/app.sqlite", "data/app.sqlite", in: app)
        defer { mounted.end() }
        try app.configure(App.Settings(source: "sqlite: ./data/app.sqlite"))
        let run = try app.expect(4, "audit")
        #expect(run.errors.contains("mount the folder") || run.output.contains("mount the folder"))
        #expect(!app.exists("data/app.sqlite-wal"))
    }
}

/// Something that is mounted at a folder until the test ends it.
private final class Mounted {
    private let place: String
    private var isOver = false

    /// Mounts a file system in memory, or a folder that lies beside the bucket.
    convenience init(_ kind: MountedFolderTests.Kind, _ name: String, in app: App) throws {
        switch kind {
        case .folder:
            try #require(mkdir(app.path + "/elsewhere", 0o755) == 0)
            try self.init(from: app.path + "/elsewhere", name, in: app)
        case .disk:
            self.init(at: app.path + "/" + name)
            let words = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place]
            try #require(Folder.command(words) == 0)
        }
    }

    /// Mounts a folder at another one.
    convenience init(from source: String, _ name: String, in app: App) throws {
        self.init(at: app.path + "/" + name)
        try #require(Folder.command(["mount", "--bind", source, place]) == 0)
    }

    private init(at place: String) { self.place = place }

    deinit { end() }

    /// Takes it away.
    func end() {
        guard !isOver else { return }
        isOver = true
        Folder.command(["umount", "-l", place])
    }
}
