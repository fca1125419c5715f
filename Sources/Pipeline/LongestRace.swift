package import MooringConfiguration
package import MooringDecisions
import MooringModel

extension RaceModel {
    /// The model with the longest of each bound of several, since any of them may hold: nil where
    /// there are none. It waits no less than any of them.
    ///
    /// Old copies are held off only where every source holds them off.
    static func longest(of models: [RaceModel]) -> RaceModel? {
        guard var longest = models.first?.bounds else { return nil }
        longest.conflicts =
            models.map(\.bounds.conflicts).min { $0.strength < $1.strength }
            ?? longest.conflicts
        for model in models {
            let bounds = model.bounds
            longest.uploadWindow = max(longest.uploadWindow, bounds.uploadWindow)
            longest.staleWindow = max(longest.staleWindow, bounds.staleWindow)
            longest.offlineWindow = max(longest.offlineWindow, bounds.offlineWindow)
            longest.multipartWindow = max(longest.multipartWindow, bounds.multipartWindow)
            longest.clockBound = min(longest.clockBound, bounds.clockBound)
            longest.relinkPossible = longest.relinkPossible || bounds.relinkPossible
        }
        return RaceModel(bounds: longest, clock: models.map(\.clock).max() ?? .zero)
    }
}

extension RaceBounds.Conflicts {
    /// How much a store holds old copies off: the weakest of several counts.
    fileprivate var strength: Int {
        switch self {
        case .none: 0
        case .automerge: 1
        case .lambda: 2
        case .optimistic: 3
        }
    }
}

extension Configuration {
    /// The longest of each bound of any record source, under a clock difference: an object may be
    /// uploaded under one source's bounds, and its key be written back under another's.
    package func longestRace(clock: Duration = .zero) -> RaceModel {
        RaceModel.longest(of: records.map { RaceModel(bounds: $0.race, clock: clock) })
            ?? RaceModel(bounds: race, clock: clock)
    }
}
