import Glibc
package import MooringModel
import Synchronization

/// A folder as a bucket: every file and every symbolic link below it is an object, and its key is
/// its path below the folder, byte for byte.
///
/// Nothing outside the folder is ever read or changed: each name on the way to a file is opened
/// by itself and must be a real folder on the same file system. Who can write to the folder and
/// moves folders about while a step is under way can still make Mooring act where they went.
package final class DirectoryBucket: ActingBucket {
    /// Where an object's LastModified comes from.
    package enum Trust: String, Sendable, CaseIterable {
        /// The file's mtime, which a copy may have brought along.
        case mtime
        /// The later of mtime and ctime: no file is older than its arrival here.
        case ctime
    }

    /// A folder as the bucket's instance saw it first.
    struct Identity: Hashable {
        /// The file system.
        let device: UInt64
        /// The folder's number on it.
        let inode: UInt64
    }

    /// The source's name in the configuration.
    package let name: String
    /// How the configuration spells the kind.
    package let kind = "directory"
    /// It can be looked at and acted on now.
    package let isLive = true
    /// It is one.
    package let isFolder = true
    /// Symbolic links are objects of it.
    package let holdsLinks = true
    /// Where LastModified comes from.
    let trust: Trust
    /// The folder as the user named it.
    let folderPath: String
    /// The names of the folders down to the quarantine, at least one.
    let quarantinePath: [[UInt8]]
    /// Whether the configuration ignores a key in words.
    let isIgnored: @Sendable (ObjectKey) -> Bool
    /// What is no object, wherever a link puts it.
    let ownFiles: OwnFiles
    /// Lets a test change the folder between a look and the act that follows it.
    let interruption: @Sendable (Moment) -> Void
    private let identity = Mutex<Identity?>(nil)
    /// Held while files are moved: one move clears empty folders that another is about to use.
    let moves = Mutex<Void>(())

    /// A moment between a look and an act.
    enum Moment: Sendable {
        case beforeMove
        case afterMove
        case beforeAbsence
    }

    /// A bucket that is the folder at this path; refuses a quarantine prefix that is no plain
    /// path of folders below it. The folder itself may be missing until it is used. Links to
    /// folders and mounts below it are problems, unless all below is ignored; files of `ownFiles`
    /// are left out.
    package convenience init(
        name: String, folder: String, quarantine: [UInt8], trust: Trust,
        ownFiles: OwnFiles = OwnFiles(),
        isIgnored: @escaping @Sendable (ObjectKey) -> Bool = { _ in false }
    ) throws {
        try self.init(
            name: name, folder: folder, quarantine: quarantine, trust: trust, ownFiles: ownFiles,
            isIgnored: isIgnored, interruption: { _ in })
    }

    /// The same with an interruption, for tests.
    init(
        name: String, folder: String, quarantine: [UInt8], trust: Trust,
        ownFiles: OwnFiles = OwnFiles(),
        isIgnored: @escaping @Sendable (ObjectKey) -> Bool = { _ in false },
        interruption: @escaping @Sendable (Moment) -> Void
    ) throws {
        var prefix = quarantine
        if prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
        do {
            quarantinePath = try ObjectPath(ObjectKey(prefix)).components
        } catch {
            throw StoreError(
                place:
                    "bucket \(name), quarantine \"\(String(decoding: quarantine, as: UTF8.self))\"",
                reason: "\(error.reason), so it is no folder for quarantine",
                hint: "name a folder below the bucket's folder, such as .mooring/quarantine/")
        }
        self.name = name
        self.folderPath = folder
        self.trust = trust
        self.isIgnored = isIgnored
        self.ownFiles = ownFiles
        self.interruption = interruption
        // The sooner the folder is known, the surer an unmounted disk is noticed; a folder that
        // is missing now is reported by whatever uses it.
        _ = try? openRoot()
    }

    /// Opens the folder; throws when it is not there or not the one it was before.
    func openRoot() throws(StoreError) -> Folder {
        let folder: Folder
        let facts: FileFacts
        do {
            folder = try Folder.open(folderPath)
            facts = try folder.ownFacts()
        } catch {
            throw StoreError(
                place: folderPath, reason: "the bucket's folder cannot be opened: \(error.text)",
                hint: "mount it or correct `directory` of bucket \(name)")
        }
        let found = Identity(device: facts.device, inode: facts.inode)
        let known = identity.withLock { known in
            known = known ?? found
            return known
        }
        guard known == found else {
            throw StoreError(
                place: folderPath, reason: "is another folder than the one seen before",
                hint: "check that its disk is still mounted, and start again")
        }
        return folder
    }

    /// Whether a key lies in the quarantine, which only Mooring's own acts reach.
    func isQuarantined(_ path: ObjectPath) -> Bool {
        path.folders.starts(with: quarantinePath)
    }
}
