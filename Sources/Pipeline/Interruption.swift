import Synchronization

/// Set once by Ctrl-C or SIGTERM; stages ask it between batches and steps.
package final class Interruption: Sendable {
    private let isSet = Atomic<Bool>(false)

    /// Not interrupted.
    package init() {}

    /// Asks the run to stop at the next border.
    package func interrupt() {
        isSet.store(true, ordering: .relaxed)
    }

    /// Whether the run was asked to stop.
    package var isInterrupted: Bool { isSet.load(ordering: .relaxed) }

    /// Throws `Interrupted` when the run was asked to stop.
    package func check() throws {
        if isInterrupted { throw Interrupted() }
    }
}

/// The run was asked to stop; what it had begun is in the journal, and the next run goes on.
package struct Interrupted: Error, CustomStringConvertible {
    /// One sentence for people.
    package var description: String {
        "interrupted; what was begun is in the journal, and the next run goes on from there"
    }
}
