import MooringAWS
import MooringModel

/// The versions and delete markers of one key, newest first.
struct VersionStack: Sendable {
    /// A version or a marker.
    struct Entry: Hashable, Sendable {
        /// The version's id; `null` of one from before versions were kept.
        let id: String
        /// Whether it is a delete marker.
        let isMarker: Bool
        /// When it was written, in whole seconds.
        let writtenAt: Instant
        /// The ETag without quotes; empty of a marker.
        let etag: String
        /// Bytes; 0 of a marker.
        let size: Int64

        /// The version as HEAD tells it.
        var version: ObjectVersion {
            ObjectVersion(size: size, etag: etag, lastModified: writtenAt, versionID: id)
        }
    }

    /// Newest first.
    let entries: [Entry]

    /// Where a version lies; 0 is the newest, nil means that it is gone.
    func index(of id: String) -> Int? { entries.firstIndex { $0.id == id } }

    /// The entry at a place; nil beyond the end.
    subscript(_ index: Int) -> Entry? {
        entries.indices.contains(index) ? entries[index] : nil
    }
}

/// One page of a listing of versions.
struct VersionPage {
    /// What stands on it, in order.
    let entries: [(key: ObjectKey, entry: VersionStack.Entry, isNewest: Bool)]
    /// Where the next page begins; nil of the last.
    let next: [AWSRequest.Parameter]?

    /// Reads a page; throws when it is not one.
    init(_ body: [UInt8]) throws {
        let document = try XMLDocument(body)
        guard document.name == "ListVersionsResult" else {
            throw XMLScanner.Fault(reason: "is no listing of versions", offset: 0)
        }
        let isEncoded = document["EncodingType"]?.text == "url"
        entries = try document.children.filter { ["Version", "DeleteMarker"].contains($0.name) }
            .map { element in
                guard let key = element["Key"]?.text, let id = element["VersionId"]?.text,
                    let written = (element["LastModified"]?.text).flatMap({ Instant(iso8601: $0) })
                else { throw XMLScanner.Fault(reason: "lacks a key, id or time", offset: 0) }
                let isMarker = element.name == "DeleteMarker"
                let size = (element["Size"]?.text).flatMap { Int64($0) }
                guard isMarker || size != nil else {
                    throw XMLScanner.Fault(reason: "lacks a size", offset: 0)
                }
                return (
                    ObjectKey(isEncoded ? try PercentDecoding.decode(key) : Array(key.utf8)),
                    VersionStack.Entry(
                        id: id, isMarker: isMarker, writtenAt: written.wholeSecond,
                        etag: isMarker ? "" : ETag.bare(element["ETag"]?.text ?? ""),
                        size: size ?? 0),
                    element["IsLatest"]?.text == "true"
                )
            }
        guard document["IsTruncated"]?.text == "true" else {
            next = nil
            return
        }
        guard let key = document["NextKeyMarker"]?.text, !key.isEmpty else {
            throw XMLScanner.Fault(reason: "says that it goes on, and not where", offset: 0)
        }
        var next = [
            AWSRequest.Parameter(
                "key-marker", isEncoded ? try PercentDecoding.decode(key) : Array(key.utf8))
        ]
        if let id = document["NextVersionIdMarker"]?.text, !id.isEmpty {
            next.append(AWSRequest.Parameter("version-id-marker", id))
        }
        self.next = next
    }
}

/// Reads what `encoding-type=url` writes.
enum PercentDecoding {
    /// The bytes; a plus is a blank, since what means a plus writes `%2B`. Throws at a percent
    /// sign without two digits.
    static func decode(_ text: String) throws -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(0x20)
            case UInt8(ascii: "%"):
                guard rest.count >= 2,
                    let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                else { throw XMLScanner.Fault(reason: "holds a percent sign alone", offset: 0) }
                rest = rest.dropFirst(2)
                decoded.append(value)
            default: decoded.append(byte)
            }
        }
        return decoded
    }
}
