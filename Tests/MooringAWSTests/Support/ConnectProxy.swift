import NIOCore
import NIOPosix
import Synchronization

/// A proxy that knows CONNECT alone, with or without a password.
final class ConnectProxy: Sendable {
    private let channel: any Channel
    private let log: Log

    private final class Log: Sendable {
        let targets = Mutex<[String]>([])
    }

    /// Listens on a free port; `login` is what has to stand behind `Basic `.
    init(login: String? = nil) async throws {
        let log = Log()
        self.log = log
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Front(login, log))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit { channel.close(promise: nil) }

    var port: Int { channel.localAddress?.port ?? 0 }
    /// The hosts and ports that were connected to.
    var targets: [String] { log.targets.withLock { $0 } }

    /// Reads the CONNECT, then hands everything on.
    private final class Front: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let login: String?
        private let log: Log
        private var head = ""
        private var peer: (any Channel)?

        init(_ login: String?, _ log: Log) {
            self.login = login
            self.log = log
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            if let peer {
                peer.writeAndFlush(buffer, promise: nil)
                return
            }
            head += String(decoding: buffer.readableBytesView, as: UTF8.self)
            guard head.hasSuffix("\r\n\r\n") else { return }
            let words = head.split(separator: " ")
            guard words[0] == "CONNECT",
                let (host, port) = Self.split(words[1])
            else { return answer("400 Bad Request", context, closes: true) }
            if let login, !head.lowercased().contains("basic \(login.lowercased())") {
                return answer("407 Proxy Authentication Required", context, closes: true)
            }
            log.targets.withLock { $0.append(String(words[1])) }
            connect(host, port, context)
        }

        func channelInactive(context: ChannelHandlerContext) { peer?.close(promise: nil) }

        private func connect(_ host: String, _ port: Int, _ context: ChannelHandlerContext) {
            let client = context.channel
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            ClientBootstrap(group: context.eventLoop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Back(client))
                    }
                }
                .connect(host: host, port: port)
                .whenComplete { result in
                    let (front, context) = bound.value
                    switch result {
                    case .success(let channel):
                        front.peer = channel
                        front.answer("200 Connection established", context, closes: false)
                    case .failure: front.answer("502 Bad Gateway", context, closes: true)
                    }
                }
        }

        private func answer(_ status: String, _ context: ChannelHandlerContext, closes: Bool) {
            let text = "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n"
            context.writeAndFlush(
                wrapOutboundOut(ByteBuffer(string: closes ? text : "HTTP/1.1 \(status)\r\n\r\n")),
                promise: nil)
            if closes { context.close(promise: nil) }
        }

        private static func split(_ text: Substring) -> (String, Int)? {
            let parts = text.split(separator: ":")
            return parts.count == 2 ? Int(parts[1]).map { (String(parts[0]), $0) } : nil
        }
    }

    /// Hands back what the far side says.
    private final class Back: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let client: any Channel

        init(_ client: any Channel) { self.client = client }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            client.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) { client.close(promise: nil) }
    }
}
