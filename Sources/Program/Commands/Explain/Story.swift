import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReconcile
import MooringReporting

/// What the stores and the ledger say of one subject.
struct Story {
    private let title: String
    private let reading: String?
    private let now: [String]
    private let references: [RecordPlace]
    private let history: HistoryLookup.Losses
    private let appearances: [Appearance]
    private let repairs: [JournalEntry]
    private var timeline = Timeline()
    private let events: EventCollection?
    private let doubts: [String]
    private let next: [String]
    /// Whether a store did not tell all that it was asked for.
    let isIncomplete: Bool
    /// Whether a store, a record or the ledger tells anything of it.
    let isKnown: Bool

    /// The story of what a text was found to name, with what logs tell of it.
    init(
        _ named: SubjectSearch.Named, _ lookup: SubjectLook, _ ledger: Ledger, _ logs: EventLookup
    ) async throws {
        let past = HistoryLookup(job: lookup.job)
        var live: (object: SubjectLook.Object, bucket: String)?
        var (isTold, isUnread) = (named.isKnown, false)
        switch named.what {
        case .object(let object):
            let (key, bucket) = (object.key, lookup.job.buckets[object.bucket].name)
            title = "object \(VisibleText.ascii(key.bytes)) in \(bucket)"
            let found = try await lookup.object(key, bucket: object.bucket)
            (now, references) = (found.sentences, found.search.places)
            history = try await past.losses(of: key, bucket: object.bucket)
            appearances = try ledger.findings(about: bucket, key: key)
            repairs = try ledger.journal(about: bucket, key: key)
            live = (found, bucket)
            isTold = isTold || found.isHeldOrNamed
            isUnread = found.isIncomplete
        case .record(let record):
            title =
                "record \(record.model)/\(VisibleText.ascii(record.id.joined)) in "
                + record.source
            (now, references) = (try await lookup.record(record).sentences, [])
            history = try await past.losses(from: record)
            appearances = try ledger.findings(about: record)
            repairs = try ledger.journal(about: record)
        }
        reading = named.reading
        let sights = appearances.map { Timeline.Sight(run: $0.run, $0.finding) }
        next = StoryCommands.next(sights.first, repairs, live?.object)
        let logged = logs.files.isEmpty ? nil : try logs.events(about: named.what)
        events = logged?.found
        doubts = logged == nil ? [] : logs.doubts(about: named.what)
        isIncomplete =
            isUnread || !doubts.isEmpty || !history.isComplete || logged?.isWhole == false
        isKnown = isTold || !history.events.isEmpty || events?.events.isEmpty == false
        if let live { timeline.add(live.object, in: live.bucket) }
        timeline.add(history.events)
        timeline.add(sights, audits: try Self.audits(ledger), born: live?.object.writtenAt)
        timeline.add(repairs)
        if let events { timeline.add(events.timeline) }
    }

    // The audits that read both sides, in the order of time.
    private static func audits(_ ledger: Ledger) throws -> [RunID] {
        try ledger.runs().filter(Pipeline.isWholeAudit).map(\.id).sorted()
    }

    private var unread: [String] { history.unread + doubts }

    /// The story as one JSON value.
    var json: JSONValue {
        .members([
            "title": .string(title), "readAs": .text(reading), "now": .texts(now),
            "unread": unread.isEmpty ? nil : .texts(unread),
            "timeline": timeline.json,
            "events": events.map { .array($0.events.map(\.json)) }, "logs": events?.logs,
            "next": next.isEmpty ? nil : .texts(next),
            "references": .array(references.map(\.json)),
            "findings": .array(
                appearances.map { appearance in
                    .members([
                        "run": .string(appearance.run.text),
                        "finding": appearance.finding.json(),
                    ])
                }),
            "repairs": .array(
                repairs.map { entry in
                    .members([
                        "run": .string(entry.run.text), "step": entry.step.json,
                        "outcome": .text(entry.outcome?.rawValue),
                        "reason": .text(entry.reason), "endedAt": .moment(entry.endedAt),
                        "undoes": .whole(entry.undoes),
                    ])
                }),
        ])
    }

    /// Prints the story.
    func show() {
        StandardOutput.line(title)
        if let reading { StandardOutput.line("  read as \(reading)") }
        for sentence in now { StandardOutput.line("  now: " + sentence) }
        for place in references {
            StandardOutput.line("  referenced by " + FindingText.place(place))
        }
        for sentence in unread { StandardOutput.line("  unread: " + sentence) }
        if let latest = appearances.first?.finding {
            StandardOutput.line("  the latest finding about it:")
            FindingText.show(latest, at: SystemClock.now(), verbose: true)
        } else {
            StandardOutput.line("  no run found anything about it")
        }
        if !timeline.events.isEmpty { StandardOutput.line("  what happened:") }
        for line in timeline.lines { StandardOutput.line("    " + line) }
        if let events { StandardOutput.line("  logs:" + (events.remarks.isEmpty ? " none" : "")) }
        for line in events?.remarks ?? [] { StandardOutput.line("    " + line) }
        if !next.isEmpty { StandardOutput.line("  next:") }
        for command in next { StandardOutput.line("    " + command) }
    }
}
