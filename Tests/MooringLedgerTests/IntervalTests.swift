import Foundation
import GRDB
import MooringModel
import Testing

@testable import MooringLedger

@Suite("Findings as intervals of runs")
struct IntervalTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger

    init() throws {
        folder = try TemporaryFolder()
        ledger = try Ledger.open(path: folder.ledger)
    }

    private func words(_ references: Int) -> RunWords {
        var words = RunWords()
        words.sentences = [RunWords.Sentence("references", "none of \(references)")]
        words.moments = [
            RunWords.Moment("other", at: Sample.hour(1), kind: .dangling),
            RunWords.Moment("later", at: Sample.hour(Int64(references) + 72)),
        ]
        return words
    }

    /// As an audit records it: counted, and with what the run says of itself.
    private func finding(_ id: String, night: Int, evidence: String = "seen") -> Finding {
        var finding = Sample.finding(id, key: Array("a/\(id).jpg".utf8))
        finding.evidence = ["none of \(night)", evidence]
        finding.needs = ProofNeed(
            proof: "second sighting", after: Sample.hour(Int64(night) + 72))
        finding.firstSeen = Sample.hour(1)
        finding.runs = night
        return finding
    }

    private func record(
        night: Int, _ findings: [Finding], series: FindingSeries = FindingSeries("a")
    ) throws {
        try ledger.begin(Sample.summary(Int64(night)))
        try ledger.record(
            findings, of: Sample.run(Int64(night)), in: series, words: words(night))
    }

    private func rows() throws -> Int {
        try ledger.read("") { try Int.fetchOne($0, sql: "SELECT count(*) FROM finding") ?? 0 }
    }

    private func pages() throws -> Int {
        try ledger.read("") { db in
            try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        }
    }

    @Test("A night without changes adds a run, and not a page for two thousand findings")
    func growth() throws {
        for night in 1...2 {
            try record(night: night, (0..<2_000).map { finding("f\($0)", night: night) })
        }
        let before = try pages()
        try record(night: 3, (0..<2_000).map { finding("f\($0)", night: 3) })
        #expect(try pages() - before <= 2)
        #expect(try rows() == 2_000)
        for night in 1...3 {
            #expect(
                try ledger.allFindings(in: Sample.run(Int64(night)))
                    == (0..<2_000).map { finding("f\($0)", night: night) }
                    .sorted(by: Finding.precedes))
        }
        let history = try #require(try ledger.history(of: ["f7"])["f7"])
        #expect(history.runs == 3 && history.firstSeen == Sample.hour(1))
    }

    @Test("What is new and gone is counted by kind, within a series and between two")
    func change() throws {
        try record(night: 1, [finding("a", night: 1), finding("b", night: 1)])
        // One that only changed is neither new nor gone.
        try record(
            night: 2, [finding("a", night: 2, evidence: "read"), finding("c", night: 2)])
        try record(
            night: 3, [finding("c", night: 3), finding("d", night: 3)], series: FindingSeries("b"))
        let nights = [(1, 2, 1, 1), (2, 1, 1, 1), (2, 3, 1, 1), (1, 3, 2, 2), (3, 3, 0, 0)]
        for (from, to, new, gone) in nights {
            let change = try #require(
                try ledger.change(from: Sample.run(Int64(from)), to: Sample.run(Int64(to))))
            #expect(change.since == Sample.run(Int64(from)))
            #expect(change.new == (new == 0 ? [:] : [.orphan: new]), "\(from) \(to)")
            #expect(change.gone == (gone == 0 ? [:] : [.orphan: gone]), "\(from) \(to)")
        }
        try ledger.begin(Sample.summary(4))
        #expect(try ledger.change(from: Sample.run(3), to: Sample.run(4)) == nil)
    }

    @Test("A night writes rows for what changed, and for nothing else")
    func changes() throws {
        try record(night: 1, [finding("a", night: 1), finding("b", night: 1)])
        try record(
            night: 2, [finding("a", night: 2), finding("b", night: 2, evidence: "read")])
        try record(night: 3, [finding("a", night: 3)])
        #expect(try rows() == 3)
        #expect(try ledger.allFindings(in: Sample.run(3)) == [finding("a", night: 3)])
        let told = try ledger.appearances(of: "b").map(\.finding.evidence[1])
        #expect(told == ["read", "seen"])
        #expect(try ledger.history(of: ["b"])["b"]?.runs == 2)
        #expect(try ledger.standing(from: Sample.run(1), to: Sample.run(3)) == 1)
        #expect(try ledger.standing(from: Sample.run(3), to: Sample.run(2)) == 1)
    }

    @Test("A run that was killed while it recorded has no findings, and the next is as without it")
    func killed() throws {
        try record(night: 1, [finding("a", night: 1), finding("b", night: 1)])
        try ledger.begin(Sample.summary(2))
        let recording = try ledger.recording(
            of: Sample.run(2), in: FindingSeries("a"), words: words(2))
        try recording.add([finding("a", night: 2, evidence: "read"), finding("c", night: 2)])
        #expect(try ledger.allFindings(in: Sample.run(2)).isEmpty)
        #expect(try ledger.allFindings(in: Sample.run(1)).map(\.id) == ["a", "b"])
        #expect(try ledger.history(of: ["c"]).isEmpty)
        #expect(try ledger.findings(about: "photos", key: ObjectKey("a/c.jpg")).isEmpty)
        try record(night: 3, [finding("a", night: 3), finding("b", night: 3)])
        #expect(try rows() == 2)
        #expect(try ledger.history(of: ["a"])["a"]?.runs == 2)
        #expect(try ledger.check().isEmpty)
    }

    @Test("A run that lost the words of its findings is damaged, and tells none without them")
    func lostWords() throws {
        var found = finding("a", night: 1)
        found.evidence = ["none of 1", "said for itself"]
        try record(night: 1, [found])
        #expect(try ledger.allFindings(in: Sample.run(1)).map(\.evidence) == [found.evidence])
        try ledger.queue.write {
            try $0.execute(sql: "UPDATE recording SET words = CAST('{}' AS BLOB)")
        }
        let error = #expect(throws: LedgerError.self) { try ledger.allFindings(in: Sample.run(1)) }
        #expect(
            error?.found
                == "a stored document cannot be read (a run lacks a word of its findings)")
    }

    @Test("A recording ends once, and a run records once; a batch that failed ends it")
    func once() throws {
        try ledger.begin(Sample.summary(1))
        let recording = try ledger.recording(of: Sample.run(1), in: FindingSeries("a"))
        try recording.add([Sample.finding("a")])
        try recording.end()
        for refused in [
            { try recording.end() }, { try recording.add([]) },
            { _ = try ledger.recording(of: Sample.run(1), in: FindingSeries("a")) },
        ] {
            #expect(throws: LedgerError.self) { try refused() }
        }
        try ledger.record(run: 2, [Sample.finding("b")])
        try ledger.record([Sample.finding("a")], in: Sample.run(2))
        try ledger.record(run: 3)
        let error = #expect(throws: LedgerError.self) {
            try ledger.record([Sample.finding("c")], in: Sample.run(2))
        }
        #expect(error?.kind == .conflict)
        #expect(try ledger.allFindings(in: Sample.run(2)).map(\.id) == ["a", "b"])
    }

    @Test("Two configurations that take turns do not end each night what the other one sees")
    func turns() throws {
        let series = ["a", "b"].map { FindingSeries($0) }
        for night in 1...6 {
            let own = night % 2
            try record(
                night: night, [finding("own\(own)", night: night), finding("both", night: night)],
                series: series[own])
        }
        #expect(try rows() == 4)
        for night in 1...6 {
            #expect(
                try ledger.allFindings(in: Sample.run(Int64(night))).map(\.runs)
                    == [night, night])
        }
        #expect(try ledger.history(of: ["both"])["both"]?.runs == 6)
        // A count by itself is kept once, and not for each night.
        #expect(
            try ledger.read("") {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM findingCount") ?? 0
            } == 0)
    }

    @Test("A configuration that was changed goes on with what stands; one that comes back does not")
    func changedConfiguration() throws {
        func series(_ configuration: String) -> FindingSeries {
            FindingSeries(scope: "s", configuration: configuration)
        }
        for (index, configuration) in ["x", "y", "y", "x", "y", "x"].enumerated() {
            let night = index + 1
            try record(
                night: night, [finding("a", night: night)], series: series(configuration))
        }
        #expect(try rows() == 2)
        #expect(try ledger.standing(from: Sample.run(1), to: Sample.run(5)) == 1)
        #expect(try ledger.standing(from: Sample.run(1), to: Sample.run(6)) == nil)
    }

    @Test("What is read is a hash of the scope, whatever its order, and all that belongs to it")
    func scopes() {
        func series(
            _ buckets: [String: [String]], _ sources: Set<String> = ["s"],
            without: [String] = [], asOf: Bool = false
        ) -> FindingSeries {
            FindingSeries(
                of: RunScope(
                    buckets: buckets.mapValues { $0.map { ObjectKey($0) } }, sources: sources),
                without: without, isJudgedAsOf: asOf, configuration: "c")
        }
        let all = [
            series(["a": ["x", "y"]]), series(["a": ["x"]]), series(["b": ["x", "y"]]),
            series(["a": ["x", "y"]], ["s", "t"]), series(["a": ["x", "y"]], without: ["a"]),
            series(["a": ["x", "y"]], asOf: true),
        ]
        #expect(Set(all).count == all.count)
        #expect(series(["a": ["y", "x"]]) == all[0])
    }

    @Test("What a run alone still holds, and then says otherwise, goes with it")
    func unheld() throws {
        for night in 1...2 {
            try record(night: night, [finding("a", night: night)])
            var summary = Sample.summary(Int64(night))
            summary.status = .incomplete
            try ledger.update(summary)
        }
        #expect(try ledger.removeRuns(before: Sample.hour(2)) == [Sample.run(1)])
        try ledger.record(
            [finding("a", night: 2, evidence: "read")], in: Sample.run(2),
            series: FindingSeries("a"), words: words(2))
        #expect(try rows() == 1)
        #expect(try ledger.history(of: ["a"])["a"]?.runs == 2)
        #expect(try ledger.removeRuns(before: Sample.hour(3)) == [Sample.run(2)])
        #expect(try rows() == 0)
        #expect(try ledger.history(of: ["a"]).isEmpty)
    }

    @Test("Words of a run that a finding says itself come back as they were")
    func ownWords() throws {
        var own = finding("a", night: 1)
        own.evidence = ["\0references", "\0\0", "none of 1", ""]
        own.needs = ProofNeed(proof: "a\0b", after: Sample.hour(9))
        var other = finding("b", night: 1)
        other.needs = ProofNeed(proof: "c\0later", after: nil)
        try record(night: 1, [own, other])
        #expect(try ledger.allFindings(in: Sample.run(1)) == [own, other])
    }
}

extension FindingSeries {
    /// The series of a configuration's only scope.
    init(_ name: String) {
        self.init(scope: name, configuration: name)
    }
}
