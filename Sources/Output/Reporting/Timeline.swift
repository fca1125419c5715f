package import MooringModel

/// What happened to one object or record, oldest first, each line with where it is known from.
///
/// It holds what the ledger and the stores tell; what neither kept is not in it.
package struct Timeline: Hashable, Sendable {
    /// Something that happened, or that may from then on.
    package struct Event: Hashable, Sendable {
        /// When.
        package let at: Instant
        /// What, without a full stop.
        package let text: String
        /// Who tells it: a run, a bucket or a source.
        package let source: String

        /// An event.
        package init(at: Instant, _ text: String, source: String) {
            (self.at, self.text, self.source) = (at, text, source)
        }

        /// `{at, text, source}`.
        var json: JSONValue {
            .members([
                "at": .moment(at), "text": .string(text), "source": .string(source),
            ])
        }
    }

    /// A finding as a run recorded it.
    package struct Sight: Hashable, Sendable {
        /// The run.
        package let run: RunID
        /// The finding as that run saw it.
        package let finding: Finding

        /// A finding in a run.
        package init(run: RunID, _ finding: Finding) {
            (self.run, self.finding) = (run, finding)
        }
    }

    /// The events in the order of time; of one instant, in the order in which they were added.
    package private(set) var events: [Event] = []

    /// An empty timeline.
    package init() {}

    /// Adds events.
    package mutating func add(_ added: [Event]) {
        let all = events + added
        events = all.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }.map(\.element)
    }

    /// Adds what lies at the object's key now.
    package mutating func add(_ version: ObjectVersion, in bucket: String) {
        add([
            Event(
                at: version.lastModified,
                "the object that is there now was written, \(Measure.bytes(version.size))",
                source: bucket)
        ])
    }

    /// Adds what runs found, each finding as often as what is said of it changed. `audits` are the
    /// complete ones in the order of time; `born` is when the object was written that is there now.
    package mutating func add(_ sights: [Sight], audits: [RunID], born: Instant?) {
        let ids = sights.map(\.finding.id)
        var seen: Set<String> = []
        for id in ids where seen.insert(id).inserted {
            let own = sights.filter { $0.finding.id == id }.sorted { $0.run < $1.run }
            add(Self.events(of: own, audits, born))
        }
    }

    /// Adds what was done.
    package mutating func add(_ entries: [JournalEntry]) {
        add(
            entries.map { entry in
                Event(
                    at: entry.endedAt ?? entry.intendedAt, Self.text(of: entry),
                    source: "run \(entry.run.text), step \(entry.step.id)")
            })
    }

    /// A line for each event: the second, what happened, and who tells it.
    package var lines: [String] {
        events.map { "\($0.at.iso8601.prefix(19))Z  \($0.text) [\($0.source)]" }
    }

    /// A list of `{at, text, source}`.
    package var json: JSONValue { .array(events.map(\.json)) }

    // MARK: Words

    private static func events(
        of sights: [Sight], _ audits: [RunID], _ born: Instant?
    ) -> [Event] {
        guard let first = sights.first, let last = sights.last else { return [] }
        var events = before(first, audits, born)
        var told: String?
        for sight in sights {
            let words = words(of: sight.finding)
            guard words != told, let at = sight.run.startedAt else { continue }
            let how = told == nil ? "found: " : "now: "
            events.append(Event(at: at, how + words, source: "run \(sight.run.text)"))
            told = words
        }
        if let next = audits.first(where: { $0 > last.run }), let at = next.startedAt {
            let kind = last.finding.kind.rawValue
            events.append(
                Event(at: at, "no longer found: \(kind)", source: "run \(next.text)"))
        } else {
            events += ahead(of: last)
        }
        return events
    }

    private static func words(of finding: Finding) -> String {
        let cause = finding.cause.map { "/\($0.rawValue)" } ?? ""
        return "\(finding.kind.rawValue)\(cause), \(finding.verdict.rawValue)"
    }

    // When a record still held an orphan: no audit keeps every reference, but one that was complete
    // and found nothing about an object that was there saw one.
    private static func before(
        _ first: Sight, _ audits: [RunID], _ born: Instant?
    ) -> [Event] {
        guard first.finding.kind == .orphan, let born,
            let last = audits.last(where: { $0 < first.run }), let at = last.startedAt, born < at
        else { return [] }
        return [
            Event(
                at: at, "no orphan yet: something referenced it, or kept it",
                source: "run \(last.text)")
        ]
    }

    private static func ahead(of last: Sight) -> [Event] {
        var events: [Event] = []
        let source = "run \(last.run.text)"
        if let explanation = last.finding.explanation, last.finding.verdict == .explained {
            events.append(
                Event(
                    at: explanation.until,
                    "until then a device may explain it: \(explanation.workflow), step "
                        + explanation.step,
                    source: source))
        }
        if let needs = last.finding.needs, let after = needs.after, events.isEmpty {
            events.append(
                Event(at: after, "from then on it can have its \(needs.proof)", source: source))
        }
        return events
    }

    private static func text(of entry: JournalEntry) -> String {
        let isUndo = entry.undoes != nil && entry.step.strategy != .untag
        var text = (isUndo ? "undo: " : "") + entry.step.strategy.rawValue
        if entry.step.writesRecord, let place = entry.step.record {
            let field = place.field.map { "." + VisibleText.ascii($0) } ?? ""
            let id = VisibleText.ascii(place.identity.id.joined, width: 60)
            text += " \(place.identity.model)/\(id)\(field)"
            if let value = entry.step.precondition.value {
                text += " (it held \(VisibleText.ascii(value, width: 80)))"
            }
        }
        // Of a key quarantined twice, each copy is of another run.
        if entry.step.strategy != .quarantine, let run = entry.step.precondition.quarantinedBy {
            text += " of what lay in quarantine since run \(run.text)"
        }
        text += ", \(entry.outcome?.rawValue ?? "not ended")"
        return text + (entry.reason.map { ": " + VisibleText.ascii($0) } ?? "")
    }
}
