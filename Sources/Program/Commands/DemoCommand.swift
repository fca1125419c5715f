import ArgumentParser
import MooringModel

/// `mooring demo DIR`: a small app to try everything on.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Write a small app with planted faults, to try everything on.",
        usage: "mooring demo <dir> [<options>]",
        discussion: """
            Makes DIR with a SQLite database, a folder of files, and a mooring.yaml; DIR must be \
            new. Then: cd DIR && mooring audit

            \(ExitStatus.help([.done, .error, .usage]))
            """)

    @Argument(help: "The folder to make.")
    var dir: String

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let summary = try DemoApp.write(to: dir, now: SystemClock.now())
            if options.json {
                StandardOutput.document(summary.json)
            } else if !options.quiet {
                StandardOutput.write(summary.text)
            }
            return .done
        }
    }
}
