import ArgumentParser
import Foundation
import MooringModel

/// `mooring init`: writes a first mooring.yaml.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a commented mooring.yaml from a database and a folder.",
        usage: "mooring init --database <file> --objects <dir> [<options>]",
        discussion: """
            Looks at the tables and at the folder, and guesses which fields hold keys; every guess \
            says in a comment what it rests on. Writes ./mooring.yaml, or the file of --config, \
            and never over a file that is there.

            \(ExitStatus.help([.done, .error, .usage]))
            """)

    @Option(help: ArgumentHelp("The SQLite database.", valueName: "file"))
    var database: String

    @Option(help: ArgumentHelp("The folder of objects.", valueName: "dir"))
    var objects: String

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let path = options.config ?? "mooring.yaml"
            if FileManager.default.fileExists(atPath: path) {
                throw CommandError("\(path) exists and is left as it is; --config names another")
            }
            let text = try await ConfigurationDraft.draft(
                database: database, objects: objects, configurationFile: path)
            do {
                try Data(text.utf8).write(
                    to: URL(fileURLWithPath: path), options: .withoutOverwriting)
            } catch {
                throw CommandError(
                    "\(path): could not be written (\(error.localizedDescription))")
            }
            if options.json {
                StandardOutput.document(.members(["configuration": .string(path)]))
            } else if !options.quiet {
                StandardOutput.line("wrote \(path); read it, then: mooring doctor")
            }
            return .done
        }
    }
}
