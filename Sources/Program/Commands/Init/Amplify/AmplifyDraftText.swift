import MooringConfiguration
import MooringModel
import MooringSchema

/// Writes what an Amplify project's files say as a commented `mooring.yaml`.
struct AmplifyDraftText {
    /// The project.
    let project: AmplifyProject
    /// Where its schema lies.
    let places: ProjectPlaces
    /// Where its records and objects live.
    let stores: AmplifyStoresText
    /// Its models.
    let models: AmplifyModelsText

    /// The whole text.
    var text: String {
        let records = [header, stores.sourceLines.joined(separator: "\n"), "    models:"]
        let rest = ["", bucketsText, levelsText, race, DraftText.policy]
        return (records + models.parts + rest.compactMap { $0 }).joined(separator: "\n") + "\n"
    }

    private var header: String {
        let blank = AmplifyDraft.placeholder
        let files = project.files.map { "#   \(VisibleName.of($0.path))" }.joined(separator: "\n")
        let gate =
            places.schemaArgument.map { schema in
                """
                # In CI, this fails when the schema gains a field that may hold keys and that stands
                # nowhere here:
                #   mooring check --schema \(VisibleName.whole(schema))
                """
            } ?? "# No schema was found, so the models are missing."
        return """
            # Drafted by `mooring init --amplify` from these files of an Amplify project:
            \(files)
            # Read it and put it right; then `mooring doctor` tests it, and `mooring audit` changes
            # nothing but its own ledger. A field that is missing here makes its files look like
            # orphans. A guess says that it is one. What no file says is \(blank); until that is put
            # right, every command refuses this file. Secrets of those files are not here.
            #
            \(gate)
            #
            # Level `any` means that every level protects a file, and that no reference is nulled;
            # \(levelRemark)
            version: 1

            # All of Mooring's own state: runs, findings, plans and the journal of repairs.
            ledger: ./mooring.ledger

            # Where records live, and which of their fields hold keys of files.
            records:
              - name: app
            """
    }

    private var levelRemark: String {
        guard let level = project.defaultLevel, ["guest", "protected", "private"].contains(level)
        else { return "write guest, protected, private or root where you know better." }
        return "the app's default is \(level): write it where every call leaves it so."
    }

    private var bucketsText: String {
        """
        # Where files live. Removed files are not deleted: they wait in .mooring/quarantine/.
        # Credentials come from AWS's usual chain; `mooring iam-policy` prints the least policy.
        buckets:
        \(stores.bucketLines.joined(separator: "\n"))
        """
    }

    private var levelsText: String? {
        let levels = stores.levels
        guard !levels.isEmpty else { return nil }
        return """

            # The app's own paths, beside Amplify's guest, protected and private.
            levels:

            """
                + levels.map { level in
                    "  \(YAMLText.scalar(level.name)): \(YAMLText.quoted(level.prefix))"
                }.joined(separator: "\n")
    }

    private var race: String {
        let start = """

            # How long a device may take to associate an upload, and to write an old copy of a
            # record back: `standard` is 1 h and 3 d, `offline` is 30 d for both.
            race:
            """
        switch models.conflicts {
        case nil:
            return start + """

                  preset: standard  # guess: apps that work offline for weeks need `offline`
                  # conflicts: optimistic | automerge | lambda | none; no transform.conf.json says
                """
        case AmplifyProject.Conflicts.none? where !models.detectConflicts:
            return start + """

                  preset: standard  # guess: apps that work offline for weeks need `offline`
                  conflicts: none   # from transform.conf.json
                """
        case let mode?:
            return start + """

                  preset: offline  # guess: conflict detection is there for devices' own copies
                  conflicts: \(mode.rawValue)  # from transform.conf.json
                """
        }
    }
}
