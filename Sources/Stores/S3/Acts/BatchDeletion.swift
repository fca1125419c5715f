import Crypto
import MooringAWS
import MooringModel

/// One object, or one of its versions, that is to go in a batch.
struct BatchItem: Hashable, Sendable {
    /// The key of the object or version.
    let key: ObjectKey
    /// The version or marker that goes for good; nil for the object as it is.
    var version: String?
    /// Only where the object has this ETag; sent only where the trial proved it.
    var etag: String?
}

/// How one item of a batch ended, whatever became of its neighbours.
enum BatchEnd: Hashable, Sendable {
    case removed
    /// The store's code, such as `PreconditionFailed`; the object is where it was.
    case refused(String)
    /// The answer does not name it: it may be gone or not.
    case unanswered
}

extension BucketCalls {
    /// The most items of one batch.
    static let batchLimit = 1_000

    /// Removes many objects or versions, in batches of up to 1,000, and tells how each ended, in
    /// their order. What no XML can name goes alone. Throws where a whole batch was refused or got
    /// no answer; then those behind it were not sent.
    func removeBatch(_ items: [BatchItem]) async throws -> [BatchEnd] {
        var ends = [BatchEnd](repeating: .unanswered, count: items.count)
        var batch: [Int] = []
        for (index, item) in items.enumerated() {
            if item.key.isNameable {
                batch.append(index)
            } else {
                ends[index] = try await removeAlone(item)
            }
            if batch.count == Self.batchLimit || (index == items.count - 1 && !batch.isEmpty) {
                let answered = try await send(batch: batch.map { items[$0] })
                for (index, end) in zip(batch, answered) { ends[index] = end }
                batch = []
            }
        }
        return ends
    }

    private func removeAlone(_ item: BatchItem) async throws -> BatchEnd {
        let response = try await delete(item.key, version: item.version, ifMatch: item.etag)
        if (200..<300).contains(response.status) { return .removed }
        return .refused(S3Error(call: "DeleteObject", response).code)
    }

    private func send(batch: [BatchItem]) async throws -> [BatchEnd] {
        let objects = batch.map { item in
            "<Object><Key>\(XMLEscape.text(item.key.text))</Key>"
                + (item.version.map { "<VersionId>\(XMLEscape.text($0))</VersionId>" } ?? "")
                + (item.etag.map { "<ETag>\(XMLEscape.text(ETag.quoted($0)))</ETag>" } ?? "")
                + "</Object>"
        }
        let body = Array(
            ("<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">" + objects.joined()
                + "</Delete>").utf8)
        let call = S3Call(
            "DeleteObjects", method: "POST", query: [AWSRequest.Parameter("delete")],
            headers: [
                ("content-type", "application/xml"),
                ("content-md5", Base64.encode(Array(Insecure.MD5.hash(data: body)))),
            ], body: body)
        let response = try await perform(call)
        let answer: XMLDocument
        do {
            answer = try XMLDocument(response.body)
        } catch {
            throw StoreError(
                place: client.place.bucket,
                reason: "the answer to DeleteObjects cannot be read: it \(error.reason)")
        }
        // An error counts whatever else is said of the same item.
        var ends: [[String]: BatchEnd] = [:]
        for element in answer.all("Deleted") + answer.all("Error") {
            let name = [element["Key"]?.text ?? "", element["VersionId"]?.text ?? ""]
            ends[name] =
                element.name == "Error"
                ? .refused(element["Code"]?.text ?? "no code") : .removed
        }
        return batch.map { item in
            ends[[item.key.text, item.version ?? ""]]
                ?? (item.version == nil ? nil : ends[[item.key.text, ""]]) ?? .unanswered
        }
    }
}

extension ObjectKey {
    /// Whether XML 1.0 can hold the key and gives it back as it is.
    var isNameable: Bool {
        guard isValidUTF8 else { return false }
        return text.unicodeScalars.allSatisfy {
            ($0.value >= 0x20 || $0.value == 0x0A || $0.value == 0x09)
                && $0.value & 0xFFFE != 0xFFFE
        }
    }
}

/// Text for an XML document.
enum XMLEscape {
    /// The text with entities for what would be read as markup.
    static func text(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\r": escaped += "&#13;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
