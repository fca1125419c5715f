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

    private let entries: [Entry]

    /// These files and folders.
    package init(_ entries: [Entry] = []) { self.entries = entries }

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

    /// Looks for these.
    init(_ files: OwnFiles) { known = files.known() }

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
    func refuseOwn(_ place: Place, in folder: Folder) throws(StoreError) {
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
