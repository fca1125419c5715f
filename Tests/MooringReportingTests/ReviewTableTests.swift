import Foundation
import MooringModel
import Testing

@testable import MooringReporting

@Suite("Tables that people decide in")
struct ReviewTableTests {
    private func row(_ key: [UInt8], part: [UInt8] = []) -> ReviewTable.Row {
        let identity = RecordIdentity(source: "app", model: "Post", id: RecordID(key.suffix(24)))
        let step = PlanStep(
            id: "quarantine-aa", hash: "", strategy: .quarantine, finding: "aa", bucket: "media",
            key: ObjectKey(key), record: RecordPlace(identity: identity),
            precondition: Precondition(
                object: ObjectVersion(
                    size: 17, etag: "=e", lastModified: Instant(seconds: 1_800_000_000))))
        return ReviewTable.Row(step, kind: .orphan, cause: nil, part: part, seen: "v1-aa-bb")
    }

    @Test("No cell is a formula, no row holds a control character, and the key's bytes are there")
    func cells() throws {
        let columns = ReviewTable.header.dropLast().split(separator: ",").map(String.init)
        #expect(columns.first == "decision" && columns.last == "seen")
        for entry in SampleRun.hostileKeys {
            let text = ReviewTable.text(row(entry.bytes, part: entry.bytes))
            #expect(text.hasPrefix(",,") && text.hasSuffix(",v1-aa-bb\r\n"))
            #expect(text.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 }, "\(entry.name)")
            for sign in "=+-@" {
                #expect(!text.contains(",\(sign)") && !text.contains("\"\(sign)"))
            }
            let isPlain = CSVReport.safe(entry.bytes).utf8.elementsEqual(entry.bytes)
            #expect(text.contains(Base64.encode(entry.bytes)) != isPlain, "\(entry.name)")
        }
    }

    @Test("Names of files are plain, short and never the same, whatever the parts are called")
    func names() {
        let parts =
            SampleRun.hostileKeys.map(\.bytes)
            + ["", "a/b", "a-b", "A-b", "..", "CON", "con.csv", "\u{E9}", "caf\u{E9}.x"].map {
                Array($0.utf8)
            }
        let names = parts.enumerated().map { number, part in
            ReviewFolder.fileName(part, number: number + 1, of: 120)
        }
        #expect(Set(names.map { $0.lowercased() }).count == parts.count)
        for name in names {
            #expect(name.utf8.count <= 70 && name.hasSuffix(".csv"))
            #expect(
                name.wholeMatch(of: /[0-9]{3}(-[A-Za-z0-9]+)*\.csv/) != nil, "\(name)")
        }
        #expect(
            ReviewFolder.fileName(Array("app Song/s1".utf8), number: 7, of: 9)
                == "7-app-Song-s1.csv")
    }

    @Test("A folder appears whole or not at all, in the place of nothing or of an empty one")
    func folders() throws {
        let folder = try TemporaryFolder()
        let place = folder.path + "/asked"
        let first = try ReviewFolder(creating: place)
        try first.write("1.csv", [row([0x61])])
        #expect(try folder.names().allSatisfy { $0.hasPrefix(".asked.") })
        first.discard(["1.csv"])
        #expect(try folder.names().isEmpty)
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: false)
        let second = try ReviewFolder(creating: place + "/")
        try second.write("1.csv", [row([0x61])])
        #expect(throws: ReportError.self) { try second.write("1.csv", []) }
        try second.complete()
        #expect(try folder.names("asked") == ["1.csv"])
        #expect(throws: ReportError.self) { try ReviewFolder(creating: place) }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.path + "/none")
        for name in ["link", "asked/1.csv", "asked/1.csv/x", "", ".", "..", "asked/.."] {
            #expect(throws: ReportError.self, "\(name)") {
                try ReviewFolder(creating: folder.path + "/" + name)
            }
        }
        #expect(try folder.names() == ["asked", "link"])
    }

    @Test("What comes to the folder's place while it is written is left, and so is nothing beside")
    func taken() throws {
        let folder = try TemporaryFolder()
        let place = folder.path + "/asked"
        let review = try ReviewFolder(creating: place)
        try review.write("1.csv", [row([0x61])])
        try FileManager.default.createDirectory(
            atPath: place + "/own", withIntermediateDirectories: true)
        #expect(throws: ReportError.self) { try review.complete() }
        review.discard(["1.csv"])
        #expect(try folder.names() == ["asked"] && folder.names("asked") == ["own"])
    }
}
