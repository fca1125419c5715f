package import MooringModel

extension RunSummary {
    /// The names of the sides that were not read to their end.
    package var incompleteSides: [String] {
        records.filter { !$0.scan.complete }.map(\.name)
            + buckets.filter { !$0.scan.complete }.map(\.name)
    }

    /// Says whether everything was read to its end, and what was not.
    mutating func end() {
        status = .complete
        markUnread(incompleteSides)
    }

    /// Says that these sides were not read to their end, where there are any.
    mutating func markUnread(_ sides: [String]) {
        guard !sides.isEmpty else { return }
        status = .incomplete
        reason = "not read to the end: \(sides.joined(separator: ", "))"
    }
}
