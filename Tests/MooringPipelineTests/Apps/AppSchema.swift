import MooringModel

/// A field of a random app that holds keys.
struct AppField {
    let column: String
    var isList = false
    var isComplex = false
    var level = "root"
    var bucket = "media"
    var template: String?
}

/// A field of a random app that holds another record's identifier.
struct AppRelation {
    let column: String
    let parent: String
    var cascade = false
}

/// A model of a random app: what the configuration is told of a table.
struct AppModel {
    let name: String
    var id = ["id"]
    var hasVersion = true
    var hasChanged = true
    var isChangedByDevice = false
    var hasDeleted = true
    var hasIdentity = true
    var visibility: String?
    var files: [AppField] = []
    var relations: [AppRelation] = []
    var isJoin = false
}

/// What every random app may have: tables with all their columns, models, and where they differ.
enum AppSchema {
    /// The tables of every source; nobody maps `Setting`, nor a song's `hint`.
    static let tables: [(name: String, columns: [String])] = [
        ("Song", ["id", "cover", "hint"] + common), ("Album", ["id", "images"] + common),
        ("Post", ["pk", "sk", "file"] + common), ("Page", ["id", "parts"] + common),
        ("Note", ["id", "scan"] + common),
        ("Comment", ["id", "postID", "authorID", "attachment"] + common),
        ("Tag", ["id", "songID", "authorID"] + common), ("User", ["id"] + common),
        ("Setting", ["id", "value"]),
    ]

    private static let common = ["version", "changed", "deleted", "owner"]
    private static let levels = ["root", "root", "guest", "private", "private", "protected", "any"]

    private static let plain = (list: false, complex: false)

    /// The models of one app.
    static func models(_ random: inout SplitMix) -> [AppModel] {
        var models = [
            AppModel(
                name: "Song",
                files: [
                    field("cover", ["{id}", "{id}-{uuid}", "covers/{id}"], "media", plain, &random)
                ]),
            AppModel(
                name: "Album",
                files: [
                    field(
                        "images", ["{id}-{uuid}", "{*}", nil],
                        random.pick(["media", "archive"]), (list: true, complex: false), &random)
                ]),
            AppModel(
                name: "Post", id: ["pk", "sk"],
                files: [
                    field(
                        "file", ["posts/{*}", "{id}"], "media", (list: false, complex: true),
                        &random)
                ]),
            AppModel(
                name: "Page",
                files: [
                    field(
                        "parts", ["pages/{*}", "{id}-{uuid}"], "media", (list: true, complex: true),
                        &random)
                ]),
            AppModel(name: "Note", files: [field("scan", ["{id}"], "archive", plain, &random)]),
            AppModel(
                name: "Comment",
                files: [field("attachment", [nil, "{id}"], "media", plain, &random)],
                relations: [
                    AppRelation(column: "postID", parent: "Post", cascade: true),
                    AppRelation(column: "authorID", parent: "User"),
                ]),
            AppModel(
                name: "Tag",
                relations: [
                    AppRelation(column: "songID", parent: "Song"),
                    AppRelation(column: "authorID", parent: "User"),
                ], isJoin: true),
            AppModel(name: "User"),
        ]
        for index in models.indices {
            models[index].hasVersion = random.chance(75)
            models[index].hasChanged = random.chance(85)
            models[index].isChangedByDevice = random.chance(15)
            models[index].hasDeleted = random.chance(70)
            models[index].hasIdentity = random.chance(75)
            if random.chance(40) {
                models[index].visibility = random.pick(["owner", "signed-in", "anyone"])
            }
        }
        return models
    }

    private static func field(
        _ column: String, _ templates: [String?], _ bucket: String,
        _ form: (list: Bool, complex: Bool), _ random: inout SplitMix
    ) -> AppField {
        AppField(
            column: column, isList: form.list, isComplex: form.complex, level: random.pick(levels),
            bucket: bucket, template: random.pick(templates))
    }
}

// MARK: - The configuration's text

extension AppField {
    /// The field as the configuration writes it.
    var yaml: String {
        var words = ["field: \(column)", "bucket: \(bucket)"]
        if isList { words.append("list: true") }
        if isComplex { words.append("complex: true") }
        if level != "root" { words.append("level: \(level)") }
        if let template { words.append("template: \"\(template)\"") }
        return "{" + words.joined(separator: ", ") + "}"
    }
}

extension AppModel {
    /// The model as the configuration writes it.
    var yaml: String {
        var lines = ["- model: \(name)", "  id: [\(id.joined(separator: ", "))]"]
        if hasVersion { lines.append("  version: version") }
        if hasChanged { lines.append("  changed: changed") }
        if hasChanged, isChangedByDevice { lines.append("  changedBy: device") }
        if hasDeleted { lines.append("  deleted: deleted") }
        if hasIdentity { lines.append("  identity: owner") }
        if let visibility { lines.append("  visibility: \(visibility)") }
        if isJoin { lines.append("  join: true") }
        let files = files.map(\.yaml).joined(separator: ", ")
        if !files.isEmpty { lines.append("  files: [\(files)]") }
        let relations = relations.map {
            "{field: \($0.column), model: \($0.parent), cascade: \($0.cascade)}"
        }
        if !relations.isEmpty {
            lines.append("  relations: [\(relations.joined(separator: ", "))]")
        }
        return lines.map { "      " + $0 }.joined(separator: "\n")
    }
}
