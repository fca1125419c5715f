import Glibc
package import MooringModel
import Synchronization

/// A folder holds its lease as a file, which appears complete, by link(2), and goes only after a
/// look at what was taken away.
extension DirectoryBucket: LeaseStore {
    /// A lease that is being written or removed lies under such a name beside the runs' folders;
    /// a crash may leave it there.
    static let stagedLeasePrefix = Array(".lease-".utf8)
    /// Why nothing is done with the keys of lease and marker.
    static let leaseDoubt = "the key is that of an object of Mooring's own"

    /// A file of Mooring's own, for the errors about it.
    enum OwnFile: String {
        case lease, marker

        /// Where it lies.
        var key: ObjectKey { self == .lease ? Lease.key : StoreMarker.key }
    }

    /// The folder of lease and marker.
    static let leaseFolders = [Array(".mooring".utf8)]
    private static let leaseName = Array("lease".utf8)
    /// The most bytes that are read of one.
    static let leaseLimit = 1 << 16

    /// Its own folder holds it.
    package var leaseStore: (any LeaseStore)? { self }
    /// A file is there or is not.
    package var uploadStore: (any UploadStore)? { nil }
    /// A folder keeps one version of a file.
    package var versionStore: (any VersionStore)? { nil }
    /// A file has no tags.
    package var tagStore: (any TagStore)? { nil }

    /// What the rename of one file can do; nothing has to be tried.
    package func capabilities() async throws -> StoreCapabilities { .folder }

    /// Reads the file; throws when something else has its name.
    package func readLease() async throws -> FoundLease? {
        try find(try openRoot())?.found
    }

    /// Writes a file beside the runs' folders and links it to the lease's name.
    package func createLease(_ content: [UInt8]) async throws -> FoundLease? {
        try moves.withLock { _ in try create(content) }
    }

    /// Exchanges the file with the new one in one step, and looks at what came out.
    package func replaceLease(
        _ found: FoundLease, with content: [UInt8]
    ) async throws -> FoundLease? {
        try moves.withLock { _ in try replace(found, with: content) }
    }

    /// Moves the file aside, looks at it, and removes it; `.mooring` goes too when it is empty.
    package func removeLease(_ found: FoundLease) async throws -> Bool {
        try moves.withLock { _ in try remove(found) }
    }

    /// A file beside the runs' folders, and how many folders were made for it.
    struct Staged {
        /// Where it lies, and its name there.
        let folder: Folder
        let name: [UInt8]
        /// How many folders were made.
        let made: Int
        /// What tells the file from any other.
        let tag: String

        /// Removes the file and the folders; what cannot be removed is no object and harmless.
        func clear(_ bucket: DirectoryBucket, _ root: Folder) {
            // It may be gone: moved to the lease's place, or back to it.
            try? folder.removeFile(name)
            bucket.removeMade(made, root)
        }
    }

    private func create(_ content: [UInt8]) throws(StoreError) -> FoundLease? {
        let root = try openRoot()
        let staged = try stage(content, root)
        defer { staged.clear(self, root) }
        return try link(staged, content, root)
    }

    private func replace(
        _ found: FoundLease, with content: [UInt8]
    ) throws(StoreError) -> FoundLease? {
        let root = try openRoot()
        guard let (folder, now) = try find(root), now == found else { return nil }
        let staged = try stage(content, root)
        defer { staged.clear(self, root) }
        interruption(.beforeMove)
        do {
            try staged.folder.exchange(staged.name, with: folder, Self.leaseName)
        } catch {
            if error.code == ENOENT { return nil }
            throw failure("not replaced: \(error.text)")
        }
        guard try read(staged.name, in: staged.folder) == found else {
            do {
                try staged.folder.exchange(staged.name, with: folder, Self.leaseName)
            } catch {
                throw failure("another lease came since, and has lost its place: \(error.text)")
            }
            return nil
        }
        try synchronize(folder)
        return FoundLease(content: content, tag: staged.tag)
    }

    private func remove(_ found: FoundLease) throws(StoreError) -> Bool {
        let root = try openRoot()
        for _ in 0..<Self.attempts {
            guard let (folder, now) = try find(root), now == found else { return false }
            let place = try descend(to: quarantinePath, root)
            let aside = Staged(
                folder: place.folder, name: Self.newName(), made: place.made, tag: "")
            interruption(.beforeMove)
            do {
                try folder.move(Self.leaseName, to: aside.folder, as: aside.name)
            } catch {
                aside.clear(self, root)
                // The lease is gone, or the folder beside the runs': the next look tells.
                if error.code == ENOENT { continue }
                throw failure("not removed: \(error.text)")
            }
            let isRemoved = try finishRemoval(of: found, from: folder, aside)
            aside.clear(self, root)
            try synchronize(folder)
            if isRemoved { clearLeaseFolder(root) }
            return isRemoved
        }
        throw failure("not removed: its folder vanishes again and again")
    }

    // What was moved aside is looked at; another lease goes back to its place.
    private func finishRemoval(
        of found: FoundLease, from folder: Folder, _ aside: Staged
    ) throws(StoreError) -> Bool {
        if try read(aside.name, in: aside.folder) == found { return true }
        do {
            try aside.folder.move(aside.name, to: folder, as: Self.leaseName)
        } catch {
            throw failure("another lease came since, and has lost its place: \(error.text)")
        }
        return false
    }

    /// Whoever clears an empty folder may take it from under another's feet; then it is made anew.
    static let attempts = 10

    /// Writes a file beside the runs' folders, from where it is linked to its own name.
    func stage(
        _ content: [UInt8], _ root: Folder, for file: OwnFile = .lease
    ) throws(StoreError) -> Staged {
        for _ in 0..<Self.attempts {
            let place = try descend(to: quarantinePath, root, for: file)
            let name = Self.newName()
            do {
                let facts = try place.folder.makeFile(name, holding: content)
                return Staged(
                    folder: place.folder, name: name, made: place.made, tag: Self.tag(facts))
            } catch {
                Staged(folder: place.folder, name: name, made: place.made, tag: "")
                    .clear(self, root)
                if error.code == ENOENT { continue }
                throw failure("not written: \(error.text)", of: file)
            }
        }
        throw failure("not written: its folder vanishes again and again", of: file)
    }

    private func link(
        _ staged: Staged, _ content: [UInt8], _ root: Folder
    ) throws(StoreError) -> FoundLease? {
        for _ in 0..<Self.attempts {
            let folder = try descend(to: Self.leaseFolders, root).folder
            do throws(SystemFailure) {
                try staged.folder.link(staged.name, to: folder, as: Self.leaseName)
                try folder.synchronize()
                return FoundLease(content: content, tag: staged.tag)
            } catch {
                switch error.code {
                case EEXIST: return nil
                case ENOENT: continue
                case EPERM, ENOTSUP, EXDEV:
                    throw failure(
                        "not written: the file system has no second names (\(error.text))",
                        hint: "keep the bucket's folder on a local Linux file system")
                default: throw failure("not written: \(error.text)")
                }
            }
        }
        throw failure("not written: its folder vanishes again and again")
    }

    private func find(
        _ root: Folder
    ) throws(StoreError) -> (folder: Folder, found: FoundLease)? {
        let folder: Folder
        do {
            folder = try Descent(from: root, along: Self.leaseFolders).folder
        } catch {
            if error.meansAbsence { return nil }
            throw failure("cannot be read: \(error.reason)")
        }
        return try read(Self.leaseName, in: folder).map { (folder, $0) }
    }

    private func read(
        _ name: [UInt8], in folder: Folder
    ) throws(StoreError) -> FoundLease? {
        do throws(SystemFailure) {
            let (facts, content) = try folder.beginning(of: name, limit: Self.leaseLimit)
            guard facts.kind == .file else { throw SystemFailure(code: EISDIR) }
            return FoundLease(content: content, tag: Self.tag(facts))
        } catch {
            switch error.code {
            case ENOENT: return nil
            case ELOOP, EISDIR, ENXIO:
                throw failure(
                    "a link or folder or device has the lease's name",
                    hint: "find out who made it, and move it away by hand")
            default: throw failure("cannot be read: \(error.text)")
            }
        }
    }

    /// Goes down to a folder of Mooring's own, which is made where it is missing.
    func descend(
        to path: [[UInt8]], _ root: Folder, for file: OwnFile = .lease
    ) throws(StoreError) -> (folder: Folder, made: Int) {
        for _ in 0..<Self.attempts {
            do {
                let descent = try Descent(from: root, along: path, makingMissing: 0o700)
                return (descent.folder, descent.made)
            } catch {
                if case .absent = error.cause { continue }
                throw failure("no place for it: \(error.reason)", of: file)
            }
        }
        throw failure("no place for it: its folder vanishes again and again", of: file)
    }

    private func synchronize(_ folder: Folder) throws(StoreError) {
        do {
            try folder.synchronize()
        } catch {
            throw failure("changed, but the disk did not confirm it: \(error.text)")
        }
    }

    // The folder goes only where it is empty, so that an app's own folder of that name stays.
    private func clearLeaseFolder(_ root: Folder) {
        // It is not empty, or gone: nothing is left to do.
        try? root.removeFolder(Self.leaseFolders[0])
    }

    private static func newName() -> [UInt8] {
        stagedLeasePrefix + Array(String(UInt64.random(in: 0...UInt64.max), radix: 16).utf8)
    }

    private static func tag(_ facts: FileFacts) -> String { facts.version(trust: .mtime).etag }

    /// An error about a file of Mooring's own.
    func failure(
        _ reason: String, hint: String? = nil, of file: OwnFile = .lease
    ) -> StoreError {
        StoreError(
            place: "\(folderPath)/\(file.key.text)", reason: "the \(file.rawValue): \(reason)",
            hint: hint)
    }
}
