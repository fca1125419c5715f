import MooringDecisions
import MooringFiles
import MooringModel
import MooringReporting
import MooringText

/// Reads an archive of evidence once, from its beginning to its end, and tells what is not as it
/// was written.
///
/// Holds the hashes of the journal's entries, about 300 bytes each, one line at most of a member of
/// lines, and the manifest and the report, each of at most 8 MiB; of other documents nothing.
struct EvidenceCheck {
    /// What a verification found.
    struct Outcome {
        /// What the archive says of itself; nil where that cannot be read.
        var manifest: EvidenceManifest?
        /// The members that are as they were written.
        var sound: Set<String> = []
        /// Entries of the journal that were compared with the chain.
        var entries = 0
        /// What is wrong, each with the member; empty of an archive that is sound.
        var faults: [String] = []
    }

    // The manifest has a line for each of ten members, and a report one for each field and step.
    private static let documentLimit: Int64 = 8 << 20
    // An entry holds a whole row in base64, and a finding every record that shares an object.
    private static let lineLimit = 64 << 20
    // A line of a hundred bytes at least for each entry: what no ledger has is no evidence.
    private static let entryLimit = 5_000_000

    private var outcome = Outcome()
    private var sums = EvidenceSums()
    private var excerpt = ExcerptCheck()
    private var isChainBegun = false

    /// Verifies a file.
    static func run(_ path: String) -> Outcome {
        var check = EvidenceCheck()
        do {
            try check.read(TarReader(path: path))
        } catch let failure as ReadFailure {
            check.outcome.faults.append(failure.reason)
        } catch {
            check.outcome.faults.append("\(error)")
        }
        return check.outcome
    }

    private mutating func read(_ archive: TarReader) throws {
        let manifest = try manifest(archive)
        outcome.manifest = manifest
        var waiting = manifest.members[...]
        while let header = try archive.next() {
            guard let member = waiting.first, header.name == manifest.folder + member.name else {
                throw ReadFailure(
                    reason: "\(header.name.printable) is not in the manifest, or stands twice or "
                        + "out of order; nothing behind it was read")
            }
            waiting.removeFirst()
            guard header.size == member.size else {
                throw ReadFailure(
                    reason: "\(member.name): has \(header.size) bytes, and the manifest says "
                        + "\(member.size); nothing behind it was read")
            }
            try read(member, archive)
        }
        for member in waiting { outcome.faults.append("\(member.name): is missing") }
        conclude(manifest)
    }

    private func manifest(_ archive: TarReader) throws -> EvidenceManifest {
        guard let header = try archive.next(),
            header.name.hasSuffix("/" + EvidenceManifest.name),
            header.size <= Self.documentLimit
        else { throw ReadFailure(reason: "its first member is no manifest of evidence") }
        var bytes: [UInt8] = []
        while case let piece = try archive.read(), !piece.isEmpty { bytes += piece }
        let manifest: EvidenceManifest
        do {
            manifest = try EvidenceManifest(json: JSONNode(parsing: bytes))
        } catch {
            throw ReadFailure(reason: "\(EvidenceManifest.name): \(error)")
        }
        guard header.name == manifest.folder + EvidenceManifest.name else {
            throw ReadFailure(reason: "\(EvidenceManifest.name): is of another run than its folder")
        }
        return manifest
    }

    private mutating func read(_ member: EvidenceManifest.Member, _ archive: TarReader) throws {
        var digest = RunningDigest()
        var content = try MemberContent(
            member, lineLimit: Self.lineLimit, documentLimit: Self.documentLimit)
        var fault: String?
        while case let piece = try archive.read(), !piece.isEmpty {
            digest.add(piece)
            // What is wrong in it is told once, and its hash is compared all the same.
            guard fault == nil else { continue }
            fault = Self.fault { try content.add(piece) { try take($0, of: member.name) } }
        }
        fault = fault ?? Self.fault { try content.finish { try take($0, of: member.name) } }
        if digest.text != member.digest { fault = "is not what was written (SHA-256 differs)" }
        if let fault {
            outcome.faults.append("\(member.name): \(fault)")
        } else {
            outcome.sound.insert(member.name)
        }
    }

    private static func fault(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch is LineGathering.TooLong {
            return "a line of it is too long"
        } catch {
            return "\(error)"
        }
    }

    // A line of a member, or all of one that is a document.
    private mutating func take(_ node: JSONNode, of name: String) throws {
        switch name {
        case "report.json":
            let report = try RunSummary(json: node)
            guard report.id == outcome.manifest?.run else {
                throw DocumentError("is of another run than the manifest")
            }
            sums.report = report
        case "findings.jsonl": sums.add(try Finding(json: node))
        case "plans.jsonl": _ = try Plan(json: node)
        case "journal.jsonl":
            guard excerpt.entries < Self.entryLimit else {
                throw DocumentError("more than \(Self.entryLimit) entries")
            }
            let entry = try JournalExcerptEntry(json: node)
            excerpt.take(entry)
            sums.add(entry)
        case "chain.jsonl":
            if isChainBegun {
                excerpt.take(try JournalExcerptLink(json: node))
            } else {
                excerpt.begin(at: try JournalPlace(json: node))
                isChainBegun = true
            }
        default: break
        }
    }

    private mutating func conclude(_ manifest: EvidenceManifest) {
        outcome.entries = excerpt.entries
        excerpt.finish(head: manifest.head)
        outcome.faults += excerpt.breaks.map { "chain.jsonl: " + $0 }
        outcome.faults += sums.faults(isOfRun: manifest.subject == nil)
        outcome.faults += manifest.journalBreaks.map {
            "the journal was broken as the archive was written: " + VisibleText.ascii($0)
        }
    }
}

/// What a member holds as it is read: lines, or one document, of which the report alone is kept.
private struct MemberContent {
    private var lines: LineGathering
    private var document: [UInt8]?
    private let isHashedAlone: Bool

    init(
        _ member: EvidenceManifest.Member, lineLimit: Int, documentLimit: Int64
    ) throws(ReadFailure) {
        lines = LineGathering(limit: lineLimit)
        let isReport = member.name == "report.json"
        isHashedAlone = !isReport && !member.name.hasSuffix(".jsonl")
        guard isReport else { return }
        guard member.size <= documentLimit else {
            throw ReadFailure(reason: "\(member.name): is too large for what it is")
        }
        document = []
    }

    mutating func add(_ piece: [UInt8], _ take: (JSONNode) throws -> Void) throws {
        if isHashedAlone { return }
        guard document == nil else {
            document?.append(contentsOf: piece)
            return
        }
        try lines.add(piece) { try take(try JSONNode(parsing: $0)) }
    }

    func finish(_ take: (JSONNode) throws -> Void) throws {
        if let document { return try take(try JSONNode(parsing: document)) }
        guard lines.isWhole else { throw DocumentError("its last line is cut off") }
    }
}

extension EvidenceCheck.Outcome {
    /// The outcome for people: a line for each member.
    var lines: [String] {
        guard let manifest else { return [] }
        let about = manifest.subject.map { " about " + VisibleText.ascii($0) } ?? ""
        let width = EvidenceManifest.names.map(\.utf8.count).max() ?? 0
        let rows = manifest.members.map { member in
            let name = member.name
            let padding = String(repeating: " ", count: width - name.utf8.count)
            let size = Measure.bytes(member.size)
            return "  \(name)\(padding)  \(sound.contains(name) ? "sound" : "WRONG")  \(size)"
        }
        return [
            "evidence of run \(manifest.run.text)\(about), written "
                + "\(manifest.createdAt.iso8601.prefix(19))Z by mooring "
                + VisibleText.ascii(manifest.version)
        ] + rows + [
            "journal: \(entries) of its entries, compared with the chain",
            manifest.headLine,
            faults.isEmpty ? "everything is as it was written" : "NOT as it was written",
        ]
    }

    /// The outcome as one JSON document.
    func json(file: String) -> JSONValue {
        .members([
            "file": .string(file), "sound": .bool(faults.isEmpty),
            "run": .text(manifest?.run.text), "subject": .text(manifest?.subject),
            "createdAt": .moment(manifest?.createdAt), "version": .text(manifest?.version),
            "journal": manifest.map {
                .members(["entries": .whole(entries), "head": $0.head.json])
            },
            "members": .array(
                (manifest?.members ?? []).map {
                    .members([
                        "name": .string($0.name), "size": .integer($0.size),
                        "sha256": .string($0.digest), "sound": .bool(sound.contains($0.name)),
                    ])
                }),
            "faults": .texts(faults),
        ])
    }
}
