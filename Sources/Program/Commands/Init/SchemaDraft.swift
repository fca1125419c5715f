import MooringConfiguration
import MooringModel
import MooringSQLite
import MooringSchema

/// Drafts a first `mooring.yaml` from a GraphQL schema, and from a database and a folder as far as
/// they are named.
package struct SchemaDraft {
    /// The text of a commented configuration.
    package let text: String
    /// What the user has to put in place of a guess before anything can be read, each as `sqlite`.
    package let blanks: [String]
    /// Whether no field of the schema may hold keys.
    package let isWithoutKeys: Bool

    /// The database that a draft names where the user named none, beside the configuration.
    static let someDatabase = "app.sqlite"
    /// The folder that a draft names where the user named none, beside the configuration.
    static let someFolder = "files"

    /// Where the draft's facts come from.
    package struct Sources: Sendable {
        /// The schema's file.
        package var schema: String
        /// The database and the folder of objects, where the user named them.
        package var database, objects: String?

        /// The files of a draft.
        package init(schema: String, database: String? = nil, objects: String? = nil) {
            self.schema = schema
            self.database = database
            self.objects = objects
        }
    }

    /// Reads the sources and drafts. It changes nothing; it reads at most 2,000 rows of a table.
    ///
    /// Throws `SchemaError` or `ConfigurationError` for a schema that cannot be read, and
    /// `SetupError` when it has no models, or when a database or folder that was named cannot be
    /// read.
    package init(_ sources: Sources, configurationFile: String) async throws {
        let schema = try AmplifySchema.load(path: sources.schema)
        guard !schema.models.isEmpty else {
            throw SetupError(
                what: "no type of '\(VisibleName.of(sources.schema))' is a @model",
                why: "without tables there is nothing to audit, so no configuration was drafted",
                next: "Name the schema that the app's models stand in with --schema.")
        }
        let folder = try sources.objects.map(ObjectFolder.init)
        var tables: [String: DraftTable]?
        if let database = sources.database {
            tables = try await Self.tables(of: database, folder)
        }
        let place = Self.folder(of: configurationFile)
        let places = try DraftPlaces(
            database: sources.database ?? place + Self.someDatabase,
            objects: sources.objects ?? place + Self.someFolder,
            configurationFile: configurationFile)
        var blanks: [String] = []
        if sources.database == nil { blanks.append("sqlite") }
        if sources.objects == nil { blanks.append("directory") }
        self.blanks = blanks
        isWithoutKeys = schema.models.allSatisfy { $0.keys.isEmpty }
        text = try SchemaDraftText(
            schema: schema, tables: tables, places: places, blanks: blanks
        ).text
        guard text.utf8.count <= Configuration.sizeLimit else {
            throw SetupError(
                what: "'\(VisibleName.of(sources.schema))' has so many models that their "
                    + "configuration would be over 1 MiB",
                why: "such a file is not read, so none was drafted",
                next: "Name a schema of the models that hold files, or write mooring.yaml by hand.")
        }
    }

    private static func tables(
        of database: String, _ folder: ObjectFolder?
    ) async throws -> [String: DraftTable] {
        try ConfigurationDraft.checkDatabase(database)
        let source = SQLiteSource(name: "app", path: database)
        var tables: [String: DraftTable] = [:]
        do {
            for table in try source.tables() where table.isOrdinary {
                let sample = try await TableSample(of: table, from: source)
                var guess: ModelGuess?
                if let folder { guess = await ModelGuess(sample, in: folder) }
                tables[table.name] = DraftTable(sample: sample, guess: guess)
            }
        } catch let error as StoreError {
            throw SetupError(
                what: error.description, why: "no configuration was drafted",
                next: "Name an SQLite database that can be read with --database, or none.")
        }
        return tables
    }

    // With its slash; empty for a file in the working folder.
    private static func folder(of file: String) -> String {
        let bytes = Array(file.utf8)
        let end = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}

/// What is known of a model's table in the database.
struct DraftTable {
    /// Its first rows.
    let sample: TableSample
    /// What its values say about the folder; nil without a folder.
    let guess: ModelGuess?

    /// The first of these columns that the table has.
    func column(_ names: [String]) -> String? {
        names.first { sample.columns.contains($0) }
    }

    /// What the values of a column say, where enough of them are files.
    func values(of column: String) -> FieldGuess? {
        guess?.files.first { $0.field.field == column }
    }
}
