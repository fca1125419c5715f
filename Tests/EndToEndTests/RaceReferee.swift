import Testing

/// Tells after a race what was lost and by whom, from the devices' logs, Mooring's journal, and
/// what is there in the end.
struct RaceReferee {
    private let app: RaceApp
    private let log: RaceLog
    private let journal: RaceJournal
    private let references: [(place: RaceApp.Place, key: String)]
    private let objects: [String: String]
    private let held: [String]

    init(_ app: RaceApp) throws {
        self.app = app
        log = try RaceLog(app)
        journal = try RaceJournal(app)
        references = try app.references()
        objects = try app.bucket.objects()
        held = try app.bucket.held()
    }

    /// Everything that Mooring must not have done, one sentence each.
    func breaches() throws -> [String] {
        let open = journal.entries.filter { $0.outcome == nil }
        return lost() + journal.misplaced + sweptInUse() + nulledInError() + replaced() + left()
            + (try app.bucket.litter())
            + open.map { "open intent: \($0.strategy) \($0.key)" }
    }

    /// Keys that the devices handled against the rules, and that prove nothing.
    var late: Set<String> { log.late }

    // MARK: Nothing live is lost

    // A reference in the end without its file, which no device removed since its last upload.
    private func lost() -> [String] {
        references.compactMap { place, key in
            guard objects[key] == nil, !log.late.contains(key),
                !log.isRemoved(key, after: log.uploads[key]?.last?.span.before ?? 0)
            else { return nil }
            let fate = held.contains(key) ? "lies in quarantine" : "is gone"
            return "lost: \(place) references \(key), which \(fate)"
        }
    }

    // Mooring nulls what dangles, its own losses too, so the end alone does not tell: no version
    // may be swept for good while a record references it, or before one does that no new upload
    // came before.
    private func sweptInUse() -> [String] {
        journal.done("delete").compactMap { sweep in
            let uploads = log.uploads[sweep.key] ?? []
            guard !log.late.contains(sweep.key),
                // The same bytes have the same version on S3, as often as they are uploaded.
                let swept = uploads.lastIndex(where: { upload in
                    upload.version == sweep.version
                        && upload.span.before < journal.taking(of: sweep)?.after ?? .max
                }),
                // A newer version at the same key is what records mean.
                !uploads[(swept + 1)...].contains(where: { $0.span.after < sweep.span.before })
            else { return nil }
            let next = uploads.dropFirst(swept + 1).first?.span.before ?? .max
            let user = uses(of: sweep.key).first {
                $0.from < next && $0.until > sweep.span.after
            }
            guard let user else { return nil }
            let delay = (user.from - sweep.span.before) / 1_000_000
            return "\(moment(sweep)) swept in use: \(sweep.key), which \(user.place) took up "
                + (delay > 0 ? "\(delay) ms later" : "\(-delay) ms before")
        }
    }

    // The times for which a record surely held a key.
    private func uses(of key: String) -> [(place: RaceApp.Place, from: Int, until: Int)] {
        log.writes.flatMap { place, writes in
            writes.indices.filter { writes[$0].keys.contains(key) }.map { index in
                let next = index + 1 < writes.count ? writes[index + 1].span.before : .max
                let from = writes[index].span.after
                let nulled = journal.done("nullify").first {
                    $0.place == place && $0.key == key && $0.span.after > from
                }
                return (place, from, min(next, nulled?.span.before ?? .max))
            }
        }
    }

    // MARK: No reference is nulled whose file is there

    private func nulledInError() -> [String] {
        journal.done("nullify").compactMap { nulling in
            let key = nulling.key
            let upload = log.newest(at: key, before: nulling.span.before)
            let since = upload?.span.before ?? 0
            guard !log.late.contains(key), let place = nulling.place,
                !log.isRemoved(key, after: since, before: nulling.span.after)
            else { return nil }
            let fate = journal.fate(
                of: upload?.version, at: key, by: nulling.span.before)
            return "\(moment(nulling)) nulled in error: \(place) held \(key), which \(fate)"
        }
    }

    // Seconds since the devices began.
    private func moment(_ entry: RaceJournal.Entry) -> String {
        let tenths = (entry.span.before - log.began) / 100_000_000
        return "after \(tenths / 10).\(tenths % 10) s:"
    }

    // MARK: Nothing newer is replaced

    // A restored file never takes the place of a newer one.
    private func replaced() -> [String] {
        objects.compactMap { key, content in
            guard let uploads = log.uploads[key], let newest = uploads.last,
                !log.isRemoved(key, after: newest.span.before),
                let found = uploads.last(where: { content.hasPrefix($0.content + " ") }),
                found.span.after < newest.span.before
            else { return nil }
            return "replaced: \(key) holds \(found.content), and not \(newest.content)"
        }
    }

    // MARK: Every orphan goes, and every dangling reference

    /// What a race that has come to rest must not hold any more.
    func left() -> [String] {
        let used = Set(references.map(\.key))
        // What came behind a reference that the program nulled waits for a person: it is no orphan
        // of anybody else's making.
        let taken = Set(journal.done("nullify").map(\.key))
        let unused = held.filter { !used.contains($0) && !taken.contains($0) }
        let dangling = references.filter { objects[$0.key] == nil && $0.place.table != "Note" }
        let orphans = objects.keys.filter {
            !used.contains($0) && !taken.contains($0) && app.bucket.mayTake($0)
        }
        return orphans.map { "left: \($0)" }
            + unused.map { "left in quarantine: \($0)" }
            + dangling.map { "left dangling: \($0.place) \($0.key)" }
    }

    // MARK: Numbers

    /// What happened, in a few lines.
    func account() -> String {
        let used = Set(references.map(\.key))
        let older = held.filter { used.contains($0) && objects[$0] != nil }.count
        let uploads = log.uploads.values.reduce(0) { $0 + $1.count }
        let removals = log.removals.values.reduce(0) { $0 + $1.count }
        let writes = log.writes.values.reduce(0) { $0 + $1.count }
        return """
              devices: \(uploads) uploads, \(removals) removals, \(writes) writes; \
            \(list(log.counts))
              mooring: \(list(journal.counts))
              in the end: \(objects.count) files, \(references.count) references, \
            \(older) older versions kept in quarantine because their keys live, \
            \(log.late.count) keys late, \(journal.repeated) quarantined beside an older one
            """
    }

    private func list(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
