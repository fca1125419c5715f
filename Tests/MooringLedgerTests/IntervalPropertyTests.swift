import Foundation
import GRDB
import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@testable import MooringLedger

/// A ledger beside a model that keeps every run's findings whole.
@Suite("Intervals of findings against every run's own list")
struct IntervalPropertyTests {
    @Test("Whatever runs do, each reads as it recorded", arguments: Seed.several(6))
    func model(_ seed: UInt64) throws {
        print("MOORING_SEED=\(seed)")
        let folder = try TemporaryFolder()
        var model = RunModel(
            ledger: try Ledger.open(path: folder.ledger), random: SeededGenerator(seed: seed))
        for _ in 0..<40 {
            try model.step()
            try model.compare()
        }
        #expect(try model.ledger.check().isEmpty)
    }
}

/// What the ledger should hold, each run's findings by themselves.
private struct RunModel {
    let ledger: Ledger
    var random: SeededGenerator
    private var hour: Int64 = 0
    // By run: its series, and its findings by id.
    private var runs: [RunID: (series: Int, findings: [String: Finding])] = [:]
    private var histories: [String: FindingHistory] = [:]
    // What each series saw last.
    private var seen: [[String: Finding]] = [[:], [:], [:]]
    private var newest: [RunID?] = [nil, nil, nil]

    init(ledger: Ledger, random: SeededGenerator) {
        self.ledger = ledger
        self.random = random
    }

    private static let people = ["eu-west-1:aaaa", "eu-west-1:bbbb", "eu-west-1:cccc"]

    mutating func step() throws {
        switch random.number(0...11) {
        case 0: try prune()
        case 1 where random.bool(): try erase()
        case 2: try recordAgain()
        default: try recordRun(isKilled: random.number(0...5) == 0)
        }
    }

    // MARK: What happens

    private func words(_ hour: Int64) -> RunWords {
        var words = RunWords()
        words.sentences = [RunWords.Sentence("references", "none of \(hour) references")]
        words.moments = [
            RunWords.Moment("orphan", at: Sample.hour(hour + 7), kind: .orphan),
            RunWords.Moment("any", at: Sample.hour(hour + 7), bucket: "b"),
        ]
        return words
    }

    private mutating func made(_ number: Int) -> Finding {
        let moves = random.number(0...9) == 0
        var finding = Finding(
            id: "f\(number)", kind: number % 3 == 0 ? .dangling : .orphan, cause: nil,
            verdict: random.one(of: [.settled, .settled, .explained]))
        finding.bucket = number % 5 == 0 ? nil : "b"
        let person = Self.people[number % 3]
        finding.key =
            number % 7 == 0 ? nil : ObjectKey("private/\(person)/\(moves ? "z" : "k")\(number)")
        if random.bool() { finding.evidence = ["", "\0x", "seen"] }
        if random.bool() {
            finding.needs = ProofNeed(proof: "second sighting", after: Sample.hour(3))
        }
        return finding
    }

    // The finding of a run that begins now, most often as it stood.
    private mutating func told(_ number: Int, as before: Finding?) -> Finding {
        var finding = before ?? made(number)
        if random.number(0...9) == 0 { finding = made(number) }
        let history = histories[finding.id]
        finding.firstSeen = history?.firstSeen ?? (random.bool() ? Sample.hour(hour) : nil)
        finding.runs = (history?.runs ?? 0) + 1
        if random.number(0...19) == 0 { finding.runs = random.number(0...5) }
        let isWorded = finding.evidence.first?.hasPrefix("none of ") ?? (number % 2 == 0)
        if isWorded { finding.evidence = ["none of \(hour) references"] }
        if finding.needs != nil, number % 4 == 0 {
            finding.needs = ProofNeed(proof: "second sighting", after: Sample.hour(hour + 7))
        }
        return finding
    }

    private mutating func recordRun(isKilled: Bool) throws {
        hour += 1
        let (run, series) = (Sample.run(hour), random.number(0...2))
        try ledger.begin(Sample.summary(hour))
        var findings: [String: Finding] = [:]
        let numbers = 0..<(series == 2 ? 12 : 24)
        for number in numbers where random.number(0...9) > 0 {
            let finding = told(number, as: seen[series]["f\(number)"])
            findings[finding.id] = finding
        }
        let recording = try ledger.recording(
            of: run, in: FindingSeries("\(series)"), words: words(hour))
        let order = findings.values.sorted { $0.id < $1.id }.shuffled(using: &random)
        for start in stride(from: 0, to: order.count, by: 7) {
            let batch = Array(order[start..<min(start + 7, order.count)])
            if random.number(0...3) == 0, let replaced = batch.first {
                var before = replaced
                before.evidence.append("replaced")
                before.verdict = .undecided
                try recording.add([random.bool() ? before : replaced])
            }
            if isKilled, random.number(0...2) == 0 { break }
            try recording.add(batch)
        }
        if isKilled {
            findings = [:]
        } else {
            try recording.end()
            seen[series] = findings
            newest[series] = run
            for finding in findings.values { count(finding, in: run) }
        }
        runs[run] = (series, findings)
        var summary = Sample.summary(hour)
        summary.status = isKilled ? .interrupted : random.bool() ? .complete : .incomplete
        try ledger.update(summary)
    }

    private mutating func count(_ finding: Finding, in run: RunID) {
        let first = finding.firstSeen ?? (run.startedAt ?? Sample.start)
        var history = histories[finding.id] ?? FindingHistory(firstSeen: first, runs: 0)
        history.firstSeen = min(history.firstSeen, first)
        history.runs += runs[run]?.findings[finding.id] == nil ? 1 : 0
        histories[finding.id] = history
    }

    // More of the same run, in place of what it said before.
    private mutating func recordAgain() throws {
        let series = random.number(0...2)
        guard let run = newest[series], runs[run] != nil else { return }
        var findings: [Finding] = []
        for number in 0..<24 where random.number(0...5) == 0 {
            findings.append(
                random.bool() ? made(number) : told(number, as: seen[series]["f\(number)"]))
        }
        try ledger.record(
            findings, in: run, series: FindingSeries("\(series)"), words: RunWords())
        for finding in findings {
            count(finding, in: run)
            runs[run]?.findings[finding.id] = finding
            seen[series][finding.id] = finding
        }
    }

    private mutating func prune() throws {
        let kept = runs.keys.sorted { $0.text < $1.text }.filter { _ in random.number(0...3) == 0 }
        let before = Sample.hour(Int64(random.number(0...Int(hour))) + 1)
        for run in try ledger.removeRuns(before: before, keeping: Set(kept)) { runs[run] = nil }
        histories = histories.filter { id, _ in
            runs.values.contains { $0.findings[id] != nil }
        }
    }

    private mutating func erase() throws {
        let person = random.one(of: Self.people)
        let scope = try ErasureScope(
            .identity(Array(person.utf8)), bucket: nil, levels: AccessLevel.amplify,
            buckets: [BucketMapping(name: "b")])
        let head = Array("private/\(person)/".utf8)
        let ids = Set(
            runs.values.flatMap { run in
                run.findings.values.filter { $0.key?.hasPrefix(head) == true }.map(\.id)
            })
        let erased = try ledger.erase(scope, by: Sample.run(hour + 1_000), at: Sample.hour(hour))
        #expect(
            erased.findings
                == runs.values.map { run in ids.count { run.findings[$0] != nil } }.reduce(0, +))
        for id in ids {
            histories[id] = nil
            for run in runs.keys { runs[run]?.findings[id] = nil }
            for series in seen.indices { seen[series][id] = nil }
        }
    }

    // MARK: What is read

    mutating func compare() throws {
        for (run, own) in runs {
            let expected = own.findings.values.sorted(by: Finding.precedes)
            #expect(try ledger.allFindings(in: run) == expected, "hour \(hour), \(run.text)")
        }
        let known = try ledger.history(of: (0..<24).map { "f\($0)" })
        for (id, history) in known.merging(histories, uniquingKeysWith: { $1 }) {
            #expect(known[id] == history && histories[id] != nil, "hour \(hour), \(id)")
        }
        let id = "f\(random.number(0...23))"
        let order = runs.keys.sorted { $0.text > $1.text }
        #expect(
            try ledger.appearances(of: id)
                == order.compactMap { run in
                    runs[run]?.findings[id].map { Appearance(run: run, finding: $0) }
                }, "hour \(hour)")
        for run in order.prefix(3) {
            #expect(try ledger.finding(id, in: run) == runs[run]?.findings[id])
        }
        let key = ObjectKey("private/\(Self.people[1])/k4")
        #expect(
            try ledger.findings(about: "b", key: key).map(\.run)
                == order.filter { runs[$0]?.findings["f4"]?.key == key })
        guard order.count > 1 else { return }
        try compare(random.one(of: order), random.one(of: order))
    }

    private mutating func compare(_ run: RunID, _ other: RunID) throws {
        guard let own = runs[run], let others = runs[other] else { return }
        var filter = FindingFilter()
        if random.bool() { filter.kinds = [.orphan] }
        if random.bool() { filter.verdicts = [.settled] }
        if random.number(0...3) == 0 { filter.keyPrefix = Array("private/eu-west-1:a".utf8) }
        guard let standing = try ledger.standing(from: run, to: other, filter) else {
            #expect(own.series != others.series || own.findings.isEmpty || others.findings.isEmpty)
            return
        }
        var stream = FindingStream(ledger, run: run, filter: filter, changedSince: other)
        var changed: [Finding] = []
        while let finding = try stream.next() { changed.append(finding) }
        let expected = own.findings.values.filter { finding in
            (filter.kinds.isEmpty || filter.kinds.contains(finding.kind))
                && (filter.verdicts.isEmpty || filter.verdicts.contains(finding.verdict))
                && (finding.key?.bytes ?? []).starts(with: filter.keyPrefix)
        }
        #expect(changed == changed.sorted(by: Finding.precedes))
        #expect(standing + changed.count == expected.count, "hour \(hour)")
        let ids = Set(changed.map(\.id))
        for finding in changed { #expect(finding == own.findings[finding.id]) }
        for finding in expected where !ids.contains(finding.id) {
            var after = try #require(others.findings[finding.id])
            (after.runs, after.firstSeen) = (finding.runs, finding.firstSeen)
            after.evidence = after.evidence.map { $0.hasPrefix("none of ") ? "" : $0 }
            var before = finding
            before.evidence = before.evidence.map { $0.hasPrefix("none of ") ? "" : $0 }
            before.needs?.after = after.needs?.after
            #expect(before == after, "hour \(hour)")
        }
    }
}
