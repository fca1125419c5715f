import MooringConfiguration
import MooringModel
import MooringSchema

/// Drafts a first `mooring.yaml` from the files of an AWS Amplify project.
struct AmplifyDraft {
    /// The text of a commented configuration.
    let text: String
    /// What was read, found, guessed and not found, a line each.
    let report: AmplifyReport

    /// What stands where a value is not known: the configuration is refused until it is put right.
    static let placeholder = Configuration.placeholder

    /// Reads the project and drafts; changes nothing.
    ///
    /// Throws what `AmplifyProject.read` does, and `SetupError` when the draft would be over 1 MiB.
    init(
        folder: String, choice: AmplifyProject.Choice, configurationFile: String
    ) throws {
        let project = try AmplifyProject.read(folder: folder, choice: choice)
        let places = try ProjectPlaces(project, configurationFile: configurationFile)
        let stores = AmplifyStoresText(project: project, places: places)
        let models = AmplifyModelsText(project: project, buckets: stores.bucketNames)
        text =
            AmplifyDraftText(project: project, places: places, stores: stores, models: models)
            .text
        report = AmplifyReport(project: project, stores: stores, models: models)
        guard text.utf8.count <= Configuration.sizeLimit else {
            throw SetupError(
                what: "'\(VisibleName.of(folder))' has so many models that their configuration "
                    + "would be over 1 MiB",
                why: "such a file is not read, so none was drafted",
                next: "Write mooring.yaml by hand, with the models that hold files.")
        }
    }
}

/// Where the project's files lie, seen from the configuration file.
struct ProjectPlaces {
    private let project: AmplifyProject
    private let configurationFile: String
    /// The schema, as the configuration file writes it; nil without one.
    let schema: String?

    /// The places of a project; throws `SetupError` without a working folder.
    init(_ project: AmplifyProject, configurationFile: String) throws(SetupError) {
        self.project = project
        self.configurationFile = configurationFile
        schema = try (project.api?.schema ?? project.api?.models).map { file throws(SetupError) in
            let named = Self.named(file, project.folder)
            return try DraftPlaces(
                database: named, objects: named, configurationFile: configurationFile
            ).database
        }
    }

    /// The schema, as a person would name it to a command.
    var schemaArgument: String? {
        (project.api?.schema ?? project.api?.models).map { Self.named($0, project.folder) }
    }

    private static func named(_ file: String, _ folder: String) -> String {
        folder == "." ? file : folder + (folder.hasSuffix("/") ? "" : "/") + file
    }
}
