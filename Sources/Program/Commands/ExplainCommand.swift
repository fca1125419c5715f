import ArgumentParser
import MooringConfiguration
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReconcile
import MooringReporting

/// `mooring explain`: one object's or record's whole story.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Tell an object's or a record's whole story, from the stores and the ledger.",
        usage: "mooring explain <subject> [<options>]",
        discussion: """
            SUBJECT is MODEL/ID, or an object's key: as it stands, percent-encoded, or in an \
            s3:// or https:// address. The stores are read now, record tables to their end, by \
            the rules of an audit: what references the object, and which texts name it. Nothing \
            is changed. Where a source is an incremental export of DynamoDB, it is told when \
            which record lost its reference.

            \(ExitStatus.help([
                .done, .error, .incomplete, .usage, .configuration, .interrupted,
            ]))
            """)

    @Argument(help: "An object's key or address, or MODEL/ID.")
    var subject: String

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let ledger = try session.existingLedger()
            let signals = Signals(session.interruption)
            defer { withExtendedLifetime(signals) {} }
            let lookup = SubjectLook(job: try session.job(ledger))
            let stories: [Story]
            if let records = lookup.records(named: subject) {
                stories = try await records.asyncMap {
                    try await Story(record: $0, lookup, ledger)
                }
            } else {
                stories = try await lookup.objects(named: subject).asyncMap {
                    try await Story($0, lookup, ledger)
                }
            }
            if options.json {
                StandardOutput.document(
                    .members([
                        "subject": .string(subject), "stories": .array(stories.map(\.json)),
                    ]))
            } else {
                for story in stories { story.show() }
            }
            return stories.contains(where: \.isIncomplete) ? .incomplete : .done
        }
    }
}

extension Array {
    /// Maps one element after the other.
    fileprivate func asyncMap<Result>(
        _ transform: (Element) async throws -> Result
    ) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}

/// What the stores and the ledger say of one subject.
struct Story {
    private let title: String
    private let now: [String]
    private let references: [RecordPlace]
    private let history: HistoryLookup.Losses
    private let appearances: [Appearance]
    private let repairs: [JournalEntry]
    /// Whether a store did not tell all that it was asked for.
    let isIncomplete: Bool

    /// The story of an object.
    init(_ object: WantedKey, _ lookup: SubjectLook, _ ledger: Ledger) async throws {
        let (key, bucket) = (object.key, lookup.job.buckets[object.bucket].name)
        title = "object \(VisibleText.ascii(key.bytes)) in \(bucket)"
        let live = try await lookup.object(key, bucket: object.bucket)
        (now, references) = (live.sentences, live.search.places)
        history = try await HistoryLookup(job: lookup.job).losses(of: key, bucket: object.bucket)
        isIncomplete = live.isIncomplete || !history.isComplete
        appearances = try ledger.findings(about: bucket, key: key)
        repairs = try ledger.journal(about: bucket, key: key)
    }

    /// The story of a record.
    init(record: RecordIdentity, _ lookup: SubjectLook, _ ledger: Ledger) async throws {
        title =
            "record \(record.model)/\(VisibleText.ascii(record.id.joined)) in \(record.source)"
        (now, references) = (try await lookup.record(record).sentences, [])
        history = try await HistoryLookup(job: lookup.job).losses(from: record)
        isIncomplete = !history.isComplete
        appearances = try ledger.findings(about: record)
        repairs = try ledger.journal(about: record)
    }

    /// The story as one JSON value.
    var json: JSONValue {
        .members([
            "title": .string(title), "now": .texts(now),
            "history": history.sentences.isEmpty ? nil : .texts(history.sentences),
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
        for sentence in now { StandardOutput.line("  now: " + sentence) }
        for sentence in history.sentences { StandardOutput.line("  before: " + sentence) }
        for place in references {
            StandardOutput.line("  referenced by " + FindingText.place(place))
        }
        if let latest = appearances.first?.finding {
            StandardOutput.line("  the latest finding about it:")
            FindingText.show(latest, verbose: true)
        } else {
            StandardOutput.line("  no run found anything about it")
        }
        for appearance in appearances {
            let finding = appearance.finding
            let cause = finding.cause.map { "/\($0.rawValue)" } ?? ""
            StandardOutput.line(
                "  run \(appearance.run.text): \(finding.kind.rawValue)\(cause), "
                    + finding.verdict.rawValue)
        }
        for entry in repairs {
            let isUndo = entry.undoes != nil && entry.step.strategy != .untag
            let undo = isUndo ? "undo of " : ""
            let reason = entry.reason.map { ": " + VisibleText.ascii($0) } ?? ""
            StandardOutput.line(
                "  run \(entry.run.text): \(undo)\(entry.step.strategy.rawValue), "
                    + "\(entry.outcome?.rawValue ?? "not ended")\(reason)")
        }
    }
}
