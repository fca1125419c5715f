import MooringModel

/// Which incremental exports go on from a full one without a gap, so that both together tell the
/// table's state at the end of the last.
struct ExportChain {
    /// Those whose changes are applied, oldest first.
    private(set) var links: [ExportSummary] = []
    /// The moment whose state they tell; the full export's own where there are none.
    private(set) var end: Instant
    /// Why they tell no state; nil where they do.
    private(set) var problem: String?

    /// A full export may be off by about a minute from the moment that it names; a change of that
    /// minute may be missing from it, so that the changes of both of its sides are needed.
    static let blur = Duration.minutes(1)

    // The API's guide and its own list spell the second differently.
    private static let views: Set = ["NEW_AND_OLD_IMAGES", "NEW_IMAGES", "NEW_IMAGE"]

    /// The chain that begins with a full export. What ended before its moment, or within a minute
    /// of it, is part of it already, and no link.
    init(from base: ExportSummary, with changes: [ExportSummary]) {
        end = base.time
        var reach = base.time + (Duration.zero - Self.blur)
        let later = changes.filter { $0.time > reach }
            .sorted { ($0.from ?? $0.time, $0.time) < ($1.from ?? $1.time, $1.time) }
        for link in later {
            if let reason = Self.reason(against: link, base) {
                problem = "the incremental export \(link.name) \(reason)"
                return
            }
            guard let from = link.from, from <= reach else {
                problem = Self.gap(before: link, reach, isFirst: links.isEmpty)
                return
            }
            links.append(link)
            reach = max(reach, link.time)
        }
        // An item of the full export may be newer than changes that end within its minute: it
        // tells more than they do, and stands alone.
        guard reach >= base.time + Self.blur else {
            links = []
            return
        }
        end = reach
    }

    private static func reason(
        against link: ExportSummary, _ base: ExportSummary
    ) -> String? {
        if link.arn != base.arn { return "is of another table: \(Quoted.name(link.arn))" }
        if let own = link.tableID, let other = base.tableID, own != other {
            return "is of another table of the same name, which was removed or made since: take it "
                + "away"
        }
        guard let from = link.from, from < link.time else {
            return "does not say from when to when its changes are"
        }
        guard let view = link.view, views.contains(view) else {
            return "does not say that it holds new images, without which a change of a record "
                + "looks like its removal: export NEW_AND_OLD_IMAGES or NEW_IMAGE"
        }
        return nil
    }

    private static func gap(
        before link: ExportSummary, _ reach: Instant, isFirst: Bool
    ) -> String {
        let begin = link.from?.iso8601 ?? "an unknown moment"
        return "the incremental export \(link.name) begins at \(begin), and nothing tells what "
            + "changed from \(reach.iso8601) on"
            + (isFirst ? ", a minute before the full export, by which it may be off" : "")
            + ": export the changes of that time too, or take it away"
    }
}
