import Glibc
import MooringModel
import StoreConformance
import Testing

@testable import MooringFiles

/// What somebody else may do between a look and the act that follows it.
struct DirectoryRaceTests {
    private static let key = ObjectKey("dir/file")

    private static func inside(_ number: Int64) -> String {
        "files/.q/bin/\(run(number).text)/dir/file"
    }

    /// Replaces a file by another one, as an upload does: written beside it, then renamed.
    private static func replace(_ name: String, _ content: String, _ sandbox: Sandbox) {
        // A failure leaves the old content, which the test then sees.
        _ = try? sandbox.write("upload", content)
        // So does this one's.
        try? sandbox.rename("upload", to: name)
    }

    @Test("A file replaced just before the move is moved back, the newer version intact")
    func replacedBeforeMove() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("dir/file", "abc")
        let bucket = try sandbox.bucket { moment in
            if moment == .beforeMove { Self.replace("files/dir/file", "new", sandbox) }
        }
        let version = try await bucket.version(Self.key)
        let outcome = try await bucket.quarantine(Self.key, expecting: version, run: run(1))
        #expect(outcome.staleness?.contains("moved back") == true)
        #expect(sandbox.content("files/dir/file") == "new")
        #expect(!sandbox.exists("files/.q/bin/\(run(1).text)"))
    }

    @Test("When the key was taken again meanwhile, both files stay and the error says where")
    func takenBeforeMovingBack() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("dir/file", "abc")
        let bucket = try sandbox.bucket { moment in
            Self.replace("files/dir/file", moment == .beforeMove ? "second" : "third", sandbox)
        }
        let version = try await bucket.version(Self.key)
        let error = await #expect(throws: StoreError.self) {
            try await bucket.quarantine(Self.key, expecting: version, run: run(1))
        }
        #expect(error?.reason.contains("lies in quarantine") == true)
        #expect(sandbox.content("files/dir/file") == "third")
        #expect(sandbox.content(Self.inside(1)) == "second")
    }

    @Test("A disk that is unmounted during the look makes a key unknown, not absent")
    func unmountedDuringLook() async throws {
        let sandbox = try Sandbox()
        let bucket = try sandbox.bucket { _ in
            // Should the swap fail, the key is absent and the expectation fails.
            try? sandbox.rename("files", to: "mounted")
            // The same holds for the new folder.
            try? sandbox.makeFolder("files")
        }
        #expect(await bucket.head(Self.key).doubt?.contains("another folder") == true)
    }

    @Test("A new upload to the key after the move is not touched")
    func uploadAfterMove() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("dir/file", "abc")
        let bucket = try sandbox.bucket { moment in
            if moment == .afterMove { Self.replace("files/dir/file", "new", sandbox) }
        }
        let version = try await bucket.version(Self.key)
        #expect(try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        #expect(sandbox.content("files/dir/file") == "new")
        #expect(sandbox.content(Self.inside(1)) == "abc")
    }

    @Test("A file that vanishes before the move leaves nothing behind")
    func vanishedBeforeMove() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("dir/file", "abc")
        let bucket = try sandbox.bucket { _ in sandbox.remove("files/dir/file") }
        let version = try await bucket.version(Self.key)
        let outcome = try await bucket.quarantine(Self.key, expecting: version, run: run(1))
        #expect(outcome.staleness?.contains("no such object") == true)
        #expect(!sandbox.exists("files/.q/bin/\(run(1).text)"))
    }

    @Test("An upload to the key just before a restore is not overwritten")
    func uploadBeforeRestore() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("dir/file", "abc")
        let plain = try sandbox.bucket()
        let version = try await plain.version(Self.key)
        #expect(try await plain.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        let bucket = try sandbox.bucket { moment in
            if moment == .beforeMove { Self.replace("files/dir/file", "new", sandbox) }
        }
        let outcome = try await bucket.restore(Self.key, run: run(1), expecting: version)
        #expect(outcome.staleness?.contains("this key again") == true)
        #expect(sandbox.content("files/dir/file") == "new")
        #expect(sandbox.content(Self.inside(1)) == "abc")
    }

    @Test("A restore makes the folders that are gone; a file in their place stops it")
    func restoreFolders() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("dir/file", "abc")
        let bucket = try sandbox.bucket()
        let version = try await bucket.version(Self.key)
        #expect(try await bucket.quarantine(Self.key, expecting: version, run: run(1)) == .done)
        #expect(sandbox.exists("files/dir"))
        sandbox.remove("files/dir")
        try sandbox.put("dir", "a file now")
        let outcome = try await bucket.restore(Self.key, run: run(1), expecting: version)
        #expect(outcome.staleness?.contains("is a file") == true)
        #expect(sandbox.content("files/dir") == "a file now")
        sandbox.remove("files/dir")
        #expect(try await bucket.restore(Self.key, run: run(1), expecting: version) == .done)
        #expect(try await bucket.version(Self.key) == version)
    }

    @Test("A clearing of folders stops at the first that is still used")
    func clearsOnlyEmptyFolders() async throws {
        let sandbox = try Sandbox()
        let bucket = try sandbox.bucket()
        for name in ["a/b/one", "a/two"] {
            try sandbox.put(name)
            let version = try await bucket.version(ObjectKey(name))
            let outcome = try await bucket.quarantine(
                ObjectKey(name), expecting: version, run: run(1))
            #expect(outcome == .done)
        }
        let key = ObjectKey("a/b/one")
        guard case .present(let version) = await bucket.headQuarantined(key, run: run(1)) else {
            Issue.record("nothing lies in quarantine")
            return
        }
        #expect(try await bucket.sweep(key, run: run(1), expecting: version) == .done)
        #expect(!sandbox.exists("files/.q/bin/\(run(1).text)/a/b"))
        #expect(sandbox.exists("files/.q/bin/\(run(1).text)/a/two"))
    }

    @Test("Only the owner may enter the quarantine")
    func quarantineMode() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("file")
        let bucket = try sandbox.bucket()
        let key = ObjectKey("file")
        let version = try await bucket.version(key)
        #expect(try await bucket.quarantine(key, expecting: version, run: run(1)) == .done)
        var status = stat()
        try #require(stat(sandbox.folder + "/.q/bin", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
    }

    @Test("Steps of one run can be carried out side by side")
    func concurrentMoves() async throws {
        let sandbox = try Sandbox()
        let keys = (0..<60).map { ObjectKey("d\($0 % 3)/e/\($0)") }
        for key in keys { try sandbox.put(key.bytes) }
        let bucket = try sandbox.bucket()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for key in keys {
                group.addTask {
                    let version = try await bucket.version(key)
                    let first = try await bucket.quarantine(
                        key, expecting: version, run: run(1))
                    let second = try await bucket.restore(key, run: run(1), expecting: version)
                    return first == .done && second == .done
                }
            }
            for try await isDone in group { #expect(isDone) }
        }
        #expect(Set(try await bucket.listed().items.map(\.key)) == Set(keys))
        #expect(!sandbox.exists("files/.q/bin/\(run(1).text)"))
    }
}
