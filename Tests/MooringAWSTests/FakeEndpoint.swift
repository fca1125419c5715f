import MooringModel
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A small HTTP server on loopback that answers as a test says, and remembers what it was asked.
final class FakeEndpoint: Sendable {
    struct Request: Sendable {
        let method: String
        let uri: String
        let headers: HTTPHeaders
        let body: String
    }

    struct Answer: Sendable {
        var status = 200
        var body = ""
        var headers: [(String, String)] = []
        /// How long it waits before it answers.
        var delay = Duration.zero
    }

    private let channel: any Channel
    private let log: Log

    private final class Log: Sendable {
        let requests = Mutex<[Request]>([])
    }

    init(_ answer: @escaping @Sendable (Request) -> Answer) async throws {
        let log = Log()
        self.log = log
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
                    try channel.pipeline.syncOperations.addHandler(
                        Handler { request in
                            log.requests.withLock { $0.append(request) }
                            return answer(request)
                        })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit { channel.close(promise: nil) }

    var address: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    var requests: [Request] { log.requests.withLock { $0 } }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let answer: @Sendable (Request) -> Answer
        private var head: HTTPRequestHead?
        private var body = ""

        init(_ answer: @escaping @Sendable (Request) -> Answer) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body = ""
            case .body(let part): body += String(buffer: part)
            case .end:
                guard let head else { return }
                let given = answer(
                    Request(
                        method: head.method.rawValue, uri: head.uri, headers: head.headers,
                        body: body))
                let channel = context.channel
                let delay = TimeAmount.nanoseconds(given.delay.nanoseconds)
                context.eventLoop.scheduleTask(in: delay) { Self.send(given, on: channel) }
            }
        }

        private static func send(_ answer: Answer, on channel: any Channel) {
            var headers = HTTPHeaders(answer.headers)
            headers.add(name: "content-length", value: "\(answer.body.utf8.count)")
            let head = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status),
                headers: headers)
            channel.write(HTTPServerResponsePart.head(head), promise: nil)
            channel.write(
                HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: answer.body))),
                promise: nil)
            channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        }
    }
}
