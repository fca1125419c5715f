import MooringModel

/// Reads `race`, at the top or on a record source.
enum RaceReader {
    private static let keys = [
        "preset", "uploadWindow", "staleWindow", "offlineWindow", "multipartWindow",
        "clockBound", "conflicts", "relink",
    ]

    /// The bounds of a race model, and how they came about.
    struct Race {
        /// The bounds.
        var bounds = RaceBounds()
        /// Whether the file says in words how conflicts are settled, and no preset came behind it.
        var saysConflicts = false
    }

    /// The bounds of a section's `race`: those of its preset, or else the general ones, with the
    /// single keys on top.
    ///
    /// A device that is offline associates its uploads and writes back its copies only when it
    /// returns. So windows that are not written grow to `offlineWindow`, and one that is written
    /// shorter is refused; the stale window is free under optimistic conflict detection.
    static func read(_ parent: Section, general: Race = Race()) -> Race {
        guard let section = parent.section("race", known: keys) else { return general }
        var bounds = general.bounds
        if let preset = section.filled("preset") {
            let order = ["standard", "offline", "testing"]
            if let known = RaceBounds.presets[preset.value] {
                bounds = known
            } else {
                section.reportUnknown("preset", preset, among: order)
            }
        }
        bounds.multipartWindow = section.duration("multipartWindow") ?? bounds.multipartWindow
        bounds.clockBound = section.duration("clockBound") ?? bounds.clockBound
        bounds.conflicts =
            section.choice("conflicts", of: RaceBounds.Conflicts.self) ?? bounds.conflicts
        bounds.relinkPossible =
            section.choice("relink", ["possible": true, "never": false]) ?? bounds.relinkPossible
        bounds.offlineWindow = section.duration("offlineWindow") ?? bounds.offlineWindow
        bounds.uploadWindow = window(
            "uploadWindow", section, default: bounds.uploadWindow, atLeast: bounds.offlineWindow)
        bounds.staleWindow = window(
            "staleWindow", section, default: bounds.staleWindow,
            atLeast: bounds.conflicts == .optimistic ? .zero : bounds.offlineWindow)
        let saysConflicts =
            section.has("conflicts") || (general.saysConflicts && !section.has("preset"))
        return Race(bounds: bounds, saysConflicts: saysConflicts)
    }

    private static func window(
        _ key: String, _ section: Section, default other: Duration, atLeast least: Duration
    ) -> Duration {
        guard let window = section.duration(key) else { return max(other, least) }
        if window < least {
            section.report(
                "'\(key)' (\(window.label)) is shorter than 'offlineWindow' (\(least.label)), "
                    + "and a device may act when it returns; make it at least as long",
                at: key)
        }
        return window
    }
}
