import Synchronization

/// That the process was asked to stop: what got no answer is not sent again from then on, so that a
/// store which answers nothing holds nobody up. It is the process's own, as the signal is.
package enum StopRequest {
    private static let isSet = Atomic<Bool>(false)

    /// Whether it was asked.
    package static var isMade: Bool { isSet.load(ordering: .relaxed) }

    /// Asks it; nothing takes that back.
    package static func make() {
        isSet.store(true, ordering: .relaxed)
    }
}
