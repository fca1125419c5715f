import MooringConfiguration
import MooringModel
import MooringSchema

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

    /// The models that are written; the others stand in a comment.
    private let named: [AmplifySchema.Model]

    /// A text of these facts; throws `SetupError` when the database has no table of any model.
    init(
        schema: AmplifySchema, tables: [String: DraftTable]?, places: DraftPlaces, blanks: [String]
    ) throws(SetupError) {
        self.schema = schema
        self.tables = tables
        self.places = places
        self.blanks = blanks
        // Of a database, only what it has can be read.
        let there = schema.models.filter { tables == nil || tables?[$0.name] != nil }
        guard !there.isEmpty else {
            throw SetupError(
                what: "the database has no table that is called like a model of "
                    + "'\(VisibleName.of(schema.file))'",
                why: "no configuration was drafted",
                next: "Name another --database, or none, and write each model's table: by hand.")
        }
        named = Self.telling(there, of: schema)
    }

    /// The models that are worth reading: one without keys and relations, to which nothing points,
    /// would be read in vain.
    static func telling(
        _ there: [AmplifySchema.Model], of schema: AmplifySchema
    ) -> [AmplifySchema.Model] {
        let targets = Set(schema.models.flatMap(\.links).map(\.target))
        let telling = there.filter {
            !$0.keys.isEmpty || !$0.nested.isEmpty || !$0.links.isEmpty || !$0.notes.isEmpty
                || targets.contains($0.name)
        }
        return telling.isEmpty ? there : telling
    }

    /// The whole text.
    var text: String {
        let models = named.map { ModelText(model: $0, table: tables?[$0.name]) }
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
            # A schema does not say where a file lies. Level `any` means that every level protects
            # the file, and that no reference is nulled; write guest, protected, private or root
            # where you know better. It does not say either whether conflict detection is on. Where
            # it is, take the `#` from version: _version, changed: _lastChangedAt and
            # deleted: _deleted; without it, changed: updatedAt is the column that Amplify adds.
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

    private var others: String? {
        Self.others(than: named, in: schema) { model in
            tables == nil || tables?[model.name] != nil
                ? nil
                : "the database has no table of this name; add it with its table: if it has another"
        }
    }

    /// A comment on what a configuration does not name; nil when it names everything. The reason of
    /// a model is that it would be read in vain, unless another one is given.
    static func others(
        than named: [AmplifySchema.Model], in schema: AmplifySchema,
        isNamed: (AmplifySchema.KeyField) -> Bool = { _ in false },
        reason: (AmplifySchema.Model) -> String?
    ) -> String? {
        var lines: [String] = []
        let names = Set(named.map(\.name))
        for model in schema.models where !names.contains(model.name) {
            let reason =
                reason(model)
                ?? "no field of it may hold keys, and it has no relation that is named here"
            lines.append("\(model.name): \(reason)")
        }
        var text = lines.isEmpty ? [] : ["Models that are not named:"] + lines.map { "  " + $0 }
        let embedded = schema.embedded.filter { !isNamed($0) }
        if !embedded.isEmpty {
            text.append("Fields that may hold keys inside another value; none can be named here:")
            text += embedded.map { "  \($0.name) (\(ModelText.shown($0.place)))" }
        }
        return text.isEmpty ? nil : text.map { "      # " + $0 }.joined(separator: "\n")
    }
}
