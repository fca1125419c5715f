import ArgumentParser
import Foundation
import MooringConfiguration
import MooringModel
import MooringSchema

/// `mooring init`: writes a first mooring.yaml.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a commented mooring.yaml from a project, a schema, or a database.",
        usage: """
            mooring init --amplify <dir> [--api <name>] [--env <name>] [<options>]
            mooring init --schema <file> [--database <file>] [--objects <dir>]
            mooring init --database <file> --objects <dir>
            """,
        discussion: """
            With an AWS Amplify project, records, models, buckets, levels and conflict mode come \
            from its files, of both generations; what it read, found and guessed is listed, and \
            no secret is copied. A value that no file says is FILL-IN, and every command refuses \
            the file until it is put right. With a GraphQL schema alone, models, identifiers, \
            relations, fields with keys, and who may read come from there, and the file marks with \
            FILL IN what the schema cannot say. With a database and a folder it looks at the \
            tables and guesses which fields hold keys. Every guess says in a comment what it \
            rests on.

            Writes ./mooring.yaml, or the file of --config, and never over a file that is there. A \
            project's file that does not parse ends with 78, and names line and column.

            \(ExitStatus.help([.done, .error, .usage, .configuration]))
            """)

    @Option(help: ArgumentHelp("The folder of an AWS Amplify project.", valueName: "dir"))
    var amplify: String?

    @Option(help: ArgumentHelp("Of a project's GraphQL APIs, the one meant.", valueName: "name"))
    var api: String?

    @Option(
        name: .customLong("env"),
        help: ArgumentHelp("Of a project's environments, the one meant.", valueName: "name"))
    var environment: String?

    @Option(help: ArgumentHelp("The SQLite database.", valueName: "file"))
    var database: String?

    @Option(help: ArgumentHelp("The folder of objects.", valueName: "dir"))
    var objects: String?

    @Option(help: ArgumentHelp("The app's GraphQL schema.", valueName: "file"))
    var schema: String?

    @OptionGroup var options: CommonOptions

    func validate() throws {
        if amplify != nil {
            guard database == nil, objects == nil, schema == nil else {
                throw ValidationError(
                    "--amplify stands without --schema, --database and --objects")
            }
            return
        }
        guard api == nil, environment == nil else {
            throw ValidationError("--api and --env belong to --amplify, which was not given")
        }
        guard schema == nil else { return }
        guard database != nil, objects != nil else {
            throw ValidationError(
                "Name an --amplify project, the app's --schema, or its --database and its folder "
                    + "of --objects.")
        }
    }

    func run() async throws {
        try await ending {
            let path = options.config ?? "mooring.yaml"
            if FileManager.default.fileExists(atPath: path) {
                throw CommandError("\(path) exists and is left as it is; --config names another")
            }
            if let amplify {
                try writeAmplify(amplify, path)
                return .done
            }
            let (text, remark) = try await draft(configurationFile: path)
            try write(text, to: path)
            if options.json {
                StandardOutput.document(.members(["configuration": .string(path)]))
            } else if !options.quiet {
                StandardOutput.line("wrote \(path); \(remark), then: mooring doctor")
            }
            return .done
        }
    }

    private func write(_ text: String, to path: String) throws {
        do {
            try Data(text.utf8).write(
                to: URL(fileURLWithPath: path), options: .withoutOverwriting)
        } catch {
            throw CommandError(
                "\(path): could not be written (\(error.systemWords))")
        }
    }

    private func writeAmplify(_ folder: String, _ path: String) throws {
        let draft = try AmplifyDraft(
            folder: folder,
            choice: AmplifyProject.Choice(api: api, environment: environment),
            configurationFile: path)
        try write(draft.text, to: path)
        let report = draft.report
        if options.json {
            StandardOutput.document(report.json(configuration: path))
        } else {
            if !options.quiet { for line in report.lines { StandardOutput.line(line) } }
            let task = report.blanks.isEmpty ? "read it" : "put FILL-IN right"
            let next = AmplifyReport.next.joined(separator: ", then: ")
            if !options.quiet || !report.blanks.isEmpty {
                StandardOutput.line("wrote \(path); \(task), then: \(next)")
            }
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
