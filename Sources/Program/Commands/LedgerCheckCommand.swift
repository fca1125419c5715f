import ArgumentParser
import MooringConfiguration
import MooringLedger
import MooringModel

/// `mooring ledger check`: the ledger's own health.
struct LedgerCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the ledger's file, its journal, and what earlier runs left open.",
        usage: "mooring ledger check [<options>]",
        discussion: """
            Reads the whole file and changes nothing. Open steps and crashed runs are notes: the \
            next command that acts ends them.

            \(ExitStatus.help([.done, .error, .usage, .configuration]))
            """)

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let checks = try LedgerExamination(path: session.configuration.ledger).checks()
            if options.json {
                StandardOutput.document(.members(["checks": .array(checks.map(\.json))]))
            } else {
                for check in checks where !options.quiet || check.result == .failed {
                    StandardOutput.line(check.line)
                }
            }
            return checks.contains { $0.result == .failed } ? .error : .done
        }
    }
}

/// The lines of `mooring ledger check`.
struct LedgerExamination {
    /// The ledger's path.
    let path: String

    /// All checks; a file that is there and cannot be read is one that failed.
    func checks() throws(LedgerError) -> [Check] {
        let holder = LedgerLock.holder(ledgerPath: path)
        do {
            let health = try Ledger.openExisting(path: path).health()
            return sound(health) + [
                journal(health.journal), intents(health.openIntents),
                runs(health.running, isLocked: holder != nil), lock(holder),
                leftovers(health.leftovers),
            ]
        } catch  where error.kind != .missing {
            return [
                Check(name: "file", result: .failed, detail: error.description), lock(holder),
            ]
        }
    }

    private func sound(_ health: LedgerHealth) -> [Check] {
        [
            Check(
                name: "file", result: health.integrity.isEmpty ? .passed : .failed,
                detail: health.integrity.first.map {
                    "\($0); keep a copy of it, and restore it from a backup"
                } ?? path),
            Check(name: "schema", result: .passed, detail: health.schema ?? "none"),
            Check(
                name: "foreign keys", result: health.foreignKeys.isEmpty ? .passed : .failed,
                detail: health.foreignKeys.first ?? "every row has its other half"),
        ]
    }

    private func journal(_ found: JournalVerification) -> Check {
        if let first = found.breaks.first {
            return Check(
                name: "journal", result: .failed,
                detail: "\(first.text); run mooring journal verify")
        }
        return Check(
            name: "journal", result: .passed,
            detail: "\(found.entries) entries, \(found.links) links, head "
                + String(found.head.prefix(16)))
    }

    private func intents(_ count: Int) -> Check {
        count == 0
            ? Check(name: "open steps", result: .passed, detail: "none")
            : Check(
                name: "open steps", result: .noted,
                detail: "\(count); the next command that acts ends them")
    }

    private func runs(_ running: [RunID], isLocked: Bool) -> Check {
        let names = running.map(\.text).joined(separator: ", ")
        if running.isEmpty { return Check(name: "runs", result: .passed, detail: "all ended") }
        return Check(
            name: "runs", result: .noted,
            detail: isLocked && running.count == 1
                ? "\(names) is under way"
                : "\(names) had not ended; the next run marks it as interrupted")
    }

    private func lock(_ holder: String?) -> Check {
        Check(
            name: "lock", result: holder == nil ? .passed : .noted,
            detail: holder.map { "held by \($0)" } ?? "nobody holds it")
    }

    private func leftovers(_ found: [String]) -> Check {
        Check(
            name: "leftovers", result: found.isEmpty ? .passed : .noted,
            detail: found.isEmpty
                ? "none" : found.joined(separator: "; ") + "; they count for nothing")
    }
}
