import Glibc
import MooringModel

/// A key's two places: in the bucket, and in the quarantine of a run.
struct KeyPlaces {
    /// The file's own name, the same in both.
    let name: [UInt8]
    /// The names of the folders that hold it in the bucket.
    let bucketFolders: [[UInt8]]
    /// The names of the folders that hold it in quarantine.
    let quarantineFolders: [[UInt8]]
    /// The key, for people.
    let text: String

    /// The longest path that programs can name, in bytes.
    private static let pathLimit = 4_095

    /// Finds the places; throws when the key has no place of its own in both.
    init(_ key: ObjectKey, run: RunID, in bucket: DirectoryBucket) throws(StoreError) {
        text = key.text
        let path: ObjectPath
        do {
            path = try ObjectPath(key)
        } catch {
            throw StoreError(place: key.text, reason: error.reason)
        }
        guard !bucket.isQuarantined(path) else {
            throw StoreError(place: key.text, reason: "the key lies in the quarantine itself")
        }
        guard !OwnKey.contains(key) else {
            throw StoreError(place: key.text, reason: DirectoryBucket.leaseDoubt)
        }
        let folders = bucket.quarantinePath + [Array(run.text.utf8)] + path.folders
        let length = folders.reduce(bucket.folderPath.utf8.count) { $0 + 1 + $1.count }
        guard length + 1 + path.name.count <= Self.pathLimit,
            path.folders.count < FolderWalk.depthLimit
        else {
            throw StoreError(
                place: key.text, reason: "its path in quarantine would be too long or too deep",
                hint: "shorten the bucket's quarantine prefix, or move the file by hand")
        }
        name = path.name
        bucketFolders = path.folders
        quarantineFolders = folders
    }
}

/// A rename that replaces nothing, followed by a look at what it moved.
struct CheckedMove {
    /// The file's name, before and after.
    let name: [UInt8]
    /// The folder that the file leaves.
    let from: Folder
    /// The folder that the file enters.
    let to: Folder
    /// The version that may be moved.
    let expected: ObjectVersion
    /// Whether it goes into quarantine; else it comes back to its key.
    let entersQuarantine: Bool
}

extension DirectoryBucket {
    /// Carries a move out; on anything but `done` the file is where it was, or the error says
    /// where it is.
    func finish(
        _ move: CheckedMove, _ place: KeyPlaces, taken: String
    ) throws(StoreError) -> MoveOutcome {
        do {
            try move.from.move(move.name, to: move.to)
        } catch {
            switch error.code {
            case EEXIST: return .stale("not moved: \(taken)")
            case ENOENT: return .stale("not moved: there is no such object any more")
            case EXDEV:
                throw StoreError(
                    place: place.text, reason: "not moved: \(error.text)", hint: Self.mountHint)
            case EINVAL:
                throw StoreError(
                    place: place.text,
                    reason: "not moved: the file system has no rename that replaces nothing",
                    hint: "keep the bucket's folder on a local Linux file system")
            default: throw StoreError(place: place.text, reason: "not moved: \(error.text)")
            }
        }
        interruption(.afterMove)
        let difference: String?
        do {
            difference = self.difference(
                try move.to.facts(move.name), move.expected, isMoved: true)
        } catch {
            difference = "cannot be looked at: \(error.text)"
        }
        if let difference { return try takeBack(move, place, difference) }
        do {
            try move.to.synchronize()
            try move.from.synchronize()
        } catch {
            throw StoreError(
                place: place.text,
                reason: "moved, but the disk did not confirm it: \(error.text)",
                hint: "check the disk; the next run finds the file in either place")
        }
        return .done
    }

    private func takeBack(
        _ move: CheckedMove, _ place: KeyPlaces, _ difference: String
    ) throws(StoreError) -> MoveOutcome {
        do {
            try move.to.move(move.name, to: move.from)
        } catch {
            let taken = error.code == EEXIST ? "another file has its name by now" : error.text
            throw StoreError(
                place: place.text,
                reason: "\(difference); moved, and not moved back, since \(taken): it lies "
                    + (move.entersQuarantine ? "in quarantine" : "at its key"),
                hint: "compare it with what has its place now, and keep what is needed")
        }
        do {
            try move.from.synchronize()
            try move.to.synchronize()
        } catch {
            throw StoreError(
                place: place.text,
                reason: "\(difference); moved back, but the disk did not confirm it: \(error.text)")
        }
        return .stale("\(difference); it was moved back")
    }
}
