import MooringModel
import MooringSQLite

/// The demo's records as the statements that make its database.
enum DemoDatabase {
    private static let shared =
        "_version INTEGER NOT NULL, _lastChangedAt INTEGER NOT NULL, _deleted INTEGER"

    /// The tables and every record.
    static func statements(for content: DemoContent) -> [SQLStatement] {
        tables
            + content.songs.map { insert($0, into: "Song", files: text($0.files)) }
            + content.albums.map { insert($0, into: "PhotoAlbum", files: text(list($0.files))) }
            + content.posts.map { insert($0, into: "Post", files: text($0.files)) }
            + content.comments.map { insert($0, into: "Comment", files: text($0.files)) }
            + content.contracts.map { insert($0, into: "Contract", files: text($0.files)) }
            + content.joins.map { insert($0, into: "PostSong", files: text($0.files)) }
    }

    /// The same tables with what a phone has of them: some of the songs.
    static func copies(for content: DemoContent) -> [SQLStatement] {
        tables + content.copies.map { insert($0, into: "Song", files: text($0.files)) }
    }

    private static var tables: [SQLStatement] {
        [
            SQLStatement(
                "CREATE TABLE Song (id TEXT PRIMARY KEY NOT NULL, title TEXT, "
                    + "coverArtKey TEXT, ownerIdentity TEXT NOT NULL, \(shared))"),
            SQLStatement(
                "CREATE TABLE PhotoAlbum (id TEXT PRIMARY KEY NOT NULL, name TEXT, "
                    + "imageKeys TEXT, ownerIdentity TEXT NOT NULL, \(shared))"),
            SQLStatement(
                "CREATE TABLE Post (id TEXT PRIMARY KEY NOT NULL, title TEXT, file TEXT, "
                    + "\(shared))"),
            SQLStatement(
                "CREATE TABLE Comment (id TEXT PRIMARY KEY NOT NULL, text TEXT, "
                    + "postID TEXT, \(shared))"),
            SQLStatement(
                "CREATE TABLE Contract (id TEXT PRIMARY KEY NOT NULL, title TEXT, "
                    + "fileKey TEXT, \(shared))"),
            SQLStatement(
                "CREATE TABLE PostSong (id TEXT PRIMARY KEY NOT NULL, postID TEXT NOT NULL, "
                    + "songID TEXT NOT NULL, \(shared))"),
        ]
    }

    // Every table has its columns in one order: id, title, files, owner if any, then the rest.
    private static func insert<Files>(
        _ record: DemoRecord<Files>, into table: String, files: FieldValue
    ) -> SQLStatement {
        let milliseconds = record.changed.nanoseconds / 1_000_000
        let owner = record.identity.isEmpty ? [] : [text(record.identity)]
        let values =
            [text(record.id), text(record.title), files] + owner
            + [
                .integer(record.version + (record.isDeleted ? 1 : 0)), .integer(milliseconds),
                record.isDeleted ? .integer(1) : .null,
            ]
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        return SQLStatement("INSERT INTO \(table) VALUES (\(marks))", values)
    }

    private static func text(_ text: String?) -> FieldValue {
        text.map { .text(Array($0.utf8)) } ?? .null
    }

    // Keys of the demo need no escaping.
    private static func list(_ keys: [String?]) -> String {
        "[" + keys.map { $0.map { "\"\($0)\"" } ?? "null" }.joined(separator: ",") + "]"
    }
}
