import MooringModel

/// `orphans.ncdu.json`: every orphan of the run as a file below its bucket, in the format that ncdu
/// exports and reads. Only the path of the last orphan is held.
///
/// All verdicts are there, so that the sizes add up to the run's orphan bytes; members that ncdu
/// passes over tell each orphan's id, key, verdict, cause and outcome.
final class NcduReport: FindingReport {
    private let folder: String
    private let part: OutputFile
    private var open: [[UInt8]] = []
    private var sums: [Verdict: ObjectSum] = [:]

    /// A file in a folder.
    init(folder: String) throws(ReportError) {
        self.folder = folder
        part = try OutputFile(creating: "\(folder)/.\(ReportFormat.ncdu.fileName).items")
    }

    /// Adds an orphan; other kinds name no bytes that nobody needs.
    func add(_ finding: Finding) throws(ReportError) {
        guard finding.kind == .orphan, let bucket = finding.bucket, let key = finding.key else {
            return
        }
        let size = max(0, finding.object?.size ?? 0)
        sums[finding.verdict, default: ObjectSum()].add(size, example: nil)
        let path = NcduPath(bucket: bucket, key: key)
        try enter(path.folders)
        try part.append(",\n")
        try part.append(Self.file(finding, NcduPath.shown(path.name), size).rendered)
    }

    /// Puts the file together. Where the run proves no absence its root says that not all of it
    /// could be read.
    func finish(_ summary: RunSummary, placeOfAll: String?) throws(ReportError) {
        try enter([])
        let file = try OutputFile(creating: "\(folder)/\(ReportFormat.ncdu.fileName)")
        try file.append("[1,1,")
        try file.append(head(summary).rendered)
        try file.append(",\n[")
        try file.append(Self.root(summary).rendered)
        try file.append(contentsOf: part)
        try file.append("]]\n")
        try part.remove()
        try file.close()
    }

    private func enter(_ folders: [[UInt8]]) throws(ReportError) {
        let common = zip(open, folders).prefix { $0 == $1 }.count
        try part.append(String(repeating: "]", count: open.count - common))
        for name in folders[common...] {
            try part.append(",\n[")
            try part.append(
                JSONValue.members(["name": .string(NcduPath.shown(name))]).rendered)
        }
        open = folders
    }

    private static func file(_ finding: Finding, _ name: String, _ size: Int64) -> JSONValue {
        let modified = finding.object.map { $0.lastModified.nanoseconds / 1_000_000_000 }
        return .members([
            "name": .string(name), "asize": .integer(size), "dsize": .integer(size),
            "mtime": modified.flatMap { $0 < 0 ? nil : .integer($0) },
            "id": .string(finding.id), "key": .text(finding.key?.text),
            "keyBase64": finding.key.flatMap { .base64(unlessText: $0.bytes) },
            "verdict": .string(finding.verdict.rawValue), "cause": .text(finding.cause?.rawValue),
            "outcome": .text(finding.outcome?.rawValue),
        ])
    }

    private static func root(_ summary: RunSummary) -> JSONValue {
        .members([
            "name": .string("orphans of \(summary.id.text)"),
            "read_error": summary.isCompleteScan ? nil : .bool(true),
        ])
    }

    private func head(_ summary: RunSummary) -> JSONValue {
        let end = summary.finishedAt ?? summary.startedAt
        return .members([
            "progname": .string("mooring"), "progver": .string(summary.programVersion),
            "timestamp": .integer(max(0, end.nanoseconds / 1_000_000_000)),
            "run": .string(summary.id.text), "status": .string(summary.status.rawValue),
            "orphans": .object(
                Verdict.allCases.map { verdict in
                    let sum = sums[verdict] ?? ObjectSum()
                    return JSONValue.Member(
                        name: verdict.rawValue,
                        value: .members([
                            "findings": .whole(sum.count), "bytes": .integer(sum.bytes),
                        ]))
                }),
        ])
    }
}
