import Foundation
import GRDB
import MooringModel
import Testing

@testable import MooringLedger

/// `Ledgers/before-intervals.sql` is what the program wrote that kept each finding once for each
/// run, as `sqlite3 ledger .dump` prints it: two configurations in turn, a run that could not list
/// its bucket, one as of another moment, and objects that came, went and changed.
@Suite("A ledger that kept findings by run")
struct IntervalMigrationTests {
    private let folder: TemporaryFolder
    /// What it held, by run.
    private let findings: [RunID: [Finding]]
    private let histories: [String: FindingHistory]

    init() throws {
        folder = try TemporaryFolder()
        let dump = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Ledgers/before-intervals.sql")
        let sql = try String(contentsOf: dump, encoding: .utf8)
        let old = try DatabaseQueue(path: folder.ledger)
        try old.inDatabase { try $0.execute(sql: sql) }
        let rows = try old.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT run.id, finding.document FROM finding JOIN run ON run.number = run
                    """)
        }
        var findings: [RunID: [Finding]] = [:]
        for row in rows {
            let run = try #require(RunID(row[0] as String))
            findings[run, default: []].append(try document(row[1], Finding.init(json:)))
        }
        self.findings = findings.mapValues { $0.sorted(by: Finding.precedes) }
        let known = try old.read { try Row.fetchAll($0, sql: "SELECT * FROM history") }
        histories = Dictionary(
            uniqueKeysWithValues: known.map {
                (($0[0] as Blob).text, FindingHistory(firstSeen: $0[1], runs: $0[2]))
            })
        try old.close()
    }

    private func counted(_ id: String, in ledger: Ledger) throws -> FindingHistory? {
        var history = try ledger.history(of: [id])[id]
        history?.sighting = nil
        return history
    }

    @Test("Each run has the findings that it had, to the last byte, and so has each finding's past")
    func reads() throws {
        #expect(findings.count == 8 && histories.count == 6)
        let ledger = try Ledger.open(path: folder.ledger)
        for run in try ledger.runs().map(\.id) {
            #expect(try ledger.allFindings(in: run) == findings[run] ?? [], "\(run.text)")
        }
        for (id, history) in histories {
            #expect(try counted(id, in: ledger) == history)
            let runs = findings.filter { $0.value.contains { $0.id == id } }
            let expected = runs.sorted { $0.key.text > $1.key.text }.map { run, findings in
                Appearance(run: run, finding: findings.first { $0.id == id } ?? findings[0])
            }
            #expect(try ledger.appearances(of: id) == expected)
        }
        let key = ObjectKey("o/2.jpg")
        #expect(try ledger.findings(about: "media", key: key).count == 6)
        #expect(try ledger.health().integrity.isEmpty)
        #expect(try ledger.check().isEmpty)
        #expect(try ledger.verifyJournal().isSound)
    }

    @Test("Its runs differ as they did")
    func difference() throws {
        let ledger = try Ledger.open(path: folder.ledger)
        for (run, own) in findings {
            for (other, others) in findings {
                guard let standing = try ledger.standing(from: run, to: other) else { continue }
                var stream = FindingStream(ledger, run: run, changedSince: other)
                var changed: [Finding] = []
                while let finding = try stream.next() { changed.append(finding) }
                #expect(standing + changed.count == own.count)
                let ids = Set(changed.map(\.id))
                for finding in own where !ids.contains(finding.id) {
                    #expect(others.contains { $0.id == finding.id && $0.action == finding.action })
                }
            }
        }
    }

    @Test("Rows that were alike are one by now, and the next run goes on with them")
    func goesOn() throws {
        let ledger = try Ledger.open(path: folder.ledger)
        func rows() throws -> Int {
            try ledger.read("") { try Int.fetchOne($0, sql: "SELECT count(*) FROM finding") ?? 0 }
        }
        let before = try rows()
        #expect(before < findings.values.map(\.count).reduce(0, +))
        let last = try #require(
            try ledger.runs().first { $0.command == "audit" && !$0.isJudgedAsOf })
        var again = try #require(findings[last.id])
        var words = RunWords()
        words.sentences = [RunWords.Sentence(RunWords.references, "none of 9")]
        for index in again.indices {
            again[index].runs += 1
            if again[index].kind == .orphan { again[index].evidence[0] = "none of 9" }
        }
        var summary = last
        summary.id = Sample.run(9_000)
        try ledger.begin(summary)
        let scope = RunScope(buckets: ["media": [ObjectKey("")]], sources: ["app"])
        try ledger.record(
            again, of: summary.id,
            in: FindingSeries(
                of: scope, without: [], isJudgedAsOf: false, configuration: last.configuration),
            words: words)
        #expect(try rows() == before)
        #expect(try ledger.allFindings(in: summary.id) == again)
        #expect(try ledger.allFindings(in: last.id) == findings[last.id])
        let id = again[0].id
        #expect(try counted(id, in: ledger)?.runs == (histories[id]?.runs ?? 0) + 1)
    }
}
