import Glibc
import MooringModel
import StoreConformance
import Testing

@testable import MooringFiles

/// What is said of a file that was not moved, of a key that names no file, and of a lease that
/// could not be read: word for word, since a person decides by it.
struct DirectoryWordsTests {
    private static let key = ObjectKey("dir/file")

    private func sandboxed(
        _ interruption: @escaping @Sendable (DirectoryBucket.Moment, Sandbox) -> Void = { _, _ in }
    ) async throws -> (Sandbox, DirectoryBucket, ObjectVersion) {
        let sandbox = try Sandbox()
        try sandbox.put("dir/file", "abc")
        let bucket = try sandbox.bucket { interruption($0, sandbox) }
        return (sandbox, bucket, try await bucket.version(Self.key))
    }

    private func set(seconds: Int, of name: String, in sandbox: Sandbox) throws {
        let time = timespec(tv_sec: seconds, tv_nsec: 0)
        let path = sandbox.path + "/" + name
        try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }

    @Test("a file that is another one by now stays, and what tells it is said")
    func changed() async throws {
        let (sandbox, bucket, _) = try await sandboxed()
        try set(seconds: 1_000, of: "files/dir/file", in: sandbox)
        let version = try await bucket.version(Self.key)
        func outcome() async throws -> String? {
            try await bucket.quarantine(Self.key, expecting: version, run: run(1)).staleness
        }
        try set(seconds: 2_000, of: "files/dir/file", in: sandbox)
        #expect(
            try await outcome()
                == "changed: was written at 1970-01-01T00:33:20Z, not at 1970-01-01T00:16:40Z")
        _ = try sandbox.write("upload", "xyz")
        try set(seconds: 1_000, of: "upload", in: sandbox)
        try sandbox.rename("upload", to: "files/dir/file")
        #expect(try await outcome() == "changed: is another file of the same size")
        try sandbox.put("dir/file", "longer")
        #expect(try await outcome() == "changed: holds 6 bytes, not 3")
        sandbox.remove("files/dir/file")
        try sandbox.makeFolder("files/dir/file")
        #expect(try await outcome() == "is no file any more")
        sandbox.remove("files/dir/file")
        sandbox.remove("files/dir")
        #expect(
            try await outcome() == "there is no such object: \"dir\" does not exist")
    }

    @Test("a place that is taken is named: in quarantine, and at the key")
    func taken() async throws {
        let (sandbox, bucket, version) = try await sandboxed()
        _ = try sandbox.write(".q", "")
        sandbox.remove(".q")
        try sandbox.put(".q/bin/\(run(1).text)/dir/file", "first")
        #expect(
            try await bucket.quarantine(Self.key, expecting: version, run: run(1)).staleness
                == "not moved: the place in quarantine is taken")
        #expect(
            try await bucket.quarantine(Self.key, expecting: version, run: run(2)) == .done)
        try sandbox.put("dir/file", "new")
        #expect(
            try await bucket.restore(Self.key, run: run(2), expecting: version).staleness
                == "not moved: an object has this key again")
        sandbox.remove("files/dir/file")
        sandbox.remove("files/dir")
        try sandbox.put("dir", "a file now")
        #expect(
            try await bucket.restore(Self.key, run: run(2), expecting: version).staleness
                == "cannot be put back: \"dir\" is a file, not a folder")
        #expect(sandbox.content("files/.q/bin/\(run(2).text)/dir/file") == "abc")
    }

    @Test("two files that both want one place stay, and the error says which lies where")
    func bothStay() async throws {
        let (sandbox, bucket, version) = try await sandboxed { moment, sandbox in
            #expect(throws: Never.self) {
                _ = try sandbox.write("upload", moment == .beforeMove ? "second" : "third")
                try sandbox.rename("upload", to: "files/dir/file")
            }
        }
        let error = await #expect(throws: StoreError.self) {
            try await bucket.quarantine(Self.key, expecting: version, run: run(1))
        }
        #expect(
            error?.reason == "changed: holds 6 bytes, not 3; moved, and not moved back, since "
                + "another file has its name by now: it lies in quarantine")
        #expect(
            error?.hint == "compare it with what has its place now, and keep what is needed")
        #expect(sandbox.content("files/dir/file") == "third")
    }

    @Test("a link in the quarantine's place is followed nowhere")
    func linkedQuarantine() async throws {
        let (sandbox, bucket, version) = try await sandboxed()
        try sandbox.makeFolder("elsewhere")
        try sandbox.link(".q", to: sandbox.path + "/elsewhere")
        let error = await #expect(throws: StoreError.self) {
            try await bucket.quarantine(Self.key, expecting: version, run: run(1))
        }
        #expect(
            error?.reason
                == "no place in quarantine: \".q\" is a symbolic link, and no link is followed")
        #expect(error?.hint == "replace the link by a folder")
        #expect(sandbox.content("files/dir/file") == "abc")
    }

    @Test("a key that names no one file is refused, and the reason is the key's")
    func keys() async throws {
        let (sandbox, bucket, version) = try await sandboxed()
        for (key, reason) in [
            ("", "the key is empty"), ("a\0b", "the key holds a NUL byte"),
            ("a//b", "the key has an empty part, so it names no one file"),
            ("/a", "the key has an empty part, so it names no one file"),
            ("a/../dir/file", "the key has a part \".\" or \"..\", so it names no one file"),
            (String(repeating: "x", count: 256), "a part of the key is longer than 255 bytes"),
            (".q/bin/x", "the key lies in the quarantine itself"),
            (".mooring/lease", "the key is that of an object of Mooring's own"),
            (
                Array(repeating: String(repeating: "x", count: 255), count: 16)
                    .joined(separator: "/"), "its path in quarantine would be too long or too deep"
            ),
        ] {
            let error = await #expect(throws: StoreError.self, "\(key)") {
                try await bucket.quarantine(ObjectKey(key), expecting: version, run: run(1))
            }
            #expect(error?.reason == reason, "\(key)")
            let isLong = reason.hasPrefix("its path")
            let shorter = "shorten the bucket's quarantine prefix, or move the file by hand"
            #expect(error?.hint == (isLong ? shorter : nil), "\(key)")
        }
        #expect(sandbox.content("files/dir/file") == "abc")
    }

    @Test("what goes between the look and the move is gone, and one of the app's own stays")
    func goneOrOwn() async throws {
        let (gone, bucket, version) = try await sandboxed { moment, sandbox in
            if moment == .beforeMove { sandbox.remove("files/dir/file") }
        }
        #expect(
            try await bucket.quarantine(Self.key, expecting: version, run: run(1)).staleness
                == "not moved: there is no such object any more")
        #expect(!gone.exists("files/dir/file"))
        let sandbox = try Sandbox()
        try sandbox.put("dir/file", "abc")
        let own = try DirectoryBucket(
            name: "media", folder: sandbox.folder, quarantine: Sandbox.quarantine, trust: .mtime,
            ownFiles: OwnFiles([
                OwnFiles.Entry(what: "the ledger", path: sandbox.folder + "/dir/file")
            ]), interruption: { _ in })
        let error = await #expect(throws: StoreError.self) {
            try await own.quarantine(
                Self.key, expecting: try await bucketVersion(sandbox), run: run(1))
        }
        #expect(error?.reason == "is the ledger, by a link or a second name")
        #expect(error?.hint == "move it out of the bucket's folder" && error?.isRefusal == true)
        #expect(
            try await own.listed().result.notes == [
                "'dir/file' is the ledger, by a link or a second name: it is no object, and is "
                    + "never touched"
            ])
        #expect(sandbox.content("files/dir/file") == "abc")
    }

    private func bucketVersion(_ sandbox: Sandbox) async throws -> ObjectVersion {
        try await sandbox.bucket().version(Self.key)
    }

    @Test("a folder that is no quarantine, is missing, or is another one is refused")
    func folders() async throws {
        let sandbox = try Sandbox()
        let error = #expect(throws: StoreError.self) {
            _ = try DirectoryBucket(
                name: "media", folder: sandbox.folder, quarantine: Array("../bin/".utf8),
                trust: .mtime, interruption: { _ in })
        }
        #expect(error?.place == "bucket media, quarantine \"../bin/\"")
        #expect(error?.reason.hasSuffix(", so it is no folder for quarantine") == true)
        #expect(
            error?.hint
                == "name a folder below the bucket's folder, such as .mooring/quarantine/")
        let bucket = try sandbox.bucket()
        try sandbox.rename("files", to: "before")
        let missing = try await bucket.listed().problems
        #expect(missing.count == 1)
        #expect(
            missing.first?.reason.hasPrefix("the bucket's folder cannot be opened: ") == true)
        try sandbox.makeFolder("files")
        let other = try await bucket.listed().problems
        #expect(other.count == 1)
        #expect(
            other.first?.reason.contains("is another folder than the one seen before") == true)
        let replaced = #expect(throws: StoreError.self) { _ = try bucket.openRoot() }
        #expect(
            replaced?.hint == "check that its disk is still mounted, and start again")
    }

    @Test("what lies in the quarantine outside every run's folder is told, and why")
    func strayInQuarantine() async throws {
        let (sandbox, bucket, _) = try await sandboxed()
        try sandbox.put(".q/bin/stray", "x")
        try sandbox.put(".q/bin/folder/x", "x")
        let told = try await bucket.listedQuarantine().problems.map(\.reason).sorted()
        #expect(
            told == [
                "is no run's folder, and only those belong in the quarantine",
                "lies in the quarantine outside every run's folder",
            ])
    }

    @Test("what has a lease's name and is none is named, and left")
    func leases() async throws {
        let (sandbox, bucket, _) = try await sandboxed()
        try sandbox.makeFolder("files/.mooring/lease")
        let folder = await #expect(throws: StoreError.self) { try await bucket.readLease() }
        #expect(folder?.reason == "the lease: a link or folder or device has the lease's name")
        #expect(folder?.hint == "find out who made it, and move it away by hand")
        sandbox.remove("files/.mooring/lease")
        sandbox.remove("files/.mooring")
        try sandbox.makeFolder("outside")
        try sandbox.link(".mooring", to: sandbox.path + "/outside")
        let link = "\".mooring\" is a symbolic link, and no link is followed"
        let read = await #expect(throws: StoreError.self) { try await bucket.readLease() }
        #expect(read?.reason == "the lease: cannot be read: \(link)")
        let written = await #expect(throws: StoreError.self) {
            try await bucket.createLease([1])
        }
        #expect(written?.reason == "the lease: no place for it: \(link)")
        #expect(!sandbox.exists("outside/lease"))
    }
}
