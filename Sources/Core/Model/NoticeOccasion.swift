/// When somebody who does not look is told of a run's end.
package enum NoticeOccasion: String, CaseIterable, Hashable, Sendable {
    /// When the run has something to tell that was not there before, or did not end well.
    case news
    /// When it ended with another status than 0.
    case failure
    /// Always.
    case always
}
