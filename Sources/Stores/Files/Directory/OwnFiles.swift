import Glibc
import MooringModel

/// Files and folders on this machine that are no objects, though a link or a second name may put
/// them into a bucket's folder: databases, the ledger, the configuration, reports.
///
/// They are told by device and inode, whatever the path that leads to them.
package struct OwnFiles: Sendable {
    /// One of them.
    package struct Entry: Hashable, Sendable {
        /// What it is, in words, such as `the ledger`.
        package let what: String
        /// Its path; it need not be there.
        package let path: String

        /// A file or a folder.
        package init(what: String, path: String) {
            self.what = what
            self.path = path
        }
    }

    /// The folder of another bucket.
    package struct Neighbour: Sendable {
        /// The bucket's name.
        package let name: String
        /// Its folder; it need not be there.
        package let folder: String
        /// The folder of its quarantine.
        package let quarantine: String
        /// Whether objects of both buckets lie in it, were it found at this path below one's own.
        package let isShared: @Sendable (_ path: [UInt8]) -> Bool

        /// Another bucket's folder.
        package init(
            name: String, folder: String, quarantine: String,
            isShared: @escaping @Sendable (_ path: [UInt8]) -> Bool
        ) {
            self.name = name
            self.folder = folder
            self.quarantine = quarantine
            self.isShared = isShared
        }
    }

    private let entries: [Entry]
    /// The folders of the other buckets, into which links may lead.
    let neighbours: [Neighbour]

    /// These files and folders.
    package init(_ entries: [Entry] = [], neighbours: [Neighbour] = []) {
        self.entries = entries
        self.neighbours = neighbours
    }

    /// Those that are there now, with what each is; a link in a path leads to what is meant.
    func known() -> [DirectoryBucket.Identity: String] {
        var known: [DirectoryBucket.Identity: String] = [:]
        for entry in entries where !entry.path.utf8.contains(0) {
            var status = stat()
            guard stat(entry.path, &status) == 0 else { continue }
            known[FileFacts(status).identity] = entry.what
        }
        return known
    }
}

extension FileFacts {
    /// What tells it from any other file of this machine.
    var identity: DirectoryBucket.Identity {
        DirectoryBucket.Identity(device: device, inode: inode)
    }
}

/// What was met in a listing and is one of the program's or the app's own files.
struct OwnFilesMet {
    private let known: [DirectoryBucket.Identity: String]
    private var count = 0
    /// What is told of them, one sentence each; of many only the first.
    private(set) var notes: [String] = []
    private static let told = 10
    private var folders: [DirectoryBucket.Identity: OwnFiles.Neighbour] = [:]
    private var quarantines: [DirectoryBucket.Identity: OwnFiles.Neighbour] = [:]
    // Where folders of other buckets were met whose objects are kept apart in words.
    private var apart: Set<[UInt8]> = []

    /// Looks for these.
    init(_ files: OwnFiles) {
        known = files.known()
        for neighbour in files.neighbours {
            if let folder = Self.identity(neighbour.folder) { folders[folder] = neighbour }
            if let held = Self.identity(neighbour.quarantine) { quarantines[held] = neighbour }
        }
    }

    private static func identity(_ path: String) -> DirectoryBucket.Identity? {
        var status = stat()
        guard !path.utf8.contains(0), stat(path, &status) == 0 else { return nil }
        return FileFacts(status).identity
    }

    /// Whether to go into a folder: not where another bucket lies, by whatever path, unless its
    /// objects are kept apart in words; and never into another bucket's quarantine.
    mutating func admits(_ facts: FileFacts, at path: [UInt8]) -> FolderWalk.Admission {
        if takes(facts, at: path) { return .leaveOut }
        if let neighbour = folders[facts.identity] {
            guard !neighbour.isShared(path) else { return .stop(Self.sharing(neighbour)) }
            apart.insert(path)
        } else if let neighbour = quarantines[facts.identity] {
            let isBelow = apart.contains { path.starts(with: $0 + [UInt8(ascii: "/")]) }
            return isBelow ? .leaveOut : .stop(Self.sharing(neighbour))
        }
        return .enter
    }

    /// Whether a path is that of the lease or the marker of a bucket that was met and lies apart.
    func isOfNeighbour(_ path: [UInt8]) -> Bool {
        guard !apart.isEmpty, OwnKey.endsKey(ObjectKey(path)) else { return false }
        return apart.contains { folder in
            OwnKey.all.contains { folder + [UInt8(ascii: "/")] + $0.bytes == path }
        }
    }

    private static func sharing(_ neighbour: OwnFiles.Neighbour) -> String {
        "the folder of bucket '\(neighbour.name)' lies here, and each would take the other's "
            + "objects for its own; keep them apart by 'prefixes' or 'ignore', or move it"
    }

    /// Whether a file, or what a link leads to, is one of them; it is told then.
    mutating func takes(_ facts: FileFacts?, at path: [UInt8]) -> Bool {
        guard let facts, let what = known[facts.identity] else { return false }
        count += 1
        if count <= Self.told {
            notes.append(
                "'\(String(decoding: path, as: UTF8.self))' is \(what), by a link or a second "
                    + "name: it is no object, and is never touched")
        }
        return true
    }
}

extension DirectoryBucket {
    /// Refuses to move one of the app's or the program's own files.
    func refuseOwn(_ place: KeyPlaces, in folder: Folder) throws(StoreError) {
        let known = ownFiles.known()
        guard !known.isEmpty else { return }
        let facts: [FileFacts?]
        do {
            facts = [try folder.facts(place.name), try folder.end(of: place.name)]
        } catch {
            throw StoreError(place: place.text, reason: "cannot be looked at: \(error.text)")
        }
        let met = facts.lazy.compactMap { $0 }.compactMap { known[$0.identity] }.first
        guard let what = met else { return }
        throw StoreError(
            place: place.text, reason: "is \(what), by a link or a second name",
            hint: "move it out of the bucket's folder", isRefusal: true)
    }
}
