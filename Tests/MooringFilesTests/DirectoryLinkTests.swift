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
            "folder": ("real", "real"),
            "out": ("../outside/secret", nil),
            "out-folder": ("../outside", nil),
            "etc": ("/etc/passwd", nil),
            "gone": ("none", "none"),
            "self": ("self", "self"),
            "root": (".", nil),
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
            #expect(await bucket.head(item.key) == .present(item.version))
        }
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
