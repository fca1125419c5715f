import Glibc
import MooringModel
import MooringSQLite

/// Drafts a first `mooring.yaml` by looking at a database and a folder.
package enum ConfigurationDraft {
    /// The text of a commented configuration; each guess says what it rests on.
    ///
    /// Reads at most 2,000 rows of each table and looks up at most 200 values of each column; it
    /// changes nothing. Paths in the text start at the configuration file's folder when they lie
    /// below it, and are absolute otherwise. Throws `SetupError` when a side cannot be read, or
    /// when no value of any column is a file: then there is nothing to draft.
    package static func draft(
        database: String, objects: String, configurationFile: String
    ) async throws -> String {
        try checkDatabase(database)
        let folder = try ObjectFolder(path: objects)
        let source = SQLiteSource(name: "app", path: database)
        var models: [ModelGuess] = []
        do {
            for table in try source.tables() where table.isOrdinary {
                models.append(
                    await ModelGuess(try await TableSample(of: table, from: source), in: folder))
            }
        } catch let error as StoreError {
            throw SetupError(
                what: error.description, why: "no configuration was drafted",
                next: "Name an SQLite database that can be read with --database.")
        }
        guard models.contains(where: { !$0.files.isEmpty }) else {
            throw nothingFound(models, database, objects)
        }
        let places = try DraftPlaces(
            database: database, objects: objects, configurationFile: configurationFile)
        return DraftText(models: models, places: places).text
    }

    /// Throws `SetupError` unless the path is that of a file.
    static func checkDatabase(_ path: String) throws(SetupError) {
        var facts = stat()
        let isFile =
            !path.utf8.contains(0) && stat(path, &facts) == 0
            && facts.st_mode & S_IFMT == S_IFREG
        guard isFile else {
            throw SetupError(
                what: "'\(VisibleName.of(path))' is no file that can be read",
                why: "no configuration was drafted",
                next: "Name the app's SQLite database with --database.")
        }
    }

    private static func nothingFound(
        _ models: [ModelGuess], _ database: String, _ objects: String
    ) -> SetupError {
        let fields = models.flatMap { model in
            model.lookedAt.map { field in
                "\(VisibleName.of(model.sample.name)).\(VisibleName.of(field.field.field)) "
                    + "(\(field.found) of \(field.lookedUp))"
            }
        }
        let problems = models.compactMap { model in
            model.sample.problem.map { "\(VisibleName.of(model.sample.name)): \($0)" }
        }
        let looked =
            fields.isEmpty
            ? "there is no column of texts"
            : "looked at " + fields.prefix(10).joined(separator: ", ")
                + (fields.count > 10 ? " and \(fields.count - 10) more" : "")
        return SetupError(
            what: "no column of '\(VisibleName.of(database))' holds names of files in "
                + "'\(VisibleName.of(objects))': "
                + ([looked] + problems.prefix(3)).joined(separator: "; "),
            why: "a configuration without a file field would find only orphans, so none was "
                + "drafted",
            next: "Name with --objects the folder that keys start from, the one that holds "
                + "public/, protected/ and private/ if there are any; or write mooring.yaml by "
                + "hand, after the one that mooring demo makes.")
    }
}

/// The paths of a draft, as the configuration file writes them.
struct DraftPlaces {
    /// The database and the folder of objects.
    let database, objects: String
    /// Patterns for what lies in the folder of objects and is none: Mooring's own files, and the
    /// database.
    let ignored: [String]

    /// The paths seen from the configuration file; throws `SetupError` without a working folder.
    init(database: String, objects: String, configurationFile: String) throws(SetupError) {
        guard let buffer = getcwd(nil, 0) else {
            throw SetupError(
                what: "the working folder is gone", why: "no configuration was drafted",
                next: "Change to another folder.")
        }
        let working = String(cString: buffer)
        free(buffer)
        let file = Self.components(configurationFile, from: working)
        let folder = file.dropLast()
        let store = Self.components(database, from: working)
        let files = Self.components(objects, from: working)
        self.database = Self.written(store, from: folder)
        self.objects = Self.written(files, from: folder)
        var ignored: [String] = []
        if let below = Self.below(store, files[...]) { ignored.append(below + "*") }
        if let below = Self.below(file, files[...]) {
            let head = String(below.prefix(below.count - (file.last ?? "").count))
            ignored += [below, head + "mooring.ledger*", head + "Reports/Runs/**"]
        }
        self.ignored = ignored
    }

    private static func written(_ path: [String], from folder: ArraySlice<String>) -> String {
        if path == Array(folder) { return "." }
        return below(path, folder).map { "./" + $0 } ?? "/" + path.joined(separator: "/")
    }

    // Names are compared as bytes: to `String`, two spellings of one letter are equal.
    private static func below(_ path: [String], _ folder: ArraySlice<String>) -> String? {
        let isBelow =
            path.count > folder.count
            && zip(path, folder).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
        return isBelow ? path.dropFirst(folder.count).joined(separator: "/") : nil
    }

    private static func components(_ path: String, from working: String) -> [String] {
        let whole = path.utf8.first == UInt8(ascii: "/") ? path : working + "/" + path
        var names: [String] = []
        for part in Array(whole.utf8).split(separator: UInt8(ascii: "/")) {
            let name = String(decoding: part, as: UTF8.self)
            switch name {
            case ".": continue
            case "..": _ = names.popLast()
            default: names.append(name)
            }
        }
        return names
    }
}
