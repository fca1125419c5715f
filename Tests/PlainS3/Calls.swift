import Crypto
import Foundation

// The calls that tests make most; each throws when the server does not do it.
extension PlainS3 {
    /// Sends a call that has to succeed.
    @discardableResult
    package func require(_ call: Call) throws -> Message {
        let answer = try send(call)
        guard (200..<300).contains(answer.status) else { throw UnexpectedAnswer(call, answer) }
        return answer
    }

    /// Makes a bucket.
    package func makeBucket(_ name: String, versioned: Bool = false) throws {
        try require(Call("PUT", name))
        if versioned { try setVersioning("Enabled", of: name) }
    }

    /// Sets a bucket's versioning: `Enabled` or `Suspended`.
    package func setVersioning(_ status: String, of bucket: String) throws {
        try setConfiguration(
            "versioning",
            "<VersioningConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                + "<Status>\(status)</Status></VersioningConfiguration>", of: bucket)
    }

    /// Sets one of a bucket's sub-resources, such as `lifecycle` or `policy`.
    package func setConfiguration(_ name: String, _ text: String, of bucket: String) throws {
        var call = Call("PUT", bucket)
        call.query = [(name, "")]
        call.body = Array(text.utf8)
        call.headers = [
            ("content-md5", Data(Insecure.MD5.hash(data: call.body)).base64EncodedString())
        ]
        try require(call)
    }

    /// Puts an object; returns its ETag and, where versions are on, its version id.
    @discardableResult
    package func put(
        _ bucket: String, _ key: [UInt8], _ content: [UInt8],
        headers: [(name: String, value: String)] = []
    ) throws -> (etag: String, version: String?) {
        var call = Call("PUT", bucket, key)
        (call.headers, call.body) = (headers, content)
        let answer = try require(call)
        return (Self.unquoted(answer["etag"] ?? ""), answer["x-amz-version-id"])
    }

    /// Puts an object of text at a key of text.
    @discardableResult
    package func put(
        _ bucket: String, _ key: String, _ content: String = "content",
        headers: [(name: String, value: String)] = []
    ) throws -> (etag: String, version: String?) {
        try put(bucket, Array(key.utf8), Array(content.utf8), headers: headers)
    }

    /// An object's answer to GET; nil when there is none.
    package func get(_ bucket: String, _ key: [UInt8], version: String? = nil) throws -> Message? {
        var call = Call("GET", bucket, key)
        if let version { call.query = [("versionId", version)] }
        let answer = try send(call)
        if answer.status == 404 { return nil }
        guard answer.status == 200 else { throw UnexpectedAnswer(call, answer) }
        return answer
    }

    /// An object's content as text; nil when there is none.
    package func text(_ bucket: String, _ key: String) throws -> String? {
        try get(bucket, Array(key.utf8)).map { String(decoding: $0.body, as: UTF8.self) }
    }

    /// An object's answer to HEAD; nil when there is none.
    package func head(_ bucket: String, _ key: [UInt8], version: String? = nil) throws -> Message? {
        var call = Call("HEAD", bucket, key)
        if let version { call.query = [("versionId", version)] }
        let answer = try send(call)
        if answer.status == 404 { return nil }
        guard answer.status == 200 else { throw UnexpectedAnswer(call, answer) }
        return answer
    }

    /// Removes an object, or one version of it.
    @discardableResult
    package func delete(
        _ bucket: String, _ key: [UInt8], version: String? = nil
    ) throws -> Message {
        var call = Call("DELETE", bucket, key)
        if let version { call.query = [("versionId", version)] }
        return try require(call)
    }

    /// An ETag without quotes.
    static func unquoted(_ text: String) -> String { text.filter { $0 != "\"" } }
}

// Listings.
extension PlainS3 {
    /// One object of a listing, or one version or delete marker.
    package struct Entry {
        /// The key.
        package let key: [UInt8]
        /// The key as text.
        package var name: String { String(decoding: key, as: UTF8.self) }
        /// The ETag without quotes; empty for a delete marker.
        package let etag: String
        /// In bytes; 0 for a delete marker.
        package let size: Int
        /// The version's id, in a listing of versions.
        package let version: String?
        /// Whether it is the newest version of its key.
        package let isLatest: Bool
        /// Whether it is a delete marker.
        package let isMarker: Bool
        /// As the server writes it.
        package let lastModified: String
    }

    /// Every object, by pages; keys below a prefix only.
    package func list(_ bucket: String, prefix: String = "") throws -> [Entry] {
        var found: [Entry] = []
        var token: String?
        repeat {
            var call = Call("GET", bucket)
            call.query = [("list-type", "2"), ("encoding-type", "url"), ("prefix", prefix)]
            if let token { call.query.append(("continuation-token", token)) }
            let text = String(decoding: try require(call).body, as: UTF8.self)
            found += Self.entries(text, "Contents")
            let isTruncated = Self.value("IsTruncated", in: text[...]) == "true"
            token = isTruncated ? Self.value("NextContinuationToken", in: text[...]) : nil
        } while token != nil
        return found
    }

    /// Every version and delete marker, in the server's order: by key, the newest first.
    package func versions(_ bucket: String, prefix: String = "") throws -> [Entry] {
        var found: [Entry] = []
        var marker: [(name: String, value: String)]? = []
        while let from = marker {
            var call = Call("GET", bucket)
            call.query = [("versions", ""), ("encoding-type", "url"), ("prefix", prefix)] + from
            let text = String(decoding: try require(call).body, as: UTF8.self)
            found += Self.entries(text, "Version", "DeleteMarker")
            marker = nil
            if Self.value("IsTruncated", in: text[...]) == "true",
                let key = Self.value("NextKeyMarker", in: text[...])
            {
                let version = Self.value("NextVersionIdMarker", in: text[...]) ?? ""
                marker = [
                    ("key-marker", String(decoding: Self.decoded(key), as: UTF8.self)),
                    ("version-id-marker", version),
                ]
            }
        }
        return found
    }

    private static func entries(_ text: String, _ names: String...) -> [Entry] {
        var found: [Entry] = []
        var rest = text[...]
        while let (name, start) = names.compactMap({ name in
            rest.range(of: "<\(name)>").map { (name, $0) }
        }).min(by: { $0.1.lowerBound < $1.1.lowerBound }),
            let end = rest.range(of: "</\(name)>", range: start.upperBound..<rest.endIndex)
        {
            let part = rest[start.upperBound..<end.lowerBound]
            found.append(
                Entry(
                    key: decoded(value("Key", in: part) ?? ""),
                    etag: unquoted(
                        (value("ETag", in: part) ?? "").replacing("&quot;", with: "")
                            .replacing("&#34;", with: "")),
                    size: Int(value("Size", in: part) ?? "") ?? 0,
                    version: value("VersionId", in: part),
                    isLatest: value("IsLatest", in: part) == "true",
                    isMarker: name == "DeleteMarker",
                    lastModified: value("LastModified", in: part) ?? ""))
            rest = rest[end.upperBound...]
        }
        return found
    }

    /// The text of the first element of a name.
    package static func value(_ name: String, in text: Substring) -> String? {
        guard let start = text.range(of: "<\(name)>"),
            let end = text.range(of: "</\(name)>", range: start.upperBound..<text.endIndex)
        else { return nil }
        return String(text[start.upperBound..<end.lowerBound])
    }

    // rclone writes a blank as `+`; no server writes a plus so.
    private static func decoded(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == 0x25, let code = UInt8(digits, radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == 0x2B ? 0x20 : byte)
            }
        }
        return bytes
    }
}
