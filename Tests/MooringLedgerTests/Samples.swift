import Foundation
import MooringLedger
import MooringModel

/// A folder of its own for one test, removed with everything in it afterwards.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/mooring-ledger-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("left behind: \(path)")
        }
    }

    var ledger: String { path + "/test.ledger" }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
        return path + "/" + name
    }

    func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

enum Sample {
    static let start = Instant(seconds: 1_800_000_000)

    /// The moment so many hours after the start.
    static func hour(_ hour: Int64) -> Instant { start + .hours(hour) }

    /// The run that begins so many hours after the start.
    static func run(_ hour: Int64) -> RunID { RunID(startingAt: Self.hour(hour)) }

    static func summary(_ hour: Int64, command: String = "audit") -> RunSummary {
        RunSummary(
            id: run(hour), command: command, programVersion: "1.0.0", startedAt: Self.hour(hour),
            configuration: "cafe")
    }

    static func finding(
        _ id: String, _ kind: FindingKind = .orphan, bucket: String? = "photos",
        key: [UInt8]? = Array("a/b.jpg".utf8), verdict: Verdict = .settled
    ) -> Finding {
        var finding = Finding(id: id, kind: kind, cause: nil, verdict: verdict)
        finding.bucket = bucket
        finding.key = key.map { ObjectKey($0) }
        return finding
    }

    static let version = ObjectVersion(size: 17, etag: "abc", lastModified: start)

    /// Bytes that are hostile somewhere: NUL, line feed, invalid UTF-8, markup, formulas.
    static let hostile: [[UInt8]] =
        [
            [], [0], [0, 0], [0xFF], [0xFF, 0xFE], [0x61, 0, 0x62], [0x61], Array("a\u{301}".utf8),
            Array("\u{E1}".utf8), Array("../../etc/passwd".utf8), Array("line\nfeed".utf8),
            Array("<script>".utf8), Array("=cmd()".utf8), Array("'; DROP TABLE run; --".utf8),
            [0xC3, 0x28], Array("%00".utf8), Array(repeating: 0x7A, count: 1_100),
        ]

    static func identity(_ id: [UInt8], model: String = "Post") -> RecordIdentity {
        RecordIdentity(source: "main", model: model, id: RecordID(id))
    }

    static func step(
        _ id: String, key: [UInt8] = Array("a/b.jpg".utf8), owners: [RecordIdentity] = []
    ) -> PlanStep {
        PlanStep(
            id: id, hash: "00", strategy: .quarantine, finding: "f-" + id, bucket: "photos",
            key: ObjectKey(key), record: RecordPlace(identity: identity([0x31]), field: "image"),
            precondition: Precondition(object: version, owners: owners))
    }

    static func plan(_ id: String, run: RunID, createdAt: Instant = start) -> Plan {
        Plan(
            id: id, run: run, configuration: "cafe", createdAt: createdAt,
            expiresAt: createdAt + .hours(24), confirmedAt: createdAt,
            accepted: ["orphanShare": "12%"], steps: [step("1"), step("2", key: [0xFF, 0])])
    }
}

extension Ledger {
    /// Records a whole run: begun, with these findings, and ended so.
    func record(
        run hour: Int64, command: String = "audit", _ findings: [Finding] = [],
        status: RunSummary.Status = .complete
    ) throws {
        var summary = Sample.summary(hour, command: command)
        try begin(summary)
        try record(findings, in: summary.id)
        summary.status = status
        summary.finishedAt = Sample.hour(hour) + .minutes(1)
        try update(summary)
    }

    /// All findings of a run that fit.
    func allFindings(
        in run: RunID, _ filter: FindingFilter = FindingFilter()
    ) throws -> [Finding] {
        var all: [Finding] = []
        try findings(in: run, filter) { all += $0 }
        return all
    }
}
