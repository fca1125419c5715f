import MooringAWS
import Synchronization

/// Answers calls as a script says, and keeps them.
final class RecordingCaller: AWSCaller {
    private let kept = Mutex<[AWSRequest]>([])
    private let script: @Sendable (AWSRequest) throws -> AWSResponse

    /// A caller without any network.
    init(_ script: @escaping @Sendable (AWSRequest) throws -> AWSResponse) { self.script = script }

    var sent: [AWSRequest] { kept.withLock { $0 } }
    var requestCounts: [String: Int] {
        sent.reduce(into: [:]) { $0[$1.call, default: 0] += 1 }
    }
    func send(_ request: AWSRequest) async throws -> AWSResponse {
        kept.withLock { $0.append(request) }
        return try script(request)
    }
}

extension AWSResponse {
    /// An error as S3 writes it; without a code, without a body.
    static func error(
        _ status: Int, _ code: String? = nil, message: String = "", more: String = "",
        headers: [(name: String, value: String)] = []
    ) -> AWSResponse {
        let body =
            code.map {
                "<Error><Code>\($0)</Code><Message>\(message)</Message>\(more)</Error>"
            } ?? ""
        return AWSResponse(status: status, headers: headers, body: Array(body.utf8))
    }

    /// The same behind an answer that was lost.
    var behindDoubt: AWSResponse {
        AWSResponse(status: status, headers: headers, body: body, followsDoubt: true)
    }
}
