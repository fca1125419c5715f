import ArgumentParser
import Foundation
import MooringModel

/// `mooring init`: writes a first mooring.yaml.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a commented mooring.yaml from a database and a folder, or from a schema.",
        usage: """
            mooring init --database <file> --objects <dir> [<options>]
            mooring init --schema <file> [--database <file>] [--objects <dir>]
            """,
        discussion: """
            Looks at the tables and at the folder, and guesses which fields hold keys; every guess \
            says in a comment what it rests on. With a GraphQL schema, as AWS Amplify has it, \
            models, identifiers, relations, fields with keys, and who may read come from there, \
            and the file marks with FILL IN what the schema cannot say. Writes ./mooring.yaml, or \
            the file of --config, and never over a file that is there. A file that is \
            no schema ends with 78.

            \(ExitStatus.help([.done, .error, .usage, .configuration]))
            """)

    @Option(help: ArgumentHelp("The SQLite database.", valueName: "file"))
    var database: String?

    @Option(help: ArgumentHelp("The folder of objects.", valueName: "dir"))
    var objects: String?

    @Option(help: ArgumentHelp("The app's GraphQL schema.", valueName: "file"))
    var schema: String?

    @OptionGroup var options: CommonOptions

    func validate() throws {
        guard schema == nil else { return }
        guard database != nil, objects != nil else {
            throw ValidationError(
                "Name the app's --database and its folder of --objects, or its --schema.")
        }
    }

    func run() async throws {
        try await ending {
            let path = options.config ?? "mooring.yaml"
            if FileManager.default.fileExists(atPath: path) {
                throw CommandError("\(path) exists and is left as it is; --config names another")
            }
            let (text, remark) = try await draft(configurationFile: path)
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
                StandardOutput.line("wrote \(path); \(remark), then: mooring doctor")
            }
            return .done
        }
    }

    // The text, and what to do with it before anything else.
    private func draft(configurationFile: String) async throws -> (String, String) {
        guard let schema else {
            let text = try await ConfigurationDraft.draft(
                database: database ?? "", objects: objects ?? "",
                configurationFile: configurationFile)
            return (text, "read it")
        }
        let draft = try await SchemaDraft(
            SchemaDraft.Sources(schema: schema, database: database, objects: objects),
            configurationFile: configurationFile)
        var remarks = ["read it"]
        if !draft.blanks.isEmpty {
            remarks.append("fill in " + draft.blanks.joined(separator: " and "))
        }
        if draft.isWithoutKeys {
            remarks.append("name a field that holds keys, since the schema tells none")
        }
        return (draft.text, remarks.joined(separator: ", "))
    }
}
