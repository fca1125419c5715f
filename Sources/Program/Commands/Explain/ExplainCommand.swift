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
        usage: "mooring explain <subject> [--events <file> ...] [<options>]",
        discussion: """
            SUBJECT is an object's key (as it stands, percent-encoded, in an s3:// or https:// \
            address, or shortened as reports show it), a record (MODEL/ID, or its id alone), the \
            id of a finding or of a step, or what a record holds. The stores are read now, record \
            tables to their end, by the rules of an audit: what references the object, and which \
            texts name it. What is known of the past is told as a timeline, of a bucket that keeps \
            versions with each version and delete marker. Nothing is changed. What names nothing \
            here ends with 2 and the names that are nearest.

            --events adds what logs tell to the timeline: access logs of S3, CloudTrail, \
            notifications, EventBridge, the journal of S3 Metadata (CSV), streams of DynamoDB and \
            conflict logs of AppSync, deflated or not. Each event stands there with its file and \
            line and with how precisely the log knows who acted; below it, what was read and what \
            its silence means. A file that cannot be read to its end ends with 4.

            \(ExitStatus.help([
                .done, .error, .incomplete, .usage, .configuration, .interrupted,
            ]))
            """)

    @Argument(help: "An object's key or address, or MODEL/ID.")
    var subject: String

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Logs to read; stands behind the subject.", valueName: "file"))
    var events: [String] = []

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let ledger = try session.existingLedger()
            let signals = Signals(session.interruption)
            defer { withExtendedLifetime(signals) {} }
            let lookup = SubjectLook(job: try session.job(ledger))
            let answer = try await SubjectSearch(lookup).run(subject)
            var stories: [Story] = []
            let logs = EventLookup(files: events, job: lookup.job)
            for named in answer.named {
                stories.append(try await Story(named, lookup, ledger, logs))
            }
            // What is told of something else than was asked for would be no answer.
            let told = stories.filter(\.isKnown)
            let isIncomplete = stories.contains(where: \.isIncomplete) || !answer.unlisted.isEmpty
            guard !told.isEmpty || isIncomplete else { throw Unplaced(subject, answer) }
            let shown = told.isEmpty ? stories : told
            if options.json {
                StandardOutput.document(
                    .members([
                        "subject": .string(subject), "stories": .array(shown.map(\.json)),
                    ]))
            } else {
                for story in shown { story.show() }
            }
            for problem in answer.unlisted {
                StandardError.report("a bucket was not listed to its end: " + problem.text)
            }
            return isIncomplete ? .incomplete : .done
        }
    }
}

/// That a text names nothing here, or too much.
struct Unplaced: Error, CustomStringConvertible {
    let description: String

    /// That of an answer.
    init(_ subject: String, _ answer: SubjectSearch.Answer) {
        let shown = "'" + VisibleText.ascii(subject) + "'"
        let near = answer.nearest.map {
            "\n  mooring explain " + ShellWord.quoting(VisibleText.ascii($0.key.bytes))
        }.joined()
        if let count = answer.tooMany {
            description = "\(shown) may name \(count) objects; name one of them, such as" + near
            return
        }
        let looked =
            "\(shown) names nothing here: no object lies there, none lies in quarantine, no record "
            + "references it or has this id, and no run, finding or repair tells of it"
        description =
            looked
            + (near.isEmpty
                ? "; mooring findings lists what runs found" : "; the nearest are" + near)
    }
}
