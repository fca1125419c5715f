/// A scan's first and last instant; what was read belongs to some moment between the two.
package struct ScanWindow: Hashable, Sendable {
    /// Just before the first read.
    package let from: Instant
    /// Just after the last read.
    package let to: Instant

    /// A window between two moments.
    package init(from: Instant, to: Instant) {
        self.from = from
        self.to = to
    }
}

/// Why a scan is not complete: the place and the reason, never a record's content.
package struct ScanProblem: Hashable, Sendable {
    /// A file, table or folder.
    package let place: String
    /// The line in the file, from 1; nil where there are no lines.
    package let line: Int?
    /// What was wrong there.
    package let reason: String
    /// Whether it only says that something lies where Mooring puts nothing: it was left alone, and
    /// everything else was read.
    package let isOutside: Bool

    /// A problem at a place.
    package init(place: String, line: Int? = nil, reason: String, isOutside: Bool = false) {
        self.place = place
        self.line = line
        self.reason = reason
        self.isOutside = isOutside
    }

    /// The problem as one line: `place:line: reason`.
    package var text: String {
        line.map { "\(place):\($0): \(reason)" } ?? "\(place): \(reason)"
    }
}

/// What one pass over a table or bucket says about itself: its window and its completeness.
///
/// A scan that met any problem is incomplete, and an incomplete scan proves no absence.
package struct ScanResult: Sendable {
    /// When it read; of a scan that goes on from an earlier run's, since that one began.
    package var window: ScanWindow
    /// The problems met, at most `problemLimit` of them.
    package let problems: [ScanProblem]
    /// All problems met, kept or not.
    package let problemCount: Int
    /// Those of them, kept or not, that are `isOutside`.
    package let outsideCount: Int
    /// `snapshot` (all from one moment) or `moving` (the store changed while it was read).
    package let consistency: String
    /// Requests sent to a remote store.
    package let requests: Int

    /// Whether it goes on from an earlier run's, so that a part of it was read before this run read
    /// anything; the window then begins where that run's did.
    package var isResumed = false
    /// Whether the bucket says that it keeps versions; a listing tells no ids.
    package var keepsVersions = false
    /// What was read, as of which write: two scans of which it is the same read the same; nil where
    /// nothing tells that.
    package var state: String?
    /// What has to be said of it and is no problem, one sentence each.
    package var notes: [String] = []

    /// The most problems that are kept; the rest are only counted.
    package static let problemLimit = 100

    /// A scan's result.
    package init(
        window: ScanWindow, problems: [ScanProblem] = [], problemCount: Int? = nil,
        outsideCount: Int? = nil, consistency: String, requests: Int = 0
    ) {
        self.window = window
        self.problems = Array(problems.prefix(Self.problemLimit))
        self.problemCount = problemCount ?? problems.count
        self.outsideCount = outsideCount ?? problems.count { $0.isOutside }
        self.consistency = consistency
        self.requests = requests
    }

    /// Whether the scan reached the end of everything it was asked for.
    package var isComplete: Bool { problemCount == 0 }
}
