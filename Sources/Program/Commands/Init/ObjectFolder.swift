import Glibc
import MooringFiles
import MooringModel

/// The folder of objects, asked about single keys: it is never listed as a whole.
struct ObjectFolder {
    /// The most identities that are read from one level's folder.
    static let identityLimit = 10_000

    private let bucket: DirectoryBucket
    /// The names of the folders below `private/` and `protected/`, by the level.
    let identities: [String: Set<[UInt8]>]

    /// The folder at a path; throws `SetupError` when it is no folder that can be read.
    init(path: String) throws {
        guard let entries = path.utf8.contains(0) ? nil : opendir(path) else {
            throw SetupError(
                what: "'\(VisibleName.of(path))' is no folder that can be read",
                why: "no configuration was drafted",
                next: "Name the folder that holds the files with --objects.")
        }
        closedir(entries)
        bucket = try DirectoryBucket(
            name: "files", folder: path, quarantine: Array(".mooring/quarantine/".utf8),
            trust: .mtime)
        var identities: [String: Set<[UInt8]>] = [:]
        for level in AccessLevel.amplify where level.tail != nil {
            let head = String(decoding: level.head, as: UTF8.self)
            identities[level.name] = Self.names(in: "\(path)/\(head)")
        }
        self.identities = identities
    }

    /// Whether the key is that of a file here. What cannot be a file's path is none.
    func holds(_ key: [UInt8]) async -> Bool {
        if case .present = await bucket.head(ObjectKey(key)) { return true }
        return false
    }

    private static func names(in folder: String) -> Set<[UInt8]> {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: Set<[UInt8]> = []
        while names.count < identityLimit, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name.first != UInt8(ascii: ".") { names.insert(name) }
        }
        return names
    }
}
