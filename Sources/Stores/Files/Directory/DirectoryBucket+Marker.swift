import Glibc
package import MooringModel
import Synchronization

/// A folder holds its marker as a file beside the lease, which appears complete, by link(2), and
/// stays.
extension DirectoryBucket: MarkerStore {
    private static let markerName = Array("store".utf8)

    /// Its own folder holds it.
    package var markerStore: (any MarkerStore)? { self }

    /// The folder's path without links; as it was named where it cannot be resolved.
    package var markerPlace: String {
        guard let resolved = realpath(folderPath, nil) else { return folderPath }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Reads the file; throws when something else has its name.
    package func readMarker() async throws -> [UInt8]? {
        try readMarker(below: try openRoot())
    }

    /// Writes a file beside the runs' folders and links it to the marker's name.
    package func createMarker(_ content: [UInt8]) async throws {
        try moves.withLock { _ in try linkMarker(content) }
    }

    /// The inodes of the folder and of its marker, which `mv` keeps on one disk, and the marker's
    /// birth. Device numbers are none: they may change whenever a disk is mounted.
    package func markerTrace() async throws -> String? { try ownTrace()?.text }

    private func ownTrace() throws -> MarkerTrace? {
        let root = try openRoot()
        guard let folder = try markerFolder(below: root) else { return nil }
        do throws(SystemFailure) {
            return MarkerTrace(
                folder: try root.ownFacts().inode,
                marker: try folder.facts(Self.markerName).inode,
                birth: folder.birth(Self.markerName))
        } catch {
            if error.code == ENOENT { return nil }
            throw failure("cannot be read: \(error.text)", of: .marker)
        }
    }

    /// Whether anything but this folder is at that path: `mv` leaves nothing there, and a copy
    /// leaves the first one, or the mount point of a disk that is not mounted. Where the whole path
    /// may be gone with its disk, or is this folder's own, the trace tells.
    package func isCopy(of place: String, trace: String?) async -> Bool {
        let known = trace.flatMap { MarkerTrace($0) }
        if place == markerPlace { return isReplaced(known) }
        let facts: FileFacts
        do throws(SystemFailure) {
            facts = try Folder.open(place).ownFacts()
        } catch {
            guard error.code == ENOENT, trace != nil else { return error.code != ENOENT }
            do {
                guard let known, let own = try ownTrace() else { return true }
                return !own.isMoved(from: known)
            } catch {
                // Without a trace of its own this folder counts as a copy, which refuses.
                return true
            }
        }
        do {
            let mine = try openRoot().ownFacts()
            return (facts.device, facts.inode) != (mine.device, mine.inode)
        } catch {
            // Without this folder's own facts the other one counts as a copy, which refuses.
            return true
        }
    }

    // Of a ledger that knows no trace yet nothing speaks against what is there.
    private func isReplaced(_ known: MarkerTrace?) -> Bool {
        guard let known else { return false }
        do {
            let keepsInodes = try openRoot().keepsInodes
            return try ownTrace()?.replaces(known, keepsInodes: keepsInodes) ?? false
        } catch {
            // Without a trace of its own this folder counts as a copy, which refuses.
            return true
        }
    }

    private func readMarker(below root: Folder) throws(StoreError) -> [UInt8]? {
        guard let folder = try markerFolder(below: root) else { return nil }
        do throws(SystemFailure) {
            let (facts, content) = try folder.beginning(
                of: Self.markerName, limit: Self.leaseLimit)
            guard facts.kind == .file else { throw SystemFailure(code: EISDIR) }
            return content
        } catch {
            if error.code == ENOENT { return nil }
            throw failure("cannot be read: \(error.text)", of: .marker)
        }
    }

    private func markerFolder(below root: Folder) throws(StoreError) -> Folder? {
        do {
            return try Descent(from: root, along: Self.leaseFolders).folder
        } catch {
            if error.meansAbsence { return nil }
            throw failure("cannot be read: \(error.reason)", of: .marker)
        }
    }

    private func linkMarker(_ content: [UInt8]) throws(StoreError) {
        let root = try openRoot()
        let staged = try stage(content, root, for: .marker)
        defer { staged.clear(self, root) }
        for _ in 0..<Self.attempts {
            let folder = try descend(to: Self.leaseFolders, root, for: .marker).folder
            do throws(SystemFailure) {
                try staged.folder.link(staged.name, to: folder, as: Self.markerName)
                try folder.synchronize()
                return
            } catch {
                switch error.code {
                // Another ledger was first: both know that one from now on.
                case EEXIST: return
                case ENOENT: continue
                default: throw failure("not written: \(error.text)", of: .marker)
                }
            }
        }
        throw failure("not written: its folder vanishes again and again", of: .marker)
    }
}
