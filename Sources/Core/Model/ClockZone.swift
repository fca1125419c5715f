/// A zone of clocks: by how much they are ahead of UTC, and since when.
package struct ClockZone: Hashable, Sendable {
    /// From a moment on, clocks are ahead of UTC by so much.
    package struct Change: Hashable, Sendable {
        /// Seconds since 1970.
        package let from: Int64
        /// Seconds that the clocks are ahead of UTC from then on; negative west of Greenwich.
        package let offset: Int64

        /// A change of the clocks.
        package init(from: Int64, offset: Int64) {
            self.from = from
            self.offset = offset
        }
    }

    /// The name by which the configuration knows it.
    package let name: String
    /// Seconds that the clocks are ahead before the first change.
    private let first: Int64
    // In the order of their moments.
    private let changes: [Change]

    /// A zone whose clocks are ahead by so many seconds, and by others after each change.
    package init(name: String, offset: Int64, changes: [Change] = []) {
        self.name = name
        first = offset
        self.changes = changes.sorted { $0.from < $1.from }
    }

    /// UTC, whose clocks never change.
    package static let utc = ClockZone(name: "UTC", offset: 0)

    // No two clocks in the world are further apart.
    private static let apart: Int64 = 26 * 3_600

    /// The moment at which a clock of the zone shows a time, which is given as if it were UTC. Of a
    /// time that is shown twice, the later moment; of one that is never shown, the later of those
    /// that the clocks of before and after the change would tell.
    package func moment(ofLocal time: Instant) -> Instant {
        let seconds = time.nanoseconds / 1_000_000_000
        let nearby =
            [offset(at: seconds - Self.apart)]
            + changes.filter { abs($0.from - seconds) <= Self.apart }.map(\.offset)
        let showing = nearby.filter { offset(at: seconds - $0) == $0 }
        let ahead = (showing.isEmpty ? nearby : showing).min() ?? first
        return time - .seconds(ahead)
    }

    /// What a clock of the zone shows at a moment, given as if it were UTC.
    package func local(of moment: Instant) -> Instant {
        moment + .seconds(offset(at: moment.nanoseconds / 1_000_000_000))
    }

    // A search by halves: a zone has two changes a year.
    private func offset(at seconds: Int64) -> Int64 {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].from <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : changes[low - 1].offset
    }
}
