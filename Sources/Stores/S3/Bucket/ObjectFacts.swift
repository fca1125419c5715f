import MooringAWS
import MooringModel

/// What HEAD or GET says of one object: its version, and everything that a copy has to keep.
struct ObjectFacts: Sendable {
    /// The version; its id is nil where the bucket keeps none.
    let version: ObjectVersion
    private let response: AWSResponse

    /// What an answer says; nil when it does not tell size, ETag and time.
    init?(_ response: AWSResponse, keepsVersions: Bool) {
        guard let size = response["content-length"].flatMap(Int64.init),
            let etag = response["etag"].map(ETag.bare), !etag.isEmpty,
            let written = response["last-modified"].flatMap({ HTTPDate.parse($0) })
        else { return nil }
        self.response = response
        version = ObjectVersion(
            size: size, etag: etag, lastModified: written,
            versionID: keepsVersions ? response["x-amz-version-id"] ?? "null" : nil)
    }

    /// The storage class, where it is not the standard one.
    var storageClass: String? {
        response["x-amz-storage-class"].flatMap { $0 == "STANDARD" ? nil : $0 }
    }

    /// The name of the archive that the object lies in; nil when it lies in none.
    ///
    /// One that was restored has a second copy for some days, and stays in its class (API
    /// reference, RestoreObject): a copy that keeps the class is archived at once, and out of
    /// reach for hours.
    var archive: String? {
        if let status = response["x-amz-archive-status"] { return status }
        return storageClass.flatMap { ["GLACIER", "DEEP_ARCHIVE"].contains($0) ? $0 : nil }
    }

    /// Whether a legal hold or a retention lies on the object, which no copy would have.
    var isLocked: Bool {
        response["x-amz-object-lock-legal-hold"] == "ON"
            || response["x-amz-object-lock-mode"] != nil
    }

    /// Whether it is one of Mooring's own notes about a version.
    var isNote: Bool { response[QuarantineNote.header] == QuarantineNote.schema }

    /// Whether the ETag is the MD5 of the content, so that a copy has the same.
    var hasContentETag: Bool {
        let digits = Array(version.etag.utf8)
        return digits.count == 32 && !isKeyEncrypted
            && digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    private var isKeyEncrypted: Bool {
        response["x-amz-server-side-encryption"]?.hasPrefix("aws:kms") == true
    }

    /// The checksums of the whole content, by their headers' names; asked for by checksum mode.
    var wholeChecksums: [String: String] {
        guard (response["x-amz-checksum-type"] ?? "FULL_OBJECT") == "FULL_OBJECT" else {
            return [:]
        }
        var found: [String: String] = [:]
        for (name, value) in response.headers
        where name.hasPrefix("x-amz-checksum-") && name != "x-amz-checksum-type"
            && !value.contains("-")
        {
            found[name] = value
        }
        return found
    }

    /// The metadata by which a copy in parts, whose ETag is another, says what it was made of.
    static let markHeader = "x-amz-meta-mooring-source"
    /// What a copy of this object says in it.
    var mark: String { "\(version.etag) \(version.lastModified.iso8601)" }
    /// What this object says that it was made of.
    var sourceMark: String? { response[Self.markHeader] }

    /// Headers that a copy by the store does not carry over by itself.
    var carriedHeaders: [(name: String, value: String)] {
        [
            "x-amz-website-redirect-location", "x-amz-server-side-encryption",
            "x-amz-server-side-encryption-aws-kms-key-id",
            "x-amz-server-side-encryption-bucket-key-enabled",
        ].compactMap { name in response[name].map { (name, $0) } }
            + (storageClass.map { [("x-amz-storage-class", $0)] } ?? [])
    }

    /// All headers that make a new object like this one; nil when one of them did not arrive as
    /// it is, so that it cannot be said again.
    var describingHeaders: [(name: String, value: String)]? {
        let missing = response["x-amz-missing-meta"].flatMap(Int.init) ?? 0
        let own: Set = [
            "content-type", "content-encoding", "content-disposition", "content-language",
            "cache-control", "expires",
        ]
        let described = response.headers.filter {
            own.contains($0.name)
                || ($0.name.hasPrefix("x-amz-meta-") && $0.name != Self.markHeader)
        }
        let isWhole = described.allSatisfy { header in
            header.value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F }
        }
        guard missing == 0, isWhole else { return nil }
        return described + carriedHeaders
    }
}

/// The forms of an ETag.
enum ETag {
    /// Without its quotes, as stores list it with and without.
    static func bare(_ text: String) -> String {
        let text = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
        guard text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count >= 2 else {
            return String(text)
        }
        return String(text.dropFirst().dropLast())
    }

    /// In quotes, as conditions take it.
    static func quoted(_ bare: String) -> String { "\"\(bare)\"" }
}

extension StoreError {
    /// The same, in the middle of an act that has changed something already.
    var unsettled: StoreError {
        StoreError(place: place, reason: reason, hint: hint, isRefusal: false)
    }
}
