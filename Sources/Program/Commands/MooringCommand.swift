import ArgumentParser

/// The program: `mooring COMMAND`.
struct MooringCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mooring",
        abstract: "Keeps files tied to the records that own them.",
        discussion: """
            Mooring scans record tables and buckets, finds orphaned objects and dangling \
            references, says which of them devices in flight may still explain, and repairs the \
            rest by the policy it was given. Everything is a dry run until --apply says otherwise.

            \(ExitStatus.help(ExitStatus.allCases))
            """,
        version: Session.version,
        subcommands: [
            DemoCommand.self, InitCommand.self, DoctorCommand.self, AuditCommand.self,
            CheckCommand.self, BaselineCommand.self, PlanCommand.self, RepairCommand.self,
            RunCommand.self, SweepCommand.self, UndoCommand.self, ReportCommand.self,
            RunsCommand.self, NotifyCommand.self,
            EraseCommand.self, FindingsCommand.self, DiffCommand.self, ExplainCommand.self,
            ResolveCommand.self, TryCommand.self, PresignCommand.self, IAMPolicyCommand.self,
            EvidenceCommand.self,
            JournalCommand.self, LedgerCommand.self, SparkCommand.self,
            InventoryCommand.self, SimulateCommand.self,
        ])

}
