import AsyncHTTPClient
import MooringModel
import NIOCore
import NIOHTTP1
import Synchronization

/// A whole answer as it came.
struct HTTPAnswer: Sendable {
    /// The status of HTTP.
    let status: Int
    /// The headers.
    let headers: HTTPHeaders
    /// The whole body, within the call's bound.
    let body: [UInt8]
    /// When its first bytes came.
    let receivedAt: Instant
}

/// An answer that is not taken for one.
enum BodyFault: Error {
    /// The body is longer than the call allows.
    case tooLong(limit: Int)
    /// The body ended before its announced length.
    case tooShort(got: Int, of: Int)
}

/// Collects one answer, up to a bound, and knows whether the request ever left.
final class ResponseCollector: HTTPClientResponseDelegate {
    /// What becomes of a request.
    typealias Response = HTTPAnswer

    private struct State {
        var wasSent = false
        var head: HTTPResponseHead?
        var receivedAt = Instant(nanoseconds: 0)
        var announced: Int?
        var body: [UInt8] = []
    }

    private let bodyLimit: Int
    private let hasBody: Bool
    private let clock: @Sendable () -> Instant
    private let state = Mutex(State())

    /// A collector for the answer to a request of a method.
    init(method: String, bodyLimit: Int, clock: @escaping @Sendable () -> Instant) {
        hasBody = method != "HEAD"
        self.bodyLimit = bodyLimit
        self.clock = clock
    }

    /// Whether the request's first bytes were handed to a connection.
    var wasSent: Bool { state.withLock { $0.wasSent } }

    /// The request's first bytes were handed to a connection.
    func didSendRequestHead(task: HTTPClient.Task<HTTPAnswer>, _ head: HTTPRequestHead) {
        state.withLock { $0.wasSent = true }
    }

    /// The status and the headers are there.
    func didReceiveHead(
        task: HTTPClient.Task<HTTPAnswer>, _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        let now = clock()
        let length = hasBody ? head.headers.first(name: "content-length").flatMap { Int($0) } : nil
        let isTooLong = state.withLock { state in
            state.receivedAt = now
            state.head = head
            state.announced = length
            if let length, length <= bodyLimit { state.body.reserveCapacity(length) }
            return (length ?? 0) > bodyLimit
        }
        return isTooLong ? refuse(task) : task.eventLoop.makeSucceededVoidFuture()
    }

    /// A part of the body is there.
    func didReceiveBodyPart(
        task: HTTPClient.Task<HTTPAnswer>, _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
        let isTooLong = state.withLock { state in
            guard state.body.count + buffer.readableBytes <= bodyLimit else { return true }
            state.body.append(contentsOf: buffer.readableBytesView)
            return false
        }
        return isTooLong ? refuse(task) : task.eventLoop.makeSucceededVoidFuture()
    }

    /// The answer is complete, or says that it is.
    func didFinishRequest(task: HTTPClient.Task<HTTPAnswer>) throws -> HTTPAnswer {
        try state.withLock { state in
            guard let head = state.head else { throw HTTPClientError.remoteConnectionClosed }
            if let announced = state.announced, announced != state.body.count,
                head.status != .notModified, head.status != .noContent
            {
                throw BodyFault.tooShort(got: state.body.count, of: announced)
            }
            return HTTPAnswer(
                status: Int(head.status.code), headers: head.headers, body: state.body,
                receivedAt: state.receivedAt)
        }
    }

    private func refuse(_ task: HTTPClient.Task<HTTPAnswer>) -> EventLoopFuture<Void> {
        task.eventLoop.makeFailedFuture(BodyFault.tooLong(limit: bodyLimit))
    }
}
