import MooringAWS
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server of HTTP in this process that does what a script says, faults included.
final class ScriptedServer: Sendable {
    /// A request as it came.
    struct Seen: Sendable {
        let method: String
        /// What stood in the first line, untouched.
        let target: String
        let headers: [String: String]
        let body: [UInt8]
    }

    /// What happens to a request.
    enum Reply: Sendable {
        /// A whole answer; the connection stays open.
        case answer(Int, headers: [(String, String)] = [], body: String = "")
        /// These bytes, and the connection is closed.
        case bytes(String)
        /// These bytes, and nothing after them.
        case stall(String)
        /// Nothing, ever.
        case silence
        /// The connection is closed without a word.
        case close
        /// A whole answer, after a time in which the request counts as in flight.
        indirect case later(TimeAmount, Reply)
    }

    private struct State {
        var seen: [Seen] = []
        var inFlight = 0
        var mostInFlight = 0
        var connections = 0
    }

    private let channel: any Channel
    private let state: Shared

    private final class Shared: Sendable {
        let state = Mutex(State())
        let script: @Sendable (Int, Seen) -> Reply
        init(_ script: @escaping @Sendable (Int, Seen) -> Reply) { self.script = script }
    }

    /// Listens on a free port; the script is told the number of the request, from 0.
    init(
        tls: NIOSSLContext? = nil, _ script: @escaping @Sendable (Int, Seen) -> Reply
    ) async throws {
        let shared = Shared(script)
        state = shared
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    shared.state.withLock { $0.connections += 1 }
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLServerHandler(context: tls))
                    }
                    try channel.pipeline.syncOperations.addHandler(Handler(shared))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit { channel.close(promise: nil) }

    var port: Int { channel.localAddress?.port ?? 0 }
    var origin: Origin { Origin(isSecure: false, host: "127.0.0.1", port: port) }
    var seen: [Seen] { state.state.withLock { $0.seen } }
    /// Waits until so many requests came; a test that waits in vain runs into its time limit.
    func receives(_ count: Int) async throws {
        while seen.count < count { try await Task.sleep(for: .milliseconds(5)) }
    }

    var mostInFlight: Int { state.state.withLock { $0.mostInFlight } }
    var connections: Int { state.state.withLock { $0.connections } }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let shared: Shared
        private var received: [UInt8] = []

        init(_ shared: Shared) { self.shared = shared }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += Array(unwrapInboundIn(data).readableBytesView)
            while let seen = take() {
                let number = shared.state.withLock { state in
                    state.seen.append(seen)
                    state.inFlight += 1
                    state.mostInFlight = max(state.mostInFlight, state.inFlight)
                    return state.seen.count - 1
                }
                carryOut(shared.script(number, seen), of: seen, context)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        private func take() -> Seen? {
            guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
            let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                headers[parts[0].lowercased()] =
                    parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
            }
            let length = headers["content-length"].flatMap { Int($0) } ?? 0
            guard received.count >= end.upperBound + length else { return nil }
            let body = Array(received[end.upperBound..<(end.upperBound + length)])
            received.removeFirst(end.upperBound + length)
            let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
            return Seen(
                method: String(words[0]), target: String(words[1]), headers: headers, body: body)
        }

        private func carryOut(_ reply: Reply, of seen: Seen, _ context: ChannelHandlerContext) {
            if case .later(let delay, let inner) = reply {
                let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
                context.eventLoop.scheduleTask(in: delay) {
                    bound.value.0.carryOut(inner, of: seen, bound.value.1)
                }
                return
            }
            shared.state.withLock { $0.inFlight -= 1 }
            switch reply {
            case .answer(let status, let headers, let body):
                var text = "HTTP/1.1 \(status) X\r\n"
                for (name, value) in headers { text += "\(name): \(value)\r\n" }
                text += "Content-Length: \(body.utf8.count)\r\n\r\n"
                write(text + (seen.method == "HEAD" ? "" : body), context)
            case .bytes(let text):
                write(text, context)
                context.close(promise: nil)
            case .stall(let text): write(text, context)
            case .close: context.close(promise: nil)
            case .silence, .later: break
            }
        }

        private func write(_ text: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        }
    }
}

extension ScriptedServer.Reply {
    /// An error as S3 writes it.
    static func error(
        _ status: Int, _ code: String, headers: [(String, String)] = []
    ) -> ScriptedServer.Reply {
        .answer(
            status, headers: headers,
            body: "<?xml version=\"1.0\"?><Error><Code>\(code)</Code></Error>")
    }
}
