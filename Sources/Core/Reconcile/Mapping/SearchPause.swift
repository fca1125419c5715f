/// Asks now and then within a long loop whether the run was asked to stop.
struct SearchPause: Sendable {
    /// Whether the run was asked to stop.
    let isStopped: @Sendable () -> Bool

    // So many steps take some milliseconds.
    private static let steps = 1_024

    /// Whether a loop ends before the step of this number.
    func stops(at number: Int) -> Bool { number % Self.steps == 0 && isStopped() }
}
