import MooringConfiguration
import MooringModel

/// Writes what a schema says as a commented `mooring.yaml`.
struct SchemaDraftText {
    /// What the schema says.
    let schema: AmplifySchema
    /// The tables of the database by name; nil without a database.
    let tables: [String: DraftTable]?
    /// The paths to write.
    let places: DraftPlaces
    /// What the user has to put in place of a guess.
    let blanks: [String]

    /// The whole text.
    var text: String {
        let named = schema.models.filter(isNamed)
        let models = named.map { ModelText(model: $0, schema: schema, table: table(of: $0)) }
        let parts = [header] + models.map(\.text) + [others].compactMap { $0 }
        let folder =
            blanks.contains("directory")
            ? "FILL IN: the folder that keys start from, which holds public/, protected/, private/"
            : nil
        return (parts + [DraftText.footer(places, blank: folder)]).joined(separator: "\n") + "\n"
    }

    private var header: String {
        let database =
            blanks.contains("sqlite")
            ? "\n    # FILL IN: the database, or csv: or jsonl: and the file of an export" : ""
        let warning =
            schema.models.allSatisfy(\.keys.isEmpty)
            ? """

            # NO FIELD WAS FOUND THAT HOLDS KEYS. Name at least one before the first audit: without
            # one, every file looks like an orphan.
            """ : ""
        return """
            # Drafted by `mooring init` from the GraphQL schema \(VisibleName.of(schema.file)).
            # Read it and put it right; then `mooring doctor` tests it, and `mooring audit` changes
            # nothing but its own ledger. A field that is missing here makes its files look like
            # orphans; `mooring check --schema FILE` fails when the schema holds one.\(warning)
            #
            # A schema does not say where a file lies, so each level is `any`: every level protects
            # the file, and no reference is nulled. Write guest, protected, private or root where
            # you know better. It does not say either whether conflict detection is on; where it is,
            # take the `#` from version: _version, changed: _lastChangedAt and deleted: _deleted.
            # Without it, changed: updatedAt is the column that Amplify adds.
            version: 1

            # All of Mooring's own state: runs, findings, plans and the journal of repairs.
            ledger: ./mooring.ledger

            # Where records live, and which of their fields hold keys of files.
            records:
              - name: app\(database)
                sqlite: \(YAMLText.quoted(places.database))
                models:
            """
    }

    // A model without keys and relations, to which nothing points, would only be read in vain; of
    // a database, only what it has can be read.
    private func isNamed(_ model: AmplifySchema.Model) -> Bool {
        guard tables == nil || tables?[model.name] != nil else { return false }
        return hasContent(model) || targets.contains(model.name) || schema.models.count == 1
    }

    private func hasContent(_ model: AmplifySchema.Model) -> Bool {
        !model.keys.isEmpty || !model.links.isEmpty || !model.notes.isEmpty
    }

    private var targets: Set<String> { Set(schema.models.flatMap(\.links).map(\.target)) }

    private func table(of model: AmplifySchema.Model) -> DraftTable? { tables?[model.name] }

    private var others: String? {
        var lines: [String] = []
        for model in schema.models where !isNamed(model) {
            let isThere = tables == nil || tables?[model.name] != nil
            let reason =
                isThere
                ? "no field of it may hold keys, and it has no relation that is named here"
                : "the database has no table of this name; add it with its table: if it has another"
            lines.append("\(model.name): \(reason)")
        }
        var text = lines.isEmpty ? [] : ["Models that are not named:"] + lines.map { "  " + $0 }
        if !schema.embedded.isEmpty {
            text.append("Fields that may hold keys inside another value; none can be named here:")
            text += schema.embedded.map { "  \($0.name) (line \($0.place.line))" }
        }
        return text.isEmpty ? nil : text.map { "      # " + $0 }.joined(separator: "\n")
    }
}
