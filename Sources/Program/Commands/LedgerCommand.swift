import ArgumentParser

/// `mooring ledger`: what concerns the ledger itself.
struct LedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Look after the ledger itself.",
        discussion: ExitStatus.help(LedgerRebuildCommand.statuses),
        subcommands: [LedgerCheckCommand.self, LedgerRebuildCommand.self])
}
