import MooringConfiguration
import MooringLedger
import MooringModel

/// Runs whose clock was ahead: they are named, since the times that they wrote down are wrong.
enum FutureRuns {
    /// One sentence for each run that began after now, by more than clocks may differ.
    static func sentences(_ ledger: Ledger, _ configuration: Configuration) throws -> [String] {
        let bound = SystemClock.now() + configuration.race.clockBound
        return try ledger.runs(startedAfter: bound).map { run in
            "run \(run.text) lies in the future: a clock was ahead then. Runs are ordered as they "
                + "were made; what that run wrote down of times stays wrong"
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
