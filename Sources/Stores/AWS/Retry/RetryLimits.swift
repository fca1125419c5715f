/// How often a call is sent again, and how long that may take.
package struct RetryLimits: Sendable {
    /// The most sendings of one call; 8.
    package var attempts = 8
    /// The longest wait before the second sending; each later one doubles it. 100 ms.
    package var firstDelay = Duration.milliseconds(100)
    /// The longest wait of all; 20 s.
    package var longestDelay = Duration.seconds(20)
    /// The longest wait that a service may ask for with `Retry-After`; 60 s.
    package var longestAskedDelay = Duration.seconds(60)
    /// How long all sendings of one call may take together; 5 min.
    package var deadline = Duration.seconds(300)
    /// The same for calls that the service works on for long; 45 min.
    package var slowDeadline = Duration.seconds(2_700)
    /// How many repetitions after failures all calls of a client may spend beyond what successes
    /// earn: a service that is broken is not sent everything eight times. 100.
    package var budget = 100

    /// The defaults.
    package init() {}

    /// The wait before the sending after `sendings`: anything up to twice the one before, so that
    /// many clients that failed together do not come back together. What the service asked for
    /// is kept, within bounds.
    package func delay(after sendings: Int, asked: Duration?, random: Double) -> Duration {
        let doublings = min(max(sendings - 1, 0), 30)
        let bound = min(longestDelay, firstDelay * (1 << doublings))
        let jittered = bound * random
        return max(jittered, min(asked ?? .zero, longestAskedDelay))
    }
}
