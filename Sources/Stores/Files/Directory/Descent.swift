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

    /// Whether the store says by it that there is no such object.
    var meansAbsence: Bool {
        switch cause {
        case .absent, .file: true
        case .link, .mount, .failure: false
        }
    }

    /// The obstacle as a clause.
    var reason: String {
        let joined = path.joined(separator: [UInt8(ascii: "/")])
        let place = "\"" + String(decoding: Array(joined), as: UTF8.self) + "\""
        return switch cause {
        case .absent: "\(place) does not exist"
        case .file: "\(place) is a file, not a folder"
        case .link: "\(place) is a symbolic link, and no link is followed"
        case .mount: "another folder or file system is mounted at \(place)"
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

    /// Goes down from a folder, following no link and entering no mount.
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
            let next: Step
            do throws(SystemFailure) {
                if let mode, try Self.isMissing(name, in: folder) {
                    try Self.make(name, in: folder, mode: mode)
                    made += 1
                }
                next = try Self.step(name, in: folder, device: root.ownFacts().device)
            } catch {
                throw obstacle(error.code == ENOENT ? .absent : .failure(error))
            }
            switch next {
            case .folder(let found): folder = found
            case .obstacle(let cause): throw obstacle(cause)
            }
        }
        self.folder = folder
        self.made = made
    }

    private enum Step {
        case folder(Folder)
        case obstacle(Obstacle.Cause)
    }

    private static func step(
        _ name: [UInt8], in folder: Folder, device: UInt64
    ) throws(SystemFailure) -> Step {
        let facts = try folder.facts(name)
        switch facts.kind {
        case .link: return .obstacle(.link)
        case .file, .other: return .obstacle(.file)
        case .folder: break
        }
        guard facts.device == device, try !folder.isMount(name) else { return .obstacle(.mount) }
        return .folder(try folder.folder(name))
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

/// A file reached by names alone, and what it was at that moment.
struct Sighting {
    /// The folder that holds it.
    let folder: Folder
    /// What it is.
    let facts: FileFacts

    /// Looks at a name in a folder reached from another one.
    init(of name: [UInt8], along path: [[UInt8]], from root: Folder) throws(Obstacle) {
        folder = try Descent(from: root, along: path).folder
        do {
            facts = try folder.facts(name)
        } catch {
            throw Obstacle(
                cause: error.code == ENOENT ? .absent : .failure(error), path: path + [name])
        }
    }
}
