import ArgumentParser
import MooringLedger
import MooringModel

/// `mooring journal`: what concerns the journal of repairs.
struct JournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "Look at the journal of repairs.",
        subcommands: [JournalVerifyCommand.self])
}

/// `mooring journal verify`: compares every entry of the journal with its hash chain.
struct JournalVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare every entry of the journal with its hash chain.",
        usage: "mooring journal verify [<options>]",
        discussion: """
            Finds entries that were changed, removed, inserted or put in another order, and a \
            chain that was cut at its end. Keep the head that it prints elsewhere: somebody who \
            rewrites the whole ledger is seen only by comparing it. Erased entries verify.

            \(ExitStatus.help([.done, .error, .usage, .configuration]))
            """)

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let found = try session.existingLedger().verifyJournal()
            if options.json {
                StandardOutput.document(Self.document(found))
            } else {
                if !options.quiet { StandardOutput.line(Self.line(found)) }
                if let first = found.breaks.first { StandardError.report(Self.line(first)) }
                if found.breaks.count > 1 {
                    StandardError.report("\(found.breaks.count) places are broken in all")
                }
            }
            return found.isSound ? .done : .error
        }
    }

    private static func line(_ found: JournalVerification) -> String {
        let erased = found.erased == 0 ? "" : ", \(found.erased) erased"
        return "journal: \(found.entries) entries\(erased), \(found.links) links, "
            + (found.isSound ? "as they were written" : "BROKEN") + "\nhead: \(found.head)"
    }

    private static func line(_ place: JournalBreak) -> String {
        place.text + "; keep a copy of the ledger, and compare it with a backup"
    }

    private static func document(_ found: JournalVerification) -> JSONValue {
        .members([
            "entries": .whole(found.entries), "links": .integer(found.links),
            "erased": .whole(found.erased), "head": .string(found.head),
            "sound": .bool(found.isSound), "breaks": .whole(found.breaks.count),
            "broken": found.breaks.first.map { place in
                .members([
                    "link": .whole(place.link), "entry": .whole(place.entry),
                    "run": .text(place.run), "what": .string(place.what),
                ])
            },
        ])
    }
}
