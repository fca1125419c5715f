import Glibc
import MooringModel
import StoreConformance
import Testing

@testable import MooringFiles

@Suite("Folders of other buckets")
struct NeighbourTests {
    private func neighbour(
        _ folder: String, isShared: @escaping @Sendable ([UInt8]) -> Bool = { _ in true }
    ) -> OwnFiles.Neighbour {
        OwnFiles.Neighbour(
            name: "thumbs", folder: folder, quarantine: folder + "/.mooring/quarantine/",
            isShared: isShared)
    }

    private func bucket(
        _ sandbox: Sandbox, beside neighbour: OwnFiles.Neighbour
    ) throws -> DirectoryBucket {
        try DirectoryBucket(
            name: "media", folder: sandbox.folder, quarantine: Sandbox.quarantine, trust: .mtime,
            ownFiles: OwnFiles(neighbours: [neighbour]))
    }

    private func place(_ bucket: String, _ key: String) -> LinkedPlace {
        LinkedPlace(bucket: bucket, key: ObjectKey(key))
    }

    @Test("A link into another bucket's folder leads to its object, gone or not")
    func across() async throws {
        let sandbox = try Sandbox()
        _ = try sandbox.write("blobs/sub/one", "one")
        try #require(symlink("blobs", sandbox.path + "/alias") == 0)
        try sandbox.link("a/link", to: "../../blobs/sub/one")
        try sandbox.link("gone", to: "../alias/none")
        try sandbox.link("own", to: "a/none")
        try sandbox.link("out", to: "/etc/passwd")
        try #require(symlink("blobs/sub/one", sandbox.path + "/hop") == 0)
        try sandbox.link("around", to: "../hop")
        let bucket = try bucket(sandbox, beside: neighbour(sandbox.path + "/blobs"))
        let items = try await bucket.listed().items
        let places = Dictionary(
            items.map { ($0.key.text, $0.leadsTo) }, uniquingKeysWith: { first, _ in first })
        #expect(places["a/link"] == [place("thumbs", "sub/one")])
        #expect(places["gone"] == [place("thumbs", "none")])
        #expect(places["around"] == [place("thumbs", "sub/one")])
        #expect(places["own"] == [place("media", "a/none")])
        #expect(places["out"] == [])
    }

    @Test("A link in quarantine leads where it would from its own key")
    func quarantined() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("a/real")
        _ = try sandbox.write("blobs/one", "one")
        try sandbox.link("a/link", to: "real")
        try sandbox.link("a/far", to: "../../blobs/one")
        let bucket = try bucket(sandbox, beside: neighbour(sandbox.path + "/blobs"))
        for name in ["a/link", "a/far"] {
            let version = try await bucket.version(ObjectKey(name))
            #expect(
                try await bucket.quarantine(ObjectKey(name), expecting: version, run: run(1))
                    == .done)
        }
        let items = try await bucket.listedQuarantine().items
        #expect(
            items.first { $0.key == ObjectKey("a/link") }?.leadsTo == [place("media", "a/real")])
        #expect(items.first { $0.key == ObjectKey("a/far") }?.leadsTo == [place("thumbs", "one")])
    }

    @Test("Another bucket's folder that a walk meets is a problem, unless kept apart in words")
    func met() async throws {
        let sandbox = try Sandbox()
        try sandbox.put("photo")
        try sandbox.put("thumbs/one")
        try sandbox.put("thumbs/.mooring/store")
        try sandbox.put("thumbs/.mooring/quarantine/x/two")
        try #require(symlink("files/thumbs", sandbox.path + "/alias") == 0)
        let shared = try await bucket(sandbox, beside: neighbour(sandbox.path + "/alias")).listed()
        #expect(shared.items.map(\.key.text) == ["photo"])
        #expect(shared.result.problems.map(\.place) == ["thumbs"])
        #expect(shared.result.problems.allSatisfy { !$0.isOutside })
        let apart = try await bucket(
            sandbox,
            beside: neighbour(sandbox.path + "/alias") { $0 != Array("thumbs".utf8) }
        ).listed()
        #expect(apart.result.isComplete)
        #expect(apart.items.map(\.key.text).sorted() == ["photo", "thumbs/one"])
    }
}
