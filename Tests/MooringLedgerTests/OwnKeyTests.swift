import GRDB
import MooringModel
import Testing

@testable import MooringLedger

@Suite("Findings by their own keys")
struct OwnKeyTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger

    init() throws {
        folder = try TemporaryFolder()
        ledger = try Ledger.open(path: folder.ledger)
    }

    @Test("A finding is found by the columns of its key, once beside a row of an older ledger")
    func ownKey() throws {
        var candidates = Sample.finding("c", .dangling, key: nil)
        candidates.candidates = [ObjectKey("a/b.jpg"), ObjectKey("other")]
        try ledger.record(
            run: 1, [Sample.finding("f"), candidates, Sample.finding("e", key: [])])
        func about(_ key: String, _ bucket: String = "photos") throws -> [String] {
            try ledger.findings(about: bucket, key: ObjectKey(key)).map(\.finding.id)
        }
        let subjects = try ledger.queue.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM findingSubject")
        }
        #expect(subjects == 3)
        #expect(try about("a/b.jpg") == ["c", "f"])
        #expect(try about("other") == ["c"])
        #expect(try about("") == ["e"])
        #expect(try about("a/b.jpg", "videos").isEmpty)
        try ledger.queue.write {
            try $0.execute(
                sql: "INSERT INTO findingSubject SELECT ?, number FROM finding WHERE id = ?",
                arguments: [
                    Subject.object(bucket: "photos", key: ObjectKey("a/b.jpg")).blob, Blob("f"),
                ])
        }
        #expect(try about("a/b.jpg") == ["c", "f"])
    }
}
