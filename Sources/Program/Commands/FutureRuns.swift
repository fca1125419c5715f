import MooringConfiguration
import MooringLedger
import MooringModel

/// Runs that began after now: their clock was ahead, or this one is behind, and the times that a
/// wrong clock wrote down are wrong.
enum FutureRuns {
    /// One sentence for each run that began after now, by more than clocks may differ.
    static func sentences(_ ledger: Ledger, _ configuration: Configuration) throws -> [String] {
        let bound = SystemClock.now() + configuration.race.clockBound
        return try ledger.runs(startedAfter: bound).map { run in
            "run \(run.text) lies in the future of this machine's clock, which was ahead then or "
                + "is behind now. Runs are ordered as they were made; the times that a wrong clock "
                + "wrote down stay wrong"
        }
    }

    /// The same of the runs right before this one, for its report.
    static func sentences(
        before run: RunID, _ ledger: Ledger, _ configuration: Configuration
    ) throws -> [String] {
        let bound = SystemClock.now() + configuration.race.clockBound
        let future = Set(try ledger.runs(startedAfter: bound))
        guard !future.isEmpty else { return [] }
        let before = try ledger.runs().drop { $0.id != run }.dropFirst()
            .prefix { future.contains($0.id) }
        return before.isEmpty ? [] : try sentences(ledger, configuration)
    }
}
