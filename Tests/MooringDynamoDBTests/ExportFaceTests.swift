import Foundation
import MooringFiles
import MooringModel
import StoreConformance
import Testing

@testable import MooringDynamoDB

/// What is known of an export before its items are read, and the reading of some of them alone.
@Suite("Exports that somebody else reads line by line")
struct ExportFaceTests {
    private static func line(_ id: Int) -> String {
        #"{"Item":{"cover":{"S":"k\#(id)"},"id":{"S":"\#(id)"}}}"#
    }

    private static func made(_ change: (inout WrittenExport.Form) -> Void = { _ in }) throws
        -> WrittenExport
    {
        var form = WrittenExport.Form()
        change(&form)
        let export = try WrittenExport()
        try export.write([(0..<5).map(line), (5..<7).map(line)], form)
        return export
    }

    private func look(at export: WrittenExport, table: String = "Song") async throws -> ExportFace {
        try await ExportFace(export.folder.path, names: TableNames(), table: table)
    }

    @Test("It names its files, and sums up their lines and bytes")
    func sums() async throws {
        let export = try Self.made()
        let face = try await look(at: export)
        #expect(face.path == export.folder.path + "/AWSDynamoDB/01-a/manifest-summary.json")
        #expect(face.parts.count == 2)
        let sum = try await face.sum()
        #expect(sum.lines == 7)
        #expect(sum.bytes == Int64((0..<7).map { Self.line($0).utf8.count }.reduce(0, +)))
    }

    @Test("What it cannot be read by line by line is told")
    func refuses() async throws {
        for (words, table, change) in [
            ("other full exports", "Page", { _ in }),
            ("whose MD5 is another", "Song", { $0.sumsText = true }),
            ("no full export of it is there", "Song", { $0.isIncremental = true }),
        ] as [(String, String, (inout WrittenExport.Form) -> Void)] {
            let export = try Self.made(change)
            await #expect {
                _ = try await look(at: export, table: table).sum()
            } throws: { ($0 as? ReadFailure)?.reason.contains(words) == true }
        }
        let export = try Self.made()
        let face = try await look(at: export)
        try export.spoil("AWSDynamoDB/01-a/data/01-a-0.json.gz") { $0.append(0) }
        await #expect(throws: ReadFailure.self) { _ = try await face.sum() }
    }

    @Test("A part whose lines are not its items is told, though its sum is right")
    func blankLines() async throws {
        let export = try WrittenExport()
        try export.write([[Self.line(1), Self.line(2) + "\n"]])
        let face = try await look(at: export)
        await #expect {
            _ = try await face.sum()
        } throws: { ($0 as? ReadFailure)?.reason.contains("has 3 lines, with 2 items") == true }
    }

    @Test("Some lines are read by the manifests, and have to be those that were written")
    func some() async throws {
        let export = try Self.made()
        let face = try await look(at: export)
        let bytes = Array((Self.line(3) + "\n" + Self.line(6) + "\n").utf8)
        try export.put("rows.txt", Data(bytes))
        let file = export.folder.path + "/rows.txt"
        let wanted = RecordScope.columns([TableColumns(table: "Song", columns: ["id"])])
        let md5 = ExportChecksum.of(bytes)
        let source = face.source(named: "app", lines: file, count: 2, md5: md5)
        for scope in [wanted, .everything] {
            let scan = try await source.read(scope)
            #expect(scan.result.isComplete)
            #expect(scan.result.window.from == Instant(iso8601: "2026-11-20T09:59:00Z"))
            #expect(scan.batches.flatMap(\.rows).count == 2)
        }
        let fewer = face.source(named: "app", lines: file, count: 3, md5: md5)
        #expect(try await !fewer.read(wanted).result.isComplete)
        let other = face.source(
            named: "app", lines: file, count: 2, md5: ExportChecksum.of(bytes + [0x0A]))
        #expect(try await !other.read(wanted).result.isComplete)
        try export.spoil("AWSDynamoDB/01-a/manifest-files.json") { $0.append(0x0A) }
        #expect(try await !source.read(wanted).result.isComplete)
    }
}
