import MooringConfiguration
import MooringModel
import MooringSchema

/// What `mooring init --amplify` tells: what it read, found and guessed, and what is missing.
struct AmplifyReport: Hashable, Sendable {
    /// The files that were read, with what was left out of them.
    let read: [String]
    /// What was found.
    let found: [String]
    /// What is a guess.
    let guesses: [String]
    /// What no file says, and has to be filled in.
    let blanks: [String]
    /// What a person should know.
    let notes: [String]

    /// The report on a draft.
    init(project: AmplifyProject, stores: AmplifyStoresText, models: AmplifyModelsText) {
        read = project.files.map { file in
            let secrets = file.secrets.map(VisibleName.of).joined(separator: ", ")
            return VisibleName.whole(file.path)
                + (secrets.isEmpty ? "" : " (\(secrets): not copied)")
        }
        found = Self.found(project, stores, models)
        guesses = Self.guesses(stores, models)
        blanks = stores.blanks + (models.named.isEmpty ? ["the models"] : [])
        var notes = project.notes.map(VisibleName.whole)
        if stores.isByToken, stores.source == .appsync {
            notes.append(
                "a user's token reads only what that user may read: every other user's file would "
                    + "look like an orphan; sign with IAM, or read the tables")
        }
        if project.api?.auth.first == .apiKey, stores.auth == .apiKey, stores.source == .appsync {
            notes.append("put the API's key into \(AmplifyStoresText.keyVariable)")
        }
        self.notes = notes
    }

    private static func found(
        _ project: AmplifyProject, _ stores: AmplifyStoresText, _ models: AmplifyModelsText
    ) -> [String] {
        var lines: [String] = []
        if let environment = project.environment { lines.append("environment \(environment)") }
        if let url = project.api?.url { lines.append("AppSync endpoint \(url)") }
        if let suffix = project.tableSuffix { lines.append("tables MODEL\(suffix)") }
        for bucket in project.buckets {
            guard let name = AmplifyStoresText.bucket(bucket.bucket) else { continue }
            let region = AmplifyStoresText.region(bucket.region).map { " in \($0)" } ?? ""
            lines.append("bucket \(name)\(region)")
        }
        for level in stores.levels { lines.append("path \(VisibleName.of(level.prefix))") }
        if let conflicts = models.conflicts {
            lines.append("conflict detection: \(conflicts.rawValue)")
        }
        let relations = models.named.flatMap(\.links).count
        let joins = models.named.filter(\.isJoin).count
        if !models.named.isEmpty {
            lines.append(
                "models \(models.named.count) of \(project.schema?.models.count ?? 0), "
                    + "relations \(relations), join tables \(joins)")
        }
        let fields = models.fields
        if !fields.sure.isEmpty {
            lines.append("complex objects: \(fields.sure.joined(separator: ", "))")
        }
        return lines
    }

    private static func guesses(
        _ stores: AmplifyStoresText, _ models: AmplifyModelsText
    ) -> [String] {
        var lines: [String] = []
        let fields = models.fields
        if !fields.guessed.isEmpty {
            lines.append("keys by their names: \(fields.guessed.joined(separator: ", "))")
        }
        if fields.guessed.isEmpty, fields.sure.isEmpty, !models.named.isEmpty {
            lines.append("no field may hold keys: name at least one before the first audit")
        }
        if models.conflicts == nil, !models.named.isEmpty {
            lines.append("conflict detection: none, since no file says")
        }
        if models.detectConflicts {
            lines.append("devices keep copies of their own: race preset offline")
        }
        if stores.bucketNames.count > 1 {
            lines.append("keys lie in the default bucket, \(stores.bucketNames[0])")
        }
        return lines
    }

    /// The report as lines for people.
    var lines: [String] {
        func rows(_ title: String, _ rows: [String]) -> [String] {
            rows.map { title + String(repeating: " ", count: 9 - title.count) + $0 }
        }
        return rows("read", read) + rows("found", found) + rows("guess", guesses)
            + rows("note", notes) + rows("FILL IN", blanks)
    }

    /// The report as one JSON value, with the file that was written and the next commands.
    func json(configuration: String) -> JSONValue {
        .members([
            "configuration": .string(configuration), "read": .texts(read),
            "found": .texts(found), "guesses": .texts(guesses), "notes": .texts(notes),
            "fillIn": .texts(blanks), "next": .texts(Self.next),
        ])
    }

    /// What to do next.
    static let next = ["mooring doctor", "mooring audit"]
}
