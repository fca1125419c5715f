import NIOCore
import NIOHTTP1

/// Writes a request's target exactly as it was signed.
///
/// The library takes targets from addresses, and Foundation's addresses lose those that are no
/// UTF-8: `/bucket/%FF` becomes `/`, which is the bucket's list in place of an object. So the
/// target travels in a header of its own, and is put into its place here, right before the
/// request becomes bytes; the header goes no further.
final class TargetWriter: ChannelOutboundHandler {
    /// What it reads.
    typealias OutboundIn = HTTPClientRequestPart
    /// The same, with its target in place.
    typealias OutboundOut = HTTPClientRequestPart

    /// The header that holds the target on its way here.
    static let header = "x-mooring-target"

    /// Puts a writer before the encoder of a new connection. Without it a connection is not used.
    static func install(in channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
            try pipeline.addHandler(TargetWriter(), position: .after(encoder))
        }
    }

    /// Puts the target into a request's first line.
    func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        guard case .head(var head) = unwrapOutboundIn(data) else {
            context.write(data, promise: promise)
            return
        }
        guard let target = head.headers.first(name: Self.header) else {
            // Nothing else makes requests on these connections.
            promise?.fail(ChannelError.inappropriateOperationForState)
            context.close(promise: nil)
            return
        }
        head.uri = target
        head.headers.remove(name: Self.header)
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
