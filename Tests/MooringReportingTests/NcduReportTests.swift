import Foundation
import MooringModel
import SeededNumbers
import Testing

@testable import MooringReporting

/// The tree of orphans' sizes: every key is in it once, whatever its bytes are.
@Suite("Orphans for ncdu")
struct NcduReportTests {
    /// A file of the tree, found by walking it.
    private struct Leaf {
        let path: [String]
        let members: [String: Any]
    }

    private func orphan(_ key: [UInt8], bucket: String = "media", size: Int64 = 1) -> Finding {
        var finding = SampleRun.finding(
            "orphan-\(key.count)", (.orphan, .ownerless, .settled), key: ObjectKey(key), size: size)
        finding.bucket = bucket
        return finding
    }

    private func write(
        _ findings: [Finding], _ summary: RunSummary = SampleRun.summary
    ) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let writer = try ReportWriter(
            directory: folder.path, run: summary.id, formats: [.ncdu])
        for finding in findings.sorted(by: Finding.precedes) { try writer.add([finding]) }
        _ = try writer.finish(summary)
        #expect(try folder.names(summary.id.text) == [ReportFormat.ncdu.fileName])
        return try folder.bytes("\(summary.id.text)/\(ReportFormat.ncdu.fileName)")
    }

    private func document(_ bytes: [UInt8]) throws -> [Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [Any])
    }

    /// The files of the tree; an issue for each name that ncdu or a file system would trip over.
    private func leaves(_ bytes: [UInt8]) throws -> [Leaf] {
        var leaves: [Leaf] = []
        func walk(_ folder: [Any], _ path: [String]) throws {
            var names: Set<String> = []
            for entry in folder.dropFirst() {
                let members = try #require((entry as? [Any])?.first ?? entry) as? [String: Any]
                let name = try #require(members?["name"] as? String)
                #expect(!["", ".", ".."].contains(name) && !name.contains("/"), "\(path)")
                #expect(name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "\(path)")
                #expect(name.utf8.count < 32 * 1024, "\(path)")
                if let inner = entry as? [Any] {
                    #expect(names.insert(name).inserted, "\(name) is there twice in \(path)")
                    try walk(inner, path + [name])
                } else {
                    leaves.append(Leaf(path: path + [name], members: try #require(members)))
                }
            }
        }
        try walk(try #require(try document(bytes)[3] as? [Any]), [])
        return leaves
    }

    /// The bytes that a name of the tree stands for.
    private func bytes(_ name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(name.unicodeScalars)[...]
        while let first = rest.popFirst() {
            guard first == "\\" else {
                bytes += Array(String(first).utf8)
                continue
            }
            let kind = rest.popFirst()
            switch try #require(kind) {
            case "x":
                bytes.append(try #require(UInt8(text(rest.prefix(2)), radix: 16)))
                rest = rest.dropFirst(2)
            case "u":
                let digits = text(rest.dropFirst().prefix { $0 != "}" })
                let scalar = try #require(UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init))
                bytes += Array(String(scalar).utf8)
                rest = rest.dropFirst(digits.utf8.count + 2)
            default: bytes.append(UInt8(ascii: "\\"))
            }
        }
        return bytes
    }

    private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    private func key(_ leaf: Leaf) throws -> [UInt8] {
        try Array(leaf.path.dropFirst().map(bytes).joined(separator: [UInt8(ascii: "/")]))
    }

    @Test("Names joined by slashes are the key, and no folder comes twice")
    func hostileKeys() throws {
        var random = SeededGenerator("hostileKeys")
        let parts = ["a", "b", "", ".", "..", "a-b", "a0", "%2F", "\\", "\\x2f", "é", "x\n"]
            .map { Array($0.utf8) }
        for _ in 0..<20 {
            var keys: Set<[UInt8]> = [Array("a".utf8), Array("a/".utf8), Array("/".utf8)]
            for _ in 0..<random.number(1...120) {
                let count = random.number(1...5)
                let key = (0..<count).map { _ in
                    random.number(0...5) == 0 ? random.hostileBytes() : random.one(of: parts)
                }
                keys.insert(Array(key.joined(separator: [UInt8(ascii: "/")])))
            }
            keys.remove([])
            let found = try leaves(try write(keys.map { orphan($0) }))
            #expect(found.count == keys.count)
            #expect(try Set(found.map(key)) == keys)
        }
    }

    @Test("Keys whose order crosses the slash's, and one that is an object and a folder")
    func order() throws {
        let keys = ["a", "a-b", "a/b", "a/b/c", "a0", "a//b", "a/", "b/c"]
        let found = try leaves(try write(keys.map { orphan(Array($0.utf8)) }))
        #expect(
            found.map { $0.path.joined(separator: "/") } == [
                "media/a", "media/a-b", "media/a\\x2f", "media/a/\\x2fb", "media/a/b",
                "media/a/b/c", "media/a0", "media/b/c",
            ])
    }

    @Test("What lies deeper than readers go, and names that ncdu does not take, are cut")
    func bounds() throws {
        let deep = Array(String(repeating: "d/", count: 511).utf8) + [UInt8(ascii: "x")]
        let long = [UInt8](repeating: 0xFF, count: 20_000)
        let found = try leaves(try write([orphan(deep), orphan(long), orphan([])]))
        #expect(found.map(\.path.count) == [2, NcduPath.depthLimit + 2, 2])
        #expect(try key(found[1]) == deep)
        #expect(found[0].path.last == "(empty)")
        #expect(found[2].members["keyBase64"] as? String == Data(long).base64EncodedString())
    }

    @Test("Sizes add up, and the head tells them by verdict")
    func sizes() throws {
        let written = try write(SampleRun.findings)
        let orphans = SampleRun.findings.filter { $0.kind == .orphan }
        let found = try leaves(written)
        let sizes = found.compactMap { $0.members["asize"] as? Int64 }
        #expect(sizes.count == orphans.count)
        #expect(sizes.reduce(0, +) == orphans.reduce(0) { $0 + ($1.object?.size ?? 0) })
        #expect(found.allSatisfy { $0.members["asize"] as? Int64 == $0.members["dsize"] as? Int64 })
        #expect(
            Set(found.compactMap { $0.members["id"] as? String }) == Set(orphans.map(\.id)))
        let head = try #require(try document(written)[2] as? [String: Any])
        let sums = try #require(head["orphans"] as? [String: [String: Int64]])
        for verdict in Verdict.allCases {
            let fitting = orphans.filter { $0.verdict == verdict }
            #expect(sums[verdict.rawValue]?["findings"] == Int64(fitting.count))
        }
        #expect(sums.values.reduce(0) { $0 + ($1["bytes"] ?? 0) } == sizes.reduce(0, +))
    }

    @Test("Sizes that no sum can hold, and times before 1970, are no reason to write what is wrong")
    func ends() throws {
        var old = orphan(Array("old".utf8), size: -5)
        old.object = ObjectVersion(size: -5, etag: "", lastModified: .distantPast)
        let found = try leaves(
            try write([
                orphan(Array("a".utf8), size: .max), orphan(Array("b".utf8), size: .max), old,
            ]))
        #expect(found.map { $0.members["asize"] as? Int64 } == [.max, .max, 0])
        #expect(found[2].members["mtime"] == nil && found[0].members["mtime"] != nil)
    }

    @Test("A run that proves no absence marks its root, and one without orphans has an empty one")
    func roots() throws {
        var summary = SampleRun.summary
        for (status, marked) in [(RunSummary.Status.complete, false), (.incomplete, true)] {
            summary.status = status
            let tree = try #require(try document(try write([], summary))[3] as? [Any])
            #expect(tree.count == 1)
            let root = try #require(tree[0] as? [String: Any])
            #expect(root["name"] as? String == "orphans of \(SampleRun.runID.text)")
            #expect((root["read_error"] as? Bool == true) == marked)
        }
    }
}
