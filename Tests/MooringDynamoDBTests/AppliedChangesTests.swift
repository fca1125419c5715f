import Foundation
import MooringFiles
import MooringModel
import SeededNumbers
import StoreConformance
import Testing

@testable import MooringDynamoDB

@Suite("Incremental exports on top of a full one")
struct AppliedChangesTests {
    private let wanted = RecordScope.columns([
        TableColumns(table: "Song", columns: ["id", "cover"])
    ])

    private static func item(_ id: Int, _ cover: String) -> String {
        #"{"cover":{"S":"\#(cover)"},"id":{"S":"\#(id)"},"n":{"N":"1"}}"#
    }

    private static func line(_ id: Int, _ cover: String) -> String {
        #"{"Item":\#(item(id, cover))}"#
    }

    // A change at a second behind the full export's ten o'clock; a removal without a cover.
    private static func change(_ id: Int, _ second: Int, _ cover: String?) -> String {
        let micros = (1_795_168_800 + second) * 1_000_000
        return #"{"Metadata":{"WriteTimestampMicros":{"N":"\#(micros)"}},"#
            + #""Keys":{"id":{"S":"\#(id)"}},"OldImage":\#(item(id, "old"))"#
            + (cover.map { #","NewImage":\#(item(id, $0))"# } ?? "") + "}"
    }

    private static func form(
        _ id: String, _ from: String, _ to: String
    ) -> WrittenExport.Form {
        WrittenExport.Form(
            id: id, time: "2026-11-20T\(to):00Z", isIncremental: true,
            from: "2026-11-20T\(from):00Z")
    }

    private func rows(_ export: WrittenExport) async throws -> (rows: [Int: String], ScanResult) {
        let scan = try await export.source(applyingChanges: true).read(wanted)
        var rows: [Int: String] = [:]
        for row in scan.batches.flatMap(\.rows) {
            guard case .text(let id) = row[0], case .text(let cover) = row[1],
                let number = Int(String(decoding: id, as: UTF8.self))
            else {
                Issue.record("\(row)")
                continue
            }
            #expect(
                rows.updateValue(String(decoding: cover, as: UTF8.self), forKey: number) == nil,
                "record \(number) stands twice")
        }
        return (rows, scan.result)
    }

    private func told(_ export: WrittenExport) async throws -> String {
        let scan = try await export.source(applyingChanges: true).read(wanted)
        #expect(!scan.result.isComplete)
        return scan.result.problems.map(\.text).joined(separator: "\n")
    }

    @Test("Of each item its newest change tells what it is; what was removed is gone")
    func applied() async throws {
        let export = try WrittenExport()
        try export.write([[Self.line(1, "a"), Self.line(2, "b")], [Self.line(3, "c")]])
        try export.write(
            [[Self.change(1, 60, "x"), Self.change(4, 61, "n")], [Self.change(3, 30, nil)]],
            Self.form("02-b", "09:59", "11:00"))
        try export.write(
            [[Self.change(1, 3_700, "y"), Self.change(4, 3_800, nil)]],
            Self.form("03-c", "11:00", "12:00"))
        let (rows, result) = try await rows(export)
        #expect(result.isComplete, "\(result.problems.map(\.text))")
        #expect(rows == [1: "y", 2: "b"])
        #expect(result.window.from == Instant(iso8601: "2026-11-20T11:59:00Z"))
        #expect(result.window.to == Instant(iso8601: "2026-11-20T12:01:00Z"))
        #expect(
            result.notes == [
                "incremental exports applied to the full one of table \"Song\": 2; its records "
                    + "are those of 2026-11-20T12:00:00Z"
            ])
        let all = try await export.source(applyingChanges: true).read(.everything)
        #expect(all.batches.flatMap(\.rows).count == 2)
        #expect(all.batches.allSatisfy { Set($0.columns) == ["cover", "id", "n"] })
        let plain = try await export.source().read(wanted)
        #expect(plain.result.isComplete && plain.batches.flatMap(\.rows).count == 3)
        #expect(plain.result.notes.allSatisfy { $0.contains("'incremental: apply' does") })
    }

    @Test("Exports that overlap, in whatever order, tell the same; at one moment what is kept wins")
    func overlap() async throws {
        let export = try WrittenExport()
        try export.write([[Self.line(1, "a"), Self.line(2, "b")]])
        try export.write(
            [[Self.change(1, 4_000, "new"), Self.change(2, 50, "kept")]],
            Self.form("04-d", "09:30", "11:30"))
        try export.write(
            [[Self.change(1, 60, "older"), Self.change(2, 50, nil)]],
            Self.form("05-e", "09:50", "11:00"))
        let (rows, result) = try await rows(export)
        #expect(result.isComplete, "\(result.problems.map(\.text))")
        #expect(rows == [1: "new", 2: "kept"])
    }

    @Test("New images alone are enough")
    func newImages() async throws {
        let export = try WrittenExport()
        try export.write([[Self.line(1, "a"), Self.line(2, "b")]])
        var form = Self.form("02-b", "09:59", "11:00")
        form.view = "NEW_IMAGE"
        let removal =
            #"{"Metadata":{"WriteTimestampMicros":{"N":"1795168860000000"}},"#
            + #""Keys":{"id":{"S":"1"}}}"#
        try export.write([[removal]], form)
        #expect(try await rows(export).rows == [2: "b"])
    }

    @Test("A chain with a gap, or that is no chain, tells no state")
    func gaps() async throws {
        let full = [[Self.line(1, "a")]]
        for (links, words) in [
            (
                [Self.form("02-b", "10:00", "11:00")],
                "02-b begins at 2026-11-20T10:00:00Z, and nothing tells what changed from "
                    + "2026-11-20T09:59:00Z on, a minute before the full export"
            ),
            (
                [Self.form("02-b", "09:59", "11:00"), Self.form("03-c", "11:01", "12:00")],
                "03-c begins at 2026-11-20T11:01:00Z, and nothing tells what changed from "
                    + "2026-11-20T11:00:00Z on: export"
            ),
            ([Self.form("02-b", "11:00", "11:00")], "does not say from when to when"),
        ] as [([WrittenExport.Form], String)] {
            let export = try WrittenExport()
            try export.write(full)
            for link in links { try export.write([[]], link) }
            let told = try await told(export)
            #expect(told.contains(words), "\(told)")
        }
    }

    @Test("Changes of another table, without new images, or alone, tell no state")
    func others() async throws {
        for (change, words) in [
            ({ $0.tableID = "t-2" }, "is of another table of the same name"),
            ({ $0.view = nil }, "does not say that it holds new images"),
            ({ $0.view = "KEYS_ONLY" }, "does not say that it holds new images"),
        ] as [((inout WrittenExport.Form) -> Void, String)] {
            let export = try WrittenExport()
            try export.write([[Self.line(1, "a")]])
            var form = Self.form("02-b", "09:59", "11:00")
            change(&form)
            try export.write([[Self.change(1, 60, nil)]], form)
            let told = try await told(export)
            #expect(told.contains(words), "\(told)")
        }
        let alone = try WrittenExport()
        try alone.write([[Self.change(1, 60, "x")]], Self.form("02-b", "09:59", "11:00"))
        #expect(try await told(alone).contains("nobody can tell its state from them"))
    }

    @Test("What ended before the full export is part of it already")
    func before() async throws {
        let export = try WrittenExport()
        try export.write([[Self.line(1, "a")]])
        try export.write([[Self.change(1, -4_000, "x")]], Self.form("02-b", "08:00", "09:00"))
        try export.write([[Self.change(1, -30, "y")]], Self.form("03-c", "09:00", "10:00"))
        let (rows, result) = try await rows(export)
        #expect(result.isComplete && rows == [1: "a"], "\(result.problems.map(\.text))")
        #expect(result.window.to == Instant(iso8601: "2026-11-20T10:01:00Z"))
        #expect(result.notes.count == 2)
        #expect(
            result.notes.allSatisfy {
                $0.hasSuffix("is not applied to it: it serves mooring explain")
            })
    }

    @Test("A change that cannot be read makes it incomplete")
    func faults() async throws {
        for (line, words) in [
            (
                Self.change(1, 60, "x").replacing(#""Keys":{"id":{"S":"1"}},"#, with: ""),
                "which item"
            ),
            (Self.change(1, 60, "x").replacing("WriteTimestampMicros", with: "x"), "when it was"),
            (
                Self.change(1, 60, "x").replacing(#"{"S":"1"}}"#, with: #"{"BOOL":true}}"#),
                "a key of"
            ),
            (Self.change(1, -121, "x"), "at a time that its export is not of"),
            (Self.change(1, 3_660, "x"), "at a time that its export is not of"),
            (
                Self.change(1, 60, "x").replacing(#"{"S":"1"}}"#, with: #"{"N":"one"}}"#),
                "is no number"
            ),
            ("{", "ends too early"),
        ] {
            let export = try WrittenExport()
            try export.write([[Self.line(1, "a")]])
            try export.write([[line]], Self.form("02-b", "09:59", "11:00"))
            let told = try await told(export)
            #expect(told.contains(words), "\(told)")
        }
        let keys = try WrittenExport()
        try keys.write([[Self.line(1, "a")]])
        let other = Self.change(1, 60, "x").replacing(#""Keys":{"id""#, with: #""Keys":{"cover""#)
        try keys.write(
            [[Self.change(2, 60, "x"), other]], Self.form("02-b", "09:59", "11:00"))
        #expect(try await told(keys).contains("have keys of different attributes"))
        let lacking = try WrittenExport()
        try lacking.write([[#"{"Item":{"cover":{"S":"a"}}}"#]])
        try lacking.write([[Self.change(1, 60, "x")]], Self.form("02-b", "09:59", "11:00"))
        #expect(try await told(lacking).contains("lacks a key attribute"))
    }

    @Test("A change within a minute of its export's time is one of it")
    func edges() async throws {
        let export = try WrittenExport()
        try export.write([[Self.line(1, "a"), Self.line(2, "b")]])
        try export.write(
            [[Self.change(1, -120, "x"), Self.change(2, 3_659, "y")]],
            Self.form("02-b", "09:59", "11:00"))
        let (rows, result) = try await rows(export)
        #expect(result.isComplete && rows == [1: "x", 2: "y"], "\(result.problems.map(\.text))")
    }

    @Test("A number has one form, however it is written")
    func numbers() {
        func form(_ text: String) -> String? {
            NumberForm.of(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        for texts in [
            ["1", "1.0", "1e0", "01", "+1", "10E-1", "0.1e+1", "1."], ["0", "-0", "0.00", "0e9"],
            ["-12.5", "-125E-1", "-0012.500"], ["1200", "1.2e3", "12e2"], [".5", "5e-1"],
        ] {
            #expect(Set(texts.map(form)).count == 1 && form(texts[0]) != nil, "\(texts)")
        }
        #expect(Set(["1", "-1", "10", "0.1", "11", "0"].map(form)).count == 6)
        for text in ["", "-", ".", "e1", "1e", "1e+", "1.2.3", "x", "1e1234567890", "--1"] {
            #expect(form(text) == nil, "\(text)")
        }
    }

    @Test("A key of a number is one key, however it is written")
    func numberKeys() async throws {
        let export = try WrittenExport()
        try export.write([[#"{"Item":{"cover":{"S":"a"},"id":{"S":"k"},"n":{"N":"1.0"}}}"#]])
        let keys = Self.change(1, 60, nil).replacing(
            #""Keys":{"id":{"S":"1"}}"#, with: #""Keys":{"n":{"N":"1"}}"#)
        try export.write([[keys]], Self.form("02-b", "09:59", "11:00"))
        let scan = try await export.source(applyingChanges: true).read(wanted)
        #expect(scan.result.isComplete, "\(scan.result.problems.map(\.text))")
        #expect(scan.batches.flatMap(\.rows).isEmpty, "its newest change removed it")
    }

    @Test("No room is kept for large items")
    func room() throws {
        let folder = try WrittenExport()
        let spool = ItemSpool(in: folder.folder.path)
        for number in 0..<ItemSpool.buckets {
            let key = ItemKey(high: UInt64(number) << 56, low: 0)
            try spool.append(key, written: 0, [UInt8](repeating: 7, count: 200_000))
        }
        #expect(spool.capacity <= ItemSpool.buckets * 64 << 10, "\(spool.capacity)")
    }

    @Test("A scratch folder that is not there is told, and nothing is judged")
    func scratch() async throws {
        let export = try WrittenExport()
        try export.write([[Self.line(1, "a")]])
        try export.write([[Self.change(1, 60, "x")]], Self.form("02-b", "09:59", "11:00"))
        let source = DynamoDBExportSource(
            name: "app", store: ExportFolder(export.folder.path), names: TableNames(),
            applyingChangesIn: "/nowhere")
        let scan = try await source.read(wanted)
        #expect(!scan.result.isComplete)
        #expect(scan.result.problems.first?.reason.contains("by --scratch") == true)
    }

    @Test("Random chains tell what a plain replay of all changes tells")
    func random() async throws {
        let seed = Seed.one()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<6 {
            let export = try WrittenExport()
            var state: [Int: String] = [:]
            for id in 0..<200 where random.bool() { state[id] = "f\(id)" }
            let lines = state.sorted { $0.key < $1.key }.map { Self.line($0.key, $0.value) }
            let half = lines.count / 2
            try export.write([Array(lines[..<half]), Array(lines[half...])])
            // One newest change for each item and export, in any order among the lines.
            for (number, hour) in (10..<13).enumerated() {
                var changed: [Int: String?] = [:]
                for _ in 0..<random.number(0...80) {
                    let id = random.number(0...220)
                    changed[id] = .some(random.number(0...2) == 0 ? nil : "h\(hour)-\(id)")
                }
                let told = changed.map { id, cover in
                    Self.change(id, number * 3_600 + random.number(1...3_000), cover)
                }.shuffled(using: &random)
                try export.write(
                    [told],
                    Self.form(
                        "1\(number)-x", number == 0 ? "09:59" : "\(hour):00", "\(hour + 1):00"))
                for (id, cover) in changed { state[id] = cover }
            }
            let (rows, result) = try await rows(export)
            #expect(result.isComplete, "seed \(seed): \(result.problems.map(\.text))")
            #expect(rows == state, "seed \(seed)")
        }
    }

    @Test("Nothing kept is lost between the chunks of a spool")
    func spool() throws {
        let folder = try WrittenExport()
        let spool = ItemSpool(in: folder.folder.path)
        var expected: [ItemKey: Int] = [:]
        for number in 0..<3_000 {
            let key = ItemKey(high: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, low: UInt64(number))
            let size = number % 500 == 0 ? 200_000 : number % 97
            expected[key] = size
            try spool.append(
                key, written: Int64(number), [UInt8](repeating: UInt8(number % 251), count: size))
        }
        var found: [ItemKey: Int] = [:]
        for bucket in 0..<ItemSpool.buckets {
            for chunk in 0..<(try spool.chunkCount(bucket)) {
                for entry in try spool.entries(chunk, of: bucket) {
                    #expect(entry.item.allSatisfy { $0 == UInt8(entry.written % 251) })
                    #expect(found.updateValue(entry.item.count, forKey: entry.key) == nil)
                }
            }
        }
        #expect(found == expected)
    }
}
