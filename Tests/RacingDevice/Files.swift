/// Where the app keeps its files.
protocol Files: Sendable {
    /// Puts content at a key, in place of what is there.
    func upload(_ key: String, _ content: String, by hand: String) throws -> Upload

    /// Removes what is at a key; nil when nothing was there.
    func remove(_ key: String) throws -> Span?

    /// Whether a file is at a key now.
    func holds(_ key: String) throws -> Bool

    /// The names of the files in one folder.
    func names(in place: String) throws -> [String]
}

/// A file that was put at its key.
struct Upload {
    /// What names this version of the file, without any blank.
    let version: String
    /// The moment from which its association is due: no later than it could be seen.
    let born: Int64
    /// When it appeared.
    let span: Span
}
