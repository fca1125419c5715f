import Glibc
import MooringModel
import Synchronization

extension DirectoryBucket {
    /// How the names of the files begin that the clock is measured with.
    static let clockFilePrefix = Array(".clock-".utf8)

    /// Compares the mtime of a file made for this with this machine's clock; folders made for it
    /// are removed again.
    package func measureClock() async throws -> Duration {
        try moves.withLock { _ in try measureInQuarantine() }
    }

    private func measureInQuarantine() throws(StoreError) -> Duration {
        let root = try openRoot()
        let place = "\(folderPath)/\(String(decoding: quarantinePlace, as: UTF8.self))"
        let descent: Descent
        do {
            descent = try Descent(from: root, along: quarantinePath, makingMissing: 0o700)
        } catch {
            throw StoreError(place: place, reason: "cannot measure the clock: \(error.reason)")
        }
        defer { removeMade(descent.made, root) }
        do {
            return try measure(in: descent.folder)
        } catch {
            throw StoreError(place: place, reason: "cannot measure the clock: \(error.text)")
        }
    }

    private func measure(in folder: Folder) throws(SystemFailure) -> Duration {
        let name = Self.clockFilePrefix + Array(String(getpid()).utf8)
        do {
            // What a process of the same number left when it crashed.
            try folder.removeFile(name)
        } catch {
            guard error.code == ENOENT else { throw error }
        }
        let before = Instant.now
        let written = try folder.makeFile(name).modifiedAt
        let after = Instant.now
        try folder.removeFile(name)
        if written < before { return before - written }
        return written > after ? written - after : .zero
    }

    /// Removes the last so many folders on the way to the quarantine, which were made for a file
    /// that is gone: none is left that was not there before. One that somebody uses by now is not
    /// empty and stays.
    func removeMade(_ count: Int, _ root: Folder) {
        for length in stride(
            from: quarantinePath.count, to: quarantinePath.count - count, by: -1)
        {
            do {
                let path = Array(quarantinePath[..<(length - 1)])
                let parent = try Descent(from: root, along: path).folder
                try parent.removeFolder(quarantinePath[length - 1])
            } catch {
                return
            }
        }
    }
}
