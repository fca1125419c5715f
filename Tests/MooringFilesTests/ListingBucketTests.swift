import MooringModel
import StoreConformance
import Testing

@testable import MooringFiles

struct ListingBucketTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func list(
        _ name: String, _ content: [UInt8], taken: Instant? = nil
    ) async throws -> Scanned<ListedObject> {
        try sandbox.write(Array(name.utf8), content)
        let path = sandbox.path + "/" + name
        return try await ListingBucket(name: "media", file: path, taken: taken).listed()
    }

    private func list(_ name: String, _ content: String) async throws -> Scanned<ListedObject> {
        try await list(name, Array(content.utf8))
    }

    private static let when = "2026-11-21T02:00:00Z"

    @Test("Columns stand in any order, others are ignored, and an ETag loses its quotes")
    func columns() async throws {
        let listing = try await list(
            "l.csv",
            """
            storage,lastModified,etag,size,key
            STANDARD,2026-11-21T02:00:00.250Z,\"\"\"abc-2\"\"\",17,a/b
            ,1763690400,,0,c
            x,1763690400123,d41d,9,d\n
            """)
        #expect(listing.result.isComplete && listing.result.consistency == "snapshot")
        #expect(
            listing.items == [
                ListedObject(
                    key: ObjectKey("a/b"),
                    version: ObjectVersion(
                        size: 17, etag: "abc-2",
                        lastModified: try #require(
                            Instant(iso8601: "2026-11-21T02:00:00.250Z")))),
                ListedObject(
                    key: ObjectKey("c"),
                    version: ObjectVersion(
                        size: 0, etag: "", lastModified: Instant(seconds: 1_763_690_400))),
                ListedObject(
                    key: ObjectKey("d"),
                    version: ObjectVersion(
                        size: 9, etag: "d41d",
                        lastModified: Instant(nanoseconds: 1_763_690_400_123_000_000))),
            ])
    }

    @Test("Keys are bytes: quotes, commas, line breaks, NUL, invalid UTF-8, duplicates")
    func hostileKeys() async throws {
        var content = Array("\u{feff}key,size,lastModified\r\n".utf8)
        let keys: [[UInt8]] = [
            Array("a,b".utf8), Array("say \"hi\"".utf8), Array("new\r\nline\n".utf8),
            [0xff, 0x00, 0xfe], Array("=cmd()".utf8), Array("<script>".utf8),
            Array("twice".utf8), Array("twice".utf8), Array("\"".utf8),
        ]
        for key in keys {
            let quoted = key.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] }
            content += Array("\"".utf8) + quoted + Array("\",1,\(Self.when)\r\n".utf8)
        }
        content += [0xc3, 0x00] + Array(",1,\(Self.when)".utf8)
        let listing = try await list("l.csv", content)
        #expect(listing.result.isComplete)
        #expect(listing.items.map(\.key.bytes) == keys + [[0xc3, 0x00]])
    }

    /// As Athena writes it: each value in quotes, NULL as a field of nothing.
    @Test(
        "A result of Athena is read, its keys as bytes",
        arguments: ["lastModified,keyBase64", "lastmodified,keybase64"])
    func resultOfAthena(names: String) async throws {
        let names = names.split(separator: ",")
        let keys: [[UInt8]] = [
            Array("public/a b.jpg".utf8), Array("say \"hi\", twice".utf8),
            Array("new\r\nline\n".utf8), [0x00], [0xff, 0x00, 0xfe], Array("%41+é".utf8),
            Array("\u{2028}".utf8),
        ]
        var content = "\"\(names[1])\",\"size\",\"\(names[0])\",\"etag\"\n"
        for key in keys {
            content += "\"\(Base64.encode(key))\",\"7\",\"\(Self.when)\",\"abc\"\n"
        }
        content += "\"YQ==\",\"8\",\"\(Self.when)\",\n"
        let listing = try await list("l.csv", content)
        #expect(listing.result.isComplete, "\(listing.problems)")
        #expect(listing.items.map(\.key.bytes) == keys + [Array("a".utf8)])
        #expect(listing.items.map(\.version.size) == keys.map { _ in 7 } + [8])
        #expect(listing.items.map(\.version.etag) == keys.map { _ in "abc" } + [""])
        let time = try #require(Instant(iso8601: Self.when))
        #expect(listing.items.allSatisfy { $0.version.lastModified == time })
        // What the table does not know of an object is no size of nothing, and no time of old.
        for row in [
            "\"YQ==\",,\"\(Self.when)\",\"abc\"", "\"YQ==\",\"1\",,\"abc\"",
            ",\"1\",\"\(Self.when)\",", "\"Y\",\"1\",\"\(Self.when)\",",
        ] {
            let listing = try await list("l.csv", content + row + "\n")
            #expect(!listing.result.isComplete && listing.items.count == keys.count + 1, "\(row)")
        }
    }

    @Test("A row with no keyBase64 has its key")
    func keyBesideBase64() async throws {
        let listing = try await list(
            "l.csv", "key,keyBase64,size,lastModified\na,,1,\(Self.when)\n,Yg==,1,\(Self.when)\n")
        #expect(listing.result.isComplete && listing.items.map(\.key.text) == ["a", "b"])
    }

    @Test("A row that is malformed names file, line and reason, and the rest is read")
    func malformedRows() async throws {
        let listing = try await list(
            "l.csv",
            """
            key,size,lastModified
            a,1,\(Self.when)
            "b
            b",1,\(Self.when)
            few,1
            many,1,\(Self.when),x
            quote"d,1,\(Self.when)
            "after"x,1,\(Self.when)
            size,big,\(Self.when)
            negative,-1,\(Self.when)
            huge,99999999999999999999,\(Self.when)
            time,1,yesterday

            ,1,\(Self.when)
            z,1,\(Self.when)
            """)
        #expect(listing.items.map(\.key.text) == ["a", "b\nb", "z"])
        #expect(listing.problems.map(\.line) == [5, 6, 7, 8, 9, 10, 11, 12, 14])
        #expect(listing.problems.allSatisfy { $0.place == sandbox.path + "/l.csv" })
        let (size, time) = (
            "has no size in whole bytes",
            "has no lastModified in ISO 8601, seconds or milliseconds since 1970"
        )
        #expect(
            listing.problems.map(\.reason) == [
                "has 2 fields, and the header has 3: the row is malformed or cut off",
                "has 4 fields, and the header has 3: the row is malformed or cut off",
                "a quote stands in an unquoted field", "text follows a closing quote", size, size,
                size, time, "has no key",
            ])
    }

    @Test(
        "A file cut in the middle of a line is incomplete wherever the cut is",
        arguments: ["a", "a,1", "\"a", "\"a\"\"", "a,\"1", "a,1,2026-11-21T02:0"])
    func cutRow(tail: String) async throws {
        let whole = "key,size,lastModified\nfirst,1,\(Self.when)\n"
        let listing = try await list("l.csv", whole + tail)
        #expect(listing.items.map(\.key.text) == ["first"])
        #expect(listing.problems.map(\.line) == [3])
        let seconds = "key,size,lastModified\nfirst,1,\(Self.when)\na,1,1763690"
        #expect(
            try await list("l.csv", seconds).problems.map(\.reason) == [
                "the time has fewer than 9 digits, and no line break follows: the file is cut off"
            ])
        #expect(try await list("l.csv", whole).result.isComplete)
        #expect(try await list("l.csv", whole + "b,1,\(Self.when)").result.isComplete)
    }

    @Test("A header that lacks or repeats a column is a problem, and so is none")
    func headers() async throws {
        for header in [
            "", "\n", "Key,size,lastModified\n", "key,size\n", "key,key,size,lastModified\n",
        ] {
            let listing = try await list("l.csv", header + "a,1,\(Self.when)\n")
            #expect(!listing.result.isComplete && listing.items.isEmpty)
            #expect(listing.problems.first?.line == 1)
        }
        #expect(try await list("l.csv", "key,size,lastModified\n").result.isComplete)
    }

    @Test("JSON lines: escapes, surrogates, keyBase64, either form of a time")
    func jsonLines() async throws {
        let lines = [
            #"{"key":"a\/b\n\u00e9\ud83d\ude00\u0000","size":1,"#
                + #""lastModified":"2026-11-21T02:00:00Z"}"#,
            #" {"x":[1,{"key":2}],"etag":"\"e\"","lastModified":1763690400,"size":2,"key":"c"} "#,
            "",
            #"{"key":"?","keyBase64":"//4=","size":3,"lastModified":1763690400123}"#,
        ]
        let listing = try await list("l.jsonl", lines.joined(separator: "\r\n"))
        #expect(listing.result.isComplete)
        #expect(
            listing.items.map(\.key.bytes) == [
                Array("a/b\né😀\0".utf8), Array("c".utf8), [0xff, 0xfe],
            ])
        #expect(listing.items.map(\.version.etag) == ["", "e", ""])
        #expect(listing.items.map(\.version.size) == [1, 2, 3])
        #expect(
            listing.items.map(\.version.lastModified.nanoseconds) == [
                1_795_226_400_000_000_000, 1_763_690_400_000_000_000, 1_763_690_400_123_000_000,
            ])
    }

    @Test(
        "A line that is no such object is a problem, and the rest is read",
        arguments: [
            "[]", "{", "{}", "null", #"{"key":"a"}"#, #"{"key":"a","size":1}"#,
            #"{"key":"\ud800","size":1,"lastModified":1}"#,
            #"{"key":"\udc00\ud800","size":1,"lastModified":1}"#,
            #"{"key":"\ud800\u0041","size":1,"lastModified":1}"#,
            #"{"key":"a","key":"b","size":1,"lastModified":1}"#,
            #"{"key":"a","\u006bey":"b","size":1,"lastModified":1}"#,
            #"{"key":"a","size":1.5,"lastModified":1}"#,
            #"{"key":"a","size":"1","lastModified":1}"#,
            #"{"key":7,"size":1,"lastModified":1}"#,
            #"{"key":"a","size":1,"lastModified":"x"}"#,
            #"{"key":"a","size":1,"lastModified":null}"#,
            #"{"key":"a","keyBase64":"?","size":1,"lastModified":1}"#,
            #"{"key":"a","size":1,"lastModified":1} x"#, #"{"key":"a" "size":1}"#,
            #"{"key":"a\x","size":1,"lastModified":1}"#, #"{"key":"a","size":01}"#,
            "{\"key\":\"a\tb\",\"size\":1,\"lastModified\":1}",
        ])
    func malformedLines(line: String) async throws {
        let good = #"{"key":"good","size":1,"lastModified":1}"#
        let listing = try await list("l.jsonl", good + "\n" + line + "\n" + good + "\n")
        #expect(listing.items.map(\.key.text) == ["good", "good"])
        #expect(listing.problems.map(\.line) == [2])
    }

    @Test("A line's fault is said in words")
    func lineWords() async throws {
        let time = "has no lastModified in ISO 8601, seconds or milliseconds since 1970"
        for (line, reason) in [
            (#"{"key":"a","size":1.5,"lastModified":1}"#, "has no size in whole bytes"),
            (#"{"key":7,"size":1,"lastModified":1}"#, "has a \"key\" that is no string"),
            (#"{"key":"a","size":1,"lastModified":"x"}"#, time),
            (#"{"key":"a","size":1,"lastModified":null}"#, time),
            (
                #"{"key":"a","keyBase64":"?","size":1,"lastModified":1}"#,
                "has a keyBase64 that is no base64"
            ),
        ] {
            let listing = try await list("l.jsonl", line + "\n")
            #expect(listing.problems.map(\.reason) == [reason])
        }
    }

    @Test("A JSON file cut at any byte of its last line is incomplete")
    func cutLine() async throws {
        let line = #"{"key":"a\u00e9","size":12,"lastModified":"2026-11-21T02:00:00Z"}"#
        for length in 1..<line.utf8.count {
            let content = Array((line + "\n").utf8) + Array(line.utf8.prefix(length))
            let listing = try await list("l.jsonl", content)
            #expect(listing.items.count == 1)
            #expect(listing.problems.map(\.line) == [2])
            #expect(listing.problems.first?.reason.contains("ends in the middle") == true)
        }
        #expect(try await list("l.jsonl", line + "\n" + line).items.count == 2)
    }

    @Test("The extension tells the format, and without one the first byte")
    func formats() async throws {
        let csv = "key,size,lastModified\na,1,\(Self.when)\n"
        let json = #"{"key":"a","size":1,"lastModified":1}"#
        for name in ["l.csv", "l.txt", "l", "l.csv.gz"] {
            #expect(try await list(name, csv).items.count == 1)
        }
        for name in ["l.jsonl", "l.json", "l.ndjson", "l.txt", "l", "l.json.gz"] {
            #expect(try await list(name, json).items.count == 1)
        }
        #expect(try await list("l.csv", json).result.isComplete == false)
    }

    @Test("gzip is inflated, member after member, and zeros may follow")
    func gzipMembers() async throws {
        let rows = (0..<20_000).map { "key-\($0),\($0),\(Self.when)\n" }
        let first = try gzip(
            Array(("key,size,lastModified\n" + rows[..<9_999].joined() + "key-9999,99").utf8))
        let second = try gzip(Array(("99,\(Self.when)\n" + rows[10_000...].joined()).utf8))
        for tail in [[], [UInt8](repeating: 0, count: 512)] {
            let listing = try await list("l.csv.gz", first + second + tail)
            #expect(listing.result.isComplete)
            #expect(listing.items.count == 20_000)
            #expect(listing.items.allSatisfy { $0.key.text == "key-\($0.version.size)" })
            #expect(listing.batchSizes.allSatisfy { $0 <= 4_000 })
        }
    }

    @Test("gzip that is cut off, damaged or followed by other data is incomplete")
    func gzipFaults() async throws {
        let rows = (0..<5_000).map { "key-\($0),1,\(Self.when)\n" }.joined()
        let whole = try gzip(Array(("key,size,lastModified\n" + rows).utf8))
        for length in [0, 1, 2, 9, 10, 11, whole.count / 2, whole.count - 8, whole.count - 1] {
            let listing = try await list("l.csv.gz", Array(whole[..<length]))
            #expect(!listing.result.isComplete, "cut at \(length)")
            #expect(listing.items.allSatisfy { $0.key.text.hasPrefix("key-") })
        }
        let cut = try await list("l.csv.gz", Array(whole[..<(whole.count - 1)]))
        #expect(cut.items.count == 5_000)
        #expect(cut.problems.map(\.line) == [5_002])
        #expect(cut.problems.first?.reason.contains("cut off") == true)
        #expect(
            try await list("l.csv.gz", []).problems.first?.reason
                == "the gzip data is cut off: the file is empty")
        var damaged = whole
        damaged[whole.count / 2] ^= 0xff
        #expect(
            try await list("l.csv.gz", damaged).problems.last?.reason
                == "the gzip data is damaged")
        for tail in [[1, 2, 3], [0, 0, 1], Array(whole[..<7])] as [[UInt8]] {
            let more = try await list("l.csv.gz", whole + tail)
            #expect(!more.result.isComplete)
            #expect(
                tail.first != 0
                    || more.problems.last?.reason == "other data follows the gzip data")
        }
    }

    @Test("The row at which gzip is cut is never taken for a whole one")
    func gzipCutRow() async throws {
        let content = "key,size,lastModified\na,1,1763690400\nb,1,176369040000"
        let stored = try gzip(Array(content.utf8))
        let listing = try await list("l.csv.gz", Array(stored[..<(stored.count - 8)]))
        #expect(listing.items.map(\.key.text) == ["a"])
        #expect(!listing.result.isComplete)
    }

    @Test("The window is when it was taken, or when the file was written")
    func window() async throws {
        let taken = Instant(seconds: 1_700_000_000)
        let content = Array("key,size,lastModified\n".utf8)
        let given = try await list("l.csv", content, taken: taken)
        #expect(given.result.window == ScanWindow(from: taken, to: taken))
        let before = Instant.now - .seconds(60)
        let written = try await list("l.csv", content)
        #expect(written.result.window.from > before)
        #expect(written.result.window.from == written.result.window.to)
    }

    @Test("A file that is missing or a folder is one problem")
    func unreadable() async throws {
        for name in ["none.csv", "files", "l\0.csv"] {
            let bucket = ListingBucket(name: "media", file: sandbox.path + "/" + name)
            #expect(try await bucket.listed().result.problemCount == 1)
        }
    }

    @Test("A listing answers nothing about now, and is nothing that acts")
    func refuses() async throws {
        let bucket = ListingBucket(name: "media", file: "l.csv")
        let key = ObjectKey("a")
        #expect(!((bucket as any Bucket) is any ActingBucket))
        #expect(!bucket.isLive && bucket.kind == "listing")
        let doubt = "a listing is a copy and does not tell what is there now"
        #expect(await bucket.head(key).doubt == doubt)
        #expect(await bucket.headQuarantined(key, run: run(1)).doubt == doubt)
        #expect(
            try await bucket.listedQuarantine().problems.map(\.reason)
                == ["a listing knows no quarantine"])
    }
}
