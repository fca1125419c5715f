import Glibc
import MooringModel
import StoreConformance
import Testing

@testable import MooringFiles

struct DirectoryListTests {
    @Test("Every name that a file can have is a key, byte for byte, and can be moved and found")
    func hostileNames() async throws {
        let sandbox = try Sandbox()
        let names: [[UInt8]] = [
            Array("new\nline".utf8), [0xff, 0xfe, 0x80], Array("=cmd()".utf8),
            Array("<script>alert(1)".utf8), Array(repeating: 120, count: 255), [0x01, 0x1b],
            Array("..x".utf8), Array(" ".utf8), Array("-rf".utf8), Array("a\\b".utf8),
            Array("e\u{301}".utf8), Array("\u{e9}".utf8), Array("%2e%2e".utf8),
            Array(repeating: 121, count: 255) + [47] + [0xc3] + [47] + Array("...".utf8),
        ]
        for name in names { try sandbox.put(name, name) }
        let bucket = try sandbox.bucket()
        let listing = try await bucket.listed()
        #expect(listing.result.isComplete)
        #expect(listing.result.consistency == "moving")
        #expect(Set(listing.items.map(\.key.bytes)) == Set(names))
        for item in listing.items {
            #expect(await bucket.head(item.key) == .present(item.version))
            let moved = try await bucket.quarantine(item.key, expecting: item.version, run: run(1))
            #expect(moved == .done)
        }
        #expect(try await bucket.listed().items.isEmpty)
        let inside = try await bucket.listedQuarantine()
        #expect(Set(inside.items.map(\.key.bytes)) == Set(names))
        for item in inside.items {
            let back = try await bucket.restore(item.key, run: run(1), expecting: item.version)
            #expect(back == .done)
        }
        #expect(Set(try await bucket.listed().items) == Set(listing.items))
        #expect(!sandbox.exists("files/.q/bin/\(run(1).text)"))
    }

    @Test("Sockets, fifos and empty folders are no objects")
    func otherFiles() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("file")
        try sandbox.makeFolder("files/empty")
        try #require(mkfifo(sandbox.folder + "/fifo", 0o644) == 0)
        let bucket = try sandbox.bucket()
        let listing = try await bucket.listed()
        #expect(listing.result.isComplete)
        #expect(listing.items.map(\.key.text) == ["file"])
        #expect(
            await bucket.head(ObjectKey("fifo")).doubt
                == "a socket, fifo or device has this name")
        #expect(await bucket.head(ObjectKey("empty")).doubt == "a folder has this name")
    }

    @Test("A tree deeper than the limit is a problem that names the place, not a crash")
    func deepTree() async throws {
        let sandbox = try Sandbox()
        let deep = Array(repeating: "d", count: 230).joined(separator: "/")
        try sandbox.put(deep + "/file")
        let edge = Array(repeating: "e", count: FolderWalk.depthLimit).joined(separator: "/")
        try sandbox.put(edge + "/file")
        try sandbox.put("top")
        let bucket = try sandbox.bucket()
        let listing = try await bucket.listed()
        #expect(Set(listing.items.map(\.key.text)) == [edge + "/file", "top"])
        #expect(listing.result.problemCount == 1)
        #expect(listing.problems.first?.place.hasPrefix("d/d/d") == true)
        #expect(
            listing.problems.first?.reason
                == "lies deeper than 200 folders, which is not looked at")
        let key = ObjectKey(edge + "/file")
        let version = try await bucket.version(key)
        await #expect(throws: StoreError.self) {
            try await bucket.quarantine(key, expecting: version, run: run(1))
        }
        #expect(sandbox.exists("files/\(edge)/file"))
    }

    @Test("A folder that is missing is one problem, and its keys are unknown, not absent")
    func missingFolder() async throws {
        let sandbox = try Sandbox()
        sandbox.remove("files")
        let bucket = try sandbox.bucket()
        let listing = try await bucket.listed()
        #expect(listing.result.problemCount == 1)
        #expect(try await bucket.listedQuarantine().result.problemCount == 1)
        #expect(await bucket.head(ObjectKey("a")).doubt != nil)
        await #expect(throws: StoreError.self) { try await bucket.measureClock() }
        let version = ObjectVersion(size: 0, etag: "", lastModified: .now)
        await #expect(throws: StoreError.self) {
            try await bucket.quarantine(ObjectKey("a"), expecting: version, run: run(1))
        }
    }

    @Test("A folder that became another one proves no absence: a disk may have been unmounted")
    func anotherFolder() async throws {
        let sandbox = try Sandbox()
        let bucket = try sandbox.bucket()
        #expect(await bucket.head(ObjectKey("a")) == .absent)
        try sandbox.rename("files", to: "mounted")
        try sandbox.makeFolder("files")
        #expect(await bucket.head(ObjectKey("a")).doubt?.contains("another folder") == true)
        #expect(try await bucket.listed().result.isComplete == false)
        sandbox.remove("files")
        #expect(await bucket.head(ObjectKey("a")).doubt != nil)
        try sandbox.rename("mounted", to: "files")
        #expect(await bucket.head(ObjectKey("a")) == .absent)
    }

    @Test("Another file system below the folder is a problem, and what lies there is unknown")
    func mountedBelow() async throws {
        // /dev holds /dev/shm on every Linux machine and container.
        var outer = stat()
        var inner = stat()
        try #require(stat("/dev", &outer) == 0 && stat("/dev/shm", &inner) == 0)
        try #require(outer.st_dev != inner.st_dev)
        let bucket = try DirectoryBucket(
            name: "dev", folder: "/dev", quarantine: Array(".none/".utf8), trust: .mtime)
        let listing = try await bucket.listed()
        #expect(listing.problems.contains { $0.place == "shm" && $0.reason.contains("mounted") })
        #expect(await bucket.head(ObjectKey("shm/none")).doubt?.contains("mounted") == true)
    }

    @Test(
        "A folder that may not be read is a problem, and its keys are unknown",
        .enabled(if: Nobody.isPossible, "root has not the right to become another user here"))
    func unreadableFolder() async throws {
        await #expect(processExitsWith: .success) {
            try Nobody.become()
            let sandbox = try Sandbox()
            try sandbox.put("closed/file")
            try sandbox.put("open/file")
            try #require(chmod(sandbox.folder + "/closed", 0) == 0)
            defer { chmod(sandbox.folder + "/closed", 0o755) }
            let bucket = try sandbox.bucket()
            let listing = try await bucket.listed()
            #expect(listing.items.map(\.key.text) == ["open/file"])
            #expect(listing.problems.map(\.place) == ["closed"])
            #expect(await bucket.head(ObjectKey("closed/file")).doubt != nil)
        }
    }

    @Test(
        "What may not be moved stays where it is, in and out of quarantine, and the error says so",
        .enabled(if: Nobody.isPossible, "root has not the right to become another user here"))
    func unwritableFolder() async throws {
        await #expect(processExitsWith: .success) {
            try Nobody.become()
            let sandbox = try Sandbox()
            try sandbox.put("dir/file", "abc")
            let key = ObjectKey("dir/file")
            let bucket = try sandbox.bucket()
            let version = try await bucket.version(key)
            func close(_ name: String, _ act: () async throws -> Void) async throws {
                try #require(chmod(sandbox.path + "/" + name, 0o555) == 0)
                let error = await #expect(throws: StoreError.self) { try await act() }
                #expect(error?.reason.contains("Permission denied") == true, "\(name)")
                try #require(chmod(sandbox.path + "/" + name, 0o755) == 0)
            }
            try await close("files/dir") {
                _ = try await bucket.quarantine(key, expecting: version, run: run(1))
            }
            #expect(sandbox.content("files/dir/file") == "abc")
            #expect(
                try await bucket.quarantine(key, expecting: version, run: run(1)) == .done)
            let held = "files/.q/bin/\(run(1).text)/dir"
            try await close(held) {
                _ = try await bucket.restore(key, run: run(1), expecting: version)
            }
            try await close(held) {
                _ = try await bucket.sweep(key, run: run(1), expecting: version)
            }
            #expect(sandbox.content(held + "/file") == "abc")
            #expect(try await bucket.restore(key, run: run(1), expecting: version) == .done)
        }
    }

    @Test("ctime keeps a file that was copied with an old mtime from being born old")
    func trust() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("old")
        let times = [timespec(tv_sec: 1_000, tv_nsec: 7), timespec(tv_sec: 1_000, tv_nsec: 7)]
        try #require(utimensat(AT_FDCWD, sandbox.folder + "/old", times, 0) == 0)
        let key = ObjectKey("old")
        let byMtime = try await sandbox.bucket(trust: .mtime).version(key)
        let byCtime = try await sandbox.bucket(trust: .ctime).version(key)
        #expect(byMtime.lastModified == Instant(nanoseconds: 1_000_000_000_007))
        #expect(byCtime.lastModified > Instant(seconds: 1_700_000_000))
        #expect(byMtime.etag == byCtime.etag)
        #expect(byMtime.etag.hasPrefix("s3.m1000000000007.i"))
    }

    @Test("Files from before 1970 and after 2262 have versions and never look multipart")
    func strangeTimes() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("file")
        let bucket = try sandbox.bucket()
        for seconds in [-5, 9_000_000_000, 15_000_000_000] {
            let time = timespec(tv_sec: seconds, tv_nsec: 1)
            try #require(utimensat(AT_FDCWD, sandbox.folder + "/file", [time, time], 0) == 0)
            #expect(try await bucket.version(ObjectKey("file")).isMultipart == false)
        }
    }

    @Test("A key that path rules could take for another file is doubt, never absence")
    func unusableKeys() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("a/b")
        _ = try sandbox.write("secret", "outside")
        let bucket = try sandbox.bucket()
        let keys: [[UInt8]] = [
            [], Array("/".utf8), Array("/a/b".utf8), Array("a/b/".utf8), Array("a//b".utf8),
            Array("./a/b".utf8), Array("a/./b".utf8), Array("a/../a/b".utf8),
            Array("../secret".utf8), Array("..".utf8), Array("a/b\0".utf8), [0],
            Array(repeating: 120, count: 256), Array(".q/bin/x".utf8),
        ]
        let version = ObjectVersion(size: 7, etag: "", lastModified: .now)
        for key in keys.map({ ObjectKey($0) }) {
            #expect(await bucket.head(key).doubt != nil)
            await #expect(throws: StoreError.self) {
                try await bucket.quarantine(key, expecting: version, run: run(1))
            }
            await #expect(throws: StoreError.self) {
                try await bucket.restore(key, run: run(1), expecting: version)
            }
            await #expect(throws: StoreError.self) {
                try await bucket.sweep(key, run: run(1), expecting: version)
            }
        }
        #expect(await bucket.head(ObjectKey("a/b/c")) == .absent)
        #expect(sandbox.content("secret") == "outside")
        #expect(try await bucket.listed().items.count == 1)
    }

    @Test("A quarantine prefix that leads out of the folder is refused")
    func unusableQuarantine() throws {
        for prefix in ["", "/", "../q/", "a/../../q", "/tmp/q/", "a//b/"] {
            #expect(throws: StoreError.self) {
                try DirectoryBucket(
                    name: "media", folder: "/tmp", quarantine: Array(prefix.utf8), trust: .mtime)
            }
        }
    }

    @Test("What lies in the quarantine outside a run's folder is a problem that names it")
    func strangersInQuarantine() async throws {
        let sandbox = try Sandbox()
        try sandbox.put(".q/bin/\(run(1).text)/a/b")
        try sandbox.put(".q/bin/not-a-run/c")
        try sandbox.put(".q/bin/loose")
        try sandbox.put(".q/bin/.clock-77")
        try sandbox.put(".q/other")
        let bucket = try sandbox.bucket()
        let inside = try await bucket.listedQuarantine()
        #expect(inside.items.map(\.key.text) == ["a/b"])
        #expect(Set(inside.problems.map(\.place)) == [".q/bin/not-a-run", ".q/bin/loose"])
        #expect(try await bucket.listed().items.map(\.key.text) == [".q/other"])
    }

    @Test("Measuring the clock leaves no folder that was not there before")
    func clockLeavesNothing() async throws {
        let sandbox = try Sandbox()
        let bucket = try sandbox.bucket()
        _ = try await bucket.measureClock()
        #expect(!sandbox.exists("files/.q"))
        try sandbox.makeFolder("files/.q")
        _ = try await bucket.measureClock()
        #expect(sandbox.exists("files/.q") && !sandbox.exists("files/.q/bin"))
    }

    @Test("Only an error of the receiver is thrown")
    func receiverStops() async throws {
        struct Stop: Error {}
        let sandbox = try Sandbox()
        try sandbox.put("a")
        let bucket = try sandbox.bucket()
        await #expect(throws: Stop.self) { try await bucket.list { _ in throw Stop() } }
    }
}
