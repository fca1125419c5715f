package import MooringModel

/// An object whose key stands in an owner's list, as it was looked at.
package struct ListedSibling: Hashable, Sendable {
    /// Its full key.
    package let key: ObjectKey
    /// When it became visible.
    package let birth: Instant

    /// A sibling.
    package init(key: ObjectKey, birth: Instant) {
        self.key = key
        self.birth = birth
    }
}

/// Tells a lost update from the times alone: two devices appended to one list at once, and the
/// write that came last held only its own key.
package enum LostUpdateRule {
    /// How many keys of a list are looked at: its last ones, where appends stand.
    package static let siblingLimit = 32
    // Files of one upload in parallel lie closer together, and their list is written once.
    private static let apart = Duration.seconds(1)

    /// The sibling whose append lost the one of an object with this birth: born between a second
    /// and U away from it, in a list that was last written between a second and U after both, so
    /// that nothing else has written it since. Nil when no times tell of one.
    package static func sibling(
        of birth: Instant, changed: Instant?, among siblings: [ListedSibling], race: RaceModel
    ) -> ListedSibling? {
        guard let changed else { return nil }
        let window = race.uploadWindow
        return siblings.first { sibling in
            let (first, last) = (min(birth, sibling.birth), max(birth, sibling.birth))
            return first + apart <= last && last <= first + window
                && last + apart <= changed && changed <= last + window
        }
    }

    /// Whether an object of this version may be told as a lost update at all, before any sibling
    /// was looked at. It errs to yes.
    package static func isPossible(
        _ version: ObjectVersion, changed: Instant?, setBy clock: ChangeClock, race: RaceModel
    ) -> Bool {
        guard let changed else { return false }
        if version.isMultipart || clock == .device { return true }
        return version.lastModified + apart <= changed
            && changed <= version.lastModified + race.uploadWindow + race.uploadWindow
    }
}
