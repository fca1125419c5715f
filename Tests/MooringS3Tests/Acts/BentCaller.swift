import MooringAWS
import MooringModel

/// A real server that answers some requests as another one would.
struct BentCaller: AWSCaller {
    /// Gives the answer in place of the server's; nil where that counts.
    typealias Bend = @Sendable (AWSRequest) async throws -> AWSResponse?

    let inner: any AWSCaller
    let bend: Bend

    var requestCounts: [String: Int] { inner.requestCounts }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        if let answer = try await bend(request) { return answer }
        return try await inner.send(request)
    }

    /// What a bucket says of its versions.
    static func versioning(_ inside: String) -> AWSResponse {
        let body = "<VersioningConfiguration>\(inside)</VersioningConfiguration>"
        return AWSResponse(status: 200, headers: [], body: Array(body.utf8))
    }
}

extension AWSRequest {
    /// Whether it names one version.
    var namesVersion: Bool { query.contains { $0.name == "versionId" } }

    /// Whether it is about the object with this key, and not about its copy in quarantine.
    func isOf(_ key: ObjectKey) -> Bool {
        path.suffix(key.bytes.count).elementsEqual(key.bytes)
            && !path.contains(Array("quarantine".utf8))
    }
}
