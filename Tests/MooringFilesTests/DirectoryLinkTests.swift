import Glibc
import MooringModel
import StoreConformance
import Testing

@testable import MooringFiles

struct DirectoryLinkTests {
    @Test("A link is an object with its target's key, and is never followed")
    func links() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("real/file", "content")
        try sandbox.makeFolder("outside")
        _ = try sandbox.write("outside/secret", "secret")
        let targets: [String: (path: String, key: String?)] = [
            "here": ("real/file", "real/file"),
            "sub/up": ("../real/./file", "real/file"),
            "dots": ("real/../../files/real/file", "real/file"),
            "absolute": (sandbox.folder + "/real/file", "real/file"),
            "out": ("../outside/secret", nil),
            "etc": ("/etc/passwd", nil),
            "gone": ("none", "none"),
            "self": ("self", "self"),
        ]
        for (name, target) in targets { try sandbox.link(name, to: target.path) }
        let bucket = try sandbox.bucket()
        let listing = try await bucket.listed()
        #expect(listing.result.isComplete)
        #expect(listing.items.count == targets.count + 1)
        for (name, target) in targets {
            let item = try #require(listing.items.first { $0.key.text == name })
            #expect(item.linkTarget?.text == target.key, "\(name)")
            #expect(item.version.size == Int64(target.path.utf8.count))
            #expect((item.doubt != nil) == ["gone", "self"].contains(name), "\(name)")
            #expect(await bucket.head(item.key) == .present(item.version))
        }
    }

    @Test("A link that leads to a folder is a problem, unless it is ignored in words")
    func foldersLinked() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("real/file", "content")
        try sandbox.makeFolder("outside")
        let targets = [
            "folder": "real", "out-folder": "../outside", "root": ".", "far": "folder",
            "around": "../outside/back",
        ]
        try #require(symlink("../files/real", sandbox.path + "/outside/back") == 0)
        for (name, target) in targets { try sandbox.link(name, to: target) }
        let bucket = try sandbox.bucket()
        let listing = try await bucket.listed()
        #expect(listing.items.map(\.key.text) == ["real/file"])
        #expect(listing.result.problems.map(\.place).sorted() == targets.keys.sorted())
        let patterns = ["folder/**", "out-*/**", "root/**", "f??/**", "around/**"].map(Glob.init)
        let ignoring = try DirectoryBucket(
            name: "media", folder: sandbox.folder, quarantine: Sandbox.quarantine, trust: .mtime,
            isIgnored: { key in patterns.contains { $0.matches(key) } })
        let quiet = try await ignoring.listed()
        #expect(quiet.result.isComplete && quiet.items.count == targets.count + 1)
        #expect(quiet.items.count(where: \.isIgnored) == targets.count)
        #expect(
            quiet.items.compactMap(\.linkTarget).map(\.text).sorted() == ["folder", "real"])
        #expect(quiet.items.compactMap(\.linkEnd).map(\.text) == ["real", "real", "real"])
        #expect(await bucket.head(ObjectKey("folder/file")).doubt?.contains("link") == true)
        #expect(await bucket.head(ObjectKey("out-folder/secret")).doubt?.contains("link") == true)
        #expect(await bucket.head(ObjectKey("out-folder/none")).doubt?.contains("link") == true)
    }

    @Test("The folder itself may be reached through a link")
    func linkedFolder() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("file")
        try #require(symlink("files", sandbox.path + "/alias") == 0)
        try sandbox.link("one", to: sandbox.path + "/alias/file")
        try sandbox.link("two", to: sandbox.folder + "/file")
        let bucket = try DirectoryBucket(
            name: "media", folder: sandbox.path + "/alias/", quarantine: Sandbox.quarantine,
            trust: .mtime)
        let listing = try await bucket.listed()
        #expect(listing.result.isComplete && listing.items.count == 3)
        #expect(listing.items.compactMap(\.linkTarget).map(\.text) == ["file", "file"])
    }

    @Test("A link is moved as a link, and its target stays")
    func movesLink() async throws {
        let sandbox = try Sandbox()
        _ = try sandbox.write("secret", "secret")
        try sandbox.link("a/link", to: "../../secret")
        let bucket = try sandbox.bucket()
        let key = ObjectKey("a/link")
        let version = try await bucket.version(key)
        #expect(try await bucket.quarantine(key, expecting: version, run: run(1)) == .done)
        #expect(!sandbox.exists("files/a/link") && sandbox.content("secret") == "secret")
        #expect(try await bucket.sweep(key, run: run(1), expecting: version) == .done)
        #expect(sandbox.content("secret") == "secret")
    }

    @Test("A link whose end cannot be seen is no link that leads nowhere")
    func unseenEnd() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("photo")
        try sandbox.link("far", to: String(repeating: "x", count: 300))
        let bucket = try DirectoryBucket(
            name: "media", folder: sandbox.folder, quarantine: Sandbox.quarantine, trust: .mtime,
            ownFiles: OwnFiles([
                OwnFiles.Entry(what: "a photo", path: sandbox.folder + "/photo")
            ]))
        let listing = try await bucket.listed()
        #expect(listing.result.problems.map(\.place) == ["far"])
        let version = try await bucket.version(ObjectKey("far"))
        await #expect(throws: StoreError.self) {
            try await bucket.quarantine(ObjectKey("far"), expecting: version, run: run(1))
        }
        var facts = stat()
        #expect(lstat(sandbox.folder + "/far", &facts) == 0)
    }

    @Test("The app's own files are no objects under any name, and are never moved")
    func ownFiles() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("photo")
        let own = try sandbox.write("app.sqlite", "database")
        try #require(link(own, sandbox.folder + "/twice") == 0)
        try sandbox.link("linked", to: own)
        // Another file has the same name in the folder above.
        try sandbox.makeFolder("files/albums")
        try #require(link(own, sandbox.folder + "/albums/photo") == 0)
        try sandbox.makeFolder("files/reports")
        try sandbox.put("reports/latest")
        let bucket = try DirectoryBucket(
            name: "media", folder: sandbox.folder, quarantine: Sandbox.quarantine, trust: .mtime,
            ownFiles: OwnFiles([
                OwnFiles.Entry(what: "the database", path: own),
                OwnFiles.Entry(what: "the reports", path: sandbox.folder + "/reports"),
                OwnFiles.Entry(what: "nothing", path: sandbox.path + "/none"),
            ]))
        let listing = try await bucket.listed()
        #expect(listing.result.isComplete && listing.items.map(\.key.text) == ["photo"])
        #expect(listing.result.notes.count == 4)
        for name in ["twice", "linked", "albums/photo"] {
            let version = try await bucket.version(ObjectKey(name))
            await #expect(throws: StoreError.self) {
                try await bucket.quarantine(ObjectKey(name), expecting: version, run: run(1))
            }
            #expect(sandbox.exists("files/" + name))
        }
    }

    @Test("A marker is written once, read back, and told from a copy of its folder")
    func marker() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("photo")
        let bucket = try sandbox.bucket()
        #expect(try await bucket.readMarker() == nil)
        #expect(try await bucket.markerTrace() == nil)
        try await bucket.createMarker([1, 2])
        try await bucket.createMarker([3])
        #expect(try await bucket.readMarker() == [1, 2])
        #expect(try await bucket.listed().items.map(\.key.text) == ["photo"])
        #expect(!sandbox.exists("files/.q"))
        #expect(await bucket.head(StoreMarker.key).doubt != nil)
        #expect(!(await bucket.isCopy(of: bucket.markerPlace, trace: nil)))
        #expect(!(await bucket.isCopy(of: sandbox.path + "/none", trace: nil)))
        let trace = try #require(try await bucket.markerTrace())
        #expect(!(await bucket.isCopy(of: sandbox.path + "/none", trace: trace)))
        #expect(await bucket.isCopy(of: sandbox.path + "/none", trace: "1/" + trace))
        // Put in the place of the folder it is a copy; a ledger without a trace adopts it.
        #expect(!(await bucket.isCopy(of: bucket.markerPlace, trace: trace)))
        sandbox.remove("files/.mooring/store")
        try sandbox.write(Array("files/.mooring/store".utf8), [1, 2])
        #expect(await bucket.isCopy(of: bucket.markerPlace, trace: trace))
        #expect(!(await bucket.isCopy(of: bucket.markerPlace, trace: nil)))
        try sandbox.write(Array("other/.mooring/store".utf8), [1, 2])
        #expect(await bucket.isCopy(of: sandbox.path + "/other", trace: nil))
        try sandbox.write(Array("third/.mooring/store".utf8), [4])
        // An empty mount point may be that of the disk that this folder was copied from.
        try sandbox.makeFolder("empty")
        for name in ["third", "empty"] {
            #expect(await bucket.isCopy(of: sandbox.path + "/" + name, trace: nil))
        }
        try #require(symlink("files", sandbox.path + "/alias") == 0)
        #expect(!(await bucket.isCopy(of: sandbox.path + "/alias", trace: nil)))
    }

    @Test("A linked parent folder is never crossed, by whatever act")
    func linkedParent() async throws {
        let sandbox = try Sandbox()
        _ = try sandbox.write("outside/file", "abc")
        try sandbox.put("real/file", "abc")
        let bucket = try sandbox.bucket()
        let version = try await bucket.version(ObjectKey("real/file"))
        #expect(
            try await bucket.quarantine(ObjectKey("real/file"), expecting: version, run: run(1))
                == .done)
        sandbox.remove("files/real")
        try sandbox.link("real", to: "../outside")
        let key = ObjectKey("real/file")
        await #expect(throws: StoreError.self) {
            try await bucket.restore(key, run: run(1), expecting: version)
        }
        await #expect(throws: StoreError.self) {
            try await bucket.quarantine(key, expecting: version, run: run(2))
        }
        #expect(sandbox.content("outside/file") == "abc")
        #expect(sandbox.exists("files/.q/bin/\(run(1).text)/real/file"))
    }

    @Test("A quarantine that is a link, at whatever level, is never used")
    func linkedQuarantine() async throws {
        for level in [".q", ".q/bin", ".q/bin/\(run(1).text)", ".q/bin/\(run(1).text)/sub"] {
            let sandbox = try Sandbox()
            try sandbox.put("sub/file", "abc")
            // Whatever the link stands for, the file to sweep is there.
            let rest = ".q/bin/\(run(1).text)/sub/file".dropFirst(level.count)
            _ = try sandbox.write("outside" + rest, "abc")
            let up = String(repeating: "../", count: level.split(separator: "/").count)
            try sandbox.link(level, to: up + "outside")
            #expect(sandbox.content("files/\(level)\(rest)") == "abc")
            let bucket = try sandbox.bucket()
            let key = ObjectKey("sub/file")
            let version = try await bucket.version(key)
            await #expect(throws: StoreError.self) {
                try await bucket.quarantine(key, expecting: version, run: run(1))
            }
            await #expect(throws: StoreError.self) {
                try await bucket.sweep(key, run: run(1), expecting: version)
            }
            await #expect(throws: StoreError.self) {
                try await bucket.restore(key, run: run(1), expecting: version)
            }
            #expect(await bucket.headQuarantined(key, run: run(1)).doubt != nil)
            #expect(sandbox.content("outside" + rest) == "abc")
            #expect(sandbox.content("files/sub/file") == "abc")
        }
    }

    @Test("A parent swapped for a link between the look and the move leads nowhere")
    func swappedParent() async throws {
        let sandbox = try Sandbox()
        _ = try sandbox.write("outside/file", "outside")
        try sandbox.put("dir/file", "abc")
        let bucket = try sandbox.bucket { moment in
            guard moment == .beforeMove else { return }
            // Should the swap fail, the last expectations fail with it.
            try? sandbox.rename("files/dir", to: "files/moved")
            // The same holds for the link.
            try? sandbox.link("dir", to: "../outside")
        }
        let key = ObjectKey("dir/file")
        let version = try await bucket.version(key)
        _ = try await bucket.quarantine(key, expecting: version, run: run(1))
        #expect(sandbox.exists("files/moved") && sandbox.content("files/dir/file") == "outside")
        #expect(sandbox.content("outside/file") == "outside")
        #expect(sandbox.content("files/.q/bin/\(run(1).text)/dir/file") == "abc")
    }
}
