import PlainS3

/// The files of a bucket of S3, written, looked at and removed by one plain call each.
struct S3Files: Files {
    /// The server, and the bucket that holds everything.
    let server: PlainS3
    let bucket: String

    /// The bucket at `http://127.0.0.1:PORT/BUCKET`; nil of another place.
    init?(_ place: String, accessKey: String, secretKey: String) {
        let start = "http://127.0.0.1:"
        let parts = place.dropFirst(start.count).split(separator: "/")
        guard place.hasPrefix(start), parts.count == 2, let port = Int(parts[0]) else { return nil }
        server = PlainS3(port: port, accessKey: accessKey, secretKey: secretKey)
        bucket = String(parts[1])
    }

    // The object shows at some moment of the call, so the moment before it is the safe one.
    func upload(_ key: String, _ content: String, by hand: String) throws -> Upload {
        let before = Clock.now
        let put = try server.put(bucket, key, content)
        return Upload(
            version: put.etag, born: before, span: Span(before: before, after: Clock.now))
    }

    // A DELETE does not tell whether anything was there.
    func remove(_ key: String) throws -> Span? {
        guard try holds(key) else { return nil }
        let before = Clock.now
        try server.delete(bucket, Array(key.utf8))
        return Span(before: before, after: Clock.now)
    }

    func holds(_ key: String) throws -> Bool {
        try server.head(bucket, Array(key.utf8)) != nil
    }

    func names(in place: String) throws -> [String] {
        try server.list(bucket, prefix: place + "/").map {
            String($0.name.dropFirst(place.count + 1))
        }
    }
}
