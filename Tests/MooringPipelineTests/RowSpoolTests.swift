import Glibc
import MooringModel
import SeededNumbers
import Testing

@testable import MooringPipeline

/// What was read of a live store comes back as it was, and leaves nothing behind.
@Suite("Rows that are kept to be read again")
struct RowSpoolTests {
    private static func value(_ generator: inout SeededGenerator) -> FieldValue {
        switch generator.number(0...7) {
        case 0: .absent
        case 1: .null
        case 2: .integer(Int64(bitPattern: generator.next()))
        case 3: .real(Double(generator.number(0...1_000)) / 7)
        case 4: .text(generator.hostileBytes())
        case 5: .blob([UInt8](repeating: 7, count: generator.number(0...70_000)))
        case 6: .json(Array("{\"a\": [1]}".utf8))
        default: .attribute(Array("{\"S\": \"x\"}".utf8))
        }
    }

    private static func folder() throws -> String {
        var template = Array("/tmp/mooring-spool-XXXXXX".utf8CString)
        return try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    private static func entries(_ folder: String) throws -> [String] {
        let open = try #require(opendir(folder))
        defer { closedir(open) }
        var names: [String] = []
        while let entry = readdir(open) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    @Test("come back byte for byte in their order, as often as they are asked for, without a name")
    func replay() async throws {
        var generator = SeededGenerator("rows in a spool")
        let folder = try Self.folder()
        defer { rmdir(folder) }
        for _ in 0..<20 {
            let spool = RowSpool(in: folder)
            let batches = (0..<generator.number(0...12)).map { _ in
                let width = generator.number(1...5)
                return RecordBatch(
                    table: generator.one(of: ["Song", "Album", "\u{E9}"]),
                    columns: (0..<width).map { "c\($0)" },
                    rows: (0..<generator.number(0...40)).map { _ in
                        (0..<width).map { _ in Self.value(&generator) }
                    })
            }
            for batch in batches { spool.append(batch) }
            for _ in 0..<2 {
                var found: [RecordBatch] = []
                try await spool.replay { found.append($0) }
                let kept = batches.filter { $0.count > 0 }
                #expect(found.map(\.table) == kept.map(\.table))
                #expect(found.map(\.columns) == kept.map(\.columns))
                #expect(found.map(\.rows) == kept.map(\.rows))
            }
            #expect(spool.failure == nil)
            #expect(try Self.entries(folder) == [])
        }
    }

    @Test("are told to be missing where the folder is not there, and none of them is given")
    func noFolder() async throws {
        let spool = RowSpool(in: "/tmp/mooring-no-such-folder/scratch")
        spool.append(
            RecordBatch(table: "Song", columns: ["id"], rows: [[.text([0x61])]]))
        try await spool.replay { _ in Issue.record("a row was given") }
        #expect(
            spool.failure
                == "what was read of it could not be kept in /tmp/mooring-no-such-folder/scratch, "
                + "where it is read again: No such file or directory; give a folder with more room "
                + "by --scratch")
    }
}
