package import MooringModel

extension RunSummary {
    /// The names of the sides that were not read to their end.
    package var incompleteSides: [String] {
        records.incomplete + buckets.incomplete
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

extension [RunSummary.Records] {
    /// The names of the sources that were not read to their end.
    var incomplete: [String] { filter { !$0.scan.complete }.map(\.name) }
}

extension [RunSummary.Objects] {
    /// The names of the buckets that were not listed to their end.
    var incomplete: [String] { filter { !$0.scan.complete }.map(\.name) }
}
