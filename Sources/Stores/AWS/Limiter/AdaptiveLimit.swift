/// How many requests may be in flight: one more for each round of successes, half as many when the
/// service asks to slow down, and a pause then.
///
/// Decides only. Times are counted from any fixed moment.
package struct AdaptiveLimit: Sendable {
    /// Tells a request that was sent before the last decrease from one that was sent after it.
    package struct Ticket: Hashable, Sendable {
        fileprivate let generation: Int
    }

    private static let firstPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(5)
    private static let longestAskedPause = Duration.seconds(60)

    private let most: Int
    private var allowed: Double
    private var generation = 0
    private var refusalsInARow = 0
    /// Nothing is sent before this.
    package private(set) var pauseEnd = Duration.zero
    /// How many are in flight.
    package private(set) var inFlight = 0

    /// At first as many as there may ever be.
    package init(most: Int) {
        self.most = max(1, most)
        allowed = Double(self.most)
    }

    /// How many may be in flight.
    package var width: Int { max(1, Int(allowed)) }

    /// Lets a request go if there is room now.
    package mutating func admit(at now: Duration) -> Ticket? {
        guard inFlight < width, now >= pauseEnd else { return nil }
        inFlight += 1
        return Ticket(generation: generation)
    }

    /// A request came back, and the service did not ask to slow down.
    package mutating func settle(_ ticket: Ticket) {
        inFlight -= 1
        // What was sent before the last decrease says nothing of the width since.
        guard ticket.generation == generation else { return }
        refusalsInARow = 0
        allowed = min(Double(most), allowed + 1 / allowed)
    }

    /// A request came back without an answer, which says nothing of how many are welcome.
    package mutating func abandon(_ ticket: Ticket) { inFlight -= 1 }

    /// The service asked to slow down, perhaps naming for how long.
    package mutating func refuse(_ ticket: Ticket, at now: Duration, asked: Duration?) {
        let asked = min(asked ?? .zero, Self.longestAskedPause)
        // Those that were in flight together are refused together: that is one refusal.
        if ticket.generation == generation {
            allowed = max(1, Double(min(width, inFlight)) / 2)
            generation += 1
            let pause = Self.firstPause * (1 << min(refusalsInARow, 10))
            refusalsInARow += 1
            pauseEnd = max(pauseEnd, now + min(Self.longestPause, pause))
        }
        pauseEnd = max(pauseEnd, now + asked)
        inFlight -= 1
    }
}
