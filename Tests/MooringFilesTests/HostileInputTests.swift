import Glibc
import MooringModel
import StoreConformance
import SeededNumbers
import Testing

@testable import MooringFiles

/// Input that nobody meant well: whatever it is, nothing crashes and nothing outside is touched.
struct HostileInputTests {
    @Test("No key leads out of the folder, whatever its bytes, through a link or not")
    func keys() async throws {
        let seed = Seed.one()
        var random = SplitMix(state: seed)
        let sandbox = try Sandbox()
        let bucket = try sandbox.bucket()
        _ = try sandbox.write("secret", "abc")
        _ = try sandbox.write("a/a", "abc")
        try sandbox.put("a/a", "abc")
        try sandbox.link("l", to: "..")
        let version = try await bucket.version(ObjectKey("a/a"))
        let parts = ["a", "l", "..", ".", "", "secret", "files", ".q", "bin", run(1).text, "\0"]
        for _ in 0..<300 {
            let count = Int.random(in: 1...6, using: &random)
            let names = (0..<count).map { _ in parts[Int(random.next() % UInt64(parts.count))] }
            let key = ObjectKey(names.joined(separator: "/"))
            let head = await bucket.head(key)
            if case .present = head {
                #expect(["a/a", "l"].contains(key.text), "seed \(seed)")
            }
            do {
                let moved = try await bucket.quarantine(key, expecting: version, run: run(1))
                #expect((moved == .done) == (key.text == "a/a"), "seed \(seed)")
                let back = try await bucket.restore(key, run: run(1), expecting: version)
                #expect((back == .done) == (moved == .done), "seed \(seed)")
                let swept = try await bucket.sweep(key, run: run(1), expecting: version)
                #expect(swept != .done, "seed \(seed)")
            } catch {
                #expect(error is StoreError, "seed \(seed)")
            }
        }
        #expect(sandbox.content("secret") == "abc" && sandbox.content("a/a") == "abc")
        #expect(sandbox.content("files/a/a") == "abc" && sandbox.exists("files/l"))
    }

    @Test("A pipe is no file: whoever opens it would wait, and could read it only once")
    func pipes() async throws {
        let sandbox = try Sandbox()
        let path = sandbox.path + "/pipe.csv"
        try #require(mkfifo(path, 0o600) == 0)
        let scope = RecordScope.columns([TableColumns(table: "T", columns: ["key"])])
        let source = CSVSource(name: "r", file: path, tables: ["T"])
        let records = try await source.scan(scope) { _ in }
        let objects = try await ListingBucket(name: "media", file: path).listed()
        for problem in [records.problems, objects.result.problems].map(\.first) {
            #expect(problem?.reason.contains("it is no regular file") == true)
        }
    }

    @Test("Files of any bytes are read to their end without a crash")
    func files() async throws {
        let seed = Seed.one()
        var random = SplitMix(state: seed)
        let sandbox = try Sandbox()
        let words =
            [
                "key,size,lastModified\n", "\"", ",", "\n", "\r", "{", "}", "[", "]", ":", "\\",
                "\\u",
                "d83d", "\"key\"", "1", "-", "e", ".", "true", "null", "\0", "a", "\u{feff}", " ",
                "{\"key\":\"",
            ].map { Array($0.utf8) } + [
                [0xff], [0x1f, 0x8b], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3],
            ]
        for _ in 0..<120 {
            let count = Int.random(in: 0..<60, using: &random)
            let content = (0..<count).flatMap { _ in
                words[Int(random.next() % UInt64(words.count))]
            }
            for name in ["f.csv", "f.jsonl", "f"] {
                try sandbox.write(Array(name.utf8), content)
                let path = sandbox.path + "/" + name
                _ = try await ListingBucket(name: "media", file: path).listed()
            }
            let columns = RecordScope.columns([TableColumns(table: "T", columns: ["key", "a"])])
            for scope in [columns, .everything] {
                for source in [
                    CSVSource(name: "c", file: sandbox.path + "/f.csv", tables: []),
                    JSONLinesSource(name: "j", file: sandbox.path + "/f.jsonl", tables: []),
                ] as [any RecordSource] {
                    _ = try await source.scan(scope) { batch in
                        #expect(
                            batch.rows.allSatisfy { $0.count == batch.columns.count },
                            "seed \(seed)")
                    }
                }
            }
        }
    }
}
