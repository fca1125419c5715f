import GRDB
import MooringModel

/// The clean looks at one object in quarantine: those of runs that ended, and with that of the run
/// under way, which is taken back unless it ends.
struct WatchLooks: Hashable, Sendable {
    /// With the look of a run that has not closed yet.
    private(set) var looks = CleanLooks()
    /// Those that count for good.
    private(set) var closed = CleanLooks()

    /// No looks.
    init() {}

    /// The looks in a row whose columns begin at an index, beside the tally of the same row and
    /// the run that put the object into quarantine.
    ///
    /// A row of a ledger that kept no looks knows the first and the last of its runs, and when they
    /// ended: what lies between them is one gap.
    init(_ row: Row, from index: Int, _ tally: RunTally, quarantinedBy run: RunID) throws {
        guard let blob: Blob = row[index], let closedBlob: Blob = row[index + 1] else {
            closed = Self.known(of: tally, run)
            looks = closed
            return
        }
        looks = try Self.decoded(blob)
        closed = try Self.decoded(closedBlob)
    }

    /// Adds the look of a run; one that was added and never closed is taken back before.
    mutating func count(_ look: CleanLook, takingBack isOpen: Bool) {
        if isOpen { looks = closed }
        looks.add(look)
    }

    private static func known(of tally: RunTally, _ run: RunID) -> CleanLooks {
        var looks = CleanLooks()
        guard tally.closedRuns > 0, let first = tally.firstAt else { return looks }
        looks.add(CleanLook(from: min(run.startedAt ?? first, first), until: first))
        guard let last = tally.closedAt, last > first else { return looks }
        // One whose clock was ahead began nobody knows when, so that the gap is not counted short.
        let told = RunID(tally.lastRun)?.startedAt ?? first
        let began = told <= last ? told : first
        looks.add(CleanLook(from: max(first, began), until: last))
        return looks
    }
}

extension WatchLooks {
    /// The columns in the order in which `arguments` and `init(_:from:_:quarantinedBy:)` take them.
    static let columns = "looks, closedLooks"

    /// The values of the columns.
    var arguments: StatementArguments { [Self.encoded(looks), Self.encoded(closed)] }

    // A number for the form; when the last look began; then moment and gap of each beginning, all
    // in nanoseconds.
    private static let form: UInt8 = 1

    private static func encoded(_ looks: CleanLooks) -> Blob {
        var bytes = [form]
        func append(_ number: Int64) {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }
        if !looks.isEmpty { append(looks.lastFrom.nanoseconds) }
        for beginning in looks.beginnings {
            append(beginning.at.nanoseconds)
            append(beginning.gap.nanoseconds)
        }
        return Blob(bytes)
    }

    private static func decoded(_ blob: Blob) throws -> CleanLooks {
        let numbers = stride(from: 1, to: blob.bytes.count, by: 8).map { start in
            blob.bytes[start..<min(start + 8, blob.bytes.count)]
                .reduce(into: Int64(0)) { $0 = $0 << 8 | Int64($1) }
        }
        guard blob.bytes.first == form, blob.bytes.count % 8 == 1 else {
            throw DocumentError("the looks of a watch have another form")
        }
        guard let lastFrom = numbers.first else { return CleanLooks() }
        let beginnings = stride(from: 1, to: numbers.count - 1, by: 2).map { place in
            CleanLooks.Beginning(
                at: Instant(nanoseconds: numbers[place]), gap: .nanoseconds(numbers[place + 1]))
        }
        guard numbers.count % 2 == 1, !beginnings.isEmpty,
            let looks = CleanLooks(
                beginnings: beginnings, lastFrom: Instant(nanoseconds: lastFrom))
        else { throw DocumentError("the looks of a watch have another form") }
        return looks
    }
}
