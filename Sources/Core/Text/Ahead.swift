import Dispatch
import Synchronization

/// An answer that another core finds while its caller does something else.
package final class Ahead<Answer: Sendable>: Sendable {
    private let answer = Mutex<Answer?>(nil)
    private let found = DispatchGroup()

    /// Begins to make an answer.
    package init(_ make: @escaping @Sendable () -> Answer) {
        // A queue of its own, so that it gets a thread at once: those of the queue that all share
        // are as many as there are cores, and one that waits for this answer is one of them.
        DispatchQueue(label: "mooring.ahead").async(group: found) {
            let made = make()
            self.answer.withLock { $0 = made }
        }
    }

    /// The answer, once it is found.
    package func value() -> Answer {
        found.wait()
        guard let answer = answer.withLock({ $0 }) else { preconditionFailure("it was found") }
        return answer
    }
}
