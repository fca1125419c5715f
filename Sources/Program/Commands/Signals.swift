import Dispatch
import Glibc
import MooringAWS
import MooringPipeline

/// Turns Ctrl-C and SIGTERM into a request to stop at the next border; a second one ends at once.
final class Signals: @unchecked Sendable {
    // Only made and released on one thread; the handlers touch the interruption alone, which is
    // safe to share.
    private let sources: [any DispatchSourceSignal]

    /// Listens until it is released.
    init(_ interruption: Interruption) {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if interruption.isInterrupted { _exit(ExitStatus.interrupted.rawValue) }
                interruption.interrupt()
                StopRequest.make()
                StandardError.stopping()
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
        // What is left to do, such as telling others, may be cut off.
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in _exit(ExitStatus.interrupted.rawValue) }
        }
    }
}
