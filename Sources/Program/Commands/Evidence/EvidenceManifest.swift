import MooringDecisions
import MooringModel

/// `MANIFEST.json` of an archive of evidence: what it is of, and what it has to hold.
struct EvidenceManifest {
    /// The name and version of the form.
    static let schema = "mooring.evidence/1"
    /// The name, in the archive's folder, of the manifest itself.
    static let name = "MANIFEST.json"

    /// A file of the archive.
    struct Member: Hashable {
        /// The name in the archive's folder.
        let name: String
        /// How many bytes it has.
        let size: Int64
        /// SHA-256 in hexadecimal.
        let digest: String
    }

    /// The version of the program that wrote it.
    var version: String
    var run: RunID
    /// The object or record that it is about, in words; nil where it is about the whole run.
    var subject: String?
    var createdAt: Instant
    /// The head of the journal's chain.
    var head: JournalPlace
    /// What was broken in the whole journal as the archive was written, in words.
    var journalBreaks: [String]
    var members: [Member]

    /// The folder that every member lies in.
    var folder: String { "mooring-evidence-\(run.text)/" }

    /// The names that an archive may hold, in the order in which they stand in it.
    static let names = [
        "report.json", "findings.jsonl", "story.jsonl", "plans.jsonl", "journal.jsonl",
        "chain.jsonl", "configuration.json", "stores.json", "runs.json", "versions.json",
    ]

    /// The manifest as it stands in the archive.
    var json: JSONValue {
        .members([
            "schema": .string(Self.schema), "version": .string(version),
            "run": .string(run.text), "subject": .text(subject),
            "createdAt": .moment(createdAt),
            "journal": .members([
                "head": head.json, "sound": .bool(journalBreaks.isEmpty),
                "breaks": journalBreaks.isEmpty ? nil : .texts(journalBreaks),
            ]),
            "members": .array(
                members.map {
                    .members([
                        "name": .string($0.name), "size": .integer($0.size),
                        "sha256": .string($0.digest),
                    ])
                }),
        ])
    }
}

extension EvidenceManifest {
    /// Reads a manifest; throws where it asks for other members than an archive holds.
    init(json node: JSONNode) throws {
        guard node["schema"]?.string == Self.schema else {
            throw DocumentError("'schema' is not \(Self.schema)")
        }
        guard let run = RunID(try node.required("run")), let journal = node["journal"],
            let head = journal["head"]
        else { throw DocumentError("'run' or 'journal' is missing") }
        var members: [Member] = []
        for member in node["members"]?.elements ?? [] {
            members.append(
                Member(
                    name: try member.required("name"), size: try member.wholeNumber("size"),
                    digest: try member.required("sha256")))
        }
        let known = Self.names.filter { name in members.contains { $0.name == name } }
        guard members.map(\.name) == known, members.allSatisfy({ $0.size >= 0 }) else {
            throw DocumentError("'members' has a name that is unknown, doubled or out of order")
        }
        let isOfRun = node["subject"] == nil
        let needed = Self.names.filter {
            $0 != (isOfRun ? "story.jsonl" : "findings.jsonl") && $0 != "plans.jsonl"
        }
        if let missing = needed.first(where: { !known.contains($0) }) {
            throw DocumentError("'members' lacks \(missing)")
        }
        var breaks = journal["breaks"]?.elements?.compactMap(\.string) ?? []
        if breaks.isEmpty, journal["sound"]?.bool != true {
            breaks = ["it is not said to be sound"]
        }
        self.init(
            version: try node.required("version"), run: run, subject: node["subject"]?.string,
            createdAt: try node.moment("createdAt"), head: try JournalPlace(json: head),
            journalBreaks: breaks, members: members)
    }
}
