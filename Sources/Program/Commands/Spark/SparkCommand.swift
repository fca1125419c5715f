import ArgumentParser
import MooringConfiguration
import MooringModel
import MooringSpark

/// `mooring spark --print`: the SQL that the Spark engine would run.
struct SparkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spark",
        abstract: "Print the SQL by which the Spark engine reads records and listings.",
        usage: "mooring spark --print [<options>]",
        discussion: """
            Prints the statements of the first stage, which read both sides, join \
            them and write what is handed on below spark.work. Later stages take \
            back in what that speaks of; they differ with what was found. The first \
            line of each file is read, and nothing is changed.

            \(ExitStatus.help([.done, .error, .usage, .configuration, .interrupted]))
            """)

    @Flag(name: .customLong("print"), help: "Print the statements.")
    var prints = false

    @OptionGroup var options: CommonOptions

    func validate() throws {
        guard prints else {
            throw ValidationError(
                "mooring spark prints the SQL with --print; an audit runs it with --engine spark")
        }
    }

    func run() async throws {
        try await ending {
            let configuration = try Session(options).configuration
            let plan = await SparkAssembly.plan(
                configuration, configuration.buckets.map(\.mapping))
            let script = SparkScript(
                tables: plan.tables, listings: plan.listings, levels: configuration.levels,
                work: configuration.spark.work, mounts: configuration.spark.mounts)
            guard plan.isNeeded else {
                throw CommandError(
                    "Spark would read nothing: "
                        + plan.rest.map { "\($0.place): \($0.reason)" }.joined(separator: "; "))
            }
            if options.json {
                StandardOutput.document(
                    .members([
                        "statements": .array(script.first.map { .string($0) }),
                        "rest": .array(
                            plan.rest.map {
                                .members([
                                    "place": .string($0.place), "reason": .string($0.reason),
                                ])
                            }),
                    ]))
                return .done
            }
            for rest in plan.rest {
                StandardOutput.line(
                    "-- \(rest.place) is \(rest.isRead ? "" : "not ")read by mooring: "
                        + rest.reason)
            }
            for statement in script.first {
                for line in (statement + ";").split(
                    separator: "\n", omittingEmptySubsequences: false)
                {
                    StandardOutput.line(String(line))
                }
                StandardOutput.line("")
            }
            return .done
        }
    }
}
