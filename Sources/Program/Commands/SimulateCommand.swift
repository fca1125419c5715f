import ArgumentParser
import MooringModel
import MooringSimulation

/// `mooring simulate`: the race model and the repair protocols, against simulated devices.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run the repair protocols against simulated devices, stores, crashes and clocks.",
        usage: """
            mooring simulate [--seed <n>] [--seeds <n>] [--seconds <n>] [<options>]
            mooring simulate --exhaustive [--scenario <name>] [--trace] [--json]
            mooring simulate --safeguards [--trace]
            """,
        discussion: """
            The product's own judges and repair machines act in a simulated world. Without \
            options, 200 seeds are run: 8 devices, 50 records, 20 runs each. --exhaustive explores \
            every interleaving of small worlds and prints which protocol loses what; a weakened \
            protocol must lose. Nothing but the terminal is written to.

            \(Self.statuses)
            """)

    private static let statuses = """
        EXIT STATUS
          0    done: the full protocol kept every promise
          1    a promise was broken; with --protocol, by the protocol named
          64   wrong usage
          130  interrupted
        """

    @Option(help: "The first seed; alone, it is the only one.")
    var seed: UInt64?
    @Option(help: "How many seeds are run, one after the other.")
    var seeds: Int?
    @Option(help: "Run seeds for so many seconds.")
    var seconds: Int?
    @Option(help: "Runs of the auditor before the devices stop.")
    var runs = 20
    @Option(help: "Devices that act at the same time.")
    var devices = 8
    @Option(help: "Records in the tables.")
    var records = 50
    @Option(help: "The protocol: full, one of the tables', or full-without-SAFEGUARD.")
    var `protocol`: String?
    @Option(help: "One scenario, explored exhaustively.")
    var scenario: String?
    @Flag(help: "Explore every interleaving of the tables' scenarios.")
    var exhaustive = false
    @Flag(help: "Take the safeguards out one by one, and explore what notices it.")
    var safeguards = false
    @Flag(help: "Tell the shortest way to each loss, step by step.")
    var trace = false
    @Flag(help: "Print one JSON document on stdout.")
    var json = false

    func validate() throws {
        guard runs > 0, devices > 0, records >= 10, records <= 250, devices <= 64 else {
            throw ValidationError(
                "--runs and --devices are above 0, devices at most 64, records 10 to 250")
        }
        if let name = `protocol`, AuditProtocol.named(name) == nil {
            throw ValidationError(
                "no protocol '\(name)'; there are " + AuditProtocol.names.joined(separator: ", "))
        }
        if let name = scenario, Scenario.named(name) == nil {
            throw ValidationError(
                "no scenario '\(name)'; there are "
                    + (Scenario.tables + Scenario.all + Scenario.limits).map(\.name).joined(
                        separator: ", "))
        }
        if json, trace { throw ValidationError("--json or --trace, not both") }
        if safeguards, exhaustive || scenario != nil {
            throw ValidationError("--safeguards explores its own scenarios")
        }
        if seconds != nil, seeds != nil {
            throw ValidationError("--seconds or --seeds, not both")
        }
    }

    func run() async throws {
        let isKept: Bool
        if safeguards {
            isKept = SafeguardList(traces: trace, json: json).run()
        } else if exhaustive || scenario != nil {
            isKept = await LossTables(
                scenario: scenario, audit: `protocol`, traces: trace, json: json
            ).run()
        } else {
            isKept = try seedRun()
        }
        if !isKept { throw ExitCode(ExitStatus.gateFailed.rawValue) }
    }

    private func seedRun() throws -> Bool {
        var size = SimulationSize()
        (size.devices, size.records, size.runs) = (devices, records, runs)
        let first = seed ?? 1
        let count = seconds != nil ? Int.max : seeds ?? (seed == nil ? 200 : 1)
        let soak = Soak(
            audit: AuditProtocol.named(`protocol` ?? "full") ?? .full, size: size, first: first,
            count: count, seconds: seconds, json: json)
        return try soak.run(traces: trace)
    }
}
