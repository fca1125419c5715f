package import MooringModel

extension RunSummary {
    /// The names of the sides that were not read to their end.
    package var incompleteSides: [String] {
        records.filter { !$0.scan.complete }.map(\.name)
            + buckets.filter { !$0.scan.complete }.map(\.name)
    }

    /// Says whether everything was read to its end, and what was not.
    mutating func end() {
        let incomplete = incompleteSides
        status = incomplete.isEmpty ? .complete : .incomplete
        guard !incomplete.isEmpty else { return }
        reason = "not read to the end: \(incomplete.joined(separator: ", "))"
    }
}
