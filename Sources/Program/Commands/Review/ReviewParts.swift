import Foundation
import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReporting
import MooringText

/// The parts of a plan that people are asked about, and the files that they decide in.
struct ReviewParts {
    /// What the plan is divided by.
    let grouping: PlanGrouping
    /// The parts, the first of which has the number 1.
    let parts: [PlanPart]

    /// So many files can still be handed out; a folder takes more.
    private static let limit = 10_000
    /// So many parts are shown unless more are asked for.
    private static let shown = 20

    /// The parts of a plan; refused where there are too many.
    init(_ steps: [PlannedStep], by grouping: PlanGrouping, _ configuration: Configuration) throws {
        self.grouping = grouping
        parts = PlanParts(by: grouping, under: configuration.levels).split(steps)
        guard parts.count <= Self.limit else {
            throw CommandError(
                "--by \(grouping.rawValue) makes \(parts.count) parts, and \(Self.limit) files are "
                    + "the most that are written; take --by month or --by model")
        }
    }

    /// The folder that is made where nobody named one.
    static func folder(_ run: RunID, _ grouping: PlanGrouping) -> String {
        "mooring-review-\(run.text)-\(grouping.rawValue)"
    }

    /// Refuses a folder inside of a bucket: the files would be its objects, and orphans.
    static func refuse(_ folder: String, in configuration: Configuration) throws {
        let url = URL(fileURLWithPath: folder).standardizedFileURL
        let parent = url.deletingLastPathComponent().resolvingSymlinksInPath()
        let path = Array((parent.path + "/" + url.lastPathComponent + "/1.csv").utf8)
        for bucket in configuration.buckets {
            guard case .directory(let objects, _) = bucket.store else { continue }
            let root = URL(fileURLWithPath: objects).resolvingSymlinksInPath().path
            let head = Array((root == "/" ? root : root + "/").utf8)
            guard path.starts(with: head) else { continue }
            let key = ObjectKey(Array(path.dropFirst(head.count)))
            guard bucket.mapping.covers(key), !bucket.mapping.ignores(key) else { continue }
            throw CommandError(
                "\(VisibleText.ascii(folder)) lies in bucket '\(bucket.name.printable)', and its "
                    + "files would be objects there; name another folder with --review-to")
        }
    }

    /// Writes a file for each part into a new folder.
    func write(to folder: String) throws {
        let target = try ReviewFolder(creating: folder)
        let names = parts.indices.map(fileName)
        do {
            for (part, name) in zip(parts, names) {
                try target.write(
                    name,
                    part.steps.lazy.map { planned in
                        ReviewTable.Row(
                            planned.step, kind: planned.kind, cause: planned.cause,
                            part: self.name(of: part), seen: planned.seen.text)
                    })
            }
            try target.complete()
        } catch {
            target.discard(names)
            throw error
        }
    }

    /// The lines of a table: number, name, steps and bytes of each part.
    func lines(all: Bool) -> [String] {
        let listed = all ? parts[...] : parts.prefix(Self.shown)
        let digits = String(parts.count).count
        var lines = listed.enumerated().map { place, part in
            let number = String(place + 1)
            let padding = String(repeating: " ", count: digits - number.count)
            return "  \(padding)\(number)  "
                + FindingText.pad(Terminal.key(name(of: part), width: 43), 44)
                + FindingText.pad(Measure.count(part.steps.count, "step"), 14)
                + Measure.bytes(part.bytes)
        }
        let rest = parts.dropFirst(listed.count)
        if !rest.isEmpty {
            lines.append(
                "  and \(Measure.count(rest.count, "more part")): "
                    + "\(Measure.count(Self.steps(rest), "step")), "
                    + "\(Measure.bytes(Self.bytes(rest))) (--verbose lists them)")
        }
        return lines
    }

    /// What all parts hold together.
    var sum: String {
        "\(Measure.count(Self.steps(parts[...]), "step")), "
            + "\(Measure.bytes(Self.bytes(parts[...]))) in \(Measure.count(parts.count, "part")) "
            + "by \(grouping.rawValue)"
    }

    /// The parts as one JSON document; `folder` is nil where nothing was written.
    func json(run: RunID, folder: String?) -> JSONValue {
        .members([
            "run": .string(run.text), "by": .string(grouping.rawValue), "folder": .text(folder),
            "steps": .whole(Self.steps(parts[...])), "bytes": .integer(Self.bytes(parts[...])),
            "parts": .array(
                parts.indices.map { number in
                    let part = parts[number]
                    let name = ObjectKey(name(of: part))
                    return .members([
                        "name": .string(name.text), "nameBase64": .base64(unlessText: name.bytes),
                        "file": .string(fileName(number)), "steps": .whole(part.steps.count),
                        "bytes": .integer(part.bytes),
                    ])
                }),
        ])
    }

    private func fileName(_ number: Int) -> String {
        ReviewFolder.fileName(name(of: parts[number]), number: number + 1, of: parts.count)
    }

    private func name(of part: PlanPart) -> [UInt8] {
        if let name = part.name { return name }
        switch grouping {
        case .owner, .model: return Array("(no record)".utf8)
        case .prefix: return Array("(no key)".utf8)
        case .month: return Array("(no object)".utf8)
        }
    }

    private static func steps(_ parts: ArraySlice<PlanPart>) -> Int {
        parts.reduce(0) { $0 + $1.steps.count }
    }

    // A store may claim any size.
    private static func bytes(_ parts: ArraySlice<PlanPart>) -> Int64 {
        parts.reduce(0) { sum, part in
            let (total, isOver) = sum.addingReportingOverflow(part.bytes)
            return isOver ? .max : total
        }
    }
}
