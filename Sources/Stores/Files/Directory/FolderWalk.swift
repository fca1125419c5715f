import Glibc
import MooringModel

/// A depth-first walk over one folder that holds one open folder for each level and one name.
///
/// It follows no link and enters no mount; the order is the file system's own. A file that
/// is moved while the walk is under way may be met twice or not at all.
final class FolderWalk {
    /// One step of a walk.
    enum Step {
        /// A file or a link, by its path below the folder; or an ignored folder that is mounted.
        case object(path: [UInt8], facts: FileFacts, link: Link?)
        case problem(ScanProblem)
    }

    /// What a symbolic link says, and where it leads.
    struct Link {
        /// The path that it holds.
        let target: [UInt8]
        /// What it leads to in the end, a folder only where that is ignored; nil where it is not
        /// there, or where an ignored link cannot be followed.
        let end: FileFacts?
        /// Whether it is no link, but a folder of this file system that is mounted a second time.
        var isMount = false
    }

    /// What to do with a folder that the walk met.
    enum Admission {
        case enter
        case leaveOut
        /// A problem for the reason given, which is `isOutside`.
        case refuse(String)
        /// A problem for the reason given: what lies there is not read.
        case stop(String)
    }

    private struct Level {
        let entries: FolderEntries
        let pathLength: Int
    }

    /// The deepest folder that is entered; each level costs one open file.
    static let depthLimit = 200

    private let device: UInt64
    private let place: [UInt8]
    private let admit: (_ path: [UInt8], _ folder: FileFacts) -> Admission
    private let judge: LinkJudge
    private var levels: [Level]
    private var path: [UInt8] = []

    /// What is done about links to folders, and about mounts.
    enum LinkJudge {
        /// Each is a problem, unless all that lies below it is ignored in words.
        case ignoring((_ path: [UInt8]) -> Bool)
        /// A link is an object wherever it leads; a mount is a problem.
        case takingAll
    }

    /// A walk over a folder; `place` stands before the paths in problems.
    init(
        _ folder: Folder, place: [UInt8], links judge: LinkJudge,
        admit: @escaping (_ path: [UInt8], _ folder: FileFacts) -> Admission
    ) throws(SystemFailure) {
        self.device = try folder.ownFacts().device
        self.place = place
        self.admit = admit
        self.judge = judge
        self.levels = [Level(entries: try folder.entries(), pathLength: 0)]
    }

    /// The next object or problem; nil at the end.
    func next() -> Step? {
        while let level = levels.last {
            path.removeSubrange(level.pathLength...)
            do {
                guard try level.entries.advance() else {
                    levels.removeLast()
                    continue
                }
            } catch {
                levels.removeLast()
                return problem("the folder could not be read to its end: \(error.text)")
            }
            level.entries.appendName(to: &path)
            if let step = step(at: level) { return step }
        }
        return nil
    }

    private func step(at level: Level) -> Step? {
        do {
            let facts = try level.entries.facts()
            switch facts.kind {
            case .file:
                return .object(path: path, facts: facts, link: nil)
            case .link:
                return try link(facts, at: level)
            case .folder:
                return try enter(facts, at: level)
            case .other:
                return nil
            }
        } catch {
            // It vanished since its name was read: no object any more, and nothing is hidden.
            if error.code == ENOENT { return nil }
            return problem(error.text)
        }
    }

    // What lies in a folder that a link leads to has keys of its own, and is not looked at.
    private func link(_ facts: FileFacts, at level: Level) throws(SystemFailure) -> Step? {
        let target = try level.entries.linkTarget()
        if case .takingAll = judge {
            return .object(path: path, facts: facts, link: Link(target: target, end: facts))
        }
        let end: FileFacts?
        do {
            end = try level.entries.targetFacts()
        } catch {
            // What an ignored one names is protected all the same.
            guard isIgnored || error.meansLeadsNowhere else {
                return problem("where this link leads cannot be told: \(error.text)")
            }
            end = nil
        }
        guard end?.kind == .folder, !isIgnored else {
            return .object(path: path, facts: facts, link: Link(target: target, end: end))
        }
        return problem(
            "a symbolic link to a folder, and what lies in that one is not looked at; name "
                + "what lies below it under ignore, as NAME/**, or put the folder itself here")
    }

    // Whether what was met is left alone in words.
    private var isIgnored: Bool {
        guard case .ignoring(let isIgnored) = judge else { return false }
        return isIgnored(path)
    }

    private func enter(_ facts: FileFacts, at level: Level) throws(SystemFailure) -> Step? {
        switch admit(path, facts) {
        case .enter: break
        case .leaveOut: return nil
        case .refuse(let reason): return problem(reason, isOutside: true)
        case .stop(let reason): return problem(reason)
        }
        guard facts.device == device, try !level.entries.isMount() else {
            return mount(facts)
        }
        guard levels.count <= Self.depthLimit else {
            return problem("lies deeper than \(Self.depthLimit) folders, which is not looked at")
        }
        do {
            let entries = try level.entries.entries()
            path.append(UInt8(ascii: "/"))
            levels.append(Level(entries: entries, pathLength: path.count))
            return nil
        } catch {
            if error.code == ENOENT { return nil }
            return problem("the folder could not be opened: \(error.text)")
        }
    }

    private func mount(_ facts: FileFacts) -> Step? {
        guard isIgnored else {
            return problem(
                "another folder or file system is mounted here, which is not looked at; name "
                    + "what lies below it under ignore, as NAME/**, or make a bucket of it")
        }
        guard facts.device == device else { return nil }
        // Its files may lie in this bucket, too, and have other keys there.
        return .object(
            path: path, facts: facts, link: Link(target: [], end: facts, isMount: true))
    }

    private func problem(_ reason: String, isOutside: Bool = false) -> Step {
        .problem(
            ScanProblem(
                place: String(decoding: place + path, as: UTF8.self), reason: reason,
                isOutside: isOutside))
    }
}
