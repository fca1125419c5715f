/// The course of one call over its sendings: decides after each whether another follows.
package struct RetryCourse: Sendable {
    /// What follows a sending.
    package enum Step: Hashable, Sendable {
        /// The call is over.
        case stop
        /// It is sent again after a wait.
        case again(RetryCause, after: Duration)
    }

    /// What a sending told beside how it ended.
    package struct Circumstances: Sendable {
        /// What `Retry-After` asked for.
        package var askedDelay: Duration?
        /// The time since the call began.
        package var elapsed: Duration
        /// From 0 to 1: what makes waits unlike.
        package var random: Double
        /// Whether the process was asked to stop.
        package var isStopping = false

        /// The circumstances of a sending.
        package init(askedDelay: Duration? = nil, elapsed: Duration, random: Double) {
            self.askedDelay = askedDelay
            self.elapsed = elapsed
            self.random = random
        }
    }

    private let limits: RetryLimits
    private let deadline: Duration
    private let isRepeatable: Bool
    private var causes: Set<RetryCause> = []
    /// How often the call was sent, or tried to be.
    package private(set) var sendings = 0
    /// Whether any sending may have been carried out.
    package private(set) var isInDoubt = false
    /// Whether one before the last may have been.
    package private(set) var wasInDoubt = false

    /// The course of a call; `isSlow` where the service works on it for long.
    package init(limits: RetryLimits, isRepeatable: Bool, isSlow: Bool = false) {
        self.limits = limits
        self.isRepeatable = isRepeatable
        deadline = isSlow ? limits.slowDeadline : limits.deadline
    }

    /// Decides what follows a sending.
    package mutating func next(
        after sending: Sending, _ now: Circumstances, _ budget: inout RetryBudget
    ) -> Step {
        sendings += 1
        wasInDoubt = isInDoubt
        isInDoubt = isInDoubt || sending.leavesDoubt
        guard let cause = RetryRule.cause(of: sending, isRepeatable: isRepeatable) else {
            if case .answered = sending { budget.earn() }
            return .stop
        }
        guard sendings < limits.attempts else { return .stop }
        // A service that answers is given what was begun to its end.
        if now.isStopping, sending.isUnanswered { return .stop }
        switch cause {
        case .skew, .expired:
            // A second refusal of the kind says that the first correction was no help.
            return causes.insert(cause).inserted ? .again(cause, after: .zero) : .stop
        case .slowDown, .failure:
            let delay = limits.delay(
                after: sendings, asked: now.askedDelay, random: now.random)
            guard now.elapsed + delay < deadline else { return .stop }
            // Where the service asks to slow down, the limiter keeps the calls back already.
            guard cause == .slowDown || budget.spend() else { return .stop }
            return .again(cause, after: delay)
        }
    }
}
