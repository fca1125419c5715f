import Glibc

/// Why the way down to a file ends before it.
struct Obstacle: Error {
    /// What stands in the way.
    enum Cause {
        /// The store says that there is no such name, and so no such object.
        case absent
        /// A file that is no folder has a folder's name, so there is no such object.
        case file
        case link
        case mount
        case failure(SystemFailure)
    }

    /// What stands in the way.
    let cause: Cause
    /// The path below the bucket's folder at which it does.
    let path: [[UInt8]]

    /// The obstacle as a clause.
    var reason: String {
        let joined = path.joined(separator: [UInt8(ascii: "/")])
        let place = "\"" + String(decoding: Array(joined), as: UTF8.self) + "\""
        return switch cause {
        case .absent: "\(place) does not exist"
        case .file: "\(place) is a file, not a folder"
        case .link: "\(place) is a symbolic link, and no link is followed"
        case .mount: "another file system is mounted at \(place)"
        case .failure(let failure): "\(place): \(failure.text)"
        }
    }
}

/// A folder reached from the bucket's folder by names alone.
struct Descent {
    /// The folder at the end of the way.
    let folder: Folder
    /// How many folders at the end of the way had to be made.
    let made: Int

    /// Goes down from a folder, following no link and leaving no file system.
    ///
    /// With a mode, folders that are missing are made and made durable.
    init(
        from root: Folder, along path: [[UInt8]], makingMissing mode: mode_t? = nil
    ) throws(Obstacle) {
        var folder = root
        var made = 0
        for (index, name) in path.enumerated() {
            func obstacle(_ cause: Obstacle.Cause) -> Obstacle {
                Obstacle(cause: cause, path: Array(path[...index]))
            }
            do {
                if let mode, try Self.isMissing(name, in: folder) {
                    try Self.make(name, in: folder, mode: mode)
                    made += 1
                }
                let facts = try folder.facts(name)
                guard facts.kind == .folder else {
                    throw obstacle(facts.kind == .link ? .link : .file)
                }
                guard try facts.device == root.ownFacts().device else { throw obstacle(.mount) }
                folder = try folder.folder(name)
            } catch let failure as SystemFailure {
                throw obstacle(failure.code == ENOENT ? .absent : .failure(failure))
            } catch let obstacle as Obstacle {
                throw obstacle
            } catch {
                throw obstacle(.failure(SystemFailure(code: EIO)))
            }
        }
        self.folder = folder
        self.made = made
    }

    private static func isMissing(
        _ name: [UInt8], in folder: Folder
    ) throws(SystemFailure) -> Bool {
        do {
            _ = try folder.facts(name)
            return false
        } catch {
            guard error.code == ENOENT else { throw error }
            return true
        }
    }

    private static func make(
        _ name: [UInt8], in folder: Folder, mode: mode_t
    ) throws(SystemFailure) {
        do {
            try folder.makeFolder(name, mode: mode)
        } catch {
            // Somebody else made it since; what it is will be seen when it is opened.
            guard error.code == EEXIST else { throw error }
        }
        try folder.synchronize()
    }
}
