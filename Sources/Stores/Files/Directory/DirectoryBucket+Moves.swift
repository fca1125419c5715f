import Glibc
package import MooringModel
import Synchronization

extension DirectoryBucket {
    /// Moves the file to `QUARANTINE/RUN/KEY` in one rename that replaces nothing, and looks at
    /// what was moved. When that is another version it is moved back; when its place was taken
    /// meanwhile it stays in quarantine and a `StoreError` says where.
    package func quarantine(
        _ key: ObjectKey, expecting version: ObjectVersion, run: RunID
    ) async throws -> MoveOutcome {
        let place = try KeyPlaces(key, run: run, in: self)
        return try moves.withLock { _ in try moveIn(place, expecting: version) }
    }

    /// Moves the file back to its key in one rename that replaces nothing, making the folders
    /// that are gone, and clears the folders that it leaves empty in quarantine.
    package func restore(
        _ key: ObjectKey, run: RunID, expecting version: ObjectVersion
    ) async throws -> MoveOutcome {
        let place = try KeyPlaces(key, run: run, in: self)
        return try moves.withLock { _ in try moveOut(place, expecting: version) }
    }

    /// Removes the file from quarantine and clears the folders that it leaves empty there. The
    /// look and the removal are two steps; nobody but Mooring writes to the quarantine.
    package func sweep(
        _ key: ObjectKey, run: RunID, expecting version: ObjectVersion
    ) async throws -> MoveOutcome {
        let place = try KeyPlaces(key, run: run, in: self)
        return try moves.withLock { _ in try remove(place, expecting: version) }
    }

    private func moveIn(
        _ place: KeyPlaces, expecting version: ObjectVersion
    ) throws(StoreError) -> MoveOutcome {
        let root = try openRoot()
        let parent: Folder
        switch try find(place.bucketFolders, place, root, expecting: version) {
        case .missing(let reason): return .stale(reason)
        case .found(let folder): parent = folder
        }
        try refuseOwn(place, in: parent)
        let target = try makeQuarantine(place, root)
        interruption(.beforeMove)
        let move = CheckedMove(
            name: place.name, from: parent, to: target, expected: version, entersQuarantine: true)
        let outcome = try finish(move, place, taken: "the place in quarantine is taken")
        if outcome != .done { clearFolders(place, root) }
        return outcome
    }

    private func moveOut(
        _ place: KeyPlaces, expecting version: ObjectVersion
    ) throws(StoreError) -> MoveOutcome {
        let root = try openRoot()
        let parent: Folder
        switch try find(place.quarantineFolders, place, root, expecting: version) {
        case .missing(let reason): return .stale(reason)
        case .found(let folder): parent = folder
        }
        let target: Folder
        do {
            target = try Descent(
                from: root, along: place.bucketFolders, makingMissing: 0o777
            ).folder
        } catch {
            if case .file = error.cause { return .stale("cannot be put back: \(error.reason)") }
            throw StoreError(place: place.text, reason: error.reason)
        }
        interruption(.beforeMove)
        let move = CheckedMove(
            name: place.name, from: parent, to: target, expected: version, entersQuarantine: false)
        let outcome = try finish(move, place, taken: "an object has this key again")
        if outcome == .done { clearFolders(place, root) }
        return outcome
    }

    private func remove(
        _ place: KeyPlaces, expecting version: ObjectVersion
    ) throws(StoreError) -> MoveOutcome {
        let root = try openRoot()
        switch try find(place.quarantineFolders, place, root, expecting: version) {
        case .missing(let reason): return .stale(reason)
        case .found(let folder):
            do {
                try folder.removeFile(place.name)
                try folder.synchronize()
            } catch {
                throw StoreError(place: place.text, reason: "not removed: \(error.text)")
            }
        }
        clearFolders(place, root)
        return .done
    }

    private enum Found {
        case found(Folder)
        case missing(String)
    }

    // The folder that holds the file, when the file is the expected version.
    private func find(
        _ folders: [[UInt8]], _ place: KeyPlaces, _ root: Folder, expecting version: ObjectVersion
    ) throws(StoreError) -> Found {
        do {
            let sighting = try Sighting(of: place.name, along: folders, from: root)
            let isMoved = folders != place.bucketFolders
            let difference = difference(sighting.facts, version, isMoved: isMoved)
            return difference.map { .missing($0) } ?? .found(sighting.folder)
        } catch {
            guard error.meansAbsence else {
                throw StoreError(place: place.text, reason: error.reason)
            }
            return .missing("there is no such object: \(error.reason)")
        }
    }

    private func makeQuarantine(_ place: KeyPlaces, _ root: Folder) throws(StoreError) -> Folder {
        do {
            return try Descent(
                from: root, along: place.quarantineFolders, makingMissing: 0o700
            ).folder
        } catch {
            var hint: String?
            if case .mount = error.cause { hint = Self.mountHint }
            if case .link = error.cause { hint = "replace the link by a folder" }
            throw StoreError(
                place: place.text, reason: "no place in quarantine: \(error.reason)", hint: hint)
        }
    }

    /// What tells the file from the expected version; nil when it is that version.
    ///
    /// A rename sets the ctime, so that of a file that was moved says nothing; its ETag, of size,
    /// mtime and inode, still does.
    func difference(_ facts: FileFacts, _ expected: ObjectVersion, isMoved: Bool) -> String? {
        guard facts.isObject else { return "is no file any more" }
        let found = facts.version(trust: trust)
        if found.size != expected.size {
            return "changed: holds \(found.size) bytes, not \(expected.size)"
        }
        if found.lastModified != expected.lastModified, trust == .mtime || !isMoved {
            return "changed: was written at \(found.lastModified.iso8601), not at "
                + expected.lastModified.iso8601
        }
        if found.etag != expected.etag {
            return "changed: is another file of the same size"
        }
        return nil
    }

    /// What to do when the quarantine lies on another mount.
    static let mountHint = "a rename cannot leave a mount: choose a quarantine beside the files"

    // An empty folder that stays is harmless, so what cannot be removed is left.
    private func clearFolders(_ place: KeyPlaces, _ root: Folder) {
        let keep = quarantinePath.count
        let folders = place.quarantineFolders
        for count in stride(from: folders.count, to: keep, by: -1) {
            do {
                let parent = try Descent(from: root, along: Array(folders[..<(count - 1)])).folder
                try parent.removeFolder(folders[count - 1])
            } catch {
                guard let obstacle = error as? Obstacle, case .absent = obstacle.cause else {
                    return
                }
            }
        }
    }
}
