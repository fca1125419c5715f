import MooringModel
import SeededNumbers
import Testing

@testable import MooringLedger

struct FindingTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger

    init() throws {
        folder = try TemporaryFolder()
        ledger = try Ledger.open(path: folder.ledger)
    }

    private func full(_ id: String) -> Finding {
        var finding = Sample.finding(id, .dangling, key: [0x61, 0xFF, 0])
        finding.cause = .quarantined
        finding.candidates = [ObjectKey([0xFE]), ObjectKey("public/a.jpg")]
        finding.object = ObjectVersion(
            size: 1, etag: "e\u{0}f", lastModified: Sample.start + .nanoseconds(7), versionID: "v")
        finding.record = RecordPlace(
            identity: Sample.identity([0, 0xFF]), field: "photos", index: 3, version: 9)
        finding.records = [
            RecordPlace(
                identity: RecordIdentity(
                    source: "main", model: "Album", id: RecordID(parts: [[1, 2], [], [0x2F]])))
        ]
        finding.owners = [Sample.identity(Array("owner".utf8))]
        finding.value = [0xC3, 0x28]
        finding.indexes = [3, 5]
        finding.explanation = Explanation(workflow: "create", step: "link", until: Sample.hour(4))
        finding.evidence = ["seen twice", "a\nb"]
        finding.firstSeen = Sample.hour(1)
        finding.runs = 4
        finding.action = .nullify
        finding.needs = ProofNeed(proof: "second sighting", after: Sample.hour(7))
        return finding
    }

    @Test("A finding comes back byte for byte, its owners included")
    func roundTrip() throws {
        try ledger.record(run: 1, [full("f")])
        #expect(try ledger.allFindings(in: Sample.run(1)) == [full("f")])
    }

    @Test("Findings with hostile keys come back in the order of reports, page by page")
    func hostileOrder() throws {
        let seed = Seed.one()
        var random = SeededGenerator(seed: seed)
        var findings: [Finding] = []
        for number in 0..<1_700 {
            let key =
                Bool.random(using: &random)
                ? Sample.hostile.randomElement(using: &random)
                : (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    [0, 1, 0x2F, 0x61, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
                }
            findings.append(
                Sample.finding(
                    "f\(number)",
                    [.orphan, .dangling, .emptyObject].randomElement(using: &random) ?? .orphan,
                    bucket: [nil, "", "a", "a\u{0}b", "á", "z"].randomElement(using: &random)
                        ?? nil,
                    key: number % 20 == 0 ? nil : key,
                    verdict: Verdict.allCases.randomElement(using: &random) ?? .settled))
        }
        try ledger.begin(Sample.summary(1))
        for from in stride(from: 0, to: findings.count, by: 1_000) {
            try ledger.record(Array(findings[from...].prefix(1_000)), in: Sample.run(1))
        }
        let expected = findings.sorted(by: Finding.precedes)
        #expect(try ledger.allFindings(in: Sample.run(1)) == expected)
        for prefix in [[], [0], [0xFF], [0x61, 0], Array("a".utf8)] as [[UInt8]] {
            let filter = FindingFilter(
                kinds: [.orphan, .emptyObject], verdicts: [.settled, .undecided],
                keyPrefix: prefix)
            let fit = expected.filter {
                $0.kind != .dangling && $0.verdict != .explained
                    && ($0.key ?? ObjectKey("")).hasPrefix(prefix)
            }
            #expect(try ledger.allFindings(in: Sample.run(1), filter) == fit)
        }
    }

    @Test("Batches are bounded, never empty, and their reader may call the ledger")
    func batches() throws {
        let findings = (0..<1_000).map { Sample.finding("f\($0)") }
        try ledger.record(run: 1, findings)
        var sizes: [Int] = []
        try ledger.findings(in: Sample.run(1)) { batch in
            sizes.append(batch.count)
            #expect(try ledger.history(of: batch.map(\.id)).count == batch.count)
            try ledger.sight(
                batch.map { ($0.id, "t") }, at: Sample.hour(2), run: Sample.run(1))
        }
        #expect(sizes == [500, 500])
        try ledger.findings(in: Sample.run(2)) { _ in Issue.record("that run has none") }
    }

    @Test("An error of the reader is thrown as it is")
    func readersError() throws {
        struct Stop: Error {}
        try ledger.record(run: 1, [Sample.finding("f")])
        #expect(throws: Stop.self) {
            try ledger.findings(in: Sample.run(1)) { _ in throw Stop() }
        }
    }

    @Test("History counts each run once and keeps the earliest sight")
    func history() throws {
        #expect(try ledger.history(of: ["f"]).isEmpty)
        try ledger.record(run: 2, [Sample.finding("f"), Sample.finding("g")])
        #expect(
            try ledger.history(of: ["f", "x"])
                == ["f": FindingHistory(firstSeen: Sample.hour(2), runs: 1)])
        try ledger.record([Sample.finding("f")], in: Sample.run(2))
        #expect(try ledger.history(of: ["f"])["f"]?.runs == 1)
        var early = Sample.finding("f")
        early.firstSeen = Sample.hour(1)
        try ledger.record(run: 3, [early])
        #expect(
            try ledger.history(of: ["f", "g"])
                == [
                    "f": FindingHistory(firstSeen: Sample.hour(1), runs: 2),
                    "g": FindingHistory(firstSeen: Sample.hour(2), runs: 1),
                ])
    }

    @Test("A finding that is recorded again in its run replaces the one before")
    func replacement() throws {
        try ledger.record(run: 1, [full("f")])
        let other = Sample.finding("f", .orphan, key: [1], verdict: .undecided)
        try ledger.record([other], in: Sample.run(1))
        #expect(try ledger.allFindings(in: Sample.run(1)) == [other])
        #expect(try ledger.findings(about: Sample.identity([0, 0xFF])).isEmpty)
    }

    @Test("A finding is found by each of its keys and records, newest run first")
    func lookUps() throws {
        for hour: Int64 in [1, 3, 2] { try ledger.record(run: hour, [full("f")]) }
        try ledger.record(run: 4, [Sample.finding("g")])
        let runs = [3, 2, 1].map(Sample.run)
        #expect(try ledger.appearances(of: "f").map(\.run) == runs)
        #expect(try ledger.appearances(of: "f", limit: 1).map(\.run) == [Sample.run(3)])
        #expect(try ledger.appearances(of: "f").first?.finding == full("f"))
        for key in full("f").candidates + [ObjectKey([0x61, 0xFF, 0])] {
            #expect(try ledger.findings(about: "photos", key: key).map(\.run) == runs)
            #expect(try ledger.findings(about: "other", key: key).isEmpty)
        }
        let records = full("f").records.map(\.identity) + full("f").owners
        for identity in records + [Sample.identity([0, 0xFF])] {
            #expect(try ledger.findings(about: identity).map(\.run) == runs)
        }
        #expect(try ledger.findings(about: Sample.identity([0])).isEmpty)
        #expect(
            try ledger.findings(about: Sample.identity([0, 0xFF], model: "Pos")).isEmpty)
    }

    @Test("Different subjects never share their bytes")
    func subjects() {
        var subjects: Set<Subject> = []
        for left in Sample.hostile {
            for right in Sample.hostile {
                let text = String(decoding: left, as: UTF8.self)
                subjects.insert(.object(bucket: text, key: ObjectKey(right)))
                subjects.insert(.record(Sample.identity(right, model: text)))
                subjects.insert(
                    .record(
                        RecordIdentity(
                            source: text, model: "", id: RecordID(parts: [left, right]))))
            }
        }
        // Two that would meet if only the model had its length before it.
        for (source, model, parts) in [("", "ab", [[]]), ("\0\0\0\u{2}ab", "", [])]
            as [(String, String, [[UInt8]])]
        {
            subjects.insert(
                .record(RecordIdentity(source: source, model: model, id: RecordID(parts: parts))))
        }
        // Swift holds the NFC and NFD spelling of a bucket for one text, which is one subject.
        #expect(Set(subjects.map(\.blob)).count == subjects.count)
    }

    @Test("No look-up reads a whole table")
    func queryPlans() throws {
        try ledger.record(run: 1, [full("f")])
        let statements = try ledger.tracing {
            _ = try ledger.history(of: ["f"])
            _ = try ledger.allFindings(in: Sample.run(1))
            try ledger.findings(in: Sample.run(1), FindingFilter(keyPrefix: [1])) { _ in }
            _ = try ledger.appearances(of: "f")
            _ = try ledger.findings(about: "photos", key: ObjectKey("k"))
            _ = try ledger.findings(about: Sample.identity([1]))
            _ = try ledger.lastCompleteAudit(of: ["audit"])
            _ = try ledger.journal(run: Sample.run(1))
            _ = try ledger.journal(plan: "p")
            _ = try ledger.journal(about: "photos", key: ObjectKey("k"))
            _ = try ledger.lastPlan(of: Sample.run(1))
            _ = try ledger.quarantineWatch(bucket: "photos")
        }
        #expect(statements.count > 10)
        for statement in statements {
            let steps = try ledger.plan(ofQuery: statement)
            #expect(!steps.contains { $0.hasPrefix("SCAN") }, "\(statement)\n\(steps)")
            if statement.contains("substr(key") {
                #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(statement)\n\(steps)")
            }
        }
    }
}
