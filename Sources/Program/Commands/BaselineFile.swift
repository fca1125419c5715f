import Foundation
import MooringDecisions
import MooringModel
import MooringReporting

/// Why a file is no baseline: wrong configuration, since the file is committed beside it.
struct BaselineError: Error, CustomStringConvertible {
    let description: String
}

/// Reads and writes the file of a baseline: a header, then one finding a line, sorted by id.
enum BaselineFile {
    /// Where it lies unless somebody says otherwise.
    static let name = "mooring.baseline.jsonl"
    static let schema = "mooring.baseline/1"
    /// How findings get their ids; a file of another way means none of today's.
    static let idScheme: Int64 = 1
    private static let sizeLimit = 1 << 30
    private static let never = "never"

    /// What is told of the run that a baseline was written from.
    struct Header {
        /// The run.
        let run: RunID
        /// The hash of its configuration.
        let configuration: String
        /// When the file was written.
        let createdAt: Instant
        /// When it passes no longer.
        let expires: Instant?
    }

    /// Replaces the file in one step.
    static func write(
        _ header: Header, _ entries: [FindingBaseline.Entry], to path: String
    ) throws {
        let head: JSONValue = .members([
            "schema": .string(schema), "idScheme": .integer(idScheme),
            "run": .string(header.run.text), "configuration": .string(header.configuration),
            "createdAt": .moment(header.createdAt),
            "expires": .moment(header.expires) ?? .string(never),
        ])
        var bytes = head.rendered + [0x0A]
        for entry in entries.sorted(by: { $0.id < $1.id }) { bytes += entry.json.rendered + [0x0A] }
        try refuseFolder(path)
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandError("\(path): could not be written (\(error.systemWords))")
        }
    }

    private static func refuseFolder(_ path: String) throws {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if isFolder.boolValue {
            throw CommandError(
                "\(VisibleText.ascii(path)) is a folder; a baseline is a file, such as \(name)")
        }
    }

    /// Reads a file; throws `BaselineError` where it is none of this scheme.
    static func read(_ path: String) throws -> FindingBaseline {
        let shown = VisibleText.ascii(path)
        let data: Data
        do {
            try refuseFolder(path)
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            data = try file.read(upToCount: sizeLimit + 1) ?? Data()
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError("\(shown): the baseline cannot be read (\(error.systemWords))")
        }
        guard data.count <= sizeLimit else {
            throw CommandError("\(shown): over \(Measure.bytes(Int64(sizeLimit))) are no baseline")
        }
        let lines = data.split(separator: 0x0A)
        let refused = { (line: Int, why: String) in
            BaselineError(
                description: "\(shown):\(line): \(why); mooring baseline writes the file anew")
        }
        // The error's place is of no use: what is no JSON is no header.
        guard let first = lines.first, let head = try? JSONNode(parsing: Array(first)),
            head["schema"]?.string == schema
        else { throw refused(1, "no baseline: its first line has no schema '\(schema)'") }
        guard head["idScheme"]?.integer == idScheme else {
            throw refused(1, "its findings have ids of another scheme than \(idScheme)")
        }
        guard head["expires"]?.string != nil else {
            throw refused(1, "it does not say when it expires ('\(never)', or a time)")
        }
        var entries: [FindingBaseline.Entry] = []
        var ids: Set<String> = []
        for (number, line) in lines.dropFirst().enumerated() {
            do {
                entries.append(
                    try FindingBaseline.Entry(json: JSONNode(parsing: Array(line))))
            } catch {
                throw refused(number + 2, "no entry, \(error)")
            }
            guard ids.insert(entries[number].id).inserted else {
                throw refused(number + 2, "the finding has a line already")
            }
        }
        do {
            let isForEver = head["expires"]?.string == never
            return FindingBaseline(
                entries, expires: isForEver ? nil : try head.moment("expires"))
        } catch {
            throw refused(1, "\(error)")
        }
    }
}

extension FindingBaseline.Entry {
    /// The debt that a finding is.
    init(_ finding: Finding) {
        let place = finding.record.map { record in
            FindingText.place(record)
        }
        let key = finding.key.map { "\(finding.bucket ?? ""): " + VisibleText.ascii($0.bytes) }
        self.init(
            id: finding.id, kind: finding.kind, cause: finding.cause,
            about: key ?? place ?? VisibleText.ascii(finding.value ?? []))
        bytes = max(0, finding.objects?.bytes ?? finding.object?.size ?? 0)
    }

    /// The entry as a line holds it.
    var json: JSONValue {
        .members([
            "id": .string(id), "kind": .string(kind.rawValue), "cause": .text(cause?.rawValue),
            "about": .string(about), "bytes": bytes == 0 ? nil : .integer(bytes),
            "accepted": isAccepted ? .bool(true) : nil, "reason": .text(reason),
            "until": .moment(until),
        ])
    }

    /// Reads an entry back.
    init(json node: JSONNode) throws(DocumentError) {
        self.init(
            id: try node.required("id"), kind: try node.coded("kind"),
            cause: try node.codedIfPresent("cause"), about: node["about"]?.string ?? "")
        bytes = node["bytes"]?.integer ?? 0
        guard node["accepted"] == nil || node["accepted"]?.bool != nil else {
            throw DocumentError("'accepted' is neither true nor false")
        }
        isAccepted = node["accepted"]?.bool ?? false
        reason = node["reason"]?.string
        until = try node.momentIfPresent("until")
    }
}
