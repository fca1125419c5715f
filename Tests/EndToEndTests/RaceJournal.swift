import Testing

/// What Mooring did, by its journal, read from the ledger's file without any of Mooring's code.
struct RaceJournal {
    /// One step that was carried out, or tried.
    struct Entry {
        let strategy: String
        let outcome: String?
        /// The run that acted, and the one in whose quarantine its object lies, where it names one.
        let run: String
        let quarantinedBy: String?
        let key: String
        /// The record whose reference a nulling takes.
        let place: RaceApp.Place?
        /// How the object's version is named; nil of nullings.
        let version: String?
        /// From the intent to the outcome, in nanoseconds since 1970.
        let span: RaceLog.Span
        let reason: String
    }

    let entries: [Entry]

    init(_ app: RaceApp) throws {
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        entries = try ledger.rows(
            """
            SELECT document, outcome, intendedAt, coalesce(endedAt, intendedAt), reason, run
            FROM journal ORDER BY number
            """
        ).map { row in
            let step = try JSON(parsing: row[0] ?? "")["step"]
            let (model, id) = (step["record"]["model"].string, step["record"]["id"].string)
            let etag = step["precondition"]["object"]["etag"].string
            return Entry(
                strategy: step["strategy"].string ?? "", outcome: row[1], run: row[5] ?? "",
                quarantinedBy: step["precondition"]["quarantinedBy"].string,
                key: step["key"].string ?? "",
                place: model.flatMap { model in
                    id.map { RaceApp.Place(table: model, id: $0) }
                },
                // "sSIZE.mMTIME.iINODE" of a file; an ETag of S3 has no points
                version: etag?.split(separator: ".").suffix(2).joined(separator: "."),
                span: RaceLog.Span(before: Int(row[2] ?? "") ?? 0, after: Int(row[3] ?? "") ?? 0),
                reason: row[4] ?? "")
        }
    }

    /// How often each strategy ended how.
    var counts: [String: Int] {
        entries.reduce(into: [:]) { counts, entry in
            let strategy = entry.strategy == "delete" ? "sweep" : entry.strategy
            counts["\(strategy) \(entry.outcome ?? "open")", default: 0] += 1
        }
    }

    /// The steps of a strategy that were done.
    func done(_ strategy: String) -> [Entry] {
        entries.filter { $0.strategy == strategy && $0.outcome == "done" }
    }

    /// The quarantines that were done while an older object of their key lay there.
    var repeated: Int {
        var held: [String: Set<String>] = [:]
        var count = 0
        for entry in entries where entry.outcome == "done" {
            switch entry.strategy {
            case "quarantine":
                if held[entry.key]?.isEmpty == false { count += 1 }
                held[entry.key, default: []].insert(entry.run)
            case "restore", "delete":
                entry.quarantinedBy.map { _ = held[entry.key]?.remove($0) }
            default: break
            }
        }
        return count
    }

    /// What went into another place than that of its run, or found its own one taken.
    var misplaced: [String] {
        entries.filter { entry in
            entry.strategy == "quarantine"
                && (entry.quarantinedBy != nil || entry.reason.contains("quarantine is taken"))
        }.map { "misplaced: \($0.key) into the place of \($0.quarantinedBy ?? $0.run)" }
    }

    /// When the object was put into quarantine that a sweep removed.
    func taking(of sweep: Entry) -> RaceLog.Span? {
        entries.last {
            $0.strategy == "quarantine" && $0.key == sweep.key && $0.run == sweep.quarantinedBy
        }?.span
    }

    /// Where Mooring had put a version at a moment, in words.
    func fate(of version: String?, at key: String, by moment: Int) -> String {
        let last = entries.last {
            $0.key == key && $0.version == version && $0.span.after <= moment
                && $0.outcome == "done" && $0.strategy != "nullify"
        }
        return switch last?.strategy {
        case "quarantine": "lay in quarantine"
        case "delete": "Mooring had swept"
        default: "Mooring had not touched"
        }
    }
}
