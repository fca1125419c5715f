package import MooringModel
import Synchronization

extension DirectoryBucket {
    /// Removes empty folders from the lowest one up; the first that is not empty, or cannot be
    /// removed, ends it. A folder that somebody makes again meanwhile stays or is made again.
    package func clearFolders(above key: ObjectKey, within head: [UInt8]) async {
        moves.withLock { _ in
            do {
                let path = try ObjectPath(key)
                guard !isQuarantined(path) else { return }
                let root = try openRoot()
                for count in stride(from: path.folders.count, to: 0, by: -1) {
                    let slash = UInt8(ascii: "/")
                    let name = Array(path.folders[..<count].joined(separator: [slash])) + [slash]
                    guard name.starts(with: head) else { return }
                    let parent = try Descent(
                        from: root, along: Array(path.folders[..<(count - 1)])
                    ).folder
                    try parent.removeFolder(path.folders[count - 1])
                }
            } catch {
                // An empty folder that stays is no object, and harms nothing.
                return
            }
        }
    }
}
