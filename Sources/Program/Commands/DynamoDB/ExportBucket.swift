import MooringAWS
import MooringDynamoDB
import MooringModel
import MooringS3

/// Exports where DynamoDB wrote them: below a prefix of a bucket of S3.
struct ExportBucket: ExportStore {
    /// Calls to the bucket.
    let client: S3Client
    /// `PREFIX/`, or nothing.
    private let prefix: String

    /// The exports below a prefix.
    init(client: S3Client, prefix: String) {
        self.client = client
        self.prefix = prefix.isEmpty || prefix.hasSuffix("/") ? prefix : prefix + "/"
    }

    var place: String {
        "s3://\(client.place.bucket)" + (prefix.isEmpty ? "" : "/" + prefix.dropLast())
    }

    func files() async throws -> [String] {
        var found: [String] = []
        let listing = S3Listing(client, clock: SystemClock.now)
        let scope = ListingScope(prefixes: [Array(prefix.utf8)])
        let result = try await listing.objects(scope) { batch in
            for object in batch {
                let key = String(decoding: object.key.bytes, as: UTF8.self)
                if key.hasPrefix(prefix) { found.append(String(key.dropFirst(prefix.count))) }
            }
        }
        if let problem = result.problems.first {
            throw StoreError(place: problem.place, reason: problem.reason)
        }
        return found
    }

    func read(_ path: String, from offset: Int, count: Int) async throws -> [UInt8] {
        // Fewer, larger requests than a folder takes.
        let call = S3Call(
            "GetObject", key: ObjectKey(prefix + path),
            headers: [("range", "bytes=\(offset)-\(offset + count - 1)")])
        do {
            let response = try await client.send(call)
            // Behind the end, and of an empty object, there is no range.
            if response.status == 416 { return [] }
            guard response.status == 206 || (response.status == 200 && offset == 0) else {
                throw client.storeError(call, response)
            }
            return response.body
        } catch {
            throw client.storeError(call, thrown: error) ?? error
        }
    }
}
