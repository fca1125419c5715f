import Foundation
import MooringFiles
import MooringModel
import StoreConformance
import Testing

@testable import MooringDynamoDB

@Suite("Exports")
struct ExportTests {
    private let wanted = RecordScope.columns([
        TableColumns(table: "Song", columns: ["id", "cover"])
    ])
    private static let data = "AWSDynamoDB/01-a/data/01-a-"

    private static func line(_ id: Int) -> String {
        #"{"Item":{"cover":{"S":"k\#(id)"},"id":{"S":"\#(id)"},"n":{"N":"\#(id)"}}}"#
    }

    private static func made(_ change: (inout WrittenExport.Form) -> Void = { _ in }) throws
        -> WrittenExport
    {
        var form = WrittenExport.Form()
        change(&form)
        let export = try WrittenExport()
        try export.write([(0..<1_500).map(line), [], (1_500..<1_600).map(line)], form)
        return export
    }

    @Test("Every item of every part comes once, packed or not, whichever bytes are summed")
    func whole() async throws {
        for (isPacked, sumsText) in [(true, false), (false, false), (true, true)] {
            let export = try Self.made {
                $0.isPacked = isPacked
                $0.sumsText = sumsText
            }
            let scan = try await export.source().read(wanted)
            #expect(scan.result.problems == [])
            let rows = scan.batches.flatMap(\.rows)
            #expect(rows.count == 1_600)
            #expect(Set(rows.map { $0[0] }).count == 1_600)
            #expect(rows.contains([.text(Array("7".utf8)), .text(Array("k7".utf8))]))
            #expect(scan.batches.allSatisfy { $0.rows.count <= 1_000 })
            #expect(scan.result.window.from == Instant(iso8601: "2026-11-20T09:59:00Z"))
            let all = try await export.source().read(.everything)
            #expect(all.result.isComplete)
            #expect(all.batches.allSatisfy { Set($0.columns) == ["cover", "id", "n"] })
        }
    }

    /// A way to harm an export, and what has to be said of it.
    struct Harm: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: String
        let act: @Sendable (WrittenExport) throws -> Void

        init(
            _ name: String, _ words: String,
            _ act: @escaping @Sendable (WrittenExport) throws -> Void
        ) {
            (testDescription, self.words, self.act) = (name, words, act)
        }
    }

    // A summary in which a text stands in another's place.
    private static func summary(_ text: String, _ other: String, _ words: String) -> Harm {
        Harm("the summary says \(other)", "manifest-summary.json: \(words)") {
            try $0.spoil("AWSDynamoDB/01-a/manifest-summary.json") {
                $0 = Data(String(decoding: $0, as: UTF8.self).replacing(text, with: other).utf8)
            }
        }
    }

    private static let harms = [
        Harm("a part is missing", "01-a-0.json.gz: is missing") {
            try $0.remove(data + "0.json.gz")
        },
        Harm("a part is extra", "more.json.gz: is not in the manifest") {
            try $0.put("AWSDynamoDB/01-a/data/more.json.gz", Data())
        },
        Harm("a part is extra and lies beside the manifest", "01-a/more.json.gz: is not in the") {
            try $0.put("AWSDynamoDB/01-a/more.json.gz", Data())
        },
        Harm("a part is extra and not packed", "01-a/part/more.json: is not in the manifest") {
            try $0.put("AWSDynamoDB/01-a/part/more.json", Data())
        },
        Harm("a part is cut off", "01-a-0.json.gz: the gzip data is cut off") {
            try $0.spoil(data + "0.json.gz") { $0.removeLast(100) }
        },
        Harm("a part has another byte", "01-a-2.json.gz") {
            try $0.spoil(data + "2.json.gz") { $0[$0.count / 2] ^= 0x55 }
        },
        Harm("a part has other bytes behind its end", "01-a-2.json.gz") {
            try $0.spoil(data + "2.json.gz") { $0.append(contentsOf: [0, 0]) }
        },
        Harm("a part is empty", "01-a-0.json.gz: holds 0 items, and the manifest says 1500") {
            try $0.put(data + "0.json.gz", Data())
        },
        Harm(
            "the summary is damaged",
            "manifest-summary.json: is damaged: its MD5 is not the one in manifest-summary.checksum"
        ) {
            try $0.spoil("AWSDynamoDB/01-a/manifest-summary.json") { $0.append(0x20) }
        },
        Harm("the manifest is damaged", "manifest-files.json: is damaged") {
            try $0.spoil("AWSDynamoDB/01-a/manifest-files.json") { $0.append(0x0A) }
        },
        Harm("the manifest is cut", "names no data file in line 3") {
            try $0.spoil("AWSDynamoDB/01-a/manifest-files.json") { $0.removeLast(10) }
        },
        Harm(
            "a checksum is missing",
            "manifest-files.checksum: is missing, so that nobody can check its file"
        ) {
            try $0.remove("AWSDynamoDB/01-a/manifest-files.checksum")
        },
        Harm("a part is named twice", "manifest-files.json: names a data file twice") {
            try $0.spoil("AWSDynamoDB/01-a/manifest-files.json") { $0.append($0) }
        },
        Harm("more items are named than there are", "and the summary says 1600") {
            try $0.spoil("AWSDynamoDB/01-a/manifest-files.json") { $0.append($0) }
        },
        summary("DYNAMODB_JSON", "ION", "says that the format is \"ION\"; export as DYNAMODB_JSON"),
        summary("table/Song", "other/Song", "names no table in tableArn"),
        summary("exportTime", "time", "does not say of which moment it is"),
        summary("exportType", "filterSpecification", "says that it is filtered, so that it holds"),
        summary("itemCount", "count", "does not say how many items there are"),
        summary("manifestFilesS3Key", "key", "names no manifestFilesS3Key"),
        Harm("it was never finished", "is an export that is not finished") {
            try $0.remove("AWSDynamoDB/01-a/manifest-summary.json")
        },
        Harm("the place is empty", "no export lies here") { try $0.remove("AWSDynamoDB") },
        Harm("a key leads out of it", "names no data file in line 1") {
            try $0.spoil("AWSDynamoDB/01-a/manifest-files.json") {
                $0 = Data(
                    String(decoding: $0, as: UTF8.self)
                        .replacing("AWSDynamoDB/01-a/data/", with: "../../../etc/").utf8)
            }
        },
    ]

    @Test("What is missing, extra or damaged makes it incomplete, and is named", arguments: harms)
    func damaged(_ harm: Harm) async throws {
        let export = try Self.made()
        try harm.act(export)
        for scope in [wanted, .everything] {
            let scan = try await export.source().read(scope)
            #expect(!scan.result.isComplete)
            let told = scan.result.problems.map(\.text).joined(separator: "\n")
            #expect(told.contains(harm.words), "\(told)")
        }
    }

    @Test("A line that is no item is named with its number, and the others are read")
    func lines() async throws {
        let export = try WrittenExport()
        try export.write(
            [[Self.line(1), #"{"Item":{"id":{"S":1}}}"#, "x", Self.line(2), #"{"Other":{}}"#]])
        let scan = try await export.source().read(wanted)
        #expect(scan.batches.flatMap(\.rows).count == 2)
        #expect(scan.result.problems.map(\.line) == [2, 3, 5])
        #expect(scan.result.problems.last?.reason.contains("holds no Item") == true)
        #expect(!scan.result.problems.contains { $0.reason.contains("\"S\"") })
    }

    @Test("A line that is longer than a part's buffer is read like any other")
    func longLine() async throws {
        let export = try WrittenExport()
        let nulls = repeatElement(#"{"NULL":true}"#, count: 200_000).joined(separator: ",")
        let long = #"{"Item":{"id":{"S":"long"},"l":{"L":[\#(nulls)]}}}"#
        try export.write([[Self.line(1), long, Self.line(2)]])
        let scan = try await export.source().read(wanted)
        #expect(scan.result.isComplete)
        #expect(scan.batches.flatMap(\.rows).count == 3)
    }

    @Test("A folder that lies too deep is told, with what to name in its place")
    func deepFolder() async throws {
        let deep = try WrittenExport()
        try deep.put("a/b/c/d/e/f/g/h/i/file", Data())
        let problem = try await deep.source().read(wanted).result.problems.first
        let reason = problem?.reason ?? ""
        #expect(problem?.place.hasSuffix("/a/b/c/d/e/f/g/h/i") == true)
        #expect(
            reason.contains("lies too deep to be looked into, and an export may lie there"),
            "\(reason)")
        #expect(reason.contains("name a folder nearer to the exports"), "\(reason)")
    }

    @Test("A prefix that fits no export is a problem")
    func mixed() async throws {
        let export = try WrittenExport()
        typealias Form = WrittenExport.Form
        try export.write([[Self.line(1)]], Form(table: "Song", id: "01-a"))
        let none = try await export.source(TableNames(prefix: "x-")).read(.everything)
        #expect(
            none.result.problems.map(\.reason)
                == ["no export's table fits tablePrefix and tableSuffix; check them"])
        #expect(
            none.result.notes == [
                "the export of table \"Song\" is not read: tablePrefix and tableSuffix do not fit"
            ])
    }

    @Test("Several tables lie side by side; of one, the newest full export is read")
    func several() async throws {
        let export = try WrittenExport()
        typealias Form = WrittenExport.Form
        try export.write([[Self.line(1)]], Form(table: "x-Song-dev", id: "01-a"))
        try export.write(
            [[Self.line(1), Self.line(2)]],
            Form(table: "x-Song-dev", id: "02-b", time: "2026-11-21T10:00:00Z"))
        try export.write([[Self.line(3)]], Form(table: "x-Post-dev", id: "03-c"))
        try export.write([[Self.line(4)]], Form(table: "Other", id: "04-d"))
        let source = export.source(TableNames(prefix: "x-", suffix: "-dev"))
        let scan = try await source.read(.everything)
        #expect(scan.result.isComplete)
        let counts = Dictionary(grouping: scan.batches, by: \.table)
            .mapValues { $0.reduce(0) { $0 + $1.rows.count } }
        #expect(counts == ["Song": 2, "Post": 1])
        #expect(scan.result.window.from == Instant(iso8601: "2026-11-20T09:59:00Z"))
        #expect(scan.result.notes.count == 2)
        #expect(
            scan.result.notes.contains {
                $0.hasSuffix("of table \"Song\" is not read: a newer one is there")
            })
        let none = try await source.read(
            .columns([TableColumns(table: "None", columns: ["id"])]))
        let told = none.result.problems.first?.reason ?? ""
        #expect(told == #"there is no full export of table "x-None-dev""#)
    }

    @Test("Changes alone are no state; they tell what records held before")
    func incremental() async throws {
        let export = try WrittenExport()
        let lines = [
            #"{"Metadata":{"WriteTimestampMicros":{"N":"1763600000000000"}},"#
                + #""Keys":{"id":{"S":"1"}},"OldImage":{"id":{"S":"1"},"cover":{"S":"k"}},"#
                + #""NewImage":{"id":{"S":"1"},"cover":{"NULL":true}}}"#,
            #"{"Metadata":{"WriteTimestampMicros":{"N":"1763600001000000"}},"#
                + #""Keys":{"id":{"S":"2"}},"OldImage":{"id":{"S":"2"},"cover":{"S":"l"}}}"#,
        ]
        try export.write([lines], WrittenExport.Form(id: "05-e", isIncremental: true))
        let scan = try await export.source().read(wanted)
        #expect(scan.result.problems.contains { $0.reason.contains("holds changes of table") })
        #expect(scan.batches.isEmpty)
        var changes: [RecordedChange] = []
        #expect(try await export.source().changes { changes.append($0) } == [])
        try #require(changes.count == 2)
        #expect(changes[0].written == Instant(seconds: 1_763_600_000))
        #expect(changes[0].before?["cover"] == .text([107]))
        #expect(changes[0].after?["cover"] == .null)
        #expect(changes[1].after == nil)
        try export.write([[Self.line(1)]])
        let both = try await export.source().read(wanted)
        #expect(both.result.isComplete)
        #expect(both.result.notes.contains { $0.contains("serves mooring explain") })
    }

    @Test("A file of changes that no manifest names makes it incomplete, whoever's it is")
    func extraChanges() async throws {
        let export = try WrittenExport()
        try export.write([[Self.line(1)]], WrittenExport.Form(table: "p.Song"))
        let change =
            #"{"Metadata":{"WriteTimestampMicros":{"N":"1763690400000000"}},"#
            + #""Keys":{"id":{"S":"1"}},"NewImage":{"id":{"S":"1"}}}"#
        var form = WrittenExport.Form(
            table: "p.Song", id: "05-e", time: "2026-11-21T10:00:00Z", isIncremental: true)
        form.from = "2026-11-20T09:00:00Z"
        try export.write([[change]], form)
        // Of a table that is not read, in the folder that all changes share.
        try export.write(
            [[change]],
            WrittenExport.Form(
                table: "Else", id: "06-f", time: "2026-11-21T10:00:00Z", isIncremental: true))
        try export.put("AWSDynamoDB/01-a/README.txt", Data())
        let names = TableNames(prefix: "p.")
        #expect(try await export.source(names).read(wanted).result.isComplete)
        try export.put("AWSDynamoDB/data/more.json.gz", Data())
        let scan = try await export.source(names).read(wanted)
        #expect(
            scan.result.problems.map(\.text).contains {
                $0.hasSuffix("AWSDynamoDB/data/more.json.gz: is not in the manifest of any export")
            }, "\(scan.result.problems.map(\.text))")
    }

    @Test("A change that is none, or tells no time, is a problem")
    func oddChanges() async throws {
        let time = #""Metadata":{"WriteTimestampMicros":{"N":"1763600000000000"}}"#
        for (line, reason) in [
            (#"{"Keys":{"id":{"S":"1"}}}"#, "does not say when it was written"),
            ("{\(time),\"Item\":{}}", "is no change of an incremental export"),
            (
                #"{"Metadata":{"WriteTimestampMicros":{"N":"9223372036854775807"}}}"#,
                "was written at no known time"
            ),
        ] {
            let export = try WrittenExport()
            try export.write([[line]], WrittenExport.Form(id: "05-e", isIncremental: true))
            let problems = try await export.source().changes { _ in }
            #expect(problems.contains { $0.reason.contains(reason) }, "\(problems)")
        }
    }

    @Test("It serves no repair")
    func refuses() async throws {
        let source = try Self.made().source()
        #expect(!source.isLive)
        let error = await #expect(throws: StoreError.self) {
            _ = try await source.columns(table: "Song")
        }
        #expect(error?.reason == "is an export, and a copy serves no repair")
        #expect(error?.hint == "let source 'app' read the table itself, by dynamodb:")
        await #expect(throws: StoreError.self) {
            _ = try await source.rows(
                table: "Song", idColumns: ["id"], id: RecordID("1"), columns: ["id"])
        }
    }
}
