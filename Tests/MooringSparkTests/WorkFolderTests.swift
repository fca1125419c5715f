import Foundation
import MooringFiles
import Testing

@testable import MooringSpark

/// The files of a run's folder, which are written and read piece by piece.
@Suite("The folder of a Spark run")
struct WorkFolderTests {
    private let home: TemporaryFolder
    private let folder: WorkFolder

    init() throws {
        home = try TemporaryFolder()
        folder = try WorkFolder(below: home.path)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/1/facts", withIntermediateDirectories: true)
    }

    private func put(_ text: String, _ name: String) throws {
        try text.write(
            toFile: folder.path + "/1/facts/" + name, atomically: false, encoding: .utf8)
    }

    @Test("lines are those of all parts in their order, however long, but for empty ones")
    func lines() throws {
        // Longer than what is read at once, and with its end at the border of that.
        let long = String(repeating: "x", count: 3 << 20)
        let even = String(repeating: "y", count: (1 << 20) - 1)
        try put("a\n\n\(long)\nb", "part-1")
        try put("\(even)\nc\n", "part-0")
        try put("no part of it", "other")
        #expect(folder.lines(of: "1/facts") == nil)
        try put("", "_SUCCESS")
        let lines = try #require(folder.lines(of: "1/facts")).map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(lines == [even, "c", "a", long, "b"])
        try FileManager.default.createDirectory(
            atPath: folder.path + "/1/facts/part-2", withIntermediateDirectories: true)
        #expect(folder.lines(of: "1/facts") == nil)
    }

    @Test("a file is all of its texts, nobody else's, and its sum is that of its bytes")
    func file() throws {
        let texts = (0..<3).map { Array(repeating: UInt8($0), count: (1 << 20) - 1 + $0) }
        let rows = try NewRows(folder.path + "/rows")
        for text in texts { try rows.append(text) }
        try rows.end()
        let all = Array(texts.joined())
        #expect(WorkFolder.bytes(of: rows.path) == all)
        #expect(rows.checksum.size == Int64(all.count))
        var sum = RunningMD5()
        sum.add(all)
        #expect(rows.checksum.md5 == sum.digest)
        #expect(throws: (any Error).self) { try folder.write([[1]], to: "rows") }
        #expect(WorkFolder.bytes(of: rows.path) == all)
    }
}
