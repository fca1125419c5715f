package import MooringModel
import MooringText

// The form of an excerpt: one line for each entry, one for each link, hashes in hexadecimal. Bytes
// that are no text stand in a member whose name ends in Base64.

extension JournalExcerptEntry {
    /// The entry as a line of `journal.jsonl`; the document is a text, so that its bytes come back.
    package var json: JSONValue {
        .members([
            "entry": .integer(number), "run": .string(run), "plan": .bytes(plan),
            "planBase64": plan.flatMap { .base64(unlessText: $0) },
            "intendedAt": .integer(intendedAt), "document": .bytes(document),
            "documentBase64": .base64(unlessText: document), "outcome": .text(outcome),
            "reason": .bytes(reason), "reasonBase64": reason.flatMap { .base64(unlessText: $0) },
            "endedAt": .whole(endedAt),
            "erasures": erasures.isEmpty ? nil : .array(erasures.map(\.json)),
        ])
    }

    /// Reads a line back.
    package init(json node: JSONNode) throws(DocumentError) {
        guard let document = try node.bytes("document") else {
            throw DocumentError("'document' is missing")
        }
        self.init(
            number: try node.wholeNumber("entry"), run: try node.required("run"),
            plan: try node.bytes("plan"), intendedAt: try node.wholeNumber("intendedAt"),
            document: document, outcome: node["outcome"]?.string,
            reason: try node.bytes("reason"), endedAt: node["endedAt"]?.integer)
        for erasure in node["erasures"]?.elements ?? [] {
            erasures.append(try Erasure(json: erasure))
        }
    }
}

extension JournalExcerptEntry.Erasure {
    fileprivate var json: JSONValue {
        .members([
            "link": .integer(link), "run": .string(run), "erasedAt": .integer(erasedAt),
            "before": .string(Hexadecimal.text(before)),
            "intent": .string(Hexadecimal.text(intent)),
            "outcome": outcome.map { .string(Hexadecimal.text($0)) },
        ])
    }

    fileprivate init(json node: JSONNode) throws(DocumentError) {
        self.init(
            link: try node.wholeNumber("link"), run: try node.required("run"),
            erasedAt: try node.wholeNumber("erasedAt"), before: try node.hash("before"),
            intent: try node.hash("intent"),
            outcome: node["outcome"] == nil ? nil : try node.hash("outcome"))
    }
}

extension JournalExcerptLink {
    /// The link as a line of `chain.jsonl`.
    package var json: JSONValue {
        .members([
            "link": .integer(number), "kind": .string(kind), "entry": .integer(entry),
            "content": .string(Hexadecimal.text(content)),
            "hash": .string(Hexadecimal.text(hash)),
        ])
    }

    /// Reads a line back.
    package init(json node: JSONNode) throws(DocumentError) {
        self.init(
            number: try node.wholeNumber("link"), kind: try node.required("kind"),
            entry: try node.wholeNumber("entry"), content: try node.hash("content"),
            hash: try node.hash("hash"))
    }
}

extension JournalPlace {
    /// `{links, hash}`.
    package var json: JSONValue {
        .members(["links": .integer(links), "hash": .string(Hexadecimal.text(hash))])
    }

    /// Reads a place back.
    package init(json node: JSONNode) throws(DocumentError) {
        self.init(links: try node.wholeNumber("links"), hash: try node.hash("hash"))
    }
}

extension JSONValue {
    fileprivate static func bytes(_ bytes: [UInt8]?) -> JSONValue? {
        bytes.map { .string(String(decoding: $0, as: UTF8.self)) }
    }
}

extension JSONNode {
    fileprivate func hash(_ name: String) throws(DocumentError) -> [UInt8] {
        guard let hash = Hexadecimal.decoded(self[name]?.stringBytes ?? []), hash.count == 32
        else { throw DocumentError("'\(name)' is no SHA-256") }
        return hash
    }
}
