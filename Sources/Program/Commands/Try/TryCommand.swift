import ArgumentParser
import Foundation
import Glibc
import MooringConfiguration
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

/// `mooring try`: what a file field that is not configured yet would change.
struct TryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Try a file field on the stores before it is written down.",
        usage: "mooring try '<model>: {field: <name>, level: <level>}' ... [<options>]",
        discussion: """
            Each argument is one more entry of a model's 'files', in YAML, with any key that \
            stands there: level, bucket, list, complex, template, stored. Both sides are read \
            twice, without the fields and with them; neither ledger, reports nor stores are \
            changed. A line beginning with '-' is a finding that would be gone, with '+' one \
            that would be new, with '~' one whose verdict or cause would be another. What the app \
            writes between the two readings stands there too.

            \(ExitStatus.help(ExitStatus.ofScanning.filter { $0 != .locked }))
            """)

    @Argument(help: "What to add to a model: 'Song: {field: cover, level: guest}'.")
    var fields: [String]

    @OptionGroup var options: CommonOptions

    func validate() throws {
        if fields.isEmpty { throw ValidationError("name at least one field to try") }
    }

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let trial = try Session(options, adding: fields)
            let folder = try TrialFolder(in: options.scratchFolder)
            defer { folder.remove() }
            let before = TrialAudit(
                try await session.audit(onLedgerAt: folder.path + "/before.ledger"))
            let after = TrialAudit(try await trial.audit(onLedgerAt: folder.path + "/after.ledger"))
            let difference = TrialDifference(before, after)
            if options.json {
                StandardOutput.document(difference.json)
            } else {
                for line in difference.lines(showsAll: options.verbose) {
                    StandardOutput.line(line)
                }
                StandardOutput.line(
                    "Nothing was kept. To keep it, add under 'files' in "
                        + "\(session.configuration.file):")
                for field in fields { StandardOutput.line("  " + VisibleText.ascii(field)) }
            }
            let isComplete = before.summary.isCompleteScan && after.summary.isCompleteScan
            return isComplete ? .done : .incomplete
        }
    }
}

/// What one of the two audits found.
struct TrialAudit {
    /// Its sums.
    let summary: RunSummary
    /// Its findings, in the order of reports.
    let findings: [Finding]

    /// What an audit on a ledger of its own ended with.
    init(_ ended: (RunSummary, [Finding])) { (summary, findings) = ended }
}

/// A folder for what is thrown away at the end.
private struct TrialFolder {
    let path: String

    init(in scratch: String) throws {
        Self.clear(scratch)
        path = "\(scratch)/\(Self.prefix)\(getpid())-\(UUID().uuidString)"
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandError(
                "no folder can be made in \(scratch): \(error.systemWords); name another with "
                    + "--scratch")
        }
    }

    private static let prefix = "mooring-try-"

    // What a killed one left, whose process is gone.
    private static func clear(_ scratch: String) {
        // A folder that cannot be read is refused by the one that is made next.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: scratch)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let words = name.dropFirst(prefix.count).split(separator: "-")
            guard let process = words.first.flatMap({ pid_t($0) }), process > 0,
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            // Somebody else's stays.
            try? FileManager.default.removeItem(atPath: "\(scratch)/\(name)")
        }
    }

    func remove() {
        do { try FileManager.default.removeItem(atPath: path) } catch {
            StandardError.report("\(path) was left behind: \(error.systemWords)")
        }
    }
}
